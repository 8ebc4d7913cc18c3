// The body: one mesh for the surface of a scene, whose buffers are overwritten in place with each frame.

import * as THREE from "three";
import type { ColourRange } from "../range.js";
import type { Shown } from "../shown.js";
import { COLOURS, linearViridis } from "../viridis.js";
import type { Stage } from "./stage.js";

const TABLE = linearViridis();

export class Body {
  /** Shared by edges and pins, so that a frame's positions travel to the graphics card once. */
  positions = new THREE.BufferAttribute(new Float32Array(0), 3);
  private normals = new THREE.BufferAttribute(new Float32Array(0), 3);
  private colours = new THREE.BufferAttribute(new Float32Array(0), 3);
  private readonly mesh: THREE.Mesh<THREE.BufferGeometry, THREE.MeshPhongMaterial>;
  private readonly plain = new THREE.Color();

  constructor(private readonly stage: Stage) {
    const material = new THREE.MeshPhongMaterial({
      vertexColors: true,
      side: THREE.DoubleSide,
      specular: 0x2a2a2a,
      shininess: 28,
      // leaves room for edges and pins that lie on the surface
      polygonOffset: true,
      polygonOffsetFactor: 1,
      polygonOffsetUnits: 1,
    });
    this.mesh = new THREE.Mesh(new THREE.BufferGeometry(), material);
    // its bounds change with each frame: it is never culled, so nobody has to find them
    this.mesh.frustumCulled = false;
    // the shader is made at the first drawing, and must know that there are normals
    this.mesh.visible = false;
    stage.scene.add(this.mesh);
    stage.onPalette((palette) => this.plain.set(palette.plain));
  }

  /** Takes over the arrays of a new topology. */
  rebuild(shown: Shown): void {
    const { points, creases, normals } = shown;
    this.mesh.geometry.dispose();
    this.positions = moving(points);
    this.normals = moving(normals);
    this.colours = moving(new Float32Array(points.length));
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", this.positions);
    geometry.setAttribute("normal", this.normals);
    geometry.setAttribute("color", this.colours);
    geometry.setIndex(new THREE.BufferAttribute(creases.triangles, 1));
    geometry.boundingSphere = new THREE.Sphere(new THREE.Vector3(), Infinity);
    this.mesh.geometry = geometry;
    this.mesh.visible = true;
  }

  /** Brings a frame to the graphics card. */
  update(shown: Shown, range: ColourRange): void {
    this.positions.needsUpdate = true;
    this.normals.needsUpdate = true;
    this.paint(shown, range);
    this.stage.touch();
  }

  /** Colours the vertices by the field, or plainly where there is none. */
  paint(shown: Shown, range: ColourRange): void {
    const colours = this.colours.array as Float32Array;
    const { field, values, vertices } = shown.frame;
    if (field) {
      const span = range.highest - range.lowest;
      const scale = span > 0 ? (COLOURS - 1) / span : 0;
      for (let i = 0, j = 0; i < vertices; i++, j += 3) {
        const level = (values[i] - range.lowest) * scale;
        const entry = 3 * (level > 0 ? (level < COLOURS - 1 ? Math.round(level) : COLOURS - 1) : 0);
        colours[j] = TABLE[entry];
        colours[j + 1] = TABLE[entry + 1];
        colours[j + 2] = TABLE[entry + 2];
      }
      shown.creases.copies.forEach((vertex, i) => colours.copyWithin(3 * (vertices + i), 3 * vertex, 3 * vertex + 3));
    } else {
      for (let j = 0; j < colours.length; j += 3) {
        colours[j] = this.plain.r;
        colours[j + 1] = this.plain.g;
        colours[j + 2] = this.plain.b;
      }
    }
    this.colours.needsUpdate = true;
    this.stage.touch();
  }
}

function moving(array: Float32Array): THREE.BufferAttribute {
  const attribute = new THREE.BufferAttribute(array, 3);
  attribute.setUsage(THREE.DynamicDrawUsage);
  return attribute;
}
