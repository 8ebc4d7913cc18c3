// The state that the user sees: the last applied frame with its topology and normals. The view draws it, picking asks it.

import { creased, type Creased } from "./creases.js";
import { smoothNormals } from "./normals.js";
import { decodeFrame, Frame } from "./wire/frame.js";
import { WireError } from "./wire/error.js";
import type { Vec3 } from "./wire/command.js";
import type { Topology } from "./wire/topology.js";

const SAMPLES = 60;
/** Vertices of a body that its name's place is found with. */
const SOME = 500;
/** Half as high counts 2^-8 as much. */
const STEEP = 8;

/** Along the axes, m. */
export interface Box {
  centre: Vec3;
  /** The lengths of its sides. */
  size: Vec3;
}

export class Shown {
  readonly frame = new Frame();
  topology: Topology | null = null;
  /** The hash that grabs name. */
  hash = "";
  /** Positions of the vertices, and after them of their copies at creases. */
  points = new Float32Array(0);
  /** A normal for each of the points. */
  normals = new Float32Array(0);
  creases: Creased = { triangles: new Uint32Array(0), copies: new Uint32Array(0) };
  /** The smallest box around everything at rest. */
  rest: Box = { centre: [0, 0, 0], size: [1, 0, 0] };
  /** Frames applied since the topology came. */
  frames = 0;
  private readonly costs: number[] = [];
  private last: ArrayBuffer | null = null;
  private extents: number[] = [];

  /** Milliseconds to decode a frame and find its normals, the mean of the last frames. */
  get decodeMilliseconds(): number {
    const sum = this.costs.reduce((a, b) => a + b, 0);
    return this.costs.length ? sum / this.costs.length : 0;
  }

  setTopology(hash: string, topology: Topology): void {
    this.topology = topology;
    this.hash = hash;
    this.frames = 0;
    this.creases = creased(topology);
    this.points = new Float32Array(topology.rest.length + 3 * this.creases.copies.length);
    this.normals = new Float32Array(this.points.length);
    this.frame.resize(topology.rest.length / 3);
    // frames are decoded straight into what is drawn
    this.frame.positions = this.points.subarray(0, topology.rest.length);
    this.frame.positions.set(topology.rest);
    this.rest = boxAround(topology.rest);
    this.extents = topology.bodies.map(({ vertices: [a, b] }) => Math.hypot(...boxAround(topology.rest.subarray(3 * a, 3 * b)).size));
  }

  /** Takes over a frame; throws a WireError where it does not fit. */
  apply(buffer: ArrayBuffer): void {
    if (!this.topology) throw new WireError("a frame before its topology");
    const start = performance.now();
    const room = this.topology.rest.length;
    if (buffer.byteLength >= 64 && 3 * new DataView(buffer).getUint32(32, true) !== room) {
      throw new WireError("a frame has other vertices than its topology");
    }
    decodeFrame(buffer, this.frame);
    this.copy();
    smoothNormals(this.points, this.creases.triangles, this.normals);
    this.frames += 1;
    this.last = buffer;
    this.costs.push(performance.now() - start);
    if (this.costs.length > SAMPLES) this.costs.shift();
  }

  /** Milliseconds to take over the last frame again and again: the cost alone, without what else the machine does between frames. */
  measureDecode(times: number): number {
    if (!this.last) return Number.NaN;
    const start = performance.now();
    for (let i = 0; i < times; i++) this.apply(this.last);
    return (performance.now() - start) / times;
  }

  /** Brings the copies at creases to their vertices. */
  private copy(): void {
    const { points, creases } = this;
    let to = this.frame.positions.length;
    for (const vertex of creases.copies) {
      points[to] = points[3 * vertex];
      points[to + 1] = points[3 * vertex + 1];
      points[to + 2] = points[3 * vertex + 2];
      to += 3;
    }
  }

  /** The smallest box around everything as it is now. */
  box(): Box {
    const { corner, size } = this.frame;
    return { centre: size.map((length, i) => corner[i] + length / 2) as Vec3, size };
  }

  /** The upper end of each body as it is now. */
  tops(): { name: string; place: Vec3 }[] {
    const bodies = (this.topology?.bodies ?? []).filter(({ vertices: [first, end] }) => end > first);
    return bodies.map(({ name, vertices: [first, end] }) => ({ name, place: topOf(this.frame.positions.subarray(3 * first, 3 * end)) }));
  }

  /** The diagonal of the box around one body at rest, m. */
  extentOf(body: number): number {
    return this.extents[body] ?? this.extent;
  }

  /** The body that a triangle belongs to, or -1. */
  ownerOf(triangle: number): number {
    return this.topology?.bodies.findIndex(({ triangles: [first, end] }) => triangle >= first && triangle < end) ?? -1;
  }

  /** The diagonal of the box at rest, m. */
  get extent(): number {
    return Math.hypot(...this.rest.size);
  }

  /** Whether anything is still where the bodies were at rest. */
  get stays(): boolean {
    const { corner, size } = this.frame;
    return this.rest.centre.every((x, i) => {
      const half = this.rest.size[i] / 2;
      return corner[i] <= x + half && corner[i] + size[i] >= x - half;
    });
  }

  /** The farthest corner of the box of now from the middle of the one at rest, m. */
  get reach(): number {
    const { corner, size } = this.frame;
    const away = this.rest.centre.map((x, i) => Math.max(Math.abs(corner[i] - x), Math.abs(corner[i] + size[i] - x)));
    return Math.hypot(...away);
  }
}

function boxAround(points: Float32Array): Box {
  const lowest: Vec3 = [Infinity, Infinity, Infinity];
  const highest: Vec3 = [-Infinity, -Infinity, -Infinity];
  points.forEach((x, i) => {
    lowest[i % 3] = Math.min(lowest[i % 3], x);
    highest[i % 3] = Math.max(highest[i % 3], x);
  });
  const size = highest.map((x, i) => x - lowest[i]) as Vec3;
  const length = Math.hypot(...size);
  // of nothing, or of one point
  if (!(Number.isFinite(length) && length > 0)) return { centre: [0, 0, 0], size: [1, 0, 0] };
  return { centre: lowest.map((x, i) => x + size[i] / 2) as Vec3, size };
}

/** At the height of the highest point, above the middle of what is high: smooth in time, where the highest point itself would jump. */
function topOf(points: Float32Array): Vec3 {
  // some hundred vertices tell where a body is
  const step = 3 * Math.ceil(points.length / 3 / SOME);
  let [lowest, highest] = [Infinity, -Infinity];
  for (let i = 2; i < points.length; i += step) {
    lowest = Math.min(lowest, points[i]);
    highest = Math.max(highest, points[i]);
  }
  let [x, y, sum] = [0, 0, 0];
  for (let i = 0; i < points.length; i += step) {
    const weight = highest > lowest ? ((points[i + 2] - lowest) / (highest - lowest)) ** STEEP : 1;
    x += weight * points[i];
    y += weight * points[i + 1];
    sum += weight;
  }
  return [x / sum, y / sum, highest];
}
