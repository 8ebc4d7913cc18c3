// The page's small rules: waiting, ranges, delays, links, words, and what a hold sends.
import assert from "node:assert/strict";
import test from "node:test";
import { backoff } from "../src/backoff.js";
import { Grip } from "../src/grip.js";
import { Latency } from "../src/latency.js";
import { clock } from "../src/panel/clock.js";
import { hint, type Situation } from "../src/panel/hint.js";
import { hashOf, sceneOf } from "../src/panel/link.js";
import { digits, factor, quantity, shortly, ticks } from "../src/quantity.js";
import { ColourRange } from "../src/range.js";
import { clampInto } from "../src/view/clamp.js";
import { Sharpness } from "../src/view/sharpness.js";
import { viridis } from "../src/viridis.js";
import { encodeOrder, type Order } from "../src/wire/command.js";

test("attempts come more and more seldom, but at least every three seconds", () => {
  for (let attempt = 0; attempt < 40; attempt++) {
    assert(backoff(attempt, 1) <= 3000);
    assert(backoff(attempt, 0) >= 100);
    assert(backoff(attempt + 1, 0.5) >= backoff(attempt, 0.5));
  }
  assert.equal(backoff(30, 1), 3000);
});

test("a colour range grows at once and shrinks slowly", () => {
  const range = new ColourRange();
  range.follow(0, 1, 0);
  range.follow(-1, 5, 0.01);
  assert.deepEqual([range.lowest, range.highest], [-1, 5]);
  range.follow(0, 1, 0.3);
  // a tenth of the three seconds of its decay: 1 + 4 exp(-0.1)
  assert(Math.abs(range.highest - (1 + 4 * Math.exp(-0.1))) < 1e-12);
  range.fix({ lowest: 2, highest: 3 });
  range.follow(0, 100, 1);
  assert.deepEqual([range.lowest, range.highest], [2, 3]);
  range.fix(null);
  range.follow(0, 1, 0.01);
  assert.deepEqual([range.lowest, range.highest], [0, 1]);
});

test("a colour range that was cleared begins exactly with the next field", () => {
  const range = new ColourRange();
  range.follow(0.3, 0.7, 0);
  range.clear();
  range.follow(0.1, 0.2, 0.01);
  assert.deepEqual([range.lowest, range.highest], [0.1, 0.2]);
});

test("a colour range reaches a field that stays", () => {
  const range = new ColourRange();
  range.follow(0, 5, 0);
  // ln(4000) times three seconds are 25 s until a thousandth is left
  for (let i = 0; i < 300; i++) range.follow(0, 1, 0.1);
  assert.deepEqual([range.lowest, range.highest], [0, 1]);
});

test("ticks below a millionth of the largest are zero, and a field of zeros has one tick", () => {
  assert.deepEqual(ticks(0, 4, 5), [0, 1, 2, 3, 4]);
  assert.deepEqual(ticks(-1e-17, 1, 3).map(digits), ["0", "0.50", "1.00"]);
  assert.deepEqual(ticks(-2, 2, 3), [-2, 0, 2]);
  assert.deepEqual(ticks(0, 0, 5), [0]);
});

test("the delay is from a message to the first frame that knows of it", () => {
  const latency = new Latency();
  latency.sent(7, 100);
  latency.sent(8, 110);
  latency.shown(6, 120);
  assert.equal(latency.milliseconds, null);
  latency.shown(9, 130);
  assert.equal(latency.milliseconds, 30);
  latency.shown(10, 900);
  assert.equal(latency.milliseconds, 30);
  // a message that was not sent is not waited for
  latency.sent(0, 1000);
  latency.shown(10, 2000);
  assert.equal(latency.milliseconds, 30);
});

test("a link names its scene, also with odd letters", () => {
  assert.equal(sceneOf("#scene=hello_bar"), "hello_bar");
  assert.equal(sceneOf(hashOf("a b&c=ü")), "a b&c=ü");
  assert.equal(sceneOf(""), null);
  assert.equal(sceneOf("#scene="), null);
  assert.equal(sceneOf("#other=1"), null);
});

test("quantities have the prefix that suits them", () => {
  assert.equal(quantity(0.0123, "m"), "12.3 mm");
  assert.equal(quantity(250_000, "Pa"), "250 kPa");
  assert.equal(quantity(1, "m"), "1.00 m");
  assert.equal(quantity(0, "N"), "0 N");
  assert.equal(quantity(NaN, "s"), "– s");
  assert.deepEqual([0.1, 8500, 40, 2.05].map((x) => shortly(x, "N")), ["100 mN", "8.5 kN", "40 N", "2.05 N"]);
  assert.deepEqual([1 / 16, 0.5, 1, 4, 1.5].map(factor), ["1/16×", "1/2×", "1×", "4×", "1.50×"]);
});

test("viridis goes from dark violet to yellow", () => {
  const table = viridis();
  const byte = (i: number) => Math.round(255 * table[i]);
  assert.deepEqual([0, 1, 2].map(byte), [0x44, 0x01, 0x54]);
  assert.deepEqual([765, 766, 767].map(byte), [0xfd, 0xe7, 0x25]);
});

test("a hold sends one movement for each animation frame, and the last one before it ends", () => {
  const orders: Order[] = [];
  const timed: number[] = [];
  const grip = new Grip({ order: (order) => orders.push(order), hash: () => "0123456789abcdef", sent: (n) => timed.push(n) });
  assert(grip.grab({ triangle: 3, weights: [1, 0, 0], point: [1, 2, 3] }));
  grip.flush();
  grip.move([1, 0, 0]);
  grip.move([2, 0, 0]);
  grip.flush();
  grip.flush();
  grip.move([3, 0, 0]);
  grip.release();
  grip.release();
  grip.move([4, 0, 0]);
  grip.flush();
  assert.deepEqual(orders, [
    { type: "grab", topology: "0123456789abcdef", triangle: 3, weights: [1, 0, 0], target: [1, 2, 3] },
    { type: "move", target: [2, 0, 0] },
    { type: "move", target: [3, 0, 0] },
    { type: "release" },
  ]);
  assert.deepEqual(timed, [1, 2, 3]);
});

test("a grab that the program knows of and does not hold is void", () => {
  let count = 6;
  const grip = new Grip({ order: () => ++count, hash: () => "0123456789abcdef", sent: () => undefined });
  assert(!grip.isVoid({ sequence: 9, held: false }), "nothing was grabbed");
  assert(grip.grab({ triangle: 0, weights: [1, 0, 0], point: [0, 0, 0] }));
  assert(!grip.isVoid({ sequence: 6, held: false }), "the program does not know of it yet");
  assert(!grip.isVoid({ sequence: 7, held: true }));
  assert(grip.isVoid({ sequence: 7, held: false }));
  assert(grip.isVoid({ sequence: 8, held: false }), "held once, and let go by a reset");
  grip.drop();
  assert(!grip.isVoid({ sequence: 8, held: false }));
});

test("a hand beyond all places that the program knows stays at their edge", () => {
  const sent: string[] = [];
  const order = (order: Order) => sent.push(encodeOrder(order, 1));
  const grip = new Grip({ order, hash: () => "0123456789abcdef", sent: () => undefined });
  assert(grip.grab({ triangle: 0, weights: [1, 0, 0], point: [2e6, 0, 0] }));
  grip.move([-3e7, 5, 2e6]);
  grip.flush();
  assert.equal(sent[1], '{"type":"move","sequence":1,"target":[-1000000,5,1000000]}');
});

test("a spectator holds nothing", () => {
  const grip = new Grip({ order: () => 0, hash: () => "0123456789abcdef", sent: () => undefined });
  assert(!grip.grab({ triangle: 0, weights: [1, 0, 0], point: [0, 0, 0] }));
  assert.equal(grip.hand, null);
});

test("the hint tells what a drag does now", () => {
  const calm: Situation = {
    controls: true, open: true, running: true, broken: false, fresh: false, away: false, over: false, pulling: false, chosen: false,
    tool: false, push: 0, force: 3.2, largest: 40, touch: false,
  };
  assert.equal(hint(calm), "Drag to orbit");
  assert.equal(hint({ ...calm, over: true }), "Drag to pull");
  assert.equal(hint({ ...calm, over: true, pulling: true }), "Pulling with 3.20 N (largest 40 N)");
  assert.equal(hint({ ...calm, away: true }), "The body is out of view: press F");
  assert.equal(hint({ ...calm, broken: true, over: true }), "Reset to go on (R)");
  assert.equal(hint({ ...calm, fresh: true }), "Drag the body to pull it, drag beside it to orbit");
  assert(hint({ ...calm, tool: true }).startsWith("Shift and wheel: deeper"));
  assert.equal(hint({ ...calm, tool: true, push: 2.5 }), "Pushing with 2.50 N");
  assert(hint({ ...calm, tool: true, running: false }).startsWith("Time stands still"));
  // as the panel writes it, which uses `quantity`
  assert.equal(hint({ ...calm, pulling: true, force: 2134, largest: 8500 }), "Pulling with 2.13 kN (largest 8.5 kN)");
});

test("a label is moved into the picture, six pixels from its edge", () => {
  assert.equal(clampInto(100, 50, 400), 100);
  assert.equal(clampInto(-30, 50, 400), 6);
  assert.equal(clampInto(390, 50, 400), 400 - 50 - 6);
  assert.equal(clampInto(100, 500, 400), 6);
});

test("the clock shows seconds, and of statics the load", () => {
  assert.equal(clock(1.25, null, "running"), "1.250 s");
  assert.equal(clock(0.5, 2, "running"), "load 25 %");
  assert.equal(clock(2, 2, "finished"), "equilibrium");
});

test("slow pictures get coarser, down to half, and sharp again at rest", () => {
  const sharpness = new Sharpness(1);
  let now = 0;
  for (let i = 0; i < 200; i++) sharpness.move((now += 100));
  assert.equal(sharpness.ratio, 0.5);
  for (let i = 0; i < 10; i++) sharpness.rest((now += 100));
  assert.equal(sharpness.ratio, 1);
});

test("pictures at sixty a second stay sharp", () => {
  const sharpness = new Sharpness(2);
  for (let i = 0; i < 500; i++) sharpness.move(i * 16.7);
  assert.equal(sharpness.ratio, 2);
});
