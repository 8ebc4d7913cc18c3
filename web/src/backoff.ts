// How long to wait before the next attempt: doubling, with jitter, so that many pages do not knock at the same instant.

const SHORTEST = 200;
const LONGEST = 3000;

/** Milliseconds before attempt `attempt` (0 is the first); `chance` is uniform in 0 to 1. */
export function backoff(attempt: number, chance: number): number {
  const full = Math.min(LONGEST, SHORTEST * 2 ** Math.min(attempt, 20));
  // between half and the whole: never at once, never beyond the longest
  return full * (0.5 + 0.5 * chance);
}
