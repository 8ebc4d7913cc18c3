// Colour: which field is shown, over which range, and the legend that gives colours their numbers.

import { part, write } from "../dom.js";
import { digits, prefix, ticks } from "../quantity.js";
import { ColourRange } from "../range.js";
import type { Shown } from "../shown.js";
import { COLOURS, viridis } from "../viridis.js";
import type { FieldKind } from "../wire/frame.js";
import type { Phase } from "../wire/status.js";

/** With the size below which a field is rounding: Pa of a jelly that is strained by 1e-5, and their square by its stiffness. */
const NAMES: Record<Exclude<FieldKind, "none">, { name: string; unit: string; nothing: number }> = {
  displacement: { name: "Displacement", unit: "m", nothing: 0 },
  "von-mises": { name: "Von Mises stress", unit: "Pa", nothing: 1e-3 },
  "energy-density": { name: "Energy density", unit: "J/m³", nothing: 1e-8 },
};
const TICKS = 5;
/** Displacements below this share of the body's size are shown as none: they are rounding. */
const NOTHING = 1e-5;
/** A range that moved by less than this share of itself needs no new colours. */
const SAME = 1 / 512;

/** So long after the last frame, while time stands still, no more is to come, ms. */
const STILL = 100;

interface Span {
  lowest: number;
  highest: number;
  /** The size below which the field is nothing. */
  nothing: number;
}

export class Colour {
  readonly range = new ColourRange();
  private kind: FieldKind | null = null;
  private lastAt = 0;
  private lastTime = 0;
  private frameAt = 0;
  /** What the last frame's field spans; null before the first frame of a scene. */
  private span: Span | null = null;
  /** The numbers in the boxes, in `factor` units; null where the range follows the field. */
  private held: { factor: number; lowest: number; highest: number } | null = null;
  private painted = { lowest: 0, highest: 0 };
  private scene = "";
  /** What the user chose last; a scene that names a field opens with that one. */
  private chosen: FieldKind = "none";
  private readonly field = part<HTMLSelectElement>("field");
  private readonly fixed = part<HTMLInputElement>("fixed");
  private readonly lowest = part<HTMLInputElement>("lowest");
  private readonly highest = part<HTMLInputElement>("highest");

  constructor(private readonly wish: (field: FieldKind) => void, private readonly repaint: () => void) {
    this.field.addEventListener("change", () => {
      this.chosen = this.wanted;
      wish(this.wanted);
    });
    this.fixed.addEventListener("change", () => this.hold());
    for (const input of [this.lowest, this.highest]) {
      input.addEventListener("input", () => this.limit());
      input.addEventListener("change", () => input.value === "" && this.restore());
    }
    drawBar(part<HTMLCanvasElement>("legend-bar"));
    part("limits").hidden = true;
  }

  get wanted(): FieldKind {
    return this.field.value as FieldKind;
  }

  /** A scene opens, with the field that it names, if it names one. */
  opens(scene: string, field: FieldKind | null): void {
    if (scene === this.scene) return;
    this.scene = scene;
    const wanted = field ?? this.chosen;
    if (wanted === this.wanted) return;
    this.field.value = wanted;
    this.wish(wanted);
  }

  /** Another scene: its range has nothing to do with the last one's. */
  rebuild(): void {
    this.range.clear();
    this.span = null;
  }

  /** Follows the field of a frame at `now`, ms; the frame is painted afterwards. */
  frame(shown: Shown, now: number): void {
    const { field, time } = shown.frame;
    // back at the beginning: what was seen since is over
    if (time < this.lastTime) this.range.clear();
    this.lastTime = time;
    if (field?.kind !== this.kind) {
      this.kind = field?.kind ?? null;
      this.range.clear();
      // a held range of metres says nothing about pascals
      if (this.fixed.checked) {
        this.fixed.checked = false;
        this.hold();
      }
    }
    this.frameAt = now;
    this.span = field && spanOf(field, shown.extent);
    this.follow(now);
    this.painted = { lowest: this.range.lowest, highest: this.range.highest };
    this.legend();
  }

  /** Once in each animation frame: a range comes down also where no frames come; where time stands still at once, and then it stands still too. */
  tick(now: number, phase: Phase): void {
    if (!this.span) return;
    const still = phase !== "running" && now - this.frameAt > STILL;
    if (still) this.range.clear();
    this.follow(now);
    const { lowest, highest } = this.range;
    const moved = Math.abs(lowest - this.painted.lowest) + Math.abs(highest - this.painted.highest);
    if (moved <= SAME * (highest - lowest)) return;
    this.painted = { lowest, highest };
    this.repaint();
    this.legend();
  }

  private follow(now: number): void {
    const seconds = (now - this.lastAt) / 1000;
    this.lastAt = now;
    if (!this.span) return;
    const { lowest, highest, nothing } = this.span;
    this.range.follow(lowest, Math.max(highest, lowest + nothing), seconds);
  }

  private hold(): void {
    const held = this.fixed.checked;
    if (held && !this.held) this.begin();
    if (!held) {
      this.held = null;
      this.range.fix(null);
    }
    part("limits").hidden = !held;
    this.limit();
  }

  /** Begins with the numbers on the screen, in the legend's unit, which stays. */
  private begin(): void {
    const { lowest, highest } = this.range;
    const { factor } = prefix(Math.max(Math.abs(lowest), Math.abs(highest)), "");
    this.held = { factor, lowest: Number((lowest / factor).toPrecision(3)), highest: Number((highest / factor).toPrecision(3)) };
    this.restore();
  }

  /** Takes over what the boxes say; an empty one keeps its old number. */
  private limit(): void {
    if (this.held) {
      const { factor } = this.held;
      const lowest = numberIn(this.lowest, this.held.lowest);
      const highest = numberIn(this.highest, this.held.highest);
      const valid = highest > lowest;
      write(part("limits-words"), valid ? "" : "The upper limit must be above the lower one.");
      if (valid) {
        this.held = { factor, lowest, highest };
        this.range.fix({ lowest: lowest * factor, highest: highest * factor });
      }
    } else {
      write(part("limits-words"), "");
    }
    this.repaint();
    this.legend();
  }

  /** Fills the boxes with the numbers that count. */
  private restore(): void {
    if (!this.held) return;
    this.lowest.value = String(this.held.lowest);
    this.highest.value = String(this.held.highest);
    write(part("limits-words"), "");
  }

  private legend(): void {
    const legend = part("legend");
    const kind = this.kind;
    legend.hidden = kind === null || kind === "none";
    if (kind === null || kind === "none") return;
    const { name, unit } = NAMES[kind];
    const { lowest, highest } = this.range;
    const largest = Math.max(Math.abs(lowest), Math.abs(highest));
    // a range that is no wider than rounding has nothing to tell
    const nothing = !this.range.isFixed && largest <= 1.01 * (this.span?.nothing ?? 0);
    // a held range keeps the unit in which its limits were typed
    const scale = prefix(this.held?.factor ?? (nothing ? 0 : largest), unit);
    write(part("legend-name"), `${name}, ${scale.unit}`);
    write(part("limits-unit"), scale.unit);
    const values = nothing ? [0] : ticks(lowest, highest, TICKS);
    const marks = part("legend-ticks");
    while (marks.children.length < TICKS) marks.append(document.createElement("span"));
    [...marks.children].forEach((mark, i) => {
      write(mark as HTMLElement, i < values.length ? digits(values[i] / scale.factor) : "");
    });
  }
}

/** What a field spans in a body of this size, m. */
function spanOf(field: { kind: FieldKind; lowest: number; highest: number }, extent: number): Span {
  const nothing = field.kind === "displacement" ? NOTHING * extent : field.kind === "none" ? 0 : NAMES[field.kind].nothing;
  const { lowest, highest } = field;
  return Math.max(Math.abs(lowest), Math.abs(highest)) <= nothing ? { lowest: 0, highest: 0, nothing } : { lowest, highest, nothing };
}

/** The colour map from left to right. */
function drawBar(canvas: HTMLCanvasElement): void {
  canvas.width = COLOURS;
  canvas.height = 1;
  const context = canvas.getContext("2d");
  if (!context) return;
  const image = context.createImageData(COLOURS, 1);
  const table = viridis();
  for (let i = 0; i < COLOURS; i++) {
    for (let channel = 0; channel < 3; channel++) image.data[4 * i + channel] = 255 * table[3 * i + channel];
    image.data[4 * i + 3] = 255;
  }
  context.putImageData(image, 0, 0);
}

/** The number in a box, or the old one where there is none. */
function numberIn(input: HTMLInputElement, old: number): number {
  return Number.isFinite(input.valueAsNumber) ? input.valueAsNumber : old;
}
