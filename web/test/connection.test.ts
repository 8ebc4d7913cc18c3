// The link, with a socket that does what the test says.
import assert from "node:assert/strict";
import test from "node:test";
import { Connection } from "../src/connection.js";

class FakeSocket {
  static readonly OPEN = 1;
  static made: FakeSocket[] = [];
  readyState = 0;
  binaryType = "";
  sent: string[] = [];
  onopen = () => {};
  onmessage = (_event: { data: string | ArrayBuffer }) => {};
  onclose = (_event: { code: number }) => {};

  constructor() {
    FakeSocket.made.push(this);
  }

  send(text: string): void {
    this.sent.push(text);
  }

  /** A real one is closed a little later, and may deliver until then. */
  close(): void {}

  open(): void {
    this.readyState = FakeSocket.OPEN;
    this.onopen();
  }

  deliver(message: object): void {
    this.onmessage({ data: JSON.stringify(message) });
  }
}

const HELLO = { type: "hello", protocol: 3, version: "0.1.0" };
const CONTROLLER = { type: "role", role: "controller", clients: 1 };

/** A connection in a world without a browser, and what it tells. */
function stand(): { connection: Connection; told: string[] } {
  FakeSocket.made = [];
  const told: string[] = [];
  const world = {
    WebSocket: FakeSocket,
    document: { hidden: false, addEventListener: () => undefined },
    location: { protocol: "http:", host: "127.0.0.1:1" },
    fetch: () => Promise.reject(new Error("no program")),
    setInterval: () => 0,
    setTimeout: () => 0,
  };
  for (const [name, value] of Object.entries(world)) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  const connection = new Connection({
    connected: () => told.push("connected"),
    lost: () => told.push("lost"),
    role: (role) => told.push(role),
    status: () => told.push("status"),
    offers: () => told.push("offers"),
    topology: () => told.push("topology"),
  });
  connection.connect();
  return { connection, told };
}

test("a socket that was given up is not heard any more", () => {
  const { connection, told } = stand();
  const [old] = FakeSocket.made;
  old.open();
  old.deliver(HELLO);
  old.deliver({ ...HELLO, protocol: 4 });
  assert.deepEqual(told, ["connected", "lost"]);
  old.deliver(CONTROLLER);
  old.deliver({ ...HELLO, protocol: 4 });
  old.onmessage({ data: new ArrayBuffer(8) });
  assert.deepEqual(told, ["connected", "lost"]);
  // eight bytes are no frame: to look at them would be told as a loss
  assert.equal(connection.take(), null);
  assert.deepEqual(told, ["connected", "lost"]);
});

test("a new socket has no role until the program gives it one", () => {
  const { connection } = stand();
  const [first] = FakeSocket.made;
  first.open();
  first.deliver(HELLO);
  first.deliver(CONTROLLER);
  assert.equal(connection.order({ type: "play" }), 1);
  first.onclose({ code: 1006 });
  connection.connect();
  const second = FakeSocket.made[1];
  second.open();
  second.deliver(HELLO);
  assert.equal(connection.order({ type: "play" }), 0);
  second.deliver(CONTROLLER);
  assert.equal(connection.order({ type: "play" }), 2);
});
