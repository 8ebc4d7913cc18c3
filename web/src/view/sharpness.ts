// How many pixels are drawn for each of the page's: fewer where a slow graphics card would make the body stutter, all of them at rest.

/** A picture that takes longer than this while things move is drawn with fewer pixels, ms. */
const SLOW = 30;
/** One that takes no longer than this may have more. */
const FAST = 18;
const COARSEST = 0.5;
/** Pictures to look at before anything changes. */
const PATIENCE = 12;
/** A pause as long as this has nothing to do with drawing, ms. */
const PAUSE = 1000;
/** After so long without a change the picture is drawn sharply once, ms. */
const REST = 400;

export class Sharpness {
  ratio: number;
  private last = 0;
  private moved = 0;
  private mean = FAST;
  private count = 0;
  /** Sharper than this was too slow. */
  private bound: number;

  constructor(private readonly finest: number) {
    this.ratio = this.bound = finest;
  }

  /** An animation frame in which nothing moves; true where the ratio is another one now. */
  rest(now: number): boolean {
    this.last = now;
    return now - this.moved > REST && this.set(this.finest);
  }

  /** An animation frame in which something moves; true where the ratio is another one now. */
  move(now: number): boolean {
    const gap = now - this.last;
    this.last = now;
    const resting = now - this.moved > REST;
    this.moved = now;
    if (resting) {
      this.count = 0;
      return this.set(this.bound);
    }
    if (gap > PAUSE) return false;
    this.mean += (gap - this.mean) / 8;
    this.count += 1;
    if (this.count < PATIENCE) return false;
    const slow = this.mean > SLOW && this.ratio > COARSEST;
    const fast = this.mean < FAST && this.ratio < this.finest && this.count > 20 * PATIENCE;
    if (!slow && !fast) return false;
    this.count = 0;
    this.bound = Math.min(this.finest, Math.max(COARSEST, this.ratio * (slow ? 0.75 : 1.25)));
    return this.set(this.bound);
  }

  private set(ratio: number): boolean {
    const other = ratio !== this.ratio;
    this.ratio = ratio;
    return other;
  }
}
