// Labels: short texts beside places in the scene, as HTML above the picture, so that they stay sharp and can be read by anybody.

import * as THREE from "three";
import type { Vec3 } from "../wire/command.js";

export interface Label {
  text: string;
  place: Vec3;
  look: "user" | "scene" | "limit" | "trouble" | "chosen";
}

export class Labels {
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
    element.hidden = !point || point.z > 1 || Math.abs(point.x) > 1.2 || Math.abs(point.y) > 1.2;
    if (!label || !point || element.hidden) return;
    if (element.textContent !== label.text) element.textContent = label.text;
    element.className = `label ${label.look}`;
    const x = ((point.x + 1) / 2) * this.box.clientWidth;
    const y = ((1 - point.y) / 2) * this.box.clientHeight;
    element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
  }
}
