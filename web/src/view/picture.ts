// The picture: bodies, colliders, bones, edges, marks, arrows and labels of the state that is shown, and what else is marked in it.

import type { ColourRange } from "../range.js";
import type { Box, Shown } from "../shown.js";
import type { Vec3 } from "../wire/command.js";
import { Arrows } from "./arrows.js";
import { Axes } from "./axes.js";
import { Body } from "./body.js";
import { Bones } from "./bones.js";
import { Camera, type Standpoint, type View } from "./camera.js";
import { Colliders } from "./colliders.js";
import { Contacts } from "./contacts.js";
import { Labels, type Label } from "./labels.js";
import { Marks } from "./marks.js";
import { Stage } from "./stage.js";
import { Supports } from "./supports.js";
import { ToolView, type Ball } from "./tool.js";
import { Wireframe } from "./wireframe.js";

/** How far from its middle at rest a body is followed, in sizes of it: one that flies away, one that was pulled or grows where it is, one on a floor. */
const FARTHEST = 1.5;
const GROWN = 5;
const FLOORED = 8;
/** Bodies that have their names beside them. */
const MOST_NAMES = 12;

/** The elements of the page that belong to the view. */
export interface Places {
  canvas: HTMLCanvasElement;
  labels: HTMLElement;
  axes: HTMLCanvasElement;
}

/** What tests ask of a picture. */
export interface Drawn {
  /** Where on the page the origins of colliders are. */
  colliders: { x: number; y: number }[];
  /** Crosses. */
  contacts: number;
  plates: number;
  /** Bones and hinges. */
  bones: number;
  ground: boolean;
  /** The number of the body under the pointer, or -1. */
  highlighted: number;
  pinPixels: number;
  /** Where on the page arrows begin, those of the tool last. */
  arrows: { x: number; y: number }[];
  /** The middle of the user's tool on the page, and its radius, m. */
  tool: { x: number; y: number; radius: number } | null;
  /** The direction out of the screen. */
  out: Vec3;
}

export class Picture {
  readonly camera: Camera;
  readonly wireframe: Wireframe;
  /** Where the simulation broke, if it did. */
  trouble: Vec3 | null = null;
  /** The vertex chosen by keys, if any. */
  chosen: Vec3 | null = null;
  private readonly body: Body;
  private readonly bones: Bones;
  private readonly colliders: Colliders;
  private readonly contacts: Contacts;
  private readonly supports: Supports;
  private readonly pins: Marks;
  private readonly ties: Marks;
  private readonly arrows: Arrows;
  /** The tool's, whose scale is another. */
  private readonly pushes: Arrows;
  private readonly tool: ToolView;
  private readonly labels: Labels;
  private readonly axes: Axes;
  private forces: Label[] = [];
  private names: Label[] = [];
  /** Whether somebody has pulled since the view was chosen. */
  private pulled = false;
  private size = 1;
  private bodies: Box = { centre: [0, 0, 0], size: [1, 0, 0] };

  /** Null where the browser offers no WebGL 2. */
  static open(places: Places): Picture | null {
    const stage = Stage.open(places.canvas);
    return stage && new Picture(stage, places);
  }

  private constructor(private readonly stage: Stage, places: Places) {
    this.camera = new Camera(stage, places.canvas);
    this.body = new Body(stage);
    this.wireframe = new Wireframe(stage);
    this.bones = new Bones(stage);
    this.colliders = new Colliders(stage);
    this.contacts = new Contacts(stage);
    this.supports = new Supports(stage);
    this.pins = new Marks(stage, "square", (palette) => palette.pin);
    this.ties = new Marks(stage, "round", (palette) => palette.tie);
    this.arrows = new Arrows(stage);
    this.pushes = new Arrows(stage);
    this.tool = new ToolView(stage);
    this.labels = new Labels(places.labels);
    this.axes = new Axes(places.axes);
  }

  /** The distance between two lines of the ground, m. */
  get spacing(): number {
    return this.stage.ground.spacing;
  }

  rebuild(shown: Shown): void {
    const { topology } = shown;
    this.body.rebuild(shown);
    this.wireframe.rebuild(this.body.positions, topology);
    this.pins.rebuild(this.body.positions);
    this.ties.rebuild(this.body.positions);
    this.ties.update(topology?.tied ?? new Uint32Array(0), topology?.tied.length ?? 0);
    this.bones.rebuild(topology?.bones ?? []);
    this.supports.clear();
    this.arrows.clear();
    this.pushes.clear();
    this.tool.update(null);
    this.contacts.clear();
    this.stage.light.clear();
    this.forces = [];
    this.names = [];
  }

  /** Shows all bodies of a new scene, from where the scene says or from the first view's side; colliders and ground are laid around them. */
  begin(shown: Shown, standpoint: Standpoint | null): void {
    // a new scene is shown where it begins, unless a page comes so late that it has left
    const near = shown.reach <= FARTHEST * shown.extent;
    const box = near ? shown.rest : shown.box();
    this.stage.ground.place(box.centre, box.size);
    this.colliders.rebuild(shown.topology, this.stage.ground.spacing);
    this.stage.ground.object.visible = !this.colliders.floored;
    this.colliders.update(shown);
    this.size = shown.extent;
    this.pulled = false;
    if (standpoint) this.camera.standAt(standpoint, box);
    else this.camera.frame(this.colliders.framed(box), "home");
  }

  /** Shows all bodies as they are now. */
  frameAll(shown: Shown, view: View): void {
    this.pulled = false;
    this.camera.frame(shown.box(), view);
  }

  /** A view that moved under a hand would carry the hand along: bodies are followed when it has let go. */
  hold(): void {
    this.pulled = true;
  }

  /** Keeps bodies in sight that bend, grow, or were pulled away; one that falls or flies away by itself is let go. */
  follow(shown: Shown, now: number): void {
    const sizes = this.colliders.floored ? FLOORED : this.pulled || shown.stays ? GROWN : FARTHEST;
    const farthest = sizes * shown.extent;
    if (shown.reach <= farthest) this.camera.follow(shown.box(), this.pulled ? "gently" : "at once", now);
  }

  /** Shows what is under the pointer; null where nothing can be taken. */
  highlight(at: { body: number; point: Vec3 } | null): void {
    this.body.highlight(at);
  }

  /** Where the user wants the tool; null where there is none. */
  wish(ball: Ball | null): void {
    this.tool.wish(ball);
  }

  /** What tests ask: how much of everything is drawn. */
  get drawn(): Drawn {
    return {
      colliders: this.colliders.places.map((place) => this.camera.project(place)),
      contacts: this.contacts.count,
      plates: this.supports.count,
      bones: this.bones.count,
      ground: this.stage.ground.object.visible,
      highlighted: this.body.highlighted,
      pinPixels: this.pins.size / this.stage.density,
      out: this.camera.axes().out,
      arrows: [...this.arrows.starts, ...this.pushes.starts].map((start) => this.camera.project(start)),
      tool: this.tool.drawn && { ...this.camera.project(this.tool.drawn.place), radius: this.tool.drawn.radius },
    };
  }

  update(shown: Shown, range: ColourRange, now: number): void {
    const { frame } = shown;
    this.body.update(shown, range);
    this.pins.update(frame.pins, frame.pinCount);
    this.supports.update(shown);
    this.bones.update(shown);
    this.colliders.update(shown);
    const box = shown.box();
    this.bodies = box;
    this.tool.update(frame.tool);
    this.stage.light.fit(this.colliders.around(box, this.tool.placed));
    const bodies = shown.topology?.bodies.length ?? 0;
    // one body has its name in the panel, and a crowd of names would hide the bodies
    const named = bodies > 1 && bodies <= MOST_NAMES;
    this.names = named ? shown.tops().map(({ name, place }) => ({ text: name, place, look: "name" })) : [];
    const [pulls, pushes] = [frame.arrows.filter(({ kind }) => kind !== "tool"), frame.arrows.filter(({ kind }) => kind === "tool")];
    this.forces = this.arrows.update(pulls, frame.stats.largestForce, shown.extent);
    this.forces.push(...this.pushes.update(pushes, 0, shown.extent));
    this.contacts.update(frame.contacts, shown.extent, now);
  }

  paint(shown: Shown, range: ColourRange): void {
    this.body.paint(shown, range);
  }

  touch(): void {
    this.stage.touch();
  }

  /** Everything, shadows too. */
  redraw(): void {
    this.stage.moved();
  }

  /** Once in each animation frame. */
  draw(now: number): void {
    this.camera.update();
    this.colliders.arrange(this.bodies, this.stage.camera.position);
    for (const marks of [this.pins, this.ties, this.contacts]) marks.scale(this.size, this.camera.pixelsPerMetre(this.bodies.centre), this.stage.density);
    if (!this.stage.draw(now)) return;
    // names first: what comes later lies above them
    const labels = [...this.names, ...this.forces];
    if (this.trouble) labels.push({ text: "it broke here", place: this.trouble, look: "trouble" });
    if (this.chosen) labels.push({ text: "", place: this.chosen, look: "chosen" });
    this.labels.show(labels, this.stage.camera);
    this.axes.draw(this.camera.axes());
  }
}
