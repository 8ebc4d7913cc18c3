// Pulling with keys: N walks over vertices spread evenly over the surface, arrow keys pull the chosen one in the plane of the screen.

import type { Grip } from "./grip.js";
import type { Shown } from "./shown.js";
import type { Vec3 } from "./wire/command.js";
import type { Topology } from "./wire/topology.js";

/** How many vertices there are to choose from. */
const CHOICES = 48;
/** How fast the hand moves, in sizes of the body a second. */
const SPEED = 0.25;

const DIRECTIONS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1],
};

export class Nudge {
  private choices: number[] = [];
  private at = -1;
  private readonly pressed = new Set<string>();

  constructor(
    private readonly shown: Shown,
    private readonly grip: Grip,
    private readonly axes: () => { right: Vec3; up: Vec3 },
  ) {
    addEventListener("blur", () => this.pressed.clear());
  }

  /** Another body: nothing is chosen. */
  rebuild(): void {
    this.choices = [];
    this.at = -1;
    this.pressed.clear();
  }

  /** Whether a vertex is chosen. */
  get active(): boolean {
    return this.at >= 0;
  }

  /** Where the chosen vertex is now. */
  place(): Vec3 | null {
    if (this.at < 0) return null;
    const i = 3 * this.choices[this.at];
    const { positions } = this.shown.frame;
    return [positions[i], positions[i + 1], positions[i + 2]];
  }

  /** Chooses the next vertex that is not pinned, or the one before. */
  choose(step: 1 | -1): void {
    const { topology, frame } = this.shown;
    if (!topology) return;
    if (this.choices.length === 0) this.choices = spread(topology, CHOICES);
    this.grip.release();
    const pinned = new Set(frame.pins.subarray(0, frame.pinCount));
    const count = this.choices.length;
    for (let tried = 0; tried < count; tried++) {
      this.at = this.at < 0 && step < 0 ? count - 1 : (this.at + step + count) % count;
      if (!pinned.has(this.choices[this.at])) return;
    }
    this.at = -1;
  }

  /** Whether a key would pull: an arrow, while a vertex is chosen. */
  knows(code: string): boolean {
    return this.active && code in DIRECTIONS;
  }

  /** A key goes down; false where it does not pull. */
  press(code: string): boolean {
    if (!this.knows(code)) return false;
    this.pressed.add(code);
    return true;
  }

  /** A key goes up; false where it did not pull. */
  lift(code: string): boolean {
    return this.pressed.delete(code);
  }

  /** Once in each animation frame: moves the hand while keys are held. */
  advance(seconds: number): void {
    if (this.pressed.size === 0 || !this.active) return;
    const place = this.place();
    if (!this.grip.hand && !(place && this.hold(place))) return;
    const { right, up } = this.axes();
    const length = SPEED * this.shown.extent * Math.min(seconds, 0.1);
    const target = [...(this.grip.hand ?? [0, 0, 0])] as Vec3;
    for (const code of this.pressed) {
      const [across, upwards] = DIRECTIONS[code];
      for (let i = 0; i < 3; i++) target[i] += length * (across * right[i] + upwards * up[i]);
    }
    this.grip.move(target);
  }

  /** What is pressed pulls no more until it is pressed anew. */
  rest(): void {
    this.pressed.clear();
  }

  /** Lets go and chooses nothing. */
  cancel(): void {
    this.pressed.clear();
    this.at = -1;
    this.grip.release();
  }

  private hold(point: Vec3): boolean {
    const corner = this.shown.topology?.triangles.indexOf(this.choices[this.at]) ?? -1;
    if (corner < 0) return false;
    const weights: Vec3 = [0, 0, 0];
    weights[corner % 3] = 1;
    return this.grip.grab({ triangle: Math.floor(corner / 3), weights, point });
  }
}

/** Vertices far from each other: each is the farthest one from all before it. */
export function spread(topology: Pick<Topology, "rest" | "triangles">, count: number): number[] {
  const { rest, triangles } = topology;
  const gaps = new Float64Array(rest.length / 3).fill(-1);
  // only what a triangle has for a corner can be grabbed
  for (const vertex of triangles) gaps[vertex] = Infinity;
  const chosen: number[] = [];
  // the first is the one farthest along x: the free end, in a scene that holds a body at its beginning
  let next = -1;
  gaps.forEach((gap, i) => {
    if (gap > 0 && (next < 0 || rest[3 * i] > rest[3 * next])) next = i;
  });
  while (next >= 0 && chosen.length < count) {
    chosen.push(next);
    let farthest = -1;
    for (let i = 0; i < gaps.length; i++) {
      if (gaps[i] <= 0) continue;
      const gap = Math.hypot(
        rest[3 * i] - rest[3 * next], rest[3 * i + 1] - rest[3 * next + 1], rest[3 * i + 2] - rest[3 * next + 2],
      );
      gaps[i] = Math.min(gaps[i], gap);
      if (gaps[i] > 0 && (farthest < 0 || gaps[i] > gaps[farthest])) farthest = i;
    }
    next = farthest;
  }
  return chosen;
}
