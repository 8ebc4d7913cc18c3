// A client of the viewer's stream that shows nothing: it acknowledges each frame at once (docs/src/viewer-protocol.md).
//
// WebSocket by RFC 6455 over a plain socket, as far as it is needed: whole messages, no fragments, no extensions.

import { randomBytes } from "node:crypto";
import net from "node:net";

const TEXT = 1;
const BINARY = 2;
const CLOSE = 8;
const PING = 9;
const PONG = 10;
const FRAME_MAGIC = 0x52464c50;
const STATISTICS = "STAT";

export class BareClient {
  frames = 0;
  vertices = 0;
  bytes = 0;
  statistics = { measured: 0, stepMilliseconds: 0, force: 0, encodeMilliseconds: 0 };
  topology = "";
  #socket;
  #waiting = [];
  #sequence = 0;
  #rest = Buffer.alloc(0);
  #begin;
  /** Fulfilled by the first frame. */
  first = new Promise((done) => (this.#begin = done));

  static async connect(address, cookie) {
    const client = new BareClient();
    const socket = net.connect(Number(address.port), address.hostname);
    socket.setNoDelay(true);
    client.#socket = socket;
    const key = randomBytes(16).toString("base64");
    socket.write(
      `GET /socket HTTP/1.1\r\nHost: ${address.host}\r\nOrigin: ${address.origin}\r\nCookie: ${cookie}\r\n` +
        `Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
    );
    await new Promise((done, fail) => {
      socket.once("error", fail);
      let head = Buffer.alloc(0);
      const read = (chunk) => {
        head = Buffer.concat([head, chunk]);
        const end = head.indexOf("\r\n\r\n");
        if (end < 0) return;
        socket.off("data", read);
        const line = head.subarray(0, head.indexOf("\r\n")).toString();
        if (!line.includes(" 101 ")) return fail(new Error(line));
        socket.on("data", (more) => client.#receive(more));
        client.#receive(head.subarray(end + 4));
        done();
      };
      socket.on("data", read);
    });
    return client;
  }

  /** Milliseconds from an order to the first frame that knows of it. */
  echo() {
    return this.#until({ type: "speed", factor: 1 }, () => true);
  }

  /** Milliseconds from taking hold of a triangle to the first frame with a force, and from letting go to the first without. */
  async pull(triangle) {
    const target = [10, 10, 10];
    const grab = { type: "grab", topology: this.topology, triangle, weights: [0.4, 0.3, 0.3], target };
    const held = await this.#until(grab, () => this.statistics.force > 0);
    const released = await this.#until({ type: "release" }, () => this.statistics.force === 0);
    return { held, released };
  }

  /** Gives an order and waits for a frame that knows of it and for which something holds. */
  #until(order, holds) {
    this.#sequence += 1;
    const [sequence, sent] = [this.#sequence, performance.now()];
    this.#say({ ...order, sequence });
    return new Promise((done) => this.#waiting.push({ sequence, holds, done: () => done(performance.now() - sent) }));
  }

  close() {
    this.#socket.destroy();
  }

  #say(message) {
    this.#send(TEXT, Buffer.from(JSON.stringify(message)));
  }

  /** A client's messages are masked; those sent here are short. */
  #send(opcode, payload) {
    const mask = randomBytes(4);
    const long = payload.length > 125;
    const head = Buffer.alloc(long ? 4 : 2);
    head[0] = 0x80 | opcode;
    head[1] = 0x80 | (long ? 126 : payload.length);
    if (long) head.writeUInt16BE(payload.length, 2);
    this.#socket.write(Buffer.concat([head, mask, payload.map((byte, i) => byte ^ mask[i & 3])]));
  }

  #receive(chunk) {
    this.#rest = this.#rest.length ? Buffer.concat([this.#rest, chunk]) : chunk;
    for (;;) {
      const rest = this.#rest;
      if (rest.length < 2) return;
      const short = rest[1] & 0x7f;
      const head = short === 127 ? 10 : short === 126 ? 4 : 2;
      if (rest.length < head) return;
      const length = short === 127 ? Number(rest.readBigUInt64BE(2)) : short === 126 ? rest.readUInt16BE(2) : short;
      if (rest.length < head + length) return;
      this.#rest = rest.subarray(head + length);
      this.#message(rest[0] & 0x0f, rest.subarray(head, head + length));
    }
  }

  #message(opcode, payload) {
    if (opcode === PING) this.#send(PONG, payload);
    if (opcode === CLOSE) this.close();
    if (opcode !== BINARY || payload.readUInt32LE(0) !== FRAME_MAGIC) return;
    this.#say({ type: "ack", frame: payload.readUInt32LE(8) });
    this.frames += 1;
    this.bytes = payload.length;
    this.vertices = payload.readUInt32LE(32);
    this.#begin();
    this.topology = payload.readBigUInt64LE(24).toString(16).padStart(16, "0");
    this.#read(payload);
    const known = payload.readUInt32LE(12);
    const due = ({ sequence, holds }) => sequence <= known && holds();
    this.#waiting.filter(due).forEach(({ done }) => done());
    this.#waiting = this.#waiting.filter((one) => !due(one));
  }

  /** Finds the block of statistics. */
  #read(frame) {
    let at = 64;
    for (let block = frame.readUInt32LE(36); block > 0; block--) {
      const length = frame.readUInt32LE(at + 4);
      if (frame.toString("latin1", at, at + 4) === STATISTICS) {
        const value = (index) => frame.readDoubleLE(at + 8 + 8 * index);
        this.statistics = { measured: value(1), stepMilliseconds: value(3), force: value(5), encodeMilliseconds: value(7) };
      }
      at += 8 + Math.ceil(length / 8) * 8;
    }
  }
}
