// The box around bodies and the colliders near them: what a first view shows, and what has shadows.

import type { Box } from "./shown.js";
import type { Shape, Turned } from "./wire/collider.js";
import type { Vec3 } from "./wire/command.js";

/** A collider that is more times larger than the bodies is their surroundings, not one of them. */
const LARGE = 4;

/** Bodies that are higher above a floor, in sizes of them, are not shown together with it. */
const HIGH = 6;

/** A shape where it is. */
export interface Placed {
  shape: Shape;
  axes: Turned;
  origin: Vec3;
}

/** The box along the world's axes around a shape; null around what has no end. */
export function boxAround({ shape, axes, origin }: Placed): Box | null {
  const even = (radius: number): Vec3 => [radius, radius, radius];
  const centred = (half: Vec3): Box => ({ centre: origin, size: half.map((x) => 2 * x) as Vec3 });
  const [i, j, k] = axes;
  switch (shape.kind) {
    case "plane":
      return null;
    case "sphere":
      return centred(even(shape.radius));
    case "capsule":
      return centred(even(shape.radius).map((radius, c) => radius + Math.abs(k[c]) * shape.half) as Vec3);
    case "box": {
      const [a, b, c] = shape.half;
      return centred([0, 1, 2].map((n) => Math.abs(i[n]) * a + Math.abs(j[n]) * b + Math.abs(k[n]) * c) as Vec3);
    }
    case "mesh": {
      const [low, high] = [even(Infinity), even(-Infinity)];
      const { vertices } = shape;
      for (let v = 0; v < vertices.length; v += 3) {
        for (let c = 0; c < 3; c++) {
          const x = origin[c] + vertices[v] * i[c] + vertices[v + 1] * j[c] + vertices[v + 2] * k[c];
          low[c] = Math.min(low[c], x);
          high[c] = Math.max(high[c], x);
        }
      }
      return vertices.length > 0 ? between(low, high) : null;
    }
  }
}

/** A box around bodies, grown around the colliders near them. */
export function surround(bodies: Box, colliders: readonly Placed[]): Box {
  const most = LARGE * Math.hypot(...bodies.size);
  return colliders.reduce((whole, collider) => {
    const box = boxAround(collider);
    if (!box || Math.hypot(...box.size) > most || Math.hypot(...box.centre.map((x, c) => x - bodies.centre[c])) > most) return whole;
    return join(whole, box);
  }, bodies);
}

/** A box around bodies, drawn down to where they would fall on a floor. */
export function downTo(box: Box, floor: Placed): Box {
  const [, , normal] = floor.axes;
  const beside = [0, 1].reduce((sum, c) => sum + normal[c] * (box.centre[c] - floor.origin[c]), 0);
  const below = floor.origin[2] - beside / normal[2];
  const lowest = box.centre[2] - box.size[2] / 2;
  if (below >= lowest || lowest - below > HIGH * Math.hypot(...box.size)) return box;
  return join(box, { centre: [box.centre[0], box.centre[1], below], size: [0, 0, 0] });
}

function join(a: Box, b: Box): Box {
  const ends = (pick: (...x: number[]) => number, side: number) => a.centre.map((x, c) => pick(x + (side * a.size[c]) / 2, b.centre[c] + (side * b.size[c]) / 2)) as Vec3;
  return between(ends(Math.min, -1), ends(Math.max, 1));
}

function between(low: Vec3, high: Vec3): Box {
  return { centre: low.map((x, c) => (x + high[c]) / 2) as Vec3, size: high.map((x, c) => x - low[c]) as Vec3 };
}
