// Colour: which field is shown, over which range, and the legend that gives colours their numbers.

import { part, write } from "../dom.js";
import { digits, prefix } from "../quantity.js";
import { ColourRange } from "../range.js";
import type { Shown } from "../shown.js";
import { COLOURS, viridis } from "../viridis.js";
import type { FieldKind } from "../wire/frame.js";

const NAMES: Record<Exclude<FieldKind, "none">, { name: string; unit: string }> = {
  displacement: { name: "Displacement", unit: "m" },
  "von-mises": { name: "Von Mises stress", unit: "Pa" },
  "energy-density": { name: "Energy density", unit: "J/m³" },
};
const TICKS = 5;
/** Displacements below this share of the body's size are shown as none: they are rounding. */
const NOTHING = 1e-5;

export class Colour {
  readonly range = new ColourRange();
  private kind: FieldKind | null = null;
  private lastAt = 0;
  private readonly field = part<HTMLSelectElement>("field");
  private readonly fixed = part<HTMLInputElement>("fixed");
  private readonly lowest = part<HTMLInputElement>("lowest");
  private readonly highest = part<HTMLInputElement>("highest");

  constructor(wish: (field: FieldKind) => void, private readonly repaint: () => void) {
    this.field.addEventListener("change", () => wish(this.field.value as FieldKind));
    this.fixed.addEventListener("change", () => this.hold());
    for (const input of [this.lowest, this.highest]) input.addEventListener("input", () => this.hold());
    drawBar(part<HTMLCanvasElement>("legend-bar"));
    part("limits").hidden = true;
  }

  get wanted(): FieldKind {
    return this.field.value as FieldKind;
  }

  /** Another scene: its range has nothing to do with the last one's. */
  rebuild(): void {
    this.range.clear();
  }

  /** Follows the field of a frame at `now`, ms. */
  frame(shown: Shown, now: number): void {
    const { field } = shown.frame;
    const seconds = (now - this.lastAt) / 1000;
    this.lastAt = now;
    if (field?.kind !== this.kind) {
      this.kind = field?.kind ?? null;
      this.range.clear();
      // a held range of metres says nothing about pascals
      if (this.fixed.checked) {
        this.fixed.checked = false;
        this.hold();
      }
    }
    if (field) {
      const least = field.kind === "displacement" ? NOTHING * shown.extent : 0;
      this.range.follow(field.lowest, Math.max(field.highest, field.lowest + least), seconds);
    }
    this.legend();
  }

  private hold(): void {
    const held = this.fixed.checked;
    if (held && part("limits").hidden) {
      // begins with the numbers on the screen
      this.lowest.value = String(Number(this.range.lowest.toPrecision(3)));
      this.highest.value = String(Number(this.range.highest.toPrecision(3)));
    }
    part("limits").hidden = !held;
    const range = { lowest: this.lowest.valueAsNumber, highest: this.highest.valueAsNumber };
    const valid = Number.isFinite(range.lowest) && range.highest > range.lowest;
    write(part("limits-words"), held && !valid ? "The upper limit must be above the lower one." : "");
    if (!held) this.range.fix(null);
    else if (valid) this.range.fix(range);
    this.repaint();
    this.legend();
  }

  private legend(): void {
    const legend = part("legend");
    const kind = this.kind;
    legend.hidden = kind === null || kind === "none";
    if (kind === null || kind === "none") return;
    const { name, unit } = NAMES[kind];
    const { lowest, highest } = this.range;
    const scale = prefix(Math.max(Math.abs(lowest), Math.abs(highest)), unit);
    write(part("legend-name"), `${name}, ${scale.unit}`);
    write(part("limits-unit"), unit);
    const ticks = part("legend-ticks");
    while (ticks.children.length < TICKS) ticks.append(document.createElement("span"));
    [...ticks.children].forEach((tick, i) => {
      const value = lowest + ((highest - lowest) * i) / (TICKS - 1);
      write(tick as HTMLElement, digits(value / scale.factor));
    });
  }
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
