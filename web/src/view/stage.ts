// The stage: renderer, scene and light, drawn only when something changed.

import * as THREE from "three";
import { Ground } from "./ground.js";
import { Light } from "./light.js";
import { Sharpness } from "./sharpness.js";

/** Colours of everything; the bodies' are muted, so that arrows, pins and fields stand out. */
export interface Palette {
  background: number;
  grid: number;
  wall: number;
  edge: number;
  pin: number;
  tie: number;
  contact: number;
  tool: number;
  plate: number;
  bone: number;
  glow: number;
  colliders: readonly number[];
  bodies: readonly number[];
}

const LIGHT: Palette = {
  background: 0xe9edf2, grid: 0x5d6b7c, wall: 0xd4d9e0, edge: 0x10161d, pin: 0xb3261e, tie: 0x1b5fae, contact: 0x7a1fa2, tool: 0xe08a3c, plate: 0x98a2ae, bone: 0xf3e9d2,
  glow: 0xffffff, colliders: [0xa7a39b, 0x94a0a8, 0xb3a794], bodies: [0x7e9cbf, 0xc98f73, 0x8fae88, 0xb59bc0, 0xc9b075, 0x79adab],
};
const DARK: Palette = {
  background: 0x161b22, grid: 0x8b98a8, wall: 0x39424d, edge: 0x05070a, pin: 0xff7a70, tie: 0x86b6ff, contact: 0xd79bff, tool: 0xd9822f, plate: 0x56606c, bone: 0xf3e9d2,
  glow: 0xffffff, colliders: [0x7b7872, 0x69747c, 0x857b6b], bodies: [0x6c8cb2, 0xb87f64, 0x7e9d77, 0xa58bb0, 0xb59d64, 0x699c9a],
};

export class Stage {
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(35, 1, 0.01, 100);
  readonly ground = new Ground();
  readonly light: Light;
  palette: Palette = LIGHT;
  private readonly renderer: THREE.WebGLRenderer;
  private readonly repaint: ((palette: Palette) => void)[] = [];
  private readonly sharpness = new Sharpness(Math.min(2, devicePixelRatio));
  private dirty = true;

  /** Null where the browser offers no WebGL 2. */
  static open(canvas: HTMLCanvasElement): Stage | null {
    const wishes: WebGLContextAttributes = { antialias: true, alpha: false, powerPreference: "high-performance" };
    const context = canvas.getContext("webgl2", wishes);
    return context ? new Stage(canvas, context) : null;
  }

  private constructor(private readonly canvas: HTMLCanvasElement, context: WebGL2RenderingContext) {
    this.renderer = new THREE.WebGLRenderer({ canvas, context, antialias: true });
    this.renderer.shadowMap.enabled = true;
    // shadows change with the bodies, not with the camera
    this.renderer.shadowMap.autoUpdate = false;
    this.camera.up.set(0, 0, 1);
    this.light = new Light(this.scene);
    this.scene.add(this.ground.object, this.camera);
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    const choose = () => {
      this.palette = scheme.matches ? DARK : LIGHT;
      // of the scene, not of the renderer, which forgets it with the graphics card's context
      this.scene.background = new THREE.Color(this.palette.background);
      this.ground.paint(this.palette);
      this.repaint.forEach((paint) => paint(this.palette));
      this.touch();
    };
    scheme.addEventListener("change", choose);
    choose();
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement ?? canvas);
    this.resize();
  }

  /** Calls `paint` now and whenever the scheme changes between light and dark. */
  onPalette(paint: (palette: Palette) => void): void {
    this.repaint.push(paint);
    paint(this.palette);
  }

  /** The next animation frame has to draw. */
  touch(): void {
    this.dirty = true;
  }

  /** Something that throws a shadow has moved. */
  moved(): void {
    this.renderer.shadowMap.needsUpdate = true;
    this.touch();
  }

  /** The height of the picture, px of the page. */
  get height(): number {
    return Math.max(1, this.canvas.clientHeight);
  }

  /** Pixels drawn for one of the page's. */
  get density(): number {
    return this.renderer.getPixelRatio();
  }

  /** Draws if anything changed; tells whether it did. */
  draw(now: number): boolean {
    if (this.dirty ? this.sharpness.move(now) : this.sharpness.rest(now)) this.resize();
    if (!this.dirty) return false;
    this.dirty = false;
    this.renderer.render(this.scene, this.camera);
    return true;
  }

  private resize(): void {
    const box = this.canvas.parentElement ?? this.canvas;
    const width = Math.max(1, box.clientWidth);
    const height = Math.max(1, box.clientHeight);
    this.renderer.setPixelRatio(this.sharpness.ratio);
    // false: the style sheet gives the canvas its size on the page
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.touch();
  }
}
