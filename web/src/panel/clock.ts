// The clock: seconds where something moves, and in statics the share of the load, up to the equilibrium under all of it.

import type { Phase } from "../wire/status.js";

/** `load` is the time that stands for the whole load, s; null where time is time. */
export function clock(seconds: number, load: number | null, phase: Phase): string {
  if (load === null) return `${seconds.toFixed(3)} s`;
  if (phase === "finished") return "equilibrium";
  return `load ${Math.round(Math.min(100, (100 * seconds) / load))} %`;
}
