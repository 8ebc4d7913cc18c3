// Creases: where the rest surface has a sharp edge, its vertices get a second normal, so that a box looks like a box and a ball like a ball.
//
// Around each vertex the triangles are grouped: two that share an edge there and whose rest normals differ by less than the crease
// angle belong together. The first group keeps the vertex; every other one gets a copy of it, after all vertices.

import type { Topology } from "./wire/topology.js";

/** cos 40 degrees: flatter edges are smooth. */
const SMOOTH = Math.cos((40 * Math.PI) / 180);

export interface Creased {
  /** The triangles, with copies for corners at creases. */
  triangles: Uint32Array;
  /** The vertex that each copy follows; copy i stands at place V + i. */
  copies: Uint32Array;
}

export function creased(topology: Pick<Topology, "rest" | "triangles">): Creased {
  const { rest, triangles } = topology;
  const vertices = rest.length / 3;
  const faces = faceNormals(rest, triangles);
  const result = triangles.slice();
  const copies: number[] = [];
  for (const [vertex, corners] of cornersAround(triangles, vertices).entries()) {
    const groups = groupsOf(corners, triangles, faces);
    groups.slice(1).forEach((group) => {
      for (const corner of group) result[corner] = vertices + copies.length;
      copies.push(vertex);
    });
  }
  return { triangles: result, copies: Uint32Array.from(copies) };
}

function faceNormals(rest: Float32Array, triangles: Uint32Array): Float32Array {
  const normals = new Float32Array(triangles.length);
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [3 * triangles[i], 3 * triangles[i + 1], 3 * triangles[i + 2]];
    const u = [0, 1, 2].map((k) => rest[b + k] - rest[a + k]);
    const v = [0, 1, 2].map((k) => rest[c + k] - rest[a + k]);
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const length = Math.hypot(...n) || 1;
    for (let k = 0; k < 3; k++) normals[i + k] = n[k] / length;
  }
  return normals;
}

function cornersAround(triangles: Uint32Array, vertices: number): number[][] {
  const around: number[][] = Array.from({ length: vertices }, () => []);
  triangles.forEach((vertex, corner) => around[vertex].push(corner));
  return around;
}

/** The corners at one vertex, grouped by what is smooth. */
function groupsOf(corners: number[], triangles: Uint32Array, faces: Float32Array): number[][] {
  const groups: number[][] = [];
  const waiting = new Set(corners);
  for (const seed of corners) {
    if (!waiting.delete(seed)) continue;
    const group = [seed];
    // grows over smooth edges until there are none left
    for (const member of group) {
      for (const other of waiting) {
        if (shareEdge(member, other, triangles) && areSmooth(member, other, faces)) {
          waiting.delete(other);
          group.push(other);
        }
      }
    }
    groups.push(group);
  }
  return groups;
}

function areSmooth(a: number, b: number, faces: Float32Array): boolean {
  const [i, j] = [a - (a % 3), b - (b % 3)];
  return faces[i] * faces[j] + faces[i + 1] * faces[j + 1] + faces[i + 2] * faces[j + 2] > SMOOTH;
}

/** Whether two triangles that meet in a vertex have another one in common. */
function shareEdge(a: number, b: number, triangles: Uint32Array): boolean {
  const [a1, a2] = others(a, triangles);
  const [b1, b2] = others(b, triangles);
  return a1 === b1 || a1 === b2 || a2 === b1 || a2 === b2;
}

function others(corner: number, triangles: Uint32Array): [number, number] {
  const first = corner - (corner % 3);
  return [triangles[first + ((corner + 1) % 3)], triangles[first + ((corner + 2) % 3)]];
}
