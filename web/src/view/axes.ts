// The directions x, y, z in a corner of the view, drawn flat; letters name them, so that colour is not needed to read them.

import type { Vec3 } from "../wire/command.js";

const NAMES = ["x", "y", "z"];
const COLOURS = { light: ["#b3202f", "#226b2a", "#1f5cb8"], dark: ["#ff8088", "#7fd48a", "#86b6ff"] };
const SIZE = 76;
const REACH = 24;

export class Axes {
  private readonly context: CanvasRenderingContext2D | null;
  private readonly scheme = matchMedia("(prefers-color-scheme: dark)");

  constructor(canvas: HTMLCanvasElement) {
    const density = Math.min(2, devicePixelRatio);
    canvas.width = canvas.height = SIZE * density;
    this.context = canvas.getContext("2d");
    this.context?.scale(density, density);
  }

  /** Draws them for a camera with these unit vectors. */
  draw(camera: { right: Vec3; up: Vec3; out: Vec3 }): void {
    const context = this.context;
    if (!context) return;
    context.clearRect(0, 0, SIZE, SIZE);
    context.font = "600 11px system-ui, sans-serif";
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineWidth = 2;
    context.lineCap = "round";
    const colours = COLOURS[this.scheme.matches ? "dark" : "light"];
    // the one that points away is drawn first
    const order = [0, 1, 2].sort((i, j) => camera.out[i] - camera.out[j]);
    for (const i of order) {
      const x = camera.right[i];
      const y = -camera.up[i];
      const middle = SIZE / 2;
      context.strokeStyle = context.fillStyle = colours[i];
      context.beginPath();
      context.moveTo(middle, middle);
      context.lineTo(middle + REACH * x, middle + REACH * y);
      context.stroke();
      const reach = REACH + 8;
      context.fillText(NAMES[i], middle + reach * x, middle + reach * y);
    }
  }
}
