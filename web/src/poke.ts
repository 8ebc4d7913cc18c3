// The tool: a ball that follows the pointer and pushes what it meets.
//
// It is wanted in the plane that faces the camera through the point of a body that the pointer was over when the ball was taken up, or through the
// middle of the bodies where it was over none. It begins before that plane, outside of bodies; the program leads it, at a bounded speed.

import type { Eye } from "./drag.js";
import { meetPlane, pick } from "./pick.js";
import type { Shown } from "./shown.js";
import { FARTHEST, type Order, type Vec3 } from "./wire/command.js";
import type { Topology } from "./wire/topology.js";

/** Its radius at first, at least and at most, in extents of the scene; at first it is no smaller than edges are long, between whose ends it would slip. */
const RADIUS = 1 / 12;
const SMALLEST = 1 / 100;
const LARGEST = 1 / 2;
/** A press of a key makes it larger by this factor; a notch of the wheel leads it deeper by this part of its radius. */
const GROWTH = 1.2;
const NOTCH = 0.25;
/** How fast arrow keys lead it, in extents a second. */
const SPEED = 0.5;

/** Edges to look at. */
const SOME = 1000;

const DIRECTIONS: Record<string, Vec3> = {
  ArrowLeft: [-1, 0, 0], ArrowRight: [1, 0, 0], ArrowUp: [0, 1, 0], ArrowDown: [0, -1, 0], PageUp: [0, 0, -1], PageDown: [0, 0, 1],
};

/** What a tool needs of the rest of the page. */
export interface Bench {
  /** Gives an order; 0 where it does not count. */
  order(order: Order): number;
  /** The ball was led with this sequence number. */
  sent(sequence: number): void;
  /** Whether this page may have a tool now. */
  may(): boolean;
  /** The mode was entered or left. */
  changed(): void;
}

/** What a tool needs to know of the camera. */
export interface Lens extends Eye {
  axes(): { right: Vec3; up: Vec3; out: Vec3 };
}

export class Poke {
  /** Whether the pointer leads a ball. */
  active = false;
  private radius = 0;
  private target: Vec3 | null = null;
  /** Sequence number of the order that took it up; 0 where there is none. */
  private taken = 0;
  private led = { target: [NaN, NaN, NaN] as Vec3, radius: NaN };
  private pointer: { x: number; y: number } | null = null;
  /** The finger that leads it, if one does. */
  private finger: number | null = null;
  private readonly pressed = new Set<string>();

  constructor(
    private readonly box: HTMLElement,
    private readonly eye: Lens,
    private readonly shown: Shown,
    private readonly bench: Bench,
  ) {
    // before the hand and the camera: a finger leads the ball
    box.addEventListener("pointerdown", (event) => this.down(event), { capture: true });
    box.addEventListener("pointermove", (event) => this.move(event), { capture: true });
    for (const end of ["pointerup", "pointercancel"] as const) box.addEventListener(end, (event) => this.up(event), { capture: true });
    box.addEventListener("wheel", (event) => this.turn(event), { capture: true, passive: false });
    addEventListener("blur", () => this.pressed.clear());
  }

  /** Where it is wanted, and how large; null where there is none. */
  get wanted(): { place: Vec3; radius: number } | null {
    return this.taken > 0 && this.target ? { place: this.target, radius: this.radius } : null;
  }

  /** Enters the mode, where this page may, or leaves it. */
  toggle(): void {
    if (this.active) return this.leave();
    if (!this.bench.may()) return this.bench.changed();
    this.active = true;
    this.radius = 0;
    this.takeUp();
    this.bench.changed();
  }

  /** Leaves the mode and puts the ball away. */
  leave(): void {
    if (this.taken > 0) this.bench.order({ type: "put-away" });
    this.forget();
    this.active = false;
    this.bench.changed();
  }

  /** The program has no ball any more; the next movement of the pointer takes one up again. */
  forget(): void {
    this.taken = 0;
    this.target = null;
    this.pressed.clear();
  }

  /** Another scene: a ball of another size. */
  resize(): void {
    this.forget();
    this.radius = 0;
  }

  /** Whether a state of the program that knows of the ball has none: a reset or a divergence has put it away. */
  isVoid(state: { sequence: number; pushes: boolean }): boolean {
    return this.taken > 0 && state.sequence >= this.taken && !state.pushes;
  }

  /** A larger or a smaller ball. */
  grow(by: 1 | -1): void {
    const { extent } = this.shown;
    this.radius = Math.min(LARGEST * extent, Math.max(SMALLEST * extent, this.radius * GROWTH ** by));
  }

  /** Whether a key leads it. */
  knows(code: string): boolean {
    return this.taken > 0 && code in DIRECTIONS;
  }

  /** A key goes down; false where it does not lead. */
  press(code: string): boolean {
    if (!this.knows(code)) return false;
    this.pressed.add(code);
    return true;
  }

  /** A key goes up; false where it did not lead. */
  lift(code: string): boolean {
    return this.pressed.delete(code);
  }

  /** Once in each animation frame: leads the ball to where it is wanted now. */
  advance(seconds: number): void {
    if (!this.active || this.taken === 0 || !this.target) return;
    if (this.pointer) this.target = meetPlane(this.eye.ray(this.pointer.x, this.pointer.y), this.target, this.eye.axes().out) ?? this.target;
    for (const code of this.pressed) this.shift(DIRECTIONS[code], SPEED * this.shown.extent * Math.min(seconds, 0.1));
    this.flush();
  }

  private takeUp(): void {
    const { frame, topology, extent } = this.shown;
    if (!topology || this.shown.frames === 0 || !this.bench.may()) return;
    this.radius ||= Math.min(LARGEST * extent, Math.max(RADIUS * extent, usualEdge(topology)));
    const { x, y } = this.pointer ?? middle(this.box);
    const ray = this.eye.ray(x, y);
    const hit = pick(ray, frame.positions, topology.triangles)?.point;
    const point = hit ?? meetPlane(ray, this.shown.box().centre, this.eye.axes().out);
    if (!point) return;
    const length = Math.hypot(...ray.direction);
    const towards = ray.direction.map((d) => -d / length) as Vec3;
    // before the surface, and from there into it
    const place = hit ? along(point, towards, this.radius) : point;
    this.taken = this.bench.order({ type: "tool", topology: this.shown.hash, place: within(place), towards, radius: this.radius });
    this.target = point;
    this.led = { target: [NaN, NaN, NaN], radius: NaN };
  }

  private flush(): void {
    if (!this.target) return;
    const [target, radius] = [within(this.target), this.radius];
    if (radius === this.led.radius && target.every((x, i) => x === this.led.target[i])) return;
    this.led = { target, radius };
    this.bench.sent(this.bench.order({ type: "lead", target, radius }));
  }

  /** Moves where it is wanted along the axes of the screen. */
  private shift([right, up, out]: Vec3, length: number): void {
    if (!this.target) return;
    const axes = this.eye.axes();
    // keys lead it until the pointer moves again
    this.pointer = null;
    for (const [axis, share] of [[axes.right, right], [axes.up, up], [axes.out, out]] as const) this.target = along(this.target, axis, share * length);
  }

  private follow(event: PointerEvent): void {
    this.pointer = { x: event.clientX, y: event.clientY };
    if (this.active && this.taken === 0) this.takeUp();
  }

  private down(event: PointerEvent): void {
    if (!this.active || event.pointerType !== "touch" || !(event.target instanceof HTMLCanvasElement)) return;
    event.stopImmediatePropagation();
    if (this.finger !== null) return;
    this.finger = event.pointerId;
    // the ball begins anew below the finger
    this.forget();
    this.follow(event);
  }

  private move(event: PointerEvent): void {
    if (event.pointerId === this.finger) {
      event.stopImmediatePropagation();
      this.follow(event);
    } else if (event.pointerType !== "touch" && event.buttons === 0 && event.target instanceof HTMLCanvasElement) {
      // while a button is down the hand or the camera has the pointer, and the ball stays
      this.follow(event);
    } else if (event.buttons !== 0) {
      this.pointer = null;
    }
  }

  private up(event: PointerEvent): void {
    if (event.pointerId !== this.finger) return;
    event.stopImmediatePropagation();
    this.finger = null;
    this.pointer = null;
  }

  /** The wheel with Shift leads it deeper into the screen, or out of it. */
  private turn(event: WheelEvent): void {
    if (this.taken === 0 || !event.shiftKey || !this.target) return;
    event.preventDefault();
    event.stopPropagation();
    // some browsers turn a wheel sideways with Shift
    const notches = -Math.sign(event.deltaY || event.deltaX);
    const { x, y } = this.pointer ?? middle(this.box);
    const { direction } = this.eye.ray(x, y);
    this.target = along(this.target, direction, (notches * NOTCH * this.radius) / Math.hypot(...direction));
  }
}

/** The length of an edge at rest that half of some are shorter than, m; 0 where there are none. */
export function usualEdge({ rest, edges }: Pick<Topology, "rest" | "edges">): number {
  const count = edges.length / 2;
  const lengths = Array.from({ length: Math.min(count, SOME) }, (_, i) => {
    const [a, b] = [0, 1].map((end) => 3 * edges[2 * Math.floor((i * count) / Math.min(count, SOME)) + end]);
    return Math.hypot(...[0, 1, 2].map((c) => rest[a + c] - rest[b + c]));
  });
  return lengths.sort((a, b) => a - b)[lengths.length >> 1] ?? 0;
}

function along(place: Vec3, direction: Vec3, length: number): Vec3 {
  return place.map((x, i) => x + length * direction[i]) as Vec3;
}

function middle(box: HTMLElement): { x: number; y: number } {
  const { left, top, width, height } = box.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}

/** The nearest place that the program knows. */
function within(place: Vec3): Vec3 {
  return place.map((x) => Math.max(-FARTHEST, Math.min(FARTHEST, x))) as Vec3;
}
