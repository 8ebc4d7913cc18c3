// Random and broken bytes: the parsers say no, with a WireError and nothing else, and soon. Seeded, so that a failure comes again.
import assert from "node:assert/strict";
import test from "node:test";
import { WireError } from "../src/wire/error.js";
import { decodeFrame, Frame } from "../src/wire/frame.js";
import { parseOffers, parseText } from "../src/wire/status.js";
import { decodeTopology } from "../src/wire/topology.js";
import { arrows, colliders, contacts, field, frame, pins, positions, stats, tool, topology } from "./writer.js";

const TRIES = 20_000;

/** Marsaglia's xorshift with 32 bits. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/** A copy with some bytes, a 32-bit number or the length changed; now and then nothing but noise. */
function mutated(buffer: ArrayBuffer, next: (below: number) => number): ArrayBuffer {
  let bytes = new Uint8Array(buffer.slice(0));
  const kind = next(10);
  if (kind === 0) return Uint8Array.from({ length: next(200) }, () => next(256)).buffer;
  if (kind === 1) bytes = bytes.slice(0, next(bytes.length));
  if (kind === 2) bytes = Uint8Array.from([...bytes, ...Array.from({ length: 1 + next(16) }, () => next(256))]);
  const extremes = [0, 1, 0x7fffffff, 0xffffffff, 0x80000000, 0x7fc00000, 0x7f800000];
  for (let i = next(4); i >= 0 && bytes.length >= 4; i--) {
    if (next(2) === 0) bytes[next(bytes.length)] = next(256);
    else new DataView(bytes.buffer).setUint32(4 * next(Math.floor(bytes.length / 4)), extremes[next(extremes.length)], true);
  }
  return bytes.buffer;
}

/** Runs `read`; whether it was content. Anything but a WireError fails the test. */
function content(read: () => void): boolean {
  try {
    read();
    return true;
  } catch (error) {
    assert(error instanceof WireError, `${error}`);
    return false;
  }
}

test("no frame makes the parser do anything but read or refuse", () => {
  const next = random(2463534242);
  const seeds = [frame([positions, stats]), frame([positions, field, pins, arrows, colliders, tool, contacts, stats])];
  const out = new Frame();
  let good = 0;
  for (let i = 0; i < TRIES; i++) {
    const read = content(() => decodeFrame(mutated(seeds[next(2)], next), out));
    if (!read) continue;
    good += 1;
    // what was read is finite and in its range
    assert.equal(out.positions.length, 3 * out.vertices);
    assert(out.positions.every(Number.isFinite), "positions");
    assert(out.contacts.every(({ point, force }) => [...point, ...force].every(Number.isFinite)), "contacts");
    assert(out.pins.subarray(0, out.pinCount).every((pin) => pin < out.vertices), "pins");
  }
  assert(good > 100 && good < TRIES - 100, `${good} were read`);
});

test("no topology makes the parser do anything but read or refuse", () => {
  const next = random(88172645);
  const seed = topology();
  let good = 0;
  for (let i = 0; i < TRIES; i++) {
    let read: ReturnType<typeof decodeTopology> | null = null;
    if (!content(() => (read = decodeTopology(mutated(seed, next))))) continue;
    good += 1;
    const { rest, triangles, edges } = read!;
    assert([...triangles, ...edges].every((vertex) => 3 * vertex < rest.length));
  }
  assert(good > 100 && good < TRIES - 100, `${good} were read`);
});

test("no text makes the parser do anything but read or refuse", () => {
  const next = random(362436069);
  const seed = '{"type":"status","phase":"diverged","speed":1,"scene":{"id":"a","title":"A","topology":"0123456789abcdef",'
    + '"bodies":[{"name":"b","nodes":1,"elements":2,"springs":3}]},"warnings":[{"id":"w","text":"w"}],"edited":true,"failure":{"what":"x","help":"y","place":[1,2,3]},"notice":null}';
  for (let i = 0; i < TRIES; i++) {
    const letters = [...seed];
    for (let k = next(4); k >= 0; k--) letters.splice(next(letters.length), next(3), '{}[]",:0ntx'[next(11)]);
    content(() => parseText(letters.join("")));
    content(() => parseOffers(`[${letters.join("")}]`));
  }
});
