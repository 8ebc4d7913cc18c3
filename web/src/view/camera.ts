// The camera: orbit, pan, zoom, and the views that show all bodies; z is up.
//
// A view that shows everything goes on doing so: it steps back when bodies grow or are dragged out of it, also after somebody has turned it. It
// stays as it is once somebody has zoomed or moved it.

import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { Ray } from "../pick.js";
import type { Box } from "../shown.js";
import type { Vec3 } from "../wire/command.js";
import type { Stage } from "./stage.js";

/** Where the camera stands, seen from the bodies: a three-quarter view a little from above, and along the axes. */
const SIDES = {
  home: new THREE.Vector3(0.55, -1, 0.36).normalize(),
  front: new THREE.Vector3(0, -1, 0),
  side: new THREE.Vector3(1, 0, 0),
  // not quite, so that y stays upwards
  top: new THREE.Vector3(0, -1e-4, 1).normalize(),
};
/** From one of these sides, or from where the camera is. */
export type View = keyof typeof SIDES | "here";

/** A view that a scene names. */
export interface Standpoint {
  from: Vec3;
  to: Vec3;
}

/** The part of the picture's breadth or height that bodies fill at first, and at most. */
const FILLS = 0.68;
const MOST = 0.88;
/** Seconds in which a view that has to step back after a pull comes a factor e nearer to where it should be. */
const EASE = 0.25;
/** Zooming or moving by less than this share of the distance is rounding. */
const SAME = 1e-3;

export class Camera {
  private readonly controls: OrbitControls;
  private readonly caster = new THREE.Raycaster();
  /** Where a view that shows everything looks, and from how far; null once somebody has zoomed or moved it. */
  private stood: { target: THREE.Vector3; distance: number } | null = null;
  private eased = 0;

  constructor(private readonly stage: Stage, private readonly canvas: HTMLCanvasElement) {
    this.controls = new OrbitControls(stage.camera, canvas);
    const calm = matchMedia("(prefers-reduced-motion: reduce)");
    this.controls.enableDamping = !calm.matches;
    calm.addEventListener("change", () => (this.controls.enableDamping = !calm.matches));
    this.controls.dampingFactor = 0.2;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("change", () => stage.touch());
  }

  /** Once in each animation frame. */
  update(): void {
    this.controls.update();
    if (!this.stood) return;
    const { target, distance } = this.stood;
    const moved = target.distanceTo(this.controls.target) + Math.abs(distance - this.distance());
    if (moved > SAME * distance) this.stood = null;
  }

  /** Moves so that a box fills the picture. */
  frame(box: Box, view: View): void {
    const side = view === "here" ? this.side() : SIDES[view].clone();
    this.controls.target.set(...box.centre);
    this.controls.minDistance = Math.max(Math.hypot(...box.size) / 2, 1e-6) / 20;
    this.stand(side, this.needed(box, side, FILLS));
  }

  /** Stands where a scene says; it is left as it is until bodies leave it. */
  standAt({ from, to }: Standpoint, box: Box): void {
    const side = new THREE.Vector3(...from).sub(new THREE.Vector3(...to));
    const distance = side.length();
    this.controls.target.set(...to);
    this.controls.minDistance = Math.min(distance / 2, Math.max(Math.hypot(...box.size) / 2, 1e-6) / 20);
    this.stand(side.normalize(), distance);
  }

  /** Steps back until a box is in the picture, at once or gently; never where somebody chose the view. */
  follow(box: Box, how: "at once" | "gently", now: number): void {
    const seconds = Math.min((now - this.eased) / 1000, 0.1);
    this.eased = now;
    if (!this.stood) return;
    const side = this.side();
    const [present, needed] = [this.distance(), this.needed(box, side, MOST)];
    if (!(needed > present * (1 + SAME))) return;
    const share = how === "at once" ? 1 : 1 - Math.exp(-seconds / EASE);
    this.stand(side, present + share * (needed - present));
  }

  /** Whether a box along the axes is in the picture, at least in part. */
  sees({ centre, size }: Box): boolean {
    const box = new THREE.Box3().setFromCenterAndSize(new THREE.Vector3(...centre), new THREE.Vector3(...size));
    return this.pyramid().intersectsBox(box);
  }

  /** Whether a place is in the picture. */
  holds(place: Vec3): boolean {
    return this.pyramid().containsPoint(new THREE.Vector3(...place));
  }

  /** How many pixels of the page a metre has at a place. */
  pixelsPerMetre(place: Vec3): number {
    const { camera, height } = this.stage;
    const distance = new THREE.Vector3(...place).distanceTo(camera.position);
    return height / (2 * Math.tan(THREE.MathUtils.degToRad(camera.fov / 2)) * Math.max(distance, 1e-9));
  }

  private pyramid(): THREE.Frustum {
    const { camera } = this.stage;
    camera.updateMatrixWorld();
    return new THREE.Frustum().setFromProjectionMatrix(
      new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse),
    );
  }

  /** Where the camera is, seen from its target. */
  private side(): THREE.Vector3 {
    return this.stage.camera.position.clone().sub(this.controls.target).normalize();
  }

  private distance(): number {
    return this.stage.camera.position.distanceTo(this.controls.target);
  }

  /** How far from the target the camera must stand on one side so that a box fills no more than this part of the picture. */
  private needed({ centre, size }: Box, side: THREE.Vector3, part: number): number {
    const { camera } = this.stage;
    const up = Math.tan(THREE.MathUtils.degToRad(camera.fov / 2)) * part;
    const across = up * camera.aspect;
    const right = camera.up.clone().cross(side).normalize();
    const upwards = side.clone().cross(right);
    let needed = Math.hypot(...size) / 20;
    for (let i = 0; i < 8; i++) {
      const corner = new THREE.Vector3(...centre.map((x, k) => x + ((i >> k) & 1 ? 0.5 : -0.5) * size[k])).sub(this.controls.target);
      const beyond = Math.max(Math.abs(corner.dot(right)) / across, Math.abs(corner.dot(upwards)) / up);
      needed = Math.max(needed, corner.dot(side) + beyond);
    }
    return Math.max(needed, 1e-6);
  }

  /** Stands on one side of the target, so far away. */
  private stand(side: THREE.Vector3, distance: number): void {
    const camera = this.stage.camera;
    camera.near = distance / 100;
    camera.far = distance * 30;
    camera.updateProjectionMatrix();
    camera.position.copy(this.controls.target).addScaledVector(side, distance);
    this.controls.maxDistance = distance * 12;
    this.controls.update();
    this.stood = { target: this.controls.target.clone(), distance };
    this.stage.touch();
  }

  /** The ray through a point of the page. */
  ray(clientX: number, clientY: number): Ray {
    const box = this.canvas.getBoundingClientRect();
    const point = new THREE.Vector2(
      ((clientX - box.left) / box.width) * 2 - 1,
      1 - ((clientY - box.top) / box.height) * 2,
    );
    this.stage.camera.updateMatrixWorld();
    this.caster.setFromCamera(point, this.stage.camera);
    return { origin: this.caster.ray.origin.toArray(), direction: this.caster.ray.direction.toArray() };
  }

  /** Where a place of the scene appears on the page. */
  project(place: Vec3): { x: number; y: number; ahead: boolean } {
    this.stage.camera.updateMatrixWorld();
    const point = new THREE.Vector3(...place).project(this.stage.camera);
    const box = this.canvas.getBoundingClientRect();
    return {
      x: box.left + ((point.x + 1) / 2) * box.width,
      y: box.top + ((1 - point.y) / 2) * box.height,
      ahead: point.z < 1,
    };
  }

  /** Unit vectors to the right, upwards on the screen and out of it. */
  axes(): { right: Vec3; up: Vec3; out: Vec3 } {
    this.stage.camera.updateMatrixWorld();
    const [right, up, out] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
    this.stage.camera.matrixWorld.extractBasis(right, up, out);
    return { right: right.toArray(), up: up.toArray(), out: out.toArray() };
  }
}
