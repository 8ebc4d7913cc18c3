// The user's tool: a ball where the program has it, and a faint one where it is wanted while it is not there yet.

import * as THREE from "three";
import type { Placed } from "../surround.js";
import type { Vec3 } from "../wire/command.js";
import type { Stage } from "./stage.js";

/** A ball that is nearer than this to where it is wanted is there, in radii. */
const THERE = 0.4;

/** A place and a radius, m. */
export interface Ball {
  place: Vec3;
  radius: number;
}

export class ToolView {
  private readonly ball: THREE.Mesh;
  private readonly ghost: THREE.Mesh;
  private at: Ball | null = null;
  private wanted: Ball | null = null;

  constructor(private readonly stage: Stage) {
    const round = new THREE.SphereGeometry(1, 48, 24);
    // the dent below it is seen
    const solid = new THREE.MeshPhongMaterial({ transparent: true, opacity: 0.78, specular: 0x333333, shininess: 30 });
    const faint = new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.16, depthWrite: false });
    this.ball = new THREE.Mesh(round, solid);
    this.ghost = new THREE.Mesh(round, faint);
    this.ball.castShadow = true;
    // after bodies and colliders, before bones and arrows
    this.ball.renderOrder = 2;
    this.ghost.renderOrder = 3;
    for (const mesh of [this.ball, this.ghost]) {
      mesh.frustumCulled = false;
      mesh.visible = false;
      stage.scene.add(mesh);
    }
    stage.onPalette((palette) => {
      solid.color.set(palette.tool);
      faint.color.set(palette.tool);
    });
  }

  /** The ball as a frame has it, if it has one. */
  update(at: Ball | null): void {
    this.at = at;
    this.arrange();
  }

  /** Where the user wants it. */
  wish(wanted: Ball | null): void {
    const same = wanted === this.wanted || (wanted && this.wanted && wanted.radius === this.wanted.radius && wanted.place.every((x, i) => x === this.wanted?.place[i]));
    if (same) return;
    this.wanted = wanted;
    this.arrange();
    this.stage.touch();
  }

  /** The ball that is drawn, if one is. */
  get drawn(): Ball | null {
    return this.at;
  }

  /** As a shape of the scene, for its shadow. */
  get placed(): Placed[] {
    if (!this.at) return [];
    return [{ shape: { kind: "sphere", radius: this.at.radius }, axes: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], origin: this.at.place }];
  }

  private arrange(): void {
    const { at, wanted } = this;
    this.put(this.ball, at);
    const away = at && wanted ? Math.hypot(...wanted.place.map((x, i) => x - at.place[i])) : 0;
    this.put(this.ghost, at && wanted && away > THERE * at.radius ? wanted : null);
  }

  private put(mesh: THREE.Mesh, ball: Ball | null): void {
    mesh.visible = ball !== null;
    if (!ball) return;
    mesh.position.set(...ball.place);
    mesh.scale.setScalar(ball.radius);
  }
}
