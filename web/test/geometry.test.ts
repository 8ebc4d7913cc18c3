// Picking, normals, creases and the choice of vertices, on shapes whose answers are known.
import assert from "node:assert/strict";
import test from "node:test";
import { creased } from "../src/creases.js";
import { smoothNormals } from "../src/normals.js";
import { spread } from "../src/nudge.js";
import { meetPlane, pick } from "../src/pick.js";
import { Shown } from "../src/shown.js";
import { boxAround, downTo, surround, type Placed } from "../src/surround.js";
import { decodeTopology } from "../src/wire/topology.js";
import { topology, stats, Writer, frame } from "./writer.js";

/** Two triangles with corners (0, 0), (1, 0), (0, 1), one at z = 0 and one at z = 1. */
const LAYERS = Float32Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1]);
const TWO = Uint32Array.from([0, 1, 2, 3, 4, 5]);

test("the nearest triangle is picked, with weights that give the point back", () => {
  const hit = pick({ origin: [0.25, 0.5, 5], direction: [0, 0, -2] }, LAYERS, TWO);
  assert(hit !== null);
  assert.equal(hit.triangle, 1);
  // (0.25, 0.5) = 0.25 a + 0.25 b + 0.5 c; the plane z = 1 is 4 m, two directions, away
  assert.deepEqual(hit.weights, [0.25, 0.25, 0.5]);
  assert.deepEqual(hit.point, [0.25, 0.5, 1]);
  assert.equal(hit.distance, 2);
});

test("what lies behind or beside is not picked", () => {
  assert.equal(pick({ origin: [0.25, 0.5, 0.5], direction: [0, 0, -1] }, LAYERS, TWO)?.triangle, 0);
  assert.equal(pick({ origin: [0.25, 0.5, -1], direction: [0, 0, -1] }, LAYERS, TWO), null);
  assert.equal(pick({ origin: [0.75, 0.75, 5], direction: [0, 0, -1] }, LAYERS, TWO), null);
  assert.equal(pick({ origin: [0.5, 0.5, 0], direction: [1, 0, 0] }, LAYERS, TWO), null);
});

test("a ray meets a plane before its origin only", () => {
  assert.deepEqual(meetPlane({ origin: [1, 2, 5], direction: [0, 0, -1] }, [0, 0, 3], [0, 0, 1]), [1, 2, 3]);
  assert.equal(meetPlane({ origin: [1, 2, 5], direction: [0, 0, 1] }, [0, 0, 3], [0, 0, 1]), null);
  assert.equal(meetPlane({ origin: [1, 2, 5], direction: [1, 0, 0] }, [0, 0, 3], [0, 0, 1]), null);
});

test("a flat surface has one normal, and a triangle without area none", () => {
  const normals = new Float32Array(LAYERS.length);
  smoothNormals(LAYERS, TWO, normals);
  assert.deepEqual([...normals.subarray(0, 6)], [0, 0, 1, 0, 0, 1]);
  smoothNormals(LAYERS, Uint32Array.from([0, 0, 1]), normals);
  assert(normals.every((x) => x === 0));
});

test("normals of a tetrahedron's corner are the mean weighted by area", () => {
  const { rest, triangles } = decodeTopology(topology());
  const normals = new Float32Array(rest.length);
  smoothNormals(rest, triangles, normals);
  // at the origin three right triangles of equal area meet, which look along -x, -y and -z
  normals.subarray(0, 3).forEach((x) => assert(Math.abs(x + 1 / Math.sqrt(3)) < 1e-6));
});

test("every corner of a tetrahedron is a crease for each of its three faces", () => {
  const tetrahedron = decodeTopology(topology());
  const { triangles, copies } = creased(tetrahedron);
  // four vertices with three faces each: one keeps the vertex, two get copies
  assert.equal(copies.length, 8);
  assert.equal(new Set(triangles).size, 12);
  triangles.forEach((corner, i) => {
    const vertex = corner < 4 ? corner : copies[corner - 4];
    assert.equal(vertex, tetrahedron.triangles[i]);
  });
});

test("a surface that bends by thirty degrees has no crease", () => {
  const angle = Math.PI / 6;
  const rest = Float32Array.from([0, 0, 0, 0, 1, 0, -1, 0, 0, Math.cos(angle), 0, Math.sin(angle)]);
  assert.equal(creased({ rest, triangles: Uint32Array.from([0, 1, 2, 0, 3, 1]) }).copies.length, 0);
});

test("chosen vertices are far apart, and only ones that a triangle has", () => {
  // vertex 2 is in no triangle; the one farthest along x comes first
  const rest = Float32Array.from([0, 0, 0, 3, 0, 0, 9, 9, 9, 0, 1, 0]);
  const shape = { rest, triangles: Uint32Array.from([0, 1, 3]), edges: new Uint32Array(0), bodies: [] };
  assert.deepEqual(spread(shape, 2), [1, 3]);
  assert.deepEqual(spread(shape, 10), [1, 3, 0]);
});

test("a frame moves the copies at creases with their vertices", () => {
  const shown = new Shown();
  shown.setTopology("0123456789abcdef", decodeTopology(topology()));
  const levels = new Writer().u16(...Array.from({ length: 12 }, (_, i) => 5000 * i));
  shown.apply(frame([{ tag: "POSN", body: levels }, stats], { vertices: 4 }));
  shown.creases.copies.forEach((vertex, i) => {
    for (let k = 0; k < 3; k++) assert.equal(shown.points[3 * (4 + i) + k], shown.frame.positions[3 * vertex + k]);
  });
  assert(Math.abs(shown.extent - Math.sqrt(3)) < 1e-6);
});

test("how far a body reaches is measured from its middle at rest", () => {
  const shown = new Shown();
  // the corner of a unit cube: its middle is (0.5, 0.5, 0.5)
  shown.setTopology("0123456789abcdef", decodeTopology(topology()));
  assert.deepEqual(shown.rest.centre, [0.5, 0.5, 0.5]);
  shown.frame.corner = [0, 0, -2];
  shown.frame.size = [1, 1, 3];
  // the lowest corners, such as (1, 0, -2): sqrt(0.5^2 + 0.5^2 + 2.5^2)
  assert(Math.abs(shown.reach - Math.sqrt(6.75)) < 1e-12);
});

test("a body's name stands above its upper end", () => {
  const shown = new Shown();
  // of the four corners only (0, 0, 1) is high
  shown.setTopology("0123456789abcdef", decodeTopology(topology()));
  assert.deepEqual(shown.tops(), [{ name: "tet", place: [0, 0, 1] }]);
  // a level plate: above its middle
  shown.frame.positions.set([0, 0, 2, 1, 0, 2, 0, 1, 2, 1, 1, 2]);
  assert.deepEqual(shown.tops(), [{ name: "tet", place: [0.5, 0.5, 2] }]);
});

/** A third of a turn about the diagonal: x goes to y, y to z, z to x. */
const TURNED: Placed["axes"] = [[0, 1, 0], [0, 0, 1], [1, 0, 0]];

test("a box goes around shapes that are turned, and around no plane", () => {
  const around = (shape: Placed["shape"]) => boxAround({ shape, axes: TURNED, origin: [1, 2, 3] });
  assert.equal(around({ kind: "plane" }), null);
  assert.deepEqual(around({ kind: "sphere", radius: 2 }), { centre: [1, 2, 3], size: [4, 4, 4] });
  assert.deepEqual(around({ kind: "capsule", radius: 1, half: 2 }), { centre: [1, 2, 3], size: [6, 2, 2] });
  assert.deepEqual(around({ kind: "box", half: [1, 2, 3] }), { centre: [1, 2, 3], size: [6, 2, 4] });
  const mesh = { kind: "mesh", vertices: Float32Array.of(0, 0, 0, 2, 0, 0, 0, 0, 4), triangles: new Uint32Array(0) } as const;
  assert.deepEqual(around(mesh), { centre: [3, 3, 3], size: [4, 2, 0] });
});

test("a first view shows what is near the bodies, and no surroundings", () => {
  const bodies = { centre: [0, 0, 0], size: [2, 2, 2] } as { centre: [number, number, number]; size: [number, number, number] };
  const ball = (radius: number, x: number): Placed => ({ shape: { kind: "sphere", radius }, axes: TURNED, origin: [x, 0, 0] });
  assert.deepEqual(surround(bodies, [ball(0.5, 2.5), ball(0.1, 100), ball(50, 0)]), { centre: [1, 0, 0], size: [4, 2, 2] });
  assert.equal(surround(bodies, []), bodies);
});

test("a first view shows the floor that bodies fall on, unless it is far below", () => {
  const box = { centre: [1, 0, 5], size: [2, 2, 2] } as { centre: [number, number, number]; size: [number, number, number] };
  const floor = (z: number, slope: number): Placed => {
    const length = Math.hypot(1, slope);
    return { shape: { kind: "plane" }, axes: [[1, 0, 0], [0, 1, 0], [slope / length, 0, 1 / length]], origin: [0, 0, z] };
  };
  assert.deepEqual(downTo(box, floor(0, 0)), { centre: [1, 0, 3], size: [2, 2, 6] });
  // one that falls by half along x is half a metre lower there
  assert.deepEqual(downTo(box, floor(0, 0.5)), { centre: [1, 0, 2.75], size: [2, 2, 6.5] });
  assert.deepEqual(downTo(box, floor(-100, 0)), box);
  assert.deepEqual(downTo(box, floor(4.5, 0)), box, "bodies that stand in it");
});
