// From a hand's movement to the first picture that knows of it: the sequence number of a grab or move comes back in frames.

export class Latency {
  /** The last measured delay, ms; null before the first. */
  milliseconds: number | null = null;
  private waiting: { sequence: number; since: number } | null = null;

  /** One message at a time is timed: were each new one to restart the clock, a delay longer than their interval never ended. */
  sent(sequence: number, now: number): void {
    if (sequence > 0 && !this.waiting) this.waiting = { sequence, since: now };
  }

  /** A frame is shown that knows of all messages up to `sequence`. */
  shown(sequence: number, now: number): void {
    if (!this.waiting || sequence < this.waiting.sequence) return;
    this.milliseconds = now - this.waiting.since;
    this.waiting = null;
  }

  /** The connection is gone, nothing will come back. */
  forget(): void {
    this.waiting = null;
  }
}
