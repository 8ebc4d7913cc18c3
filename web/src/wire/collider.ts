// Colliders: rigid shapes that bodies meet, as a topology tells them.

import type { Vec3 } from "./command.js";
import { WireError } from "./error.js";
import { length, place, surface, type Fields } from "./parts.js";

/** A shape about its own origin, along its own axes. */
export type Shape =
  /** Everything below z = 0. */
  | { kind: "plane" }
  | { kind: "sphere"; radius: number }
  /** A ball that was drawn along z, by `half` either way. */
  | { kind: "capsule"; radius: number; half: number }
  | { kind: "box"; half: Vec3 }
  | { kind: "mesh"; vertices: Float32Array; triangles: Uint32Array };

/** Unit vectors along a shape's own x, y and z, in the world. */
export type Turned = [Vec3, Vec3, Vec3];

export interface Collider {
  name: string;
  shape: Shape;
  /** Where it is at the start. */
  axes: Turned;
  origin: Vec3;
  /** Contact begins so far from its surface, m. */
  thickness: number;
  /** Whether frames tell where it is. */
  moves: boolean;
  /** The bone that carries it, if one does. */
  bone: number | null;
}

/** Reads a collider of a scene with so many bones. */
export function readCollider(value: unknown, bones: number): Collider {
  const { name, shape, axes, origin, thickness, moves, bone } = (value ?? {}) as Fields;
  if (typeof name !== "string" || typeof moves !== "boolean") throw new WireError("a collider without a name");
  if (!Array.isArray(axes) || axes.length !== 3) throw new WireError("a collider has three axes");
  if (bone !== null && !(Number.isInteger(bone) && (bone as number) >= 0 && (bone as number) < bones)) {
    throw new WireError(`there is no bone ${String(bone)}`);
  }
  return {
    name,
    shape: readShape((shape ?? {}) as Fields),
    axes: axes.map((axis) => place(axis, "a collider's axis")) as Turned,
    origin: place(origin, "a collider's origin"),
    thickness: length(thickness, "a collider's thickness"),
    moves,
    bone: bone as number | null,
  };
}

function readShape(shape: Fields): Shape {
  switch (shape.kind) {
    case "plane":
      return { kind: "plane" };
    case "sphere":
      return { kind: "sphere", radius: length(shape.radius, "a sphere's radius") };
    case "capsule":
      return { kind: "capsule", radius: length(shape.radius, "a capsule's radius"), half: length(shape.half, "a capsule's half") };
    case "box": {
      const half = place(shape.half, "half of a box");
      half.forEach((side) => length(side, "half a box's edge"));
      return { kind: "box", half };
    }
    case "mesh":
      return { kind: "mesh", ...surface(shape.vertices, shape.triangles, "a collider") };
    default:
      throw new WireError(`colliders of the shape ${String(shape.kind)} are unknown`);
  }
}
