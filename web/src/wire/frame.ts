// Frames: one published state of the simulation, as docs/src/viewer-protocol.md describes them.
//
// A frame is checked whole before anything of it is kept, so a bad one leaves the last good state untouched.
// Typed arrays are reused; they are views of little-endian memory, as every platform with a browser has it.

import { WireError } from "./error.js";

const MAGIC = 0x52464c50;
const VERSION = 2;
const HEADER = 64;
const ARROW = 44;
/** Four points of three single-precision numbers; or three axes and an origin. */
const MASTERS = 48;
const POSE = 48;
const CONTACT = 44;
const STATS = 10;
/** A frame of some megabytes has a handful of blocks; more than this is not a frame. */
const MOST_BLOCKS = 64;

const POSN = tag("POSN");
const FILD = tag("FILD");
const PINS = tag("PINS");
const ARRW = tag("ARRW");
const BONE = tag("BONE");
const COLL = tag("COLL");
const CNTC = tag("CNTC");
const STAT = tag("STAT");

/** What a frame's field is, in the order of the protocol's numbers. */
export const FIELD_KINDS = ["none", "displacement", "von-mises", "energy-density"] as const;
export type FieldKind = (typeof FIELD_KINDS)[number];

/** A force on the body at a held point, and the target that it is pulled to. */
export interface Arrow {
  kind: "user" | "scene";
  atLargest: boolean;
  flags: number;
  point: [number, number, number];
  force: [number, number, number];
  target: [number, number, number];
}

/** A point of a body that touches something. */
export interface Contact {
  /** The place of what it touches among the topology's colliders; that of a tool comes after all of them. */
  collider: number;
  point: [number, number, number];
  /** Of length 1, towards the body. */
  normal: [number, number, number];
  /** Negative where it overlaps, m. */
  gap: number;
  /** On the body, N. */
  force: [number, number, number];
}

/** The numbers of the block `STAT`. */
export interface Stats {
  wanted: number;
  measured: number;
  step: number;
  stepMilliseconds: number;
  steps: number;
  force: number;
  largestForce: number;
  encodeMilliseconds: number;
  /** How many points touch something. */
  contacts: number;
  /** The deepest that any point was inside a collider since the beginning, m. */
  deepest: number;
}

/** The last decoded frame. `decodeFrame` overwrites it in place. */
export class Frame {
  flags = 0;
  number = 0;
  sequence = 0;
  time = 0;
  topology = "";
  vertices = 0;
  corner: [number, number, number] = [0, 0, 0];
  size: [number, number, number] = [0, 0, 0];
  /** x y z of each vertex, m. */
  positions = new Float32Array(0);
  /** Null where no field was asked for. */
  field: { kind: FieldKind; lowest: number; highest: number } | null = null;
  /** The field at each vertex; meaningful only with `field`. */
  values = new Float32Array(0);
  pins = new Uint32Array(0);
  /** How many of `pins` count. */
  pinCount = 0;
  arrows: Arrow[] = [];
  /** x y z of the four masters of each bone, m. */
  bones = new Float32Array(0);
  /** x y z of the three axes and of the origin of each collider that moves by a script. */
  colliders = new Float32Array(0);
  /** Empty where they were not asked for. */
  contacts: Contact[] = [];
  stats: Stats = {
    wanted: 1, measured: 0, step: 0, stepMilliseconds: 0, steps: 0, force: 0, largestForce: 0, encodeMilliseconds: 0,
    contacts: 0, deepest: 0,
  };

  get running(): boolean {
    return (this.flags & 1) !== 0;
  }

  get held(): boolean {
    return (this.flags & 2) !== 0;
  }

  /** Makes room for a number of vertices; the arrays are new only where that number changes. */
  resize(vertices: number): void {
    if (this.positions.length !== 3 * vertices) {
      this.positions = new Float32Array(3 * vertices);
      this.values = new Float32Array(vertices);
      this.pins = new Uint32Array(vertices);
      this.pinCount = 0;
    }
    this.vertices = vertices;
  }
}

interface Block {
  at: number;
  bytes: number;
}

interface Blocks {
  positions: Block;
  stats: Block;
  field: Block | null;
  pins: Block | null;
  arrows: Block | null;
  bones: Block | null;
  colliders: Block | null;
  contacts: Block | null;
}

/** The hash of the topology that a frame belongs to, without reading more of it. */
export function frameTopology(buffer: ArrayBuffer): string {
  return hash(header(buffer));
}

/** The number of a frame, without reading more of it. */
export function frameNumber(buffer: ArrayBuffer): number {
  return header(buffer).getUint32(8, true);
}

/** Reads a frame into `frame`. Throws a WireError, and then changes nothing, where it is malformed. */
export function decodeFrame(buffer: ArrayBuffer, frame: Frame): void {
  const view = header(buffer);
  const vertices = view.getUint32(32, true);
  const blocks = findBlocks(view, view.getUint32(36, true));
  check(view, vertices, blocks);
  frame.flags = view.getUint16(6, true);
  frame.number = view.getUint32(8, true);
  frame.sequence = view.getUint32(12, true);
  frame.time = view.getFloat64(16, true);
  frame.topology = hash(view);
  frame.resize(vertices);
  frame.corner = triple(view, 40);
  frame.size = triple(view, 52);
  readPositions(buffer, blocks.positions, frame);
  readField(buffer, blocks.field, frame);
  readPins(buffer, blocks.pins, frame);
  frame.arrows = readArrows(view, blocks.arrows);
  frame.bones = readFloats(buffer, blocks.bones);
  frame.colliders = readFloats(buffer, blocks.colliders);
  frame.contacts = readContacts(view, blocks.contacts);
  frame.stats = readStats(view, blocks.stats.at);
}

function header(buffer: ArrayBuffer): DataView {
  if (buffer.byteLength < HEADER) {
    throw new WireError(`a frame of ${buffer.byteLength} bytes is shorter than its header`);
  }
  const view = new DataView(buffer);
  if (view.getUint32(0, true) !== MAGIC) {
    throw new WireError("this is not a frame");
  }
  const version = view.getUint16(4, true);
  if (version !== VERSION) {
    throw new WireError(`frames of version ${version} are unknown, this page reads version ${VERSION}`);
  }
  return view;
}

function findBlocks(view: DataView, count: number): Blocks {
  if (count > MOST_BLOCKS) {
    throw new WireError(`${count} blocks are too many`);
  }
  const found = new Map<number, Block>();
  let at = HEADER;
  for (let i = 0; i < count; i++) {
    if (at + 8 > view.byteLength) {
      throw new WireError("the frame ends within the head of a block");
    }
    const name = view.getUint32(at, true);
    const bytes = view.getUint32(at + 4, true);
    const next = at + 8 + Math.ceil(bytes / 8) * 8;
    if (next > view.byteLength) {
      throw new WireError("the frame ends within a block");
    }
    if (found.has(name)) {
      throw new WireError("a block stands in the frame twice");
    }
    found.set(name, { at: at + 8, bytes });
    at = next;
  }
  if (at !== view.byteLength) {
    throw new WireError(`${view.byteLength - at} bytes after the last block`);
  }
  const optional = (name: number) => found.get(name) ?? null;
  const needed = (name: number, what: string) => {
    const block = found.get(name);
    if (!block) {
      throw new WireError(`a frame without ${what}`);
    }
    return block;
  };
  return {
    positions: needed(POSN, "positions"),
    stats: needed(STAT, "statistics"),
    field: optional(FILD),
    pins: optional(PINS),
    arrows: optional(ARRW),
    bones: optional(BONE),
    colliders: optional(COLL),
    contacts: optional(CNTC),
  };
}

function check(view: DataView, vertices: number, blocks: Blocks): void {
  demand(Number.isFinite(view.getFloat64(16, true)), "the time is not finite");
  for (let i = 0; i < 3; i++) {
    const corner = view.getFloat32(40 + 4 * i, true);
    const size = view.getFloat32(52 + 4 * i, true);
    demand(size >= 0, "the size of the box is not a length");
    // the farthest position is their sum
    demand(Number.isFinite(corner) && Number.isFinite(Math.fround(corner + size)), "the box is not finite");
  }
  demand(blocks.positions.bytes === 6 * vertices, "the number of positions is not that of vertices");
  demand(blocks.stats.bytes >= 8 * STATS, "too few statistics");
  const { field, pins, arrows } = blocks;
  if (field) {
    demand(field.bytes === 16 + 2 * vertices, "the number of field values is not that of vertices");
    const kind = view.getUint32(field.at, true);
    demand(kind >= 1 && kind < FIELD_KINDS.length, `field ${kind} is unknown`);
    demand(Number.isFinite(view.getFloat32(field.at + 8, true)), "the range of the field is not finite");
    demand(Number.isFinite(view.getFloat32(field.at + 12, true)), "the range of the field is not finite");
  }
  if (pins) {
    demand(pins.bytes % 4 === 0 && pins.bytes <= 4 * vertices, "the list of pins is malformed");
    for (let i = 0; i < pins.bytes; i += 4) {
      demand(view.getUint32(pins.at + i, true) < vertices, "a pin is at a vertex that does not exist");
    }
  }
  if (arrows) {
    demand(arrows.bytes % ARROW === 0, "the list of arrows is malformed");
    for (let i = 0; i < arrows.bytes; i += 4) {
      const kind = view.getUint32(arrows.at + i, true);
      const within = i % ARROW;
      demand(within !== 0 || kind === 1 || kind === 2, `arrow ${kind} is unknown`);
      demand(within < 8 || Number.isFinite(view.getFloat32(arrows.at + i, true)), "an arrow is not finite");
    }
  }
  checkFloats(view, blocks.bones, MASTERS, "bone");
  checkFloats(view, blocks.colliders, POSE, "collider");
  checkFloats(view, blocks.contacts, CONTACT, "contact", 4);
}

/** A list of things of so many bytes, all but the first of them single-precision numbers. */
function checkFloats(view: DataView, block: Block | null, size: number, what: string, first = 0): void {
  if (!block) return;
  demand(block.bytes % size === 0, `the list of ${what}s is malformed`);
  for (let i = 0; i < block.bytes; i += 4) demand(i % size < first || Number.isFinite(view.getFloat32(block.at + i, true)), `a ${what} is not finite`);
}

function readPositions(buffer: ArrayBuffer, block: Block, frame: Frame): void {
  // blocks begin at multiples of 8, so a view of 16-bit numbers is aligned
  const levels = new Uint16Array(buffer, block.at, 3 * frame.vertices);
  const positions = frame.positions;
  const [x, y, z] = frame.corner;
  const dx = frame.size[0] / 65535;
  const dy = frame.size[1] / 65535;
  const dz = frame.size[2] / 65535;
  for (let i = 0; i < levels.length; i += 3) {
    positions[i] = x + dx * levels[i];
    positions[i + 1] = y + dy * levels[i + 1];
    positions[i + 2] = z + dz * levels[i + 2];
  }
}

function readField(buffer: ArrayBuffer, block: Block | null, frame: Frame): void {
  if (!block) {
    frame.field = null;
    return;
  }
  const view = new DataView(buffer, block.at, 16);
  const lowest = view.getFloat32(8, true);
  const highest = view.getFloat32(12, true);
  frame.field = { kind: FIELD_KINDS[view.getUint32(0, true)], lowest, highest };
  const levels = new Uint16Array(buffer, block.at + 16, frame.vertices);
  const unit = (highest - lowest) / 65535;
  for (let i = 0; i < levels.length; i++) {
    frame.values[i] = lowest + unit * levels[i];
  }
}

function readPins(buffer: ArrayBuffer, block: Block | null, frame: Frame): void {
  frame.pinCount = block ? block.bytes / 4 : 0;
  if (block) {
    frame.pins.set(new Uint32Array(buffer, block.at, frame.pinCount));
  }
}

function readFloats(buffer: ArrayBuffer, block: Block | null): Float32Array<ArrayBuffer> {
  return block ? new Float32Array(buffer.slice(block.at, block.at + block.bytes)) : new Float32Array(0);
}

function readArrows(view: DataView, block: Block | null): Arrow[] {
  const arrows: Arrow[] = [];
  for (let at = 0; block && at < block.bytes; at += ARROW) {
    const start = block.at + at;
    const flags = view.getUint32(start + 4, true);
    arrows.push({
      kind: view.getUint32(start, true) === 1 ? "user" : "scene",
      atLargest: (flags & 1) !== 0,
      flags,
      point: triple(view, start + 8),
      force: triple(view, start + 20),
      target: triple(view, start + 32),
    });
  }
  return arrows;
}

function readContacts(view: DataView, block: Block | null): Contact[] {
  const contacts: Contact[] = [];
  for (let at = 0; block && at < block.bytes; at += CONTACT) {
    const start = block.at + at;
    contacts.push({
      collider: view.getUint32(start, true),
      point: triple(view, start + 4),
      normal: triple(view, start + 16),
      gap: view.getFloat32(start + 28, true),
      force: triple(view, start + 32),
    });
  }
  return contacts;
}

function readStats(view: DataView, at: number): Stats {
  const number = (i: number) => view.getFloat64(at + 8 * i, true);
  return {
    wanted: number(0),
    measured: number(1),
    step: number(2),
    stepMilliseconds: number(3),
    steps: number(4),
    force: number(5),
    largestForce: number(6),
    encodeMilliseconds: number(7),
    contacts: number(8),
    deepest: number(9),
  };
}

function triple(view: DataView, at: number): [number, number, number] {
  return [view.getFloat32(at, true), view.getFloat32(at + 4, true), view.getFloat32(at + 8, true)];
}

function hash(view: DataView): string {
  return view.getBigUint64(24, true).toString(16).padStart(16, "0");
}

function tag(letters: string): number {
  return [...letters].reduce((sum, letter, i) => sum + letter.charCodeAt(0) * 2 ** (8 * i), 0);
}

function demand(holds: boolean, what: string): void {
  if (!holds) {
    throw new WireError(what);
  }
}
