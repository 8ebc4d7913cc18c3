// Labels: short texts beside places in the scene, as HTML above the picture, so that they stay sharp and can be read by anybody.

import * as THREE from "three";
import { clampInto } from "./clamp.js";
import type { Vec3 } from "../wire/command.js";

export interface Label {
  text: string;
  place: Vec3;
  look: "user" | "scene" | "limit" | "trouble" | "chosen" | "name";
}

/** Looks with a ring around their place, which has to stay there. */
const RINGS: ReadonlySet<Label["look"]> = new Set(["trouble", "chosen"]);
/** The breadth of a ring, px. */
const RING = 18;

export class Labels {
  private readonly sizes = new WeakMap<HTMLElement, { width: number; height: number }>();
  private readonly pool: HTMLElement[] = [];
  private readonly point = new THREE.Vector3();

  constructor(private readonly box: HTMLElement) {}

  /** Shows exactly these labels. */
  show(labels: Label[], camera: THREE.PerspectiveCamera): void {
    while (this.pool.length < labels.length) {
      const label = document.createElement("div");
      this.box.append(label);
      this.pool.push(label);
    }
    this.pool.forEach((element, i) => this.place(element, labels[i], camera));
  }

  private place(element: HTMLElement, label: Label | undefined, camera: THREE.PerspectiveCamera): void {
    const point = label && this.point.set(...label.place).project(camera);
    // what the user does is told also where the hand has left the picture
    const farthest = label?.look === "user" || label?.look === "limit" ? Infinity : 1.2;
    element.hidden = !point || point.z > 1 || Math.abs(point.x) > farthest || Math.abs(point.y) > farthest;
    if (!label || !point || element.hidden) return;
    const look = `label ${label.look}`;
    const same = element.textContent === label.text && element.className === look;
    if (!same) {
      element.textContent = label.text;
      element.className = look;
      this.sizes.set(element, { width: element.offsetWidth, height: element.offsetHeight });
    }
    const room = { width: this.box.clientWidth, height: this.box.clientHeight };
    const size = this.sizes.get(element) ?? { width: 0, height: 0 };
    const at = { x: ((point.x + 1) / 2) * room.width, y: ((1 - point.y) / 2) * room.height };
    const { x, y } = corner(label.look, at, size.width);
    const left = RINGS.has(label.look) ? x : clampInto(x, size.width, room.width);
    const top = RINGS.has(label.look) ? y : clampInto(y, size.height, room.height);
    element.style.transform = `translate(${left.toFixed(1)}px, ${top.toFixed(1)}px)`;
  }
}

/** The upper left corner of a label that belongs to a place, px. */
function corner(look: Label["look"], { x, y }: { x: number; y: number }, width: number): { x: number; y: number } {
  // above the middle of its body
  if (look === "name") return { x: x - width / 2, y: y - 30 };
  return look === "chosen" ? { x: x - RING / 2, y: y - RING / 2 } : { x: x + 10, y: y - 25 };
}
