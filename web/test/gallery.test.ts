// The gallery's order: what a search leaves, and the way through it.
import assert from "node:assert/strict";
import test from "node:test";
import { matching, neighbour } from "../src/panel/order.js";

const OFFERS = [
  { id: "bar", title: "A bar", description: "falls and swings" },
  { id: "block", title: "A block", description: "is thrown" },
  { id: "beam", title: "A beam", description: "swings under its weight" },
];
const ids = (search: string) => matching(OFFERS, search).map((offer) => offer.id);

test("a search leaves the scenes that have all its words, in the gallery's order", () => {
  assert.deepEqual(ids(""), ["bar", "block", "beam"]);
  assert.deepEqual(ids("  "), ["bar", "block", "beam"]);
  assert.deepEqual(ids("SWINGS"), ["bar", "beam"]);
  assert.deepEqual(ids("swings weight"), ["beam"]);
  assert.deepEqual(ids("nothing"), []);
});

test("previous and next go through what the search leaves, and around its ends", () => {
  const left = matching(OFFERS, "swings");
  const from = (id: string | undefined, step: 1 | -1) => neighbour(left, id, step)?.id;
  assert.equal(from("bar", 1), "beam");
  assert.equal(from("beam", 1), "bar");
  assert.equal(from("bar", -1), "beam");
  // a scene that the search hides, or none at all
  assert.equal(from("block", 1), "bar");
  assert.equal(from(undefined, -1), "beam");
  assert.equal(neighbour([], "bar", 1), null);
});
