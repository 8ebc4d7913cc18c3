// What the program says in words.
import assert from "node:assert/strict";
import test from "node:test";
import { WireError } from "../src/wire/error.js";
import { parseOffers, parseText } from "../src/wire/status.js";

test("hello and role are read", () => {
  assert.deepEqual(parseText('{"type": "hello", "protocol": 1, "version": "0.1.0"}'), { type: "hello", protocol: 1, version: "0.1.0" });
  assert.deepEqual(parseText('{"type": "role", "role": "spectator", "clients": 2}'), { type: "role", role: "spectator", clients: 2 });
});

test("a status is read whole", () => {
  const status = {
    type: "status",
    phase: "diverged",
    speed: 0.5,
    scene: {
      id: "hello_bar", title: "A bar", description: "Bends.", file: "a b.toml", method: "explicit", duration: 4, topology: "0123456789abcdef",
      bodies: [{ name: "bar", nodes: 4, elements: 1, springs: 0 }],
      field: "von-mises", camera: { from: [1, 2, 3], to: [0, 0, 0] },
    },
    warnings: [{ id: "stiff", text: "It is stiff" }],
    edited: true,
    failure: { what: "It broke", help: "A shorter step", body: "bar", time: 0.25, place: [1, 2, 3] },
    notice: { number: 3, text: "Hello" },
  };
  assert.deepEqual(parseText(JSON.stringify(status)), status);
});

test("while a scene is loading only its name and title are needed", () => {
  const text = '{"type":"status","phase":"loading","speed":1,"scene":{"id":"a","title":"A","topology":""},"warnings":[],"failure":null,"notice":null}';
  const status = parseText(text);
  assert(status.type === "status" && status.scene !== null);
  assert.equal(status.scene.topology, "");
  assert.deepEqual(status.scene.bodies, []);
});

test("kinds of messages that a later program may send are let pass", () => {
  assert.deepEqual(parseText('{"type": "weather", "wind": 3}'), { type: "unknown" });
});

test("messages that break the protocol are refused", () => {
  const bad = [
    "", "null", "[]", '{"type":"role","role":"king","clients":1}', '{"type":"hello","protocol":"1","version":"0"}',
    '{"type":"status","phase":"asleep","speed":1}', '{"type":"status","phase":"paused","speed":null}',
    '{"type":"status","phase":"paused","speed":1,"scene":{"id":1,"title":"A"}}',
    '{"type":"status","phase":"paused","speed":1,"scene":{"id":"a","title":"A","topology":"../.."}}',
    '{"type":"status","phase":"paused","speed":1,"scene":{"id":"a","title":"A","camera":{"from":[0,0],"to":[1,1,1]}}}',
    '{"type":"status","phase":"paused","speed":1,"warnings":["w"]}',
  ];
  bad.forEach((text) => assert.throws(() => parseText(text), WireError, text));
});

test("the gallery is read in its order", () => {
  const offers = [{ id: "b", title: "B", description: "" }, { id: "a", title: "A", description: "x" }];
  assert.deepEqual(parseOffers(JSON.stringify(offers)), offers);
  assert.throws(() => parseOffers('[{"id": 3}]'), WireError);
});
