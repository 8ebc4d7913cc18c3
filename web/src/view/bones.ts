// Bones and hinges: rigid parts shine through what is around them, and the line that one turns about is a rod.

import * as THREE from "three";
import type { Shown } from "../shown.js";
import type { Bone } from "../wire/topology.js";
import type { Stage } from "./stage.js";

/** The radius of a hinge's rod and how far it stands out, in sizes of its bone. */
const ROD = 0.03;
const LONG = 1.5;

export class Bones {
  private drawn: { bone: Bone; mesh: THREE.Mesh; inverse: THREE.Matrix4 }[] = [];
  private readonly group = new THREE.Group();
  private readonly material: THREE.MeshLambertMaterial;
  private readonly rod: THREE.MeshLambertMaterial;

  constructor(stage: Stage) {
    // seen through the skin, and also where nothing is before it
    this.material = new THREE.MeshLambertMaterial({ transparent: true, opacity: 0.5, depthTest: false, depthWrite: false });
    this.rod = new THREE.MeshLambertMaterial({ transparent: true, opacity: 0.9, depthTest: false, depthWrite: false });
    stage.scene.add(this.group);
    stage.onPalette((palette) => {
      this.material.color.set(palette.bone);
      this.rod.color.set(palette.tie);
    });
  }

  /** How many bones and rods are drawn. */
  get count(): number {
    return this.group.children.length;
  }

  /** Takes over the bones of a new topology. */
  rebuild(bones: readonly Bone[]): void {
    this.group.traverse((part) => part instanceof THREE.Mesh && part.geometry.dispose());
    this.group.clear();
    this.drawn = bones.map((bone) => {
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute("position", new THREE.BufferAttribute(bone.rest, 3));
      geometry.setIndex(new THREE.BufferAttribute(bone.triangles, 1));
      geometry.computeVertexNormals();
      geometry.computeBoundingSphere();
      const mesh = this.add(geometry, this.material);
      mesh.matrixAutoUpdate = false;
      const size = 2 * (geometry.boundingSphere?.radius ?? 0);
      if (bone.hinge) this.addRod(bone.hinge, size);
      return { bone, mesh, inverse: frameOf(bone.masters.flat(), 0).invert() };
    });
  }

  /** Brings the bones to where they are in a frame. */
  update({ frame }: Shown): void {
    this.drawn.forEach(({ mesh, inverse }, i) => {
      if (frame.bones.length < 12 * (i + 1)) return;
      mesh.matrix.copy(frameOf(frame.bones, 12 * i)).multiply(inverse);
      mesh.matrixWorldNeedsUpdate = true;
    });
  }

  private addRod({ point, axis }: { point: [number, number, number]; axis: [number, number, number] }, size: number): void {
    const rod = this.add(new THREE.CylinderGeometry(ROD * size, ROD * size, LONG * size, 16), this.rod);
    rod.position.set(...point);
    rod.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), new THREE.Vector3(...axis));
  }

  private add(geometry: THREE.BufferGeometry, material: THREE.Material): THREE.Mesh {
    const mesh = new THREE.Mesh(geometry, material);
    mesh.frustumCulled = false;
    // after the bodies, before the arrows
    mesh.renderOrder = 5;
    this.group.add(mesh);
    return mesh;
  }
}

/** The affine map from the unit tetrahedron to four points. */
export function frameOf(points: ArrayLike<number>, at: number): THREE.Matrix4 {
  const [a, b, c, d] = [0, 3, 6, 9].map((i) => new THREE.Vector3(points[at + i], points[at + i + 1], points[at + i + 2]));
  return new THREE.Matrix4().makeBasis(b.sub(a), c.sub(a), d.sub(a)).setPosition(a);
}
