// Topology: what does not change while a scene runs, as docs/src/viewer-protocol.md describes it.

import { readCollider, type Collider } from "./collider.js";
import type { Vec3 } from "./command.js";
import { WireError } from "./error.js";
import { index, list, place, surface, type Fields } from "./parts.js";

const MAGIC = 0x4f544c50;
const VERSION = 3;
const HEADER = 24;

/** One body's share of the arrays: each range from its first entry to one past its last. */
export interface BodyRanges {
  name: string;
  vertices: [number, number];
  triangles: [number, number];
  edges: [number, number];
}

/** A rigid part of a body. */
export interface Bone {
  name: string;
  /** Four points at rest that move with it; frames tell where they are. */
  masters: [Vec3, Vec3, Vec3, Vec3];
  /** x y z of the vertices of its surface at rest. */
  rest: Float32Array;
  triangles: Uint32Array;
  /** The line that it turns about, if it does. */
  hinge: { point: Vec3; axis: Vec3 } | null;
}

export interface Topology {
  /** x y z of each vertex at rest, m. */
  rest: Float32Array;
  /** Three corners each, counter-clockwise seen from outside. */
  triangles: Uint32Array;
  /** Two ends each: edges of element faces. */
  edges: Uint32Array;
  bodies: BodyRanges[];
  /** Rigid shapes that bodies meet. */
  colliders: Collider[];
  bones: Bone[];
  /** Vertices that are tied to another body. */
  tied: Uint32Array;
}

/** Reads a topology; the arrays are views of `buffer`. Every index in it is in its range. */
export function decodeTopology(buffer: ArrayBuffer): Topology {
  if (buffer.byteLength < HEADER) {
    throw new WireError(`a topology of ${buffer.byteLength} bytes is shorter than its header`);
  }
  const view = new DataView(buffer);
  if (view.getUint32(0, true) !== MAGIC) {
    throw new WireError("this is not a topology");
  }
  const version = view.getUint32(4, true);
  if (version !== VERSION) {
    throw new WireError(`topologies of version ${version} are unknown, this page reads version ${VERSION}`);
  }
  const [vertices, triangles, edges, letters] = [8, 12, 16, 20].map((at) => view.getUint32(at, true));
  const bytes = HEADER + 12 * vertices + 12 * triangles + 8 * edges + letters;
  if (bytes !== buffer.byteLength) {
    throw new WireError(`the topology should have ${bytes} bytes, it has ${buffer.byteLength}`);
  }
  const trianglesAt = HEADER + 12 * vertices;
  const edgesAt = trianglesAt + 12 * triangles;
  const topology = {
    rest: new Float32Array(buffer, HEADER, 3 * vertices),
    triangles: new Uint32Array(buffer, trianglesAt, 3 * triangles),
    edges: new Uint32Array(buffer, edgesAt, 2 * edges),
  };
  if (!topology.rest.every(Number.isFinite)) {
    throw new WireError("a rest position is not finite");
  }
  const exists = (vertex: number) => vertex < vertices;
  if (!topology.triangles.every(exists) || !topology.edges.every(exists)) {
    throw new WireError("a triangle or an edge names a vertex that does not exist");
  }
  const words = new Uint8Array(buffer, edgesAt + 8 * edges, letters);
  const text = readText(words);
  const bones = list(text.bones, "bones").map(readBone);
  return {
    ...topology,
    bodies: readBodies(text.bodies, { vertices, triangles, edges }),
    colliders: list(text.colliders, "colliders").map((collider) => readCollider(collider, bones.length)),
    bones,
    tied: Uint32Array.from(list(text.tied, "tied vertices").map((vertex) => index(vertex, vertices))),
  };
}

interface Counts {
  vertices: number;
  triangles: number;
  edges: number;
}

function readText(bytes: Uint8Array): Fields {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new WireError("the description of the bodies is not JSON");
  }
  if (typeof value !== "object" || value === null) {
    throw new WireError("the description of the bodies is no object");
  }
  return value as Fields;
}

function readBone(value: unknown): Bone {
  const { name, masters, rest, triangles, hinge } = (value ?? {}) as Fields;
  if (typeof name !== "string") throw new WireError("a bone without a name");
  const four = list(masters, "masters").map((master) => place(master, "a bone's master"));
  if (four.length !== 4) throw new WireError("a bone has four masters");
  const skin = surface(rest, triangles, "a bone");
  const { point, axis } = (hinge ?? {}) as Fields;
  return {
    name,
    masters: four as Bone["masters"],
    rest: skin.vertices,
    triangles: skin.triangles,
    hinge: hinge ? { point: place(point, "a hinge's point"), axis: place(axis, "a hinge's axis") } : null,
  };
}

function readBodies(value: unknown, counts: Counts): BodyRanges[] {
  const bodies = list(value, "bodies") as (Fields | null)[];
  return bodies.map((body) => {
    if (typeof body !== "object" || body === null || typeof body.name !== "string") {
      throw new WireError("a body without a name");
    }
    return {
      name: body.name,
      vertices: range(body.vertices, counts.vertices),
      triangles: range(body.triangles, counts.triangles),
      edges: range(body.edges, counts.edges),
    };
  });
}

function range(value: unknown, count: number): [number, number] {
  if (!Array.isArray(value) || value.length !== 2 || !value.every(Number.isInteger)) {
    throw new WireError("a body's range is malformed");
  }
  const [first, end] = value as [number, number];
  if (first < 0 || end < first || end > count) {
    throw new WireError(`a body's range ${first} to ${end} does not lie in 0 to ${count}`);
  }
  return [first, end];
}
