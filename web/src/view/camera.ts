// The camera: orbit, pan, zoom, and the view that shows the whole body; z is up.

import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { Ray } from "../pick.js";
import type { Box } from "../shown.js";
import type { Vec3 } from "../wire/command.js";
import type { Stage } from "./stage.js";

/** A three-quarter view, a little from above: from where the camera looks at the body. */
const QUARTER = new THREE.Vector3(0.55, -1, 0.45).normalize();

/** Room around a body for the way it will move, in its own sizes. */
const AIR = 1.25;

export class Camera {
  private readonly controls: OrbitControls;
  private readonly caster = new THREE.Raycaster();
  /** The radius about the target that is in the picture, m; null once somebody chose the view. */
  private room: number | null = null;

  constructor(private readonly stage: Stage, private readonly canvas: HTMLCanvasElement) {
    this.controls = new OrbitControls(stage.camera, canvas);
    const calm = matchMedia("(prefers-reduced-motion: reduce)");
    this.controls.enableDamping = !calm.matches;
    calm.addEventListener("change", () => (this.controls.enableDamping = !calm.matches));
    this.controls.dampingFactor = 0.2;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("change", () => stage.touch());
    this.controls.addEventListener("start", () => this.keep());
  }

  /** Once in each animation frame. */
  update(): void {
    this.controls.update();
  }

  /** Moves so that a box fills the picture, from the first view's side or from where the camera is. */
  frame({ centre, size }: Box, from: "first" | "here"): void {
    const radius = Math.max(Math.hypot(...size) / 2, 1e-6);
    const side = from === "first" ? QUARTER.clone() : this.side();
    this.controls.target.set(...centre);
    this.controls.minDistance = radius / 20;
    this.stand(side, AIR * radius);
    this.room = from === "first" ? AIR * radius : null;
  }

  /** Steps back until a body is in the picture that reaches so far from the target, m; never where somebody chose the view. */
  widen(reach: number): void {
    if (this.room === null || reach <= this.room) return;
    this.room = reach;
    this.stand(this.side(), reach);
  }

  /** The view stays as it is. */
  keep(): void {
    this.room = null;
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

  /** Stands on one side of the target, so far away that a sphere of this radius about it touches the edge of the picture. */
  private stand(side: THREE.Vector3, radius: number): void {
    const camera = this.stage.camera;
    const upright = THREE.MathUtils.degToRad(camera.fov / 2);
    const across = Math.atan(Math.tan(upright) * camera.aspect);
    const distance = radius / Math.sin(Math.min(upright, across));
    camera.near = distance / 100;
    camera.far = distance * 30;
    camera.updateProjectionMatrix();
    camera.position.copy(this.controls.target).addScaledVector(side, distance);
    this.controls.maxDistance = distance * 12;
    this.controls.update();
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
