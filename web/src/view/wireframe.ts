// The edges of the elements, drawn from the body's own position buffer. Springs of a body without faces are always shown: it has nothing else.

import * as THREE from "three";
import type { Topology } from "../wire/topology.js";
import type { Stage } from "./stage.js";

export class Wireframe {
  private readonly lines: THREE.LineSegments<THREE.BufferGeometry, THREE.LineBasicMaterial>;
  private wanted = false;
  private all: Uint32Array = new Uint32Array(0);
  /** Edges of bodies that have no faces. */
  private bare: Uint32Array = new Uint32Array(0);

  constructor(private readonly stage: Stage) {
    const material = new THREE.LineBasicMaterial({ transparent: true, opacity: 0.55, depthWrite: false });
    this.lines = new THREE.LineSegments(new THREE.BufferGeometry(), material);
    this.lines.frustumCulled = false;
    stage.scene.add(this.lines);
    stage.onPalette((palette) => material.color.set(palette.edge));
  }

  set visible(visible: boolean) {
    this.wanted = visible;
    this.choose();
  }

  /** Takes over the edges of a new topology. */
  rebuild(positions: THREE.BufferAttribute, topology: Topology | null): void {
    this.lines.geometry.dispose();
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", positions);
    geometry.boundingSphere = new THREE.Sphere(new THREE.Vector3(), Infinity);
    this.lines.geometry = geometry;
    this.all = topology?.edges ?? new Uint32Array(0);
    this.bare = Uint32Array.from(topology?.bodies.filter(({ triangles: [a, b] }) => a === b).flatMap(({ edges: [a, b] }) => [...this.all.subarray(2 * a, 2 * b)]) ?? []);
    this.choose();
  }

  private choose(): void {
    const edges = this.wanted ? this.all : this.bare;
    this.lines.geometry.setIndex(new THREE.BufferAttribute(edges, 1));
    this.lines.visible = edges.length > 0;
    this.stage.touch();
  }
}
