// The probe: what tests and measurements may ask of the page, as `window.pliantProbe`.
//
// surfacePoint()       client coordinates of a visible point well inside the picture of the body, far from pins, or null
// decodeMilliseconds   decoding a frame and finding its normals, mean of the last 60 frames
// measureDecode(times)  the same of the last frame, that often in a row
// frame                number of the last applied frame
// positionsHash()      a hash of all positions that are shown (FNV-1a over their bytes)

import { pick } from "./pick.js";
import type { Shown } from "./shown.js";
import type { Camera } from "./view/camera.js";
import type { Vec3 } from "./wire/command.js";

export interface Probe {
  surfacePoint(): { x: number; y: number } | null;
  readonly decodeMilliseconds: number;
  measureDecode(times: number): number;
  readonly frame: number;
  positionsHash(): string;
}

declare global {
  interface Window {
    pliantProbe: Probe;
  }
}

/** Rays in each direction across the picture of the body. */
const RAYS = 19;
/** Vertices and pins to look at. */
const MOST = 2000;

export function installProbe(shown: Shown, camera: Camera | null, canvas: HTMLElement): void {
  window.pliantProbe = {
    surfacePoint: () => (camera ? surfacePoint(shown, camera, canvas) : null),
    get decodeMilliseconds() {
      return shown.decodeMilliseconds;
    },
    measureDecode: (times) => shown.measureDecode(times),
    get frame() {
      return shown.frame.number;
    },
    positionsHash: () => fnv(bytesOf(shown.frame.positions)),
  };
}

interface Sample {
  x: number;
  y: number;
  point: Vec3;
  free: boolean;
}

function surfacePoint(shown: Shown, camera: Camera, canvas: HTMLElement): { x: number; y: number } | null {
  const box = outline(shown, camera);
  const grid = samples(shown, camera, canvas, box);
  const pins = pinned(shown);
  let best: Sample | null = null;
  let most = -Infinity;
  for (let i = 0; i < grid.length; i++) {
    const sample = grid[i];
    const column = i % RAYS;
    const around = [grid[i - 1], grid[i + 1], grid[i - RAYS], grid[i + RAYS]];
    const inside = column > 0 && column < RAYS - 1 && around.every(Boolean);
    if (!sample || !sample.free) continue;
    const away = Math.hypot(sample.x - (box.left + box.right) / 2, sample.y - (box.top + box.bottom) / 2);
    const gap = Math.min(...pins.map((pin) => Math.hypot(...pin.map((x, k) => x - sample.point[k]))));
    // well inside counts most, then the distance from pins, then the middle of the picture
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

function samples(shown: Shown, camera: Camera, canvas: HTMLElement, box: Outline): (Sample | null)[] {
  const { frame, topology } = shown;
  const pins = new Set(frame.pins.subarray(0, frame.pinCount));
  return Array.from({ length: RAYS * RAYS }, (_, i) => {
    const x = box.left + ((box.right - box.left) * ((i % RAYS) + 0.5)) / RAYS;
    const y = box.top + ((box.bottom - box.top) * (Math.floor(i / RAYS) + 0.5)) / RAYS;
    // what a panel covers cannot be clicked
    if (!topology || !Number.isFinite(x) || document.elementFromPoint(x, y) !== canvas) return null;
    const hit = pick(camera.ray(x, y), frame.positions, topology.triangles);
    if (!hit) return null;
    const corners = topology.triangles.subarray(3 * hit.triangle, 3 * hit.triangle + 3);
    return { x, y, point: hit.point, free: !corners.some((corner) => pins.has(corner)) };
  });
}

function pinned(shown: Shown): Vec3[] {
  const { pins, pinCount, positions } = shown.frame;
  const every = Math.ceil((RAYS * pinCount) / MOST);
  const some = pins.subarray(0, pinCount).filter((_, i) => i % every === 0);
  return Array.from(some, (i) => [positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]]);
}

function bytesOf(array: Float32Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

function fnv(bytes: Uint8Array): string {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, "0");
}
