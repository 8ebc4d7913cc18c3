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

/** How far from its middle at rest a body is followed, in sizes of it. */
const FARTHEST = 1.5;

/** Bodies that have their names beside them. */
const MOST_NAMES = 12;

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
  private names: Label[] = [];

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
    this.names = [];
  }

  /** Shows the whole body; the ground follows where it is a new scene. */
  frameAll(shown: Shown, from: "first" | "here"): void {
    // a new scene is shown where it begins, unless a page comes so late that it has left
    const near = from === "first" && shown.reach <= FARTHEST * shown.extent;
    const box = near ? shown.rest : shown.box();
    if (from === "first") this.stage.ground.place(box.centre, box.size);
    this.camera.frame(box, from);
  }

  /** Keeps a body in sight that bends or grows; one that falls or flies away is let go. */
  follow(shown: Shown): void {
    if (shown.reach <= FARTHEST * shown.extent) this.camera.widen(shown.reach);
  }

  update(shown: Shown, range: ColourRange): void {
    const { frame } = shown;
    this.body.update(shown, range);
    this.pins.update(frame.pins, frame.pinCount);
    const bodies = shown.topology?.bodies.length ?? 0;
    // one body has its name in the panel, and a crowd of names would hide the bodies
    const named = bodies > 1 && bodies <= MOST_NAMES;
    this.names = named ? shown.tops().map(({ name, place }) => ({ text: name, place, look: "name" })) : [];
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
    // names first: what comes later lies above them
    const labels = [...this.names, ...this.forces];
    if (this.trouble) labels.push({ text: "it broke here", place: this.trouble, look: "trouble" });
    if (this.chosen) labels.push({ text: "", place: this.chosen, look: "chosen" });
    this.labels.show(labels, this.stage.camera);
    this.axes.draw(this.camera.axes());
  }
}
