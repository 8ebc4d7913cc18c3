// The plates that hold bodies, drawn where the three vertices that each moves with are now.

import * as THREE from "three";
import { plates, type Plate } from "../plates.js";
import type { Shown } from "../shown.js";
import type { Stage } from "./stage.js";

/** Looking for plates takes a while on large bodies; more triangles than this do without. */
const MOST = 200_000;

export class Supports {
  private readonly group = new THREE.Group();
  private readonly material = new THREE.MeshLambertMaterial();
  private drawn: { plate: Plate; mesh: THREE.Mesh; inverse: THREE.Matrix4 }[] = [];
  private pins = new Uint32Array(0);

  constructor(private readonly stage: Stage) {
    stage.scene.add(this.group);
    stage.onPalette((palette) => this.material.color.set(palette.plate));
  }

  get count(): number {
    return this.drawn.length;
  }

  /** Another scene: nothing is held. */
  clear(): void {
    this.pins = new Uint32Array(0);
    this.make([], new Float32Array(0));
  }

  update({ frame, topology }: Shown): void {
    if (!topology) return;
    const { pins, pinCount, positions } = frame;
    const same = this.pins.length === pinCount && this.pins.every((pin, i) => pin === pins[i]);
    if (!same) {
      this.pins = pins.slice(0, pinCount);
      this.make(topology.triangles.length > 3 * MOST ? [] : plates(topology, this.pins), topology.rest);
    }
    for (const { plate, mesh, inverse } of this.drawn) {
      mesh.matrix.copy(frameOf(plate.corners, positions)).multiply(inverse);
      mesh.matrixWorldNeedsUpdate = true;
    }
  }

  private make(found: Plate[], rest: Float32Array): void {
    for (const { mesh } of this.drawn) mesh.geometry.dispose();
    this.group.clear();
    this.drawn = found.map((plate) => {
      const { half, axes, middle, corners } = plate;
      const placed = new THREE.Matrix4().makeBasis(...(axes.map((axis) => new THREE.Vector3(...axis)) as [THREE.Vector3, THREE.Vector3, THREE.Vector3]));
      placed.setPosition(...middle);
      const geometry = new THREE.BoxGeometry(2 * half[0], 2 * half[1], 2 * half[2]).applyMatrix4(placed);
      const mesh = new THREE.Mesh(geometry, this.material);
      mesh.castShadow = mesh.receiveShadow = true;
      mesh.frustumCulled = false;
      mesh.matrixAutoUpdate = false;
      this.group.add(mesh);
      return { plate, mesh, inverse: frameOf(corners, rest).invert() };
    });
    this.stage.moved();
  }
}

/** The map from unit axes to those of three points. */
function frameOf(corners: [number, number, number], positions: Float32Array): THREE.Matrix4 {
  const [a, b, c] = corners.map((v) => new THREE.Vector3(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]));
  const along = b.sub(a).normalize();
  const out = along.clone().cross(c.sub(a)).normalize();
  return new THREE.Matrix4().makeBasis(along, out.clone().cross(along), out).setPosition(a);
}
