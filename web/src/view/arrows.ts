// Forces of grabs: a band from the held point to the hand, and from the hand on an arrow along the force, as long as the force is large; and that of the
// tool, from its middle on.
//
// All of it is drawn over the bodies, so that nothing of it is ever buried in one.

import * as THREE from "three";
import { quantity } from "../quantity.js";
import type { Vec3 } from "../wire/command.js";
import type { Arrow } from "../wire/frame.js";
import type { Label } from "./labels.js";
import type { Stage } from "./stage.js";

const COLOURS = { user: 0xf0760a, scene: 0x0a9396, tool: 0xf0760a, limit: 0xd11f3a };
/** The length of an arrow at the largest force, and its thickness, in sizes of the body. */
const LENGTH = 0.3;
const SHAFT = 0.006;
const HEAD = 0.022;
/** More arrows than this hide each other, and the body. */
const MOST = 200;

export class Arrows {
  private readonly pool: Drawn[] = [];
  /** The largest force so far: a scale that never jumps back. */
  private scale = 0;

  constructor(private readonly stage: Stage) {}

  /** Where the arrows that are shown begin, m. */
  get starts(): Vec3[] {
    return this.pool.map((drawn) => drawn.start).filter((start) => start !== null);
  }

  /** Forgets the scale of the last scene. */
  clear(): void {
    this.scale = 0;
    this.pool.forEach((drawn) => drawn.hide());
  }

  /** Shows the arrows of a frame; `size` is that of the body, m. Returns their labels. */
  update(all: Arrow[], largest: number, size: number): Label[] {
    const arrows = foremost(all, MOST);
    while (this.pool.length < arrows.length) this.pool.push(new Drawn(this.stage.scene));
    const forces = arrows.map((arrow) => Math.hypot(...arrow.force));
    this.scale = forces.reduce((a, b) => Math.max(a, b), Math.max(this.scale, largest));
    this.pool.forEach((drawn, i) => {
      if (i >= arrows.length) return drawn.hide();
      const share = this.scale > 0 ? forces[i] / this.scale : 0;
      drawn.show(arrows[i], forces[i], { length: LENGTH * size * share, size });
    });
    return arrows.map((arrow, i) => ({
      text: arrow.atLargest ? `${quantity(forces[i], "N")}, the largest` : quantity(forces[i], "N"),
      place: arrow.target,
      look: arrow.atLargest ? "limit" : arrow.kind === "scene" ? "scene" : "user",
    }));
  }
}

/** At most so many arrows, the user's before the scene's. */
function foremost(arrows: Arrow[], most: number): Arrow[] {
  if (arrows.length <= most) return arrows;
  const of = (kind: Arrow["kind"]) => arrows.filter((arrow) => arrow.kind === kind);
  return [...of("user"), ...of("scene")].slice(0, most);
}

/** The meshes of one arrow. */
class Drawn {
  private readonly group = new THREE.Group();
  private readonly material = new THREE.MeshBasicMaterial({ depthTest: false, transparent: true });
  private readonly lineMaterial = new THREE.LineBasicMaterial({ depthTest: false, transparent: true, opacity: 0.6 });
  private readonly shaft: THREE.Mesh;
  private readonly head: THREE.Mesh;
  private readonly target: THREE.Mesh;
  private readonly held: THREE.Mesh;
  private readonly line: THREE.Line;
  private readonly direction = new THREE.Vector3();

  constructor(scene: THREE.Scene) {
    // both stand on the origin and point along y
    const shaft = new THREE.CylinderGeometry(1, 1, 1, 12).translate(0, 0.5, 0);
    const head = new THREE.ConeGeometry(1, 1, 20).translate(0, 0.5, 0);
    const ball = new THREE.SphereGeometry(1, 16, 12);
    this.shaft = new THREE.Mesh(shaft, this.material);
    this.head = new THREE.Mesh(head, this.material);
    this.target = new THREE.Mesh(ball, this.material);
    this.held = new THREE.Mesh(ball, this.material);
    const ends = new THREE.BufferGeometry();
    ends.setAttribute("position", new THREE.BufferAttribute(new Float32Array(6), 3));
    this.line = new THREE.Line(ends, this.lineMaterial);
    for (const part of [this.line, this.shaft, this.head, this.target, this.held]) {
      part.frustumCulled = false;
      part.renderOrder = 10;
      this.group.add(part);
    }
    scene.add(this.group);
  }

  hide(): void {
    this.group.visible = false;
  }

  /** Where the arrow begins, m; null where none is shown. */
  get start(): Vec3 | null {
    return this.group.visible && this.head.visible ? this.shaft.position.toArray() : null;
  }

  show(arrow: Arrow, force: number, scale: { length: number; size: number }): void {
    this.group.visible = true;
    const colour = COLOURS[arrow.atLargest ? "limit" : arrow.kind];
    this.material.color.set(colour);
    this.lineMaterial.color.set(colour);
    const { length, size } = scale;
    const headLength = Math.min(length, 3 * HEAD * size);
    for (const part of [this.held, this.target, this.line]) part.visible = arrow.kind !== "tool";
    this.held.position.set(...arrow.point);
    this.held.scale.setScalar(0.011 * size);
    this.target.position.set(...arrow.target);
    this.target.scale.setScalar(0.014 * size);
    const ends = this.line.geometry.getAttribute("position");
    ends.setXYZ(0, ...arrow.point);
    ends.setXYZ(1, ...arrow.target);
    ends.needsUpdate = true;
    this.shaft.visible = this.head.visible = force > 0 && length > 0;
    if (!this.head.visible) return;
    this.direction.set(...arrow.force).normalize();
    for (const part of [this.shaft, this.head]) {
      part.quaternion.setFromUnitVectors(THREE.Object3D.DEFAULT_UP, this.direction);
      part.position.set(...arrow.target);
    }
    const shaftLength = Math.max(length - headLength, 1e-9);
    this.shaft.scale.set(SHAFT * size, shaftLength, SHAFT * size);
    this.head.position.addScaledVector(this.direction, length - headLength);
    this.head.scale.set(headLength / 3, headLength, headLength / 3);
  }
}
