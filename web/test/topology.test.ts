// What a topology says, and that nothing else is taken for one.
import assert from "node:assert/strict";
import test from "node:test";
import { WireError } from "../src/wire/error.js";
import { decodeTopology } from "../src/wire/topology.js";
import { topology } from "./writer.js";

const around = '"colliders": [], "bones": [], "tied": []';
const body = (name: string, range: string) => `{"bodies": [{"name": ${name}, "vertices": ${range}, "triangles": [0, 4], "edges": [0, 6]}], ${around}}`;
const whole = '{"name": "tet", "vertices": [0, 4], "triangles": [0, 4], "edges": [0, 6]}';
const bone = (change: object) => JSON.stringify({ name: "b", masters: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], rest: [[0, 0, 0]], triangles: [], hinge: null, ...change });
const collider = (change: object) => JSON.stringify({
  name: "c", shape: { kind: "plane" }, axes: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], origin: [0, 0, -1], thickness: 0, moves: false, bone: null, ...change,
});
const withParts = (colliders: string, bones: string, tied: string) => `{"bodies": [${whole}], "colliders": ${colliders}, "bones": ${bones}, "tied": ${tied}}`;

test("a topology is read field by field", () => {
  const { rest, triangles, edges, bodies } = decodeTopology(topology());
  assert.deepEqual([...rest], [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
  assert.deepEqual([...triangles], [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]);
  assert.deepEqual([...edges], [0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3]);
  assert.deepEqual(bodies, [{ name: "tet", vertices: [0, 4], triangles: [0, 4], edges: [0, 6] }]);
});

test("colliders, bones, hinges and tied vertices are read", () => {
  const hinge = { point: [0, 0, 1], axis: [0, 1, 0] };
  const shape = { kind: "mesh", vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], triangles: [[0, 1, 2]] };
  const all = [{}, { shape: { kind: "sphere", radius: 0.5 }, moves: true }, { shape: { kind: "box", half: [1, 2, 3] }, bone: 0 }, { shape }];
  const text = withParts(`[${all.map(collider).join()}]`, `[${bone({ hinge, triangles: [[0, 0, 0]] })}]`, "[3]");
  const { colliders, bones, tied } = decodeTopology(topology(text));
  assert.deepEqual(colliders.slice(0, 3), all.slice(0, 3).map((change) => JSON.parse(collider(change))));
  assert.deepEqual(colliders[3].shape, { kind: "mesh", vertices: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), triangles: Uint32Array.of(0, 1, 2) });
  assert.deepEqual([bones.length, bones[0].name, bones[0].hinge], [1, "b", hinge]);
  assert.deepEqual([[...bones[0].rest], [...bones[0].triangles], [...tied]], [[0, 0, 0], [0, 0, 0], [3]]);
});

test("malformed topologies are refused", () => {
  const good = topology();
  const bad = [
    new ArrayBuffer(0),
    good.slice(0, 30),
    good.slice(0, good.byteLength - 1),
    topology("not JSON"),
    topology("null"),
    topology('{"bodies": 3}'),
    topology('{"bodies": [null]}'),
    topology(body("7", "[0, 4]")),
    topology(body('"a"', "[0, 5]")),
    topology(body('"a"', "[3, 2]")),
    topology(body('"a"', "[0.5, 2]")),
    topology(body('"a"', "[0]")),
    topology(undefined, [0, 1, 4]),
    topology(`{"bodies": [${whole}]}`),
    topology(withParts("[null]", "[]", "[]")),
    ...[
      { name: 1 },
      { moves: "no" },
      { axes: [[1, 0, 0], [0, 1, 0]] },
      { origin: [0, 0] },
      { thickness: -1 },
      { bone: 0 },
      { shape: null },
      { shape: { kind: "cone" } },
      { shape: { kind: "sphere" } },
      { shape: { kind: "capsule", radius: 1, half: "1" } },
      { shape: { kind: "box", half: [1, 1, -1] } },
      { shape: { kind: "mesh", vertices: [[0, 0, 0]], triangles: [[0, 0, 1]] } },
    ].map((change) => topology(withParts(`[${collider(change)}]`, "[]", "[]"))),
    topology(withParts("[]", `[${bone({ masters: [[0, 0, 0]] })}]`, "[]")),
    topology(withParts("[]", `[${bone({ triangles: [[0, 0, 1]] })}]`, "[]")),
    topology(withParts("[]", `[${bone({ triangles: [[0, 0]] })}]`, "[]")),
    topology(withParts("[]", `[${bone({ hinge: { point: [0, 0, 0], axis: null } })}]`, "[]")),
    topology(withParts("[]", "[]", "[4]")),
  ];
  bad.forEach((buffer, i) => assert.throws(() => decodeTopology(buffer), WireError, `case ${i}`));
});
