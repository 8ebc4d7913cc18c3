// Frames: one published state of the simulation, as docs/src/viewer-protocol.md describes them.
//
// A frame is checked whole before anything of it is kept, so a bad one leaves the last good state untouched.
// Typed arrays are reused; they are views of little-endian memory, as every platform with a browser has it.

import { ARROW, ARROW_KINDS, CONTACT, FIELD_KINDS, findBlocks, header, type Block } from "./blocks.js";

export { FIELD_KINDS };
export type FieldKind = (typeof FIELD_KINDS)[number];

/** A force on the body at a held point, and the target that it is pulled to; that of a tool has both at its middle. */
export interface Arrow {
  kind: (typeof ARROW_KINDS)[number];
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
  /** Force of the user's tool on bodies, N. */
  push: number;
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
  /** The user's tool, if there is one. */
  tool: { radius: number; place: [number, number, number] } | null = null;
  /** Empty where they were not asked for. */
  contacts: Contact[] = [];
  stats: Stats = {
    wanted: 1, measured: 0, step: 0, stepMilliseconds: 0, steps: 0, force: 0, largestForce: 0, encodeMilliseconds: 0,
    contacts: 0, deepest: 0, push: 0,
  };

  get running(): boolean {
    return (this.flags & 1) !== 0;
  }

  get held(): boolean {
    return (this.flags & 2) !== 0;
  }

  get pushes(): boolean {
    return (this.flags & 4) !== 0;
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
  const blocks = findBlocks(view);
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
  frame.tool = blocks.tool && { radius: view.getFloat32(blocks.tool.at, true), place: triple(view, blocks.tool.at + 4) };
  frame.contacts = readContacts(view, blocks.contacts);
  frame.stats = readStats(view, blocks.stats.at);
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
      kind: ARROW_KINDS[view.getUint32(start, true) - 1],
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
    push: number(10),
  };
}

function triple(view: DataView, at: number): [number, number, number] {
  return [view.getFloat32(at, true), view.getFloat32(at + 4, true), view.getFloat32(at + 8, true)];
}

function hash(view: DataView): string {
  return view.getBigUint64(24, true).toString(16).padStart(16, "0");
}
