// The probe: what tests and measurements may ask of the page, as `window.pliantProbe`.
//
// surfacePoint()       client coordinates of a visible point well inside the picture of the body, far from pins, or null
// heldPoint()          the same of a point between pins, far from all that is free
// outline()            client coordinates of the box around the picture of the bodies
// restGap()            the farthest that a vertex is from its place at rest, m
// decodeMilliseconds   decoding a frame and finding its normals, mean of the last 60 frames
// measureDecode(times)  the same of the last frame, that often in a row
// frame                number of the last applied frame
// drawn                how much beside the bodies is drawn, and which body is highlighted
// positionsHash()      a hash of all positions that are shown (FNV-1a over their bytes)

import { pick } from "./pick.js";
import type { Shown } from "./shown.js";
import type { Camera } from "./view/camera.js";
import type { Picture } from "./view/picture.js";
import type { Vec3 } from "./wire/command.js";

export interface Probe {
  surfacePoint(): Place | null;
  heldPoint(): Place | null;
  outline(): Outline | null;
  restGap(): number;
  readonly decodeMilliseconds: number;
  measureDecode(times: number): number;
  readonly frame: number;
  readonly drawn: Picture["drawn"] | null;
  positionsHash(): string;
}

/** On the page. */
interface Place {
  x: number;
  y: number;
}

declare global {
  interface Window {
    pliantProbe: Probe;
  }
}

/** Rays in each direction across the picture of the body. */
const RAYS = 19;
/** Vertices to look at. */
const MOST = 2000;

export function installProbe(shown: Shown, picture: Picture | null, canvas: HTMLElement): void {
  const camera = picture?.camera ?? null;
  window.pliantProbe = {
    surfacePoint: () => (camera ? clearest("free", samples(shown, camera, canvas), shown) : null),
    heldPoint: () => (camera ? clearest("held", samples(shown, camera, canvas), shown) : null),
    outline: () => camera && outline(shown, camera),
    restGap: () => restGap(shown),
    get decodeMilliseconds() {
      return shown.decodeMilliseconds;
    },
    measureDecode: (times) => shown.measureDecode(times),
    get frame() {
      return shown.frame.number;
    },
    get drawn() {
      return picture?.drawn ?? null;
    },
    positionsHash: () => fnv(bytesOf(shown.frame.positions)),
  };
}

interface Sample extends Place {
  point: Vec3;
  /** Mixed where a triangle has pins at some of its corners. */
  kind: "free" | "held" | "mixed";
}

/** The rays that hit the body, by rows. */
interface Grid {
  box: Outline;
  rays: (Sample | null)[];
}

/** The sample of one kind that is farthest from everything of the other. */
function clearest(kind: "free" | "held", { box, rays: grid }: Grid, shown: Shown): Place | null {
  const others = vertices(kind === "free" ? "held" : "free", shown);
  let best: Sample | null = null;
  let most = -Infinity;
  for (let i = 0; i < grid.length; i++) {
    const sample = grid[i];
    const column = i % RAYS;
    const around = [grid[i - 1], grid[i + 1], grid[i - RAYS], grid[i + RAYS]];
    const inside = column > 0 && column < RAYS - 1 && around.every(Boolean);
    if (sample?.kind !== kind) continue;
    const away = Math.hypot(sample.x - (box.left + box.right) / 2, sample.y - (box.top + box.bottom) / 2);
    const gap = Math.min(...others.map((other) => Math.hypot(...other.map((x, k) => x - sample.point[k]))));
    // well inside counts most, then the distance from the others, then the middle of the picture
    const score = (inside ? 10 : 0) + (Number.isFinite(gap) ? gap / shown.extent : 0)
      - (0.5 * away) / Math.hypot(box.right - box.left, box.bottom - box.top);
    if (score > most) {
      most = score;
      best = sample;
    }
  }
  return best && { x: best.x, y: best.y };
}

interface Outline {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

function outline(shown: Shown, camera: Camera): Outline {
  const { positions } = shown.frame;
  const box = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
  // some thousand vertices tell where a body is
  const stride = 3 * Math.ceil(positions.length / 3 / MOST);
  for (let i = 0; i < positions.length; i += stride) {
    const { x, y, ahead } = camera.project([positions[i], positions[i + 1], positions[i + 2]]);
    if (!ahead) continue;
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x);
    box.top = Math.min(box.top, y);
    box.bottom = Math.max(box.bottom, y);
  }
  return box;
}

function samples(shown: Shown, camera: Camera, canvas: HTMLElement): Grid {
  const { frame, topology } = shown;
  const box = outline(shown, camera);
  const pins = new Set(frame.pins.subarray(0, frame.pinCount));
  const rays = Array.from({ length: RAYS * RAYS }, (_, i): Sample | null => {
    const x = box.left + ((box.right - box.left) * ((i % RAYS) + 0.5)) / RAYS;
    const y = box.top + ((box.bottom - box.top) * (Math.floor(i / RAYS) + 0.5)) / RAYS;
    // what a panel covers cannot be clicked
    if (!topology || !Number.isFinite(x) || document.elementFromPoint(x, y) !== canvas) return null;
    const hit = pick(camera.ray(x, y), frame.positions, topology.triangles);
    if (!hit) return null;
    const corners = topology.triangles.subarray(3 * hit.triangle, 3 * hit.triangle + 3);
    const count = corners.filter((corner) => pins.has(corner)).length;
    return { x, y, point: hit.point, kind: count === 0 ? "free" : count === 3 ? "held" : "mixed" };
  });
  return { box, rays };
}

/** Some hundred vertices that are held or free, spread over all of them. */
function vertices(kind: "free" | "held", shown: Shown): Vec3[] {
  const { pins, pinCount, positions } = shown.frame;
  const held = new Set(pins.subarray(0, pinCount));
  const all = Array.from({ length: positions.length / 3 }, (_, i) => i).filter((i) => held.has(i) === (kind === "held"));
  const every = Math.ceil((RAYS * all.length) / MOST);
  return all.filter((_, i) => i % every === 0).map((i) => [positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]]);
}

function restGap({ topology, frame }: Shown): number {
  let gap = 0;
  const rest = topology?.rest ?? [];
  for (let i = 0; i < rest.length; i += 3) {
    gap = Math.max(gap, Math.hypot(...[0, 1, 2].map((k) => frame.positions[i + k] - rest[i + k])));
  }
  return gap;
}

function bytesOf(array: Float32Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

function fnv(bytes: Uint8Array): string {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, "0");
}
