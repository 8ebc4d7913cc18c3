// What holds a body: where a fix holds a flat face that looks away from the rest of the body, a plate stands for what it is fixed to.
//
// Pinned triangles that hang together are a region; in it, those that no crease separates are a face. The face of a region that looks most
// away from the middle of the body gets the plate, if it is flat and does: a rectangle around it.

import type { Vec3 } from "./wire/command.js";
import type { Topology } from "./wire/topology.js";

/** cos 40 degrees: flatter edges do not end a face. */
const SMOOTH = Math.cos((40 * Math.PI) / 180);
/** A face is flat where nothing of it is farther from its plane than this share of its size. */
const FLAT = 1e-3;
/** The least cosine between a face's normal and the way out of the body. */
const OUTWARDS = 0.5;
/** How much larger than its face a plate is, and how thick, in sizes of the face. */
const MARGIN = 0.08;
const THICK = 0.05;

/** A plate, in the frame of three vertices of the body. */
export interface Plate {
  /** Vertices that it moves with. */
  corners: [number, number, number];
  /** Its middle, its half sides and its axes (across, up, outwards) at rest, m. */
  middle: Vec3;
  half: Vec3;
  axes: [Vec3, Vec3, Vec3];
}

interface Face {
  triangles: number[];
  normal: Vec3;
  centre: Vec3;
}

export function plates(topology: Topology, pins: Iterable<number>): Plate[] {
  const { rest, triangles, bodies } = topology;
  const pinned = new Set(pins);
  const at = (vertex: number): Vec3 => [rest[3 * vertex], rest[3 * vertex + 1], rest[3 * vertex + 2]];
  const found: Plate[] = [];
  for (const { vertices, triangles: [first, end] } of bodies) {
    const held: number[] = [];
    for (let t = first; t < end; t++) if ([0, 1, 2].every((k) => pinned.has(triangles[3 * t + k]))) held.push(t);
    // a body that is held all over needs no plate, and would not be seen behind one
    if (held.length === 0 || 2 * held.length > end - first) continue;
    const middle = mean(Array.from({ length: vertices[1] - vertices[0] }, (_, i) => at(vertices[0] + i)));
    for (const region of parts(held, triangles, () => true)) {
      const away = (face: Face) => -dot(face.normal, unit(minus(middle, face.centre)));
      const whole = (part: number[]): Face => ({ triangles: part, ...centreAndNormal(part, topology) });
      const smooth = (a: number, b: number) => dot(centreAndNormal([a], topology).normal, centreAndNormal([b], topology).normal) > SMOOTH;
      const faces = parts(region, triangles, smooth).map(whole).filter((face) => away(face) > OUTWARDS);
      const best = faces.sort((a, b) => away(b) * b.triangles.length - away(a) * a.triangles.length)[0];
      const plate = best && plateOn(best, topology);
      if (plate) found.push(plate);
    }
  }
  return found;
}

function plateOn({ triangles: face, normal, centre }: Face, { rest, triangles }: Topology): Plate | null {
  const corners = [...new Set(face.flatMap((t) => [0, 1, 2].map((k) => triangles[3 * t + k])))];
  const at = (vertex: number): Vec3 => [rest[3 * vertex], rest[3 * vertex + 1], rest[3 * vertex + 2]];
  // upright where it can be
  const reference: Vec3 = Math.abs(normal[2]) < 0.9 ? [0, 0, 1] : [0, 1, 0];
  const across = unit(cross(reference, normal));
  const up = cross(normal, across);
  const axes: [Vec3, Vec3, Vec3] = [across, up, normal];
  const spans = axes.map((axis) => {
    const along = corners.map((vertex) => dot(minus(at(vertex), centre), axis));
    return [Math.min(...along), Math.max(...along)];
  });
  const size = Math.max(spans[0][1] - spans[0][0], spans[1][1] - spans[1][0]);
  if (!(size > 0) || spans[2][1] - spans[2][0] > FLAT * size) return null;
  const frame = threeOf(corners, at);
  if (!frame) return null;
  const half: Vec3 = [0.5 * (spans[0][1] - spans[0][0]) + MARGIN * size, 0.5 * (spans[1][1] - spans[1][0]) + MARGIN * size, 0.5 * THICK * size];
  const shift = [0.5 * (spans[0][0] + spans[0][1]), 0.5 * (spans[1][0] + spans[1][1]), half[2]];
  const middle = centre.map((x, c) => x + axes.reduce((sum, axis, i) => sum + shift[i] * axis[c], 0)) as Vec3;
  return { corners: frame, middle, half, axes };
}

/** Three vertices far from each other. */
function threeOf(vertices: number[], at: (vertex: number) => Vec3): [number, number, number] | null {
  const a = vertices[0];
  const farthest = (gap: (vertex: number) => number) => vertices.reduce((best, v) => (gap(v) > gap(best) ? v : best), a);
  const b = farthest((v) => length(minus(at(v), at(a))));
  const area = (v: number) => length(cross(minus(at(b), at(a)), minus(at(v), at(a))));
  const c = farthest(area);
  return area(c) > 0 ? [a, b, c] : null;
}

/** Triangles that hang together by shared vertices, where two that meet also belong together. */
function parts(all: number[], triangles: Uint32Array, together: (a: number, b: number) => boolean): number[][] {
  const around = new Map<number, number[]>();
  const corners = (t: number) => [triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2]];
  for (const t of all) for (const v of corners(t)) around.set(v, [...(around.get(v) ?? []), t]);
  const waiting = new Set(all);
  const found: number[][] = [];
  for (const seed of all) {
    if (!waiting.delete(seed)) continue;
    const part = [seed];
    for (const t of part) {
      for (const v of corners(t)) {
        for (const other of around.get(v) ?? []) if (waiting.has(other) && together(t, other) && waiting.delete(other)) part.push(other);
      }
    }
    found.push(part);
  }
  return found;
}

function centreAndNormal(part: number[], { rest, triangles }: Topology): { centre: Vec3; normal: Vec3 } {
  const at = (vertex: number): Vec3 => [rest[3 * vertex], rest[3 * vertex + 1], rest[3 * vertex + 2]];
  const normal: Vec3 = [0, 0, 0];
  const middles = part.map((t) => {
    const [a, b, c] = [0, 1, 2].map((k) => at(triangles[3 * t + k]));
    cross(minus(b, a), minus(c, a)).forEach((x, i) => (normal[i] += x));
    return mean([a, b, c]);
  });
  return { centre: mean(middles), normal: unit(normal) };
}

export function minus(a: Vec3, b: Vec3): Vec3 {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

export function cross(a: Vec3, b: Vec3): Vec3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function dot(a: Vec3, b: Vec3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function length(a: Vec3): number {
  return Math.hypot(...a);
}

function unit(a: Vec3): Vec3 {
  const size = length(a) || 1;
  return [a[0] / size, a[1] / size, a[2] / size];
}

function mean(points: Vec3[]): Vec3 {
  const sum: Vec3 = [0, 0, 0];
  for (const point of points) point.forEach((x, i) => (sum[i] += x / points.length));
  return sum;
}
