// The header and the blocks of a frame, found and checked whole before anything of it is read.

import { WireError } from "./error.js";

const MAGIC = 0x52464c50;
const VERSION = 2;
const HEADER = 64;
export const ARROW = 44;
/** Four points of three single-precision numbers; or three axes and an origin. */
const MASTERS = 48;
const POSE = 48;
export const CONTACT = 44;
/** A radius and a place. */
const BALL = 16;
const STATS = 11;
/** A frame of some megabytes has a handful of blocks; more than this is not a frame. */
const MOST_BLOCKS = 64;

const POSN = tag("POSN");
const FILD = tag("FILD");
const PINS = tag("PINS");
const ARRW = tag("ARRW");
const BONE = tag("BONE");
const COLL = tag("COLL");
const TOOL = tag("TOOL");
const CNTC = tag("CNTC");
const STAT = tag("STAT");

/** What a frame's field is, in the order of the protocol's numbers. */
export const FIELD_KINDS = ["none", "displacement", "von-mises", "energy-density"] as const;

/** Whose force an arrow is, in the order of the protocol's numbers, which begin with 1. */
export const ARROW_KINDS = ["user", "scene", "tool"] as const;

/** Where the bytes of a block are. */
export interface Block {
  at: number;
  bytes: number;
}

export interface Blocks {
  positions: Block;
  stats: Block;
  field: Block | null;
  pins: Block | null;
  arrows: Block | null;
  bones: Block | null;
  colliders: Block | null;
  tool: Block | null;
  contacts: Block | null;
}

/** The bytes of a frame of a version that this page reads. */
export function header(buffer: ArrayBuffer): DataView {
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

/** All blocks of a frame; what is in them is in its range. */
export function findBlocks(view: DataView): Blocks {
  const blocks = named(view, view.getUint32(36, true));
  check(view, view.getUint32(32, true), blocks);
  return blocks;
}

function named(view: DataView, count: number): Blocks {
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
    tool: optional(TOOL),
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
      demand(within !== 0 || (kind >= 1 && kind <= ARROW_KINDS.length), `arrow ${kind} is unknown`);
      demand(within < 8 || Number.isFinite(view.getFloat32(arrows.at + i, true)), "an arrow is not finite");
    }
  }
  checkFloats(view, blocks.bones, MASTERS, "bone");
  checkFloats(view, blocks.colliders, POSE, "collider");
  checkFloats(view, blocks.tool, BALL, "tool");
  demand(!blocks.tool || blocks.tool.bytes === BALL, "there is one tool at most");
  checkFloats(view, blocks.contacts, CONTACT, "contact", 4);
}

/** A list of things of so many bytes, all but the first of them single-precision numbers. */
function checkFloats(view: DataView, block: Block | null, size: number, what: string, first = 0): void {
  if (!block) return;
  demand(block.bytes % size === 0, `the list of ${what}s is malformed`);
  const words = `a ${what} is not finite`;
  for (let i = 0; i < block.bytes; i += 4) demand(i % size < first || Number.isFinite(view.getFloat32(block.at + i, true)), words);
}

function tag(letters: string): number {
  return [...letters].reduce((sum, letter, i) => sum + letter.charCodeAt(0) * 2 ** (8 * i), 0);
}

function demand(holds: boolean, what: string): void {
  if (!holds) {
    throw new WireError(what);
  }
}
