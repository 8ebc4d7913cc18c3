// The picture: body, edges, pins, arrows and labels of the state that is shown, and what else is marked in it.

import type { ColourRange } from "../range.js";
import type { Shown } from "../shown.js";
import type { Vec3 } from "../wire/command.js";
import { Arrows } from "./arrows.js";
import { Axes } from "./axes.js";
import { Body } from "./body.js";
import { Camera } from "./camera.js";
import { Labels, type Label } from "./labels.js";
import { Pins } from "./pins.js";
import { Stage } from "./stage.js";
import { Wireframe } from "./wireframe.js";

/** The elements of the page that belong to the view. */
export interface Places {
  canvas: HTMLCanvasElement;
  labels: HTMLElement;
  axes: HTMLCanvasElement;
}

export class Picture {
  readonly camera: Camera;
  readonly wireframe: Wireframe;
  /** Where the simulation broke, if it did. */
  trouble: Vec3 | null = null;
  /** The vertex chosen by keys, if any. */
  chosen: Vec3 | null = null;
  private readonly body: Body;
  private readonly pins: Pins;
  private readonly arrows: Arrows;
  private readonly labels: Labels;
  private readonly axes: Axes;
  private forces: Label[] = [];

  /** Null where the browser offers no WebGL 2. */
  static open(places: Places): Picture | null {
    const stage = Stage.open(places.canvas);
    return stage && new Picture(stage, places);
  }

  private constructor(private readonly stage: Stage, places: Places) {
    this.camera = new Camera(stage, places.canvas);
    this.body = new Body(stage);
    this.wireframe = new Wireframe(stage);
    this.pins = new Pins(stage);
    this.arrows = new Arrows(stage);
    this.labels = new Labels(places.labels);
    this.axes = new Axes(places.axes);
  }

  /** The distance between two lines of the ground, m. */
  get spacing(): number {
    return this.stage.ground.spacing;
  }

  rebuild(shown: Shown): void {
    this.body.rebuild(shown);
    this.wireframe.rebuild(this.body.positions, shown.topology?.edges ?? new Uint32Array(0));
    this.pins.rebuild(this.body.positions);
    this.arrows.clear();
    this.forces = [];
  }

  /** Shows the whole body; the ground follows where it is a new scene. */
  frameAll(shown: Shown, from: "first" | "here"): void {
    const { centre, size } = shown.box();
    if (from === "first") this.stage.ground.place(centre, size);
    this.camera.frame(centre, size, from);
  }

  update(shown: Shown, range: ColourRange): void {
    const { frame } = shown;
    this.body.update(shown, range);
    this.pins.update(frame.pins, frame.pinCount);
    this.forces = this.arrows.update(frame.arrows, frame.stats.largestForce, shown.extent);
  }

  paint(shown: Shown, range: ColourRange): void {
    this.body.paint(shown, range);
  }

  touch(): void {
    this.stage.touch();
  }

  /** Once in each animation frame. */
  draw(now: number): void {
    this.camera.update();
    if (!this.stage.draw(now)) return;
    const labels = [...this.forces];
    if (this.trouble) labels.push({ text: "it broke here", place: this.trouble, look: "trouble" });
    if (this.chosen) labels.push({ text: "", place: this.chosen, look: "chosen" });
    this.labels.show(labels, this.stage.camera);
    this.axes.draw(this.camera.axes());
  }
}
