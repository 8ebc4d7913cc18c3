// Where a label stands: beside its place, and never so that the edge of the picture cuts it.

/** Distance from the edge, px. */
const MARGIN = 6;

/** The start of something `length` long that would begin at `start`, moved into `0..room`; what is too long begins at the edge. */
export function clampInto(start: number, length: number, room: number): number {
  return Math.max(MARGIN, Math.min(start, room - length - MARGIN));
}
