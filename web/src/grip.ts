// The page's hold on a body: one grab at a time, whoever asks for it (pointer or keys), and moves at most once in an animation frame.

import type { Hit } from "./pick.js";
import { FARTHEST, type Order, type Vec3 } from "./wire/command.js";

/** What a grip needs of the rest of the page. */
export interface Ground {
  /** Gives an order; 0 where it does not count. */
  order(order: Order): number;
  /** The hash of the topology that is shown. */
  hash(): string;
  /** A grab or a move went out with this sequence number. */
  sent(sequence: number): void;
}

export class Grip {
  private target: Vec3 | null = null;
  private moved = false;
  /** Sequence number of the grab. */
  private grabbed = 0;

  constructor(private readonly ground: Ground) {}

  /** Where the hand is, or null where nothing is held. */
  get hand(): Vec3 | null {
    return this.target;
  }

  /** Takes hold of a point of the surface; false where this page does not control the program. */
  grab(hit: Pick<Hit, "triangle" | "weights" | "point">): boolean {
    this.release();
    const { triangle, weights } = hit;
    const target = within(hit.point);
    const sequence = this.ground.order({ type: "grab", topology: this.ground.hash(), triangle, weights, target });
    if (sequence === 0) return false;
    this.ground.sent(sequence);
    this.target = target;
    this.moved = false;
    this.grabbed = sequence;
    return true;
  }

  /** Moves the hand; sent with the next flush. */
  move(target: Vec3): void {
    if (!this.target) return;
    this.target = within(target);
    this.moved = true;
  }

  /** Sends the last movement, if there is one; once in each animation frame. */
  flush(): void {
    if (!this.target || !this.moved) return;
    this.moved = false;
    this.ground.sent(this.ground.order({ type: "move", target: this.target }));
  }

  /** Lets go, after the last movement was delivered. */
  release(): void {
    if (!this.target) return;
    this.flush();
    this.target = null;
    this.ground.order({ type: "release" });
  }

  /** Whether a state of the program that knows of the grab holds nothing: it was refused, or ended by a reset or a divergence. */
  isVoid(state: { sequence: number; held: boolean }): boolean {
    return this.target !== null && state.sequence >= this.grabbed && !state.held;
  }

  /** Forgets the hold without a word: the program has let go itself. */
  drop(): void {
    this.target = null;
    this.moved = false;
  }
}

/** The nearest place that the program knows: a hand at the horizon pulls in its direction as well as it can. */
function within(place: Vec3): Vec3 {
  return place.map((x) => Math.max(-FARTHEST, Math.min(FARTHEST, x))) as Vec3;
}
