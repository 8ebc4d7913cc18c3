// The surfaces of colliders that have an end, about their own origins.

import * as THREE from "three";
import { creased } from "../creases.js";
import type { Shape } from "../wire/collider.js";

/** Parts around a circle. */
const ROUND = 48;

/** A shape with the thickness at which contact begins around it, as far as that is simple; null for a plane, which has no end. */
export function solid(shape: Shape, thickness: number): THREE.BufferGeometry | null {
  switch (shape.kind) {
    case "plane":
      return null;
    case "sphere":
      return new THREE.SphereGeometry(shape.radius + thickness, ROUND, ROUND / 2);
    case "capsule":
      // along y there, along z here
      return new THREE.CapsuleGeometry(shape.radius + thickness, 2 * shape.half, ROUND / 4, ROUND).rotateX(Math.PI / 2);
    case "box": {
      const [a, b, c] = shape.half.map((half) => 2 * (half + thickness));
      return new THREE.BoxGeometry(a, b, c);
    }
    case "mesh":
      return surface(shape.vertices, shape.triangles);
  }
}

function surface(vertices: Float32Array, triangles: Uint32Array): THREE.BufferGeometry {
  const { copies, triangles: cut } = creased({ rest: vertices, triangles });
  const points = new Float32Array(vertices.length + 3 * copies.length);
  points.set(vertices);
  copies.forEach((vertex, i) => points.copyWithin(vertices.length + 3 * i, 3 * vertex, 3 * vertex + 3));
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(points, 3));
  geometry.setIndex(new THREE.BufferAttribute(cut, 1));
  geometry.computeVertexNormals();
  return geometry;
}
