// Every message that the page can send, word by word; golden/commands.jsonl holds the same lines for the program's parser.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { encodeMessage, encodeOrder, type Order } from "../src/wire/command.js";
import { WireError } from "../src/wire/error.js";

const ORDERS: Order[] = [
  { type: "open", scene: "hello_bar" },
  { type: "play" },
  { type: "pause" },
  { type: "step" },
  { type: "reset" },
  { type: "speed", factor: 0.25 },
  { type: "grab", topology: "0123456789abcdef", triangle: 123, weights: [0.25, 0.25, 0.5], target: [1.5, -2, 0.125] },
  { type: "move", target: [1.5, -2, 0.25] },
  { type: "release" },
  { type: "tool", topology: "0123456789abcdef", place: [1.5, -2, 0.125], towards: [0, -0.6, 0.8], radius: 0.0625 },
  { type: "lead", target: [1.5, -2, 0.25], radius: 0.125 },
  { type: "put-away" },
];

const LINES = [
  '{"type":"ack","frame":17}',
  '{"type":"field","field":"von-mises"}',
  '{"type":"contacts","shown":true}',
  '{"type":"take"}',
  '{"type":"open","sequence":1,"scene":"hello_bar"}',
  '{"type":"play","sequence":2}',
  '{"type":"pause","sequence":3}',
  '{"type":"step","sequence":4}',
  '{"type":"reset","sequence":5}',
  '{"type":"speed","sequence":6,"factor":0.25}',
  '{"type":"grab","sequence":7,"topology":"0123456789abcdef","triangle":123,"weights":[0.25,0.25,0.5],"target":[1.5,-2,0.125]}',
  '{"type":"move","sequence":8,"target":[1.5,-2,0.25]}',
  '{"type":"release","sequence":9}',
  '{"type":"tool","sequence":10,"topology":"0123456789abcdef","place":[1.5,-2,0.125],"towards":[0,-0.6,0.8],"radius":0.0625}',
  '{"type":"lead","sequence":11,"target":[1.5,-2,0.25],"radius":0.125}',
  '{"type":"put-away","sequence":12}',
];

test("the encoder writes the golden lines", () => {
  const written = [
    encodeMessage({ type: "ack", frame: 17 }),
    encodeMessage({ type: "field", field: "von-mises" }),
    encodeMessage({ type: "contacts", shown: true }),
    encodeMessage({ type: "take" }),
    ...ORDERS.map((order, i) => encodeOrder(order, i + 1)),
  ];
  assert.deepEqual(written, LINES);
});

test("the golden file holds exactly these lines", () => {
  const file = readFileSync(join(process.env.PLIANT_GOLDEN ?? "golden", "commands.jsonl"), "utf8");
  assert.equal(file, `${LINES.join("\n")}\n`);
});

test("numbers that the program would refuse are never sent", () => {
  const grab = { type: "grab", topology: "0123456789abcdef", triangle: 1, weights: [0, 0, 1], target: [0, 0, 0] } as const;
  const bad: Order[] = [
    { type: "speed", factor: 8 },
    { type: "speed", factor: NaN },
    { type: "move", target: [0, NaN, 0] },
    { type: "move", target: [0, 0, 2e6] },
    { type: "tool", topology: "0123456789abcdef", place: [0, 0, 0], towards: [0, 0, 0], radius: 1 },
    { type: "tool", topology: "0123456789abcdef", place: [0, 0, 2e6], towards: [0, 0, 1], radius: 1 },
    { type: "tool", topology: "0123456789abcdef", place: [0, 0, 0], towards: [0, 0, 1], radius: 0 },
    { type: "lead", target: [0, 0, 0], radius: NaN },
    { ...grab, topology: "" } as unknown as Order,
    { ...grab, weights: [0.5, 0.5, 0.5] } as unknown as Order,
    { ...grab, weights: [-0.5, 0.5, 1] } as unknown as Order,
    { ...grab, triangle: -1 } as unknown as Order,
  ];
  bad.forEach((order, i) => assert.throws(() => encodeOrder(order, 1), WireError, `case ${i}`));
});
