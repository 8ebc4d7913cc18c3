// Frames and topologies written by the program's own encoder, with what they must mean beside them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { decodeFrame, FIELD_KINDS, Frame } from "../src/wire/frame.js";
import { decodeTopology } from "../src/wire/topology.js";

const folder = process.env.PLIANT_GOLDEN ?? "golden";

/** The bytes and the meaning. */
function golden(name: string): { bytes: ArrayBuffer; meaning: any } {
  const [binary, json] = [join(folder, `${name}.bin`), join(folder, `${name}.json`)];
  const bytes = readFileSync(binary);
  const copy = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  return { bytes: copy, meaning: JSON.parse(readFileSync(json, "utf8")) };
}

/** Equal to 1e-6 of the larger: the file gives decimals of what are 32-bit numbers here. */
function near(actual: ArrayLike<number>, expected: number[], what: string): void {
  assert.equal(actual.length, expected.length, `${what}: how many`);
  const scale = Math.max(...expected.map(Math.abs), 1e-30);
  expected.forEach((x, i) => {
    const bound = 1e-6 * Math.max(Math.abs(x), 1e-3 * scale);
    assert(Math.abs(actual[i] - x) <= bound, `${what} ${i}: ${actual[i]} instead of ${x}`);
  });
}

/** Equal to half a step of 16 bits over a span, and rounding. */
function quantised(actual: ArrayLike<number>, expected: number[], span: number, what: string): void {
  assert.equal(actual.length, expected.length, `${what}: how many`);
  const bound = (0.5 / 65535 + 1e-6) * span;
  expected.forEach((x, i) => assert(Math.abs(actual[i] - x) <= bound, `${what} ${i}: ${actual[i]} instead of ${x}`));
}

test("the golden frame means what is written beside it", () => {
  const file = golden("frame");
  const { bytes, meaning } = file;
  const frame = new Frame();
  decodeFrame(bytes, frame);
  assert.equal(frame.flags, meaning.flags);
  assert.equal(frame.number, meaning.frame);
  assert.equal(frame.sequence, meaning.sequence);
  assert.equal(frame.topology, meaning.topology);
  near([frame.time], [meaning.time], "time");
  // what was given, within half a step of 16 bits over the box
  const box = Math.max(...frame.size);
  quantised(frame.positions, meaning.positions, box, "position");
  assert.equal(frame.field !== null, meaning.field != null, "a field");
  if (frame.field) {
    const { kind } = meaning.field;
    assert.equal(frame.field.kind, typeof kind === "number" ? FIELD_KINDS[kind] : kind);
    near([frame.field.lowest, frame.field.highest], [meaning.field.lowest, meaning.field.highest], "range");
    quantised(frame.values, meaning.field.values, meaning.field.highest - meaning.field.lowest, "value");
  }
  assert.deepEqual([...frame.pins.subarray(0, frame.pinCount)], meaning.pins ?? []);
  const arrows: any[] = meaning.arrows ?? [];
  assert.equal(frame.arrows.length, arrows.length, "arrows");
  frame.arrows.forEach((arrow, i) => {
    assert.equal(arrow.kind, ["user", "scene", "tool"][arrows[i].kind - 1]);
    assert.equal(arrow.flags, arrows[i].flags);
    near(arrow.point, arrows[i].point, "point");
    near(arrow.force, arrows[i].force, "force");
    near(arrow.target, arrows[i].target, "target");
  });
  near(frame.bones, meaning.bones, "masters of bones");
  near(frame.colliders, meaning.colliders, "poses of colliders");
  near([frame.tool!.radius, ...frame.tool!.place], [meaning.tool.radius, ...meaning.tool.place], "tool");
  assert.equal(frame.contacts.length, meaning.contacts.length, "contacts");
  frame.contacts.forEach(({ collider, point, normal, gap, force }, i) => {
    const expected = meaning.contacts[i];
    assert.equal(collider, expected.collider);
    near([...point, ...normal, gap, ...force], [...expected.point, ...expected.normal, expected.gap, ...expected.force], "contact");
  });
  near(Object.values(frame.stats), meaning.stats, "statistic");
});

test("the golden topology means what is written beside it", () => {
  const file = golden("topology");
  const topology = decodeTopology(file.bytes);
  near(topology.rest, file.meaning.rest, "rest position");
  assert.deepEqual([...topology.triangles], file.meaning.triangles);
  assert.deepEqual([...topology.edges], file.meaning.edges);
  const { bodies, colliders, bones, tied } = file.meaning.parts;
  assert.deepEqual(topology.bodies, bodies);
  const plain = ({ shape, ...rest }: any) => ({ ...rest, shape: "vertices" in shape ? { ...shape, vertices: [...shape.vertices].flat(), triangles: [...shape.triangles].flat() } : shape });
  assert.deepEqual(topology.colliders.map(plain), colliders.map(plain));
  assert.deepEqual([...topology.tied], tied);
  const read = topology.bones.map((bone) => ({ ...bone, rest: [...bone.rest], triangles: [...bone.triangles] }));
  assert.deepEqual(read, bones.map((bone: any) => ({ ...bone, rest: bone.rest.flat(), triangles: bone.triangles.flat() })));
});
