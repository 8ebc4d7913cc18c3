// The edges of the elements, drawn from the body's own position buffer.

import * as THREE from "three";
import type { Stage } from "./stage.js";

export class Wireframe {
  private readonly lines: THREE.LineSegments<THREE.BufferGeometry, THREE.LineBasicMaterial>;

  constructor(private readonly stage: Stage) {
    const material = new THREE.LineBasicMaterial({ transparent: true, opacity: 0.55, depthWrite: false });
    this.lines = new THREE.LineSegments(new THREE.BufferGeometry(), material);
    this.lines.frustumCulled = false;
    stage.scene.add(this.lines);
    stage.onPalette((palette) => material.color.set(palette.edge));
  }

  set visible(visible: boolean) {
    this.lines.visible = visible;
    this.stage.touch();
  }

  /** Takes over the edges of a new topology. */
  rebuild(positions: THREE.BufferAttribute, edges: Uint32Array): void {
    this.lines.geometry.dispose();
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", positions);
    geometry.setIndex(new THREE.BufferAttribute(edges, 1));
    geometry.boundingSphere = new THREE.Sphere(new THREE.Vector3(), Infinity);
    this.lines.geometry = geometry;
  }
}
