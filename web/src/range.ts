// The range of colours: grows at once, so that nothing is cut off, and shrinks slowly, so that colours do not flicker.

/** Seconds in which a range that is too wide comes down by a factor e. */
const SHRINK = 3;
/** What is nearer than this share of the range is reached. */
const NEAR = 1e-3;

export class ColourRange {
  lowest = 0;
  highest = 0;
  private empty = true;
  private fixed: { lowest: number; highest: number } | null = null;

  /** Forgets what was seen, as for another field or scene. */
  clear(): void {
    this.empty = true;
  }

  /** Holds the range at two numbers, or lets it follow the field again. */
  fix(range: { lowest: number; highest: number } | null): void {
    this.fixed = range;
    if (range) {
      this.lowest = range.lowest;
      this.highest = range.highest;
    } else {
      this.empty = true;
    }
  }

  get isFixed(): boolean {
    return this.fixed !== null;
  }

  /** Follows a field from `lowest` to `highest` that was there for `seconds`. */
  follow(lowest: number, highest: number, seconds: number): void {
    if (this.fixed) return;
    const share = this.empty ? 1 : 1 - Math.exp(-Math.max(0, seconds) / SHRINK);
    this.empty = false;
    // the rest of the way is shorter than a colour
    const near = NEAR * (highest - lowest);
    const step = (from: number, to: number) => (share === 1 || Math.abs(to - from) <= near ? to : from + share * (to - from));
    this.lowest = lowest < this.lowest ? lowest : step(this.lowest, lowest);
    this.highest = highest > this.highest ? highest : step(this.highest, highest);
  }
}
