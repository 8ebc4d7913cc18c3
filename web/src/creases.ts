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
    const a = 3 * triangles[i];
    const b = 3 * triangles[i + 1];
    const c = 3 * triangles[i + 2];
    const ux = rest[b] - rest[a];
    const uy = rest[b + 1] - rest[a + 1];
    const uz = rest[b + 2] - rest[a + 2];
    const vx = rest[c] - rest[a];
    const vy = rest[c + 1] - rest[a + 1];
    const vz = rest[c + 2] - rest[a + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz) || 1;
    normals[i] = nx / length;
    normals[i + 1] = ny / length;
    normals[i + 2] = nz / length;
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
  const i = a - (a % 3);
  const j = b - (b % 3);
  return faces[i] * faces[j] + faces[i + 1] * faces[j + 1] + faces[i + 2] * faces[j + 2] > SMOOTH;
}

/** Whether two triangles that meet in a vertex have another one in common. */
function shareEdge(a: number, b: number, triangles: Uint32Array): boolean {
  const i = a - (a % 3);
  const j = b - (b % 3);
  const a1 = triangles[i + ((a + 1) % 3)];
  const a2 = triangles[i + ((a + 2) % 3)];
  const b1 = triangles[j + ((b + 1) % 3)];
  const b2 = triangles[j + ((b + 2) % 3)];
  return a1 === b1 || a1 === b2 || a2 === b1 || a2 === b2;
}
