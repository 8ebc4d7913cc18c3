// Which point of the surface lies under the pointer: a ray against every triangle of the frame that is shown.
//
// Moller and Trumbore's test: p = o + t d = a + v (b - a) + w (c - a) is solved for t, v, w by Cramer's rule.
// Forty thousand triangles take about a millisecond, so there is no tree to keep up to date while the body deforms.

import type { Vec3 } from "./wire/command.js";

export interface Ray {
  origin: Vec3;
  /** Of any length. */
  direction: Vec3;
}

export interface Hit {
  triangle: number;
  /** Weights of the triangle's corners, which sum to one. */
  weights: Vec3;
  point: Vec3;
  /** In lengths of the ray's direction. */
  distance: number;
}

/** The nearest point before the ray's origin, from either side of the surface. */
export function pick(ray: Ray, positions: Float32Array, triangles: Uint32Array): Hit | null {
  const [ox, oy, oz] = ray.origin;
  const [dx, dy, dz] = ray.direction;
  let nearest = Infinity;
  let triangle = -1;
  let v = 0;
  let w = 0;
  for (let i = 0; i < triangles.length; i += 3) {
    const a = 3 * triangles[i];
    const b = 3 * triangles[i + 1];
    const c = 3 * triangles[i + 2];
    const ax = positions[a];
    const ay = positions[a + 1];
    const az = positions[a + 2];
    const ux = positions[b] - ax;
    const uy = positions[b + 1] - ay;
    const uz = positions[b + 2] - az;
    const vx = positions[c] - ax;
    const vy = positions[c + 1] - ay;
    const vz = positions[c + 2] - az;
    const px = dy * vz - dz * vy;
    const py = dz * vx - dx * vz;
    const pz = dx * vy - dy * vx;
    const determinant = ux * px + uy * py + uz * pz;
    if (determinant === 0) continue;
    const sx = ox - ax;
    const sy = oy - ay;
    const sz = oz - az;
    const first = (sx * px + sy * py + sz * pz) / determinant;
    // written so that what is not a number misses
    if (!(first >= 0 && first <= 1)) continue;
    const qx = sy * uz - sz * uy;
    const qy = sz * ux - sx * uz;
    const qz = sx * uy - sy * ux;
    const second = (dx * qx + dy * qy + dz * qz) / determinant;
    if (!(second >= 0 && first + second <= 1)) continue;
    const t = (vx * qx + vy * qy + vz * qz) / determinant;
    if (t > 0 && t < nearest) {
      nearest = t;
      triangle = i / 3;
      v = first;
      w = second;
    }
  }
  if (triangle < 0) return null;
  return {
    triangle,
    weights: [Math.max(0, 1 - v - w), v, w],
    point: [ox + nearest * dx, oy + nearest * dy, oz + nearest * dz],
    distance: nearest,
  };
}

/** Where a ray meets the plane through `point` with normal `normal`; null where it never does before its origin. */
export function meetPlane(ray: Ray, point: Vec3, normal: Vec3): Vec3 | null {
  const along = dot(ray.direction, normal);
  const offset: Vec3 = [point[0] - ray.origin[0], point[1] - ray.origin[1], point[2] - ray.origin[2]];
  const t = dot(offset, normal) / along;
  if (!(t > 0) || !Number.isFinite(t)) return null;
  return [0, 1, 2].map((i) => ray.origin[i] + t * ray.direction[i]) as Vec3;
}

function dot(a: Vec3, b: Vec3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
