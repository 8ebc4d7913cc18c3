// Pulling with the pointer: a drag that begins on the body grabs it, one that begins beside it is the camera's.
//
// The hand stays in the plane through the grabbed point that faces the camera. Ctrl and Shift change nothing on the body, for hands
// that know other viewers. The listener sits before the camera's, and keeps from it what is ours.

import type { Grip } from "./grip.js";
import { meetPlane, pick, type Hit, type Ray } from "./pick.js";
import type { Shown } from "./shown.js";
import type { Vec3 } from "./wire/command.js";

/** What a drag needs to know of the camera. */
export interface Eye {
  ray(clientX: number, clientY: number): Ray;
  axes(): { out: Vec3 };
}

export class Drag {
  /** What is under the pointer, as far as is known. */
  under: Hit | null = null;
  private pointer: number | null = null;
  private anchor: Vec3 = [0, 0, 0];
  private normal: Vec3 = [0, 0, 1];
  private hover: { x: number; y: number } | null = null;

  constructor(
    private readonly box: HTMLElement,
    private readonly eye: Eye,
    private readonly shown: Shown,
    private readonly grip: Grip,
    private readonly mayGrab: () => boolean,
  ) {
    box.addEventListener("pointerdown", (event) => this.down(event), { capture: true });
    box.addEventListener("pointermove", (event) => this.move(event), { capture: true });
    box.addEventListener("pointerup", (event) => this.up(event), { capture: true });
    box.addEventListener("pointercancel", (event) => this.up(event), { capture: true });
    box.addEventListener("lostpointercapture", (event) => this.up(event));
    box.addEventListener("pointerleave", () => this.leave());
    addEventListener("blur", () => this.end());
    document.addEventListener("visibilitychange", () => document.hidden && this.end());
  }

  get pulling(): boolean {
    return this.pointer !== null;
  }

  /** Once in each animation frame: looks what is under a pointer that rests or wanders. */
  look(): void {
    if (!this.hover || this.pulling) return;
    this.under = this.hit(this.hover.x, this.hover.y);
  }

  /** Whether the pointer is over a body, as far as is known. */
  get over(): boolean {
    return this.under !== null;
  }

  private leave(): void {
    this.hover = null;
    if (!this.pulling) this.under = null;
  }

  /** Lets go. */
  end(): void {
    if (this.pointer === null) return;
    const pointer = this.pointer;
    this.pointer = null;
    if (this.box.hasPointerCapture(pointer)) this.box.releasePointerCapture(pointer);
    this.grip.release();
    // nothing is known of what is under the pointer until it moves without a button
    this.hover = null;
    this.under = null;
  }

  private down(event: PointerEvent): void {
    if (this.pulling) {
      // a second finger does not turn the camera under the first
      event.stopPropagation();
      return;
    }
    // a banner above the body is not the body
    if (!(event.target instanceof HTMLCanvasElement)) return;
    const forced = event.button === 2 && event.ctrlKey;
    if ((event.button !== 0 && !forced) || !this.mayGrab()) return;
    const hit = this.hit(event.clientX, event.clientY);
    if (!hit || !this.grip.grab(hit)) return;
    event.stopPropagation();
    event.preventDefault();
    this.pointer = event.pointerId;
    this.anchor = hit.point;
    this.normal = this.eye.axes().out;
    this.box.setPointerCapture(event.pointerId);
  }

  private move(event: PointerEvent): void {
    if (event.pointerId === this.pointer) {
      event.stopPropagation();
      const target = meetPlane(this.eye.ray(event.clientX, event.clientY), this.anchor, this.normal);
      if (target) this.grip.move(target);
    } else if (event.buttons === 0) {
      if (event.target instanceof HTMLCanvasElement) this.hover = { x: event.clientX, y: event.clientY };
      else this.leave();
    }
  }

  private up(event: PointerEvent): void {
    if (event.pointerId !== this.pointer) return;
    event.stopPropagation();
    this.end();
    if (event.pointerType === "mouse") this.hover = { x: event.clientX, y: event.clientY };
  }

  private hit(x: number, y: number): Hit | null {
    const { frame, topology } = this.shown;
    if (!topology || this.shown.frames === 0) return null;
    return pick(this.eye.ray(x, y), frame.positions, topology.triangles);
  }
}
