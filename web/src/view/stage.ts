// The stage: renderer, scene, light and ground, drawn only when something changed.

import * as THREE from "three";
import { Ground } from "./ground.js";
import { Sharpness } from "./sharpness.js";

/** Colours of everything that is not the body. */
export interface Palette {
  background: number;
  grid: number;
  edge: number;
  pin: number;
  plain: number;
}

const LIGHT: Palette = { background: 0xe9edf2, grid: 0x5d6b7c, edge: 0x10161d, pin: 0xb3261e, plain: 0x7fa7d1 };
const DARK: Palette = { background: 0x161b22, grid: 0x8b98a8, edge: 0x05070a, pin: 0xff7a70, plain: 0x6f9bcb };

export class Stage {
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(35, 1, 0.01, 100);
  readonly ground = new Ground();
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
    this.camera.up.set(0, 0, 1);
    this.light();
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

  /** Draws if anything changed; tells whether it did. */
  draw(now: number): boolean {
    if (this.dirty ? this.sharpness.move(now) : this.sharpness.rest(now)) this.resize();
    if (!this.dirty) return false;
    this.dirty = false;
    this.renderer.render(this.scene, this.camera);
    return true;
  }

  private light(): void {
    // a soft sky, a key light from the viewer's upper left, and a faint one from behind
    const sky = new THREE.HemisphereLight(0xffffff, 0xb9b2a6, 1.7);
    sky.position.set(0, 0, 1);
    const key = new THREE.DirectionalLight(0xffffff, 1.5);
    key.position.set(-0.8, 1.2, 1);
    const rim = new THREE.DirectionalLight(0xdfe9ff, 0.5);
    rim.position.set(1, 0.4, -0.6);
    // they turn with the camera, so that no side of a body is ever dark
    this.camera.add(key, key.target, rim, rim.target);
    this.scene.add(sky);
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
