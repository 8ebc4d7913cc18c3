// What is drawn beside the bodies: plates, marks, and the words about a scene.
import assert from "node:assert/strict";
import test from "node:test";
import { facts } from "../src/panel/facts.js";
import { plates } from "../src/plates.js";
import { markSize } from "../src/view/marks.js";
import type { Topology } from "../src/wire/topology.js";

/** A bar of 2 x 1 x 1 m along x whose long sides are cut into two cells; vertices by x, then around. */
function bar(): Topology {
  const rest: number[] = [];
  for (const x of [0, 1, 2]) rest.push(x, 0, 0, x, 1, 0, x, 1, 1, x, 0, 1);
  const quads = [[0, 3, 2, 1], [8, 9, 10, 11]];
  for (const first of [0, 4]) for (let i = 0; i < 4; i++) quads.push([first + i, first + ((i + 1) % 4), first + 4 + ((i + 1) % 4), first + 4 + i]);
  const triangles = quads.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]);
  return {
    rest: Float32Array.from(rest), triangles: Uint32Array.from(triangles), edges: new Uint32Array(0), colliders: [], bones: [], tied: new Uint32Array(0),
    bodies: [{ name: "bar", vertices: [0, 12], triangles: [0, triangles.length / 3], edges: [0, 0] }],
  };
}

test("a face that is held gets a plate that lies on it, outside the body", () => {
  const [plate, ...others] = plates(bar(), [0, 1, 2, 3]);
  assert.equal(others.length, 0);
  assert.deepEqual(plate.axes[2].map((x) => Math.round(x)), [-1, 0, 0]);
  // 1 m wide with a margin of 8 % on either side, 5 % thick
  plate.half.forEach((half, i) => assert(Math.abs(half - [0.58, 0.58, 0.025][i]) < 1e-9, `half ${half}`));
  plate.middle.forEach((x, i) => assert(Math.abs(x - [-0.025, 0.5, 0.5][i]) < 1e-9, `middle ${x}`));
  assert(plate.corners.every((corner) => corner < 4));
});

test("a body that is held along half its length gets one plate at its end, one that is held all over gets none", () => {
  const half = plates(bar(), [0, 1, 2, 3, 4, 5, 6, 7]);
  assert.equal(half.length, 1);
  assert.deepEqual(half[0].axes[2].map((x) => Math.round(x)), [-1, 0, 0]);
  assert.deepEqual(plates(bar(), Array.from({ length: 12 }, (_, i) => i)), []);
  assert.equal(plates(bar(), [0, 1, 2, 3, 8, 9, 10, 11]).length, 2);
  // single points are held by no plate
  assert.deepEqual(plates(bar(), [0, 5]), []);
});

test("marks keep their size on the screen nearby and shrink with the bodies far away", () => {
  assert.equal(markSize(1, 2000), 6);
  assert(Math.abs(markSize(1, 100) - 1.2) < 1e-12);
  // never more than a small part of a body, however far
  for (const pixels of [1, 10, 100, 1000]) assert(markSize(1, pixels) <= 0.02 * pixels);
});

test("a body of springs is said to have springs", () => {
  const line = facts({ method: "implicit-euler", bodies: [{ name: "cloth", nodes: 625, elements: 0, springs: 2352 }, { name: "bar", nodes: 1, elements: 20, springs: 0 }] });
  assert.equal(line, "Method: implicit-euler · cloth: 625 nodes, 2,352 springs · bar: 1 node, 20 elements");
});
