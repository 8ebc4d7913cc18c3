// Pins: a small square at every vertex that a fix holds now.

import * as THREE from "three";
import type { Stage } from "./stage.js";

export class Pins {
  private readonly points: THREE.Points<THREE.BufferGeometry, THREE.PointsMaterial>;
  private index = new THREE.BufferAttribute(new Uint32Array(0), 1);

  constructor(stage: Stage) {
    // points are squares unless somebody makes them round
    const material = new THREE.PointsMaterial({ size: 6, sizeAttenuation: false });
    this.points = new THREE.Points(new THREE.BufferGeometry(), material);
    this.points.frustumCulled = false;
    stage.scene.add(this.points);
    stage.onPalette((palette) => material.color.set(palette.pin));
  }

  /** Takes over the vertices of a new topology, none of them pinned. */
  rebuild(positions: THREE.BufferAttribute): void {
    this.points.geometry.dispose();
    this.index = new THREE.BufferAttribute(new Uint32Array(positions.count), 1);
    this.index.setUsage(THREE.DynamicDrawUsage);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", positions);
    geometry.setIndex(this.index);
    geometry.setDrawRange(0, 0);
    geometry.boundingSphere = new THREE.Sphere(new THREE.Vector3(), Infinity);
    this.points.geometry = geometry;
  }

  update(pins: Uint32Array, count: number): void {
    const index = this.index.array as Uint32Array;
    const drawn = this.points.geometry.drawRange;
    // pins seldom change: only then the list travels again
    let same = drawn.count === count;
    for (let i = 0; same && i < count; i++) same = index[i] === pins[i];
    if (same) return;
    index.set(pins.subarray(0, count));
    this.index.needsUpdate = true;
    this.points.geometry.setDrawRange(0, count);
  }
}
