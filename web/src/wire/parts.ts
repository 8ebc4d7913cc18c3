// Parts of a topology's text that several of its things have: lists, places, triangles, each checked before it counts.

import type { Vec3 } from "./command.js";
import { WireError } from "./error.js";

export type Fields = Record<string, unknown>;

export function list(value: unknown, what: string): unknown[] {
  if (!Array.isArray(value)) throw new WireError(`the topology does not list its ${what}`);
  return value;
}

export function place(value: unknown, what: string): Vec3 {
  if (!Array.isArray(value) || value.length !== 3 || !value.every(Number.isFinite)) throw new WireError(`${what} is not a place`);
  return value as Vec3;
}

/** A length that is not negative. */
export function length(value: unknown, what: string): number {
  if (typeof value !== "number" || !(value >= 0 && value < Infinity)) throw new WireError(`${what} is not a length`);
  return value;
}

export function index(value: unknown, count: number): number {
  if (!Number.isInteger(value) || (value as number) < 0 || (value as number) >= count) throw new WireError(`there is no vertex ${String(value)}`);
  return value as number;
}

/** A surface of its own: x y z of each vertex, and three corners for each triangle. */
export function surface(vertices: unknown, triangles: unknown, what: string): { vertices: Float32Array; triangles: Uint32Array } {
  const places = list(vertices, `places of ${what}`).flatMap((vertex) => place(vertex, `a vertex of ${what}`));
  const corners = list(triangles, `triangles of ${what}`).flatMap((three) => {
    const given = list(three, "corners");
    if (given.length !== 3) throw new WireError(`a triangle of ${what} has three corners`);
    return given.map((vertex) => index(vertex, places.length / 3));
  });
  return { vertices: Float32Array.from(places), triangles: Uint32Array.from(corners) };
}
