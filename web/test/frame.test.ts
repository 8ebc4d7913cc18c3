// What a frame says, and that nothing else is taken for a frame.
import assert from "node:assert/strict";
import test from "node:test";
import { WireError } from "../src/wire/error.js";
import { decodeFrame, Frame, frameNumber, frameTopology } from "../src/wire/frame.js";
import { arrows, bones, colliders, contacts, field, frame, pins, positions, stats, tool, Writer, type Block } from "./writer.js";

function read(buffer: ArrayBuffer): Frame {
  const out = new Frame();
  decodeFrame(buffer, out);
  return out;
}

function refused(buffer: ArrayBuffer): void {
  assert.throws(() => read(buffer), WireError);
}

test("a whole frame is read field by field", () => {
  const buffer = frame([positions, field, pins, arrows, bones, colliders, tool, contacts, stats]);
  const out = read(buffer);
  assert.equal(out.number, 17);
  assert.equal(out.sequence, 5);
  assert.equal(out.time, 1.5);
  assert.equal(out.topology, "0123456789abcdef");
  assert(out.running && out.held && out.pushes);
  // corner + size * q / 65535, with q = 0, 65535 and one, two, three fifths of it
  const expected = [1, 2, 3, 2, 4, 7, 1.2, 2.8, 5.4];
  expected.forEach((x, i) => assert(Math.abs(out.positions[i] - x) < 1e-6, `coordinate ${i}`));
  assert.deepEqual(out.field, { kind: "von-mises", lowest: -1, highest: 3 });
  // -1 + 4 q / 65535
  [-1, 3, -0.2].forEach((x, i) => assert(Math.abs(out.values[i] - x) < 1e-6, `value ${i}`));
  assert.deepEqual([...out.pins.subarray(0, out.pinCount)], [2, 0]);
  assert.deepEqual(out.arrows, [
    { kind: "user", atLargest: true, flags: 1, point: [1, 2, 3], force: [0, 0, 3], target: [1, 2, 4] },
    { kind: "scene", atLargest: false, flags: 0, point: [0, 0, 0], force: [1, 0, 0], target: [2, 0, 0] },
    { kind: "tool", atLargest: false, flags: 0, point: [1, 2, 3], force: [0, 6, 0], target: [1, 2, 3] },
  ]);
  assert.deepEqual([...out.bones], [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
  assert.deepEqual([...out.colliders], [1, 0, 0, 0, 1, 0, 0, 0, 1, 0.5, 0, 2]);
  assert.deepEqual(out.contacts, [{ collider: 1, point: [1, 2, 3], normal: [0, 0, 1], gap: -0.25, force: [0.5, 0, 8] }]);
  assert.deepEqual(Object.values(out.stats), [0.5, 0.25, 1e-3, 0.75, 42, 3, 40, 0.125, 1, 0.5, 6]);
  assert.deepEqual(out.tool, { radius: 0.5, place: [1, 2, 3] });
  assert.equal(frameTopology(buffer), "0123456789abcdef");
  assert.equal(frameNumber(buffer), 17);
});

test("blocks that this page does not know are skipped", () => {
  const other: Block = { tag: "WIND", body: new Writer().u16(1, 2, 3) };
  assert.equal(read(frame([other, positions, stats])).vertices, 3);
});

test("what is not in a frame is not kept from the one before", () => {
  const out = read(frame([positions, field, pins, arrows, bones, colliders, tool, contacts, stats]));
  const array = out.positions;
  decodeFrame(frame([positions, stats]), out);
  assert.equal(out.field, null);
  assert.equal(out.pinCount, 0);
  assert.deepEqual([out.arrows, out.contacts, out.tool], [[], [], null]);
  assert.equal(out.bones.length + out.colliders.length, 0);
  assert(out.positions === array, "the array is used again");
});

test("malformed frames are refused", () => {
  const whole = frame([positions, stats]);
  refused(new ArrayBuffer(0));
  refused(whole.slice(0, 63));
  refused(whole.slice(0, whole.byteLength - 8));
  refused(frame([positions, stats], { magic: 1 }));
  refused(frame([positions, stats], { version: 1 }));
  refused(frame([positions, stats], { vertices: 4 }));
  refused(frame([positions, stats], { blocks: 1 }));
  refused(frame([positions, stats], { blocks: 3 }));
  refused(frame([positions, stats], { blocks: 0xffffffff }));
  refused(frame([positions, stats], { time: NaN }));
  refused(frame([positions, stats], { size: [1, -1, 1] }));
  refused(frame([positions]));
  refused(frame([stats]));
  refused(frame([positions, positions, stats]));
  refused(frame([positions, stats, { tag: "PINS", body: new Writer().u32(3) }]));
  refused(frame([positions, stats, { tag: "PINS", body: new Writer().u16(1) }]));
  refused(frame([positions, stats, { tag: "FILD", body: new Writer().u32(9, 0).f32(0, 1).u16(0, 0, 0) }]));
  refused(frame([positions, stats, { tag: "FILD", body: new Writer().u32(1, 0).f32(0, Infinity).u16(0, 0, 0) }]));
  refused(frame([positions, stats, { tag: "FILD", body: new Writer().u32(1, 0).f32(0, 1).u16(0, 0) }]));
  refused(frame([positions, stats, { tag: "ARRW", body: new Writer().u32(1, 0).f32(1, 2) }]));
  refused(frame([positions, stats, { tag: "BONE", body: new Writer().f32(1, 2, 3) }]));
  refused(frame([positions, stats, { tag: "BONE", body: new Writer().f32(...Array(11).fill(0), NaN) }]));
  refused(frame([positions, stats, { tag: "COLL", body: new Writer().f32(1, 2, 3) }]));
  refused(frame([positions, stats, { tag: "TOOL", body: new Writer().f32(1, 2, 3) }]));
  refused(frame([positions, stats, { tag: "TOOL", body: new Writer().f32(1, 2, 3, 4, 1, 2, 3, 4) }]));
  refused(frame([positions, stats, { tag: "TOOL", body: new Writer().f32(1, 2, NaN, 4) }]));
  refused(frame([positions, stats, { tag: "CNTC", body: new Writer().u32(0).f32(1, 2, 3) }]));
  refused(frame([positions, stats, { tag: "CNTC", body: new Writer().u32(0).f32(...Array(9).fill(0), NaN) }]));
  refused(frame([positions, stats, { tag: "COLL", body: new Writer().f32(...Array(11).fill(0), Infinity) }]));
  refused(frame([positions, stats, { tag: "ARRW", body: new Writer().u32(4, 0).f32(0, 0, 0, 0, 0, 0, 0, 0, 0) }]));
});

test("a refused frame leaves the last good one as it was", () => {
  const out = read(frame([positions, field, stats]));
  const before = [...out.positions];
  assert.throws(() => decodeFrame(frame([{ tag: "POSN", body: new Writer().u16(9) }, stats]), out), WireError);
  assert.deepEqual([...out.positions], before);
  assert.equal(out.field?.kind, "von-mises");
});
