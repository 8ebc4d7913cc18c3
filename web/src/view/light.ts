// Light: a sky, a key light that stands still in the world and throws soft shadows, and a faint one from the other side.

import * as THREE from "three";
import type { Box } from "../shown.js";

/** Where the key light comes from: from above, and from the left of the first view. */
const KEY = new THREE.Vector3(-0.5, -0.7, 1.25).normalize();
const BACK = new THREE.Vector3(0.8, 0.7, 0.35);
/** Texels of the shadows along each side. */
const TEXELS = 1024;
/** The part of the world with shadows grows by at least this factor, so that they do not swim. */
const GROWTH = 1.3;
/** How far shadows reach along the light, in radii of what throws them. */
const DEPTH = 8;

export class Light {
  private readonly key = new THREE.DirectionalLight(0xfff8ee, 2.3);
  private radius = 0;

  constructor(scene: THREE.Scene) {
    const sky = new THREE.HemisphereLight(0xf4f8ff, 0x8d857a, 1.5);
    sky.position.set(0, 0, 1);
    const back = new THREE.DirectionalLight(0xdfe9ff, 0.45);
    back.position.copy(BACK);
    this.key.castShadow = true;
    this.key.shadow.mapSize.set(TEXELS, TEXELS);
    this.key.shadow.radius = 3.5;
    this.key.shadow.intensity = 0.75;
    scene.add(sky, back, this.key, this.key.target);
  }

  /** Another scene: shadows are fitted anew. */
  clear(): void {
    this.radius = 0;
  }

  /** Gives a box its shadows. */
  fit({ centre, size }: Box): void {
    const needed = Math.max(Math.hypot(...size) / 2, 1e-6);
    if (needed > this.radius || needed < this.radius / 4) this.radius = GROWTH * needed;
    const { radius, key } = this;
    const texel = (2 * radius) / TEXELS;
    // in steps, so that edges of shadows do not crawl while a body moves
    const coarse = 32 * texel;
    key.target.position.set(...(centre.map((x) => Math.round(x / coarse) * coarse) as [number, number, number]));
    key.position.copy(key.target.position).addScaledVector(KEY, 2 * radius);
    const { camera } = key.shadow;
    camera.left = camera.bottom = -radius - coarse;
    camera.right = camera.top = radius + coarse;
    camera.near = 0.1 * radius;
    camera.far = DEPTH * radius;
    camera.updateProjectionMatrix();
    // against shadows of a surface on itself; hardly along its normal, since a sheet is seen from both sides
    key.shadow.normalBias = 0.5 * texel;
    key.shadow.bias = (-6 * texel) / (DEPTH * radius);
  }
}
