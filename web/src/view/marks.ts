// Marks at vertices: squares where a fix holds one now, round ones where it is tied to another body.
//
// They are as large as a small part of the bodies, and never more than some pixels: seen from far away they do not hide what they mark.

import * as THREE from "three";
import type { Palette, Stage } from "./stage.js";

/** The breadth of a mark, in sizes of the bodies; and at most, px of the page. */
const PART = 0.012;
const LARGEST = 6;

export class Marks {
  private readonly points: THREE.Points<THREE.BufferGeometry, THREE.PointsMaterial>;
  private index = new THREE.BufferAttribute(new Uint32Array(0), 1);

  constructor(stage: Stage, shape: "square" | "round", colour: (palette: Palette) => number) {
    // points are squares unless somebody makes them round
    const material = new THREE.PointsMaterial({ size: LARGEST, sizeAttenuation: false });
    if (shape === "round") {
      material.onBeforeCompile = (shader) => {
        shader.fragmentShader = shader.fragmentShader.replace(
          "#include <color_fragment>", "#include <color_fragment>\nif (length(gl_PointCoord - 0.5) > 0.5) discard;");
      };
    }
    this.points = new THREE.Points(new THREE.BufferGeometry(), material);
    this.points.frustumCulled = false;
    stage.scene.add(this.points);
    stage.onPalette((palette) => material.color.set(colour(palette)));
  }

  /** Takes over the vertices of a new topology, none of them marked. */
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

  update(vertices: Uint32Array, count: number): void {
    const index = this.index.array as Uint32Array;
    const drawn = this.points.geometry.drawRange;
    // they seldom change: only then the list travels again
    let same = drawn.count === count;
    for (let i = 0; same && i < count; i++) same = index[i] === vertices[i];
    if (same) return;
    index.set(vertices.subarray(0, count));
    this.index.needsUpdate = true;
    this.points.geometry.setDrawRange(0, count);
  }

  /** Gives them their size before a picture: bodies of this size, m, where a metre has so many pixels, each of them drawn by so many. */
  scale(size: number, pixelsPerMetre: number, density: number): void {
    this.points.material.size = density * markSize(size, pixelsPerMetre);
  }

  /** Their breadth, px as they are drawn. */
  get size(): number {
    return this.points.material.size;
  }
}

/** The breadth of a mark on bodies of this size, px. */
export function markSize(size: number, pixelsPerMetre: number): number {
  return Math.min(LARGEST, PART * size * pixelsPerMetre);
}
