// What a topology says, and that nothing else is taken for one.
import assert from "node:assert/strict";
import test from "node:test";
import { WireError } from "../src/wire/error.js";
import { decodeTopology } from "../src/wire/topology.js";
import { topology } from "./writer.js";

const body = (name: string, range: string) => `{"bodies": [{"name": ${name}, "vertices": ${range}, "triangles": [0, 4], "edges": [0, 6]}]}`;

test("a topology is read field by field", () => {
  const { rest, triangles, edges, bodies } = decodeTopology(topology());
  assert.deepEqual([...rest], [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
  assert.deepEqual([...triangles], [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]);
  assert.deepEqual([...edges], [0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3]);
  assert.deepEqual(bodies, [{ name: "tet", vertices: [0, 4], triangles: [0, 4], edges: [0, 6] }]);
});

test("malformed topologies are refused", () => {
  const whole = topology();
  const bad = [
    new ArrayBuffer(0),
    whole.slice(0, 30),
    whole.slice(0, whole.byteLength - 1),
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
  ];
  bad.forEach((buffer, i) => assert.throws(() => decodeTopology(buffer), WireError, `case ${i}`));
});
