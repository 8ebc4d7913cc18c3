// Walls: the planes that nodes bounce from, each drawn at its place, ruled like the ground, with the shadows of the bodies on it.
//
// From behind a wall is almost clear, so that it never hides what is before it.

import * as THREE from "three";
import type { Box } from "../shown.js";
import type { Wall } from "../wire/topology.js";
import { LINES } from "./ground.js";
import type { Stage } from "./stage.js";

/** How far a wall is drawn around the bodies, in sizes of them. */
const REACH = 3.5;

export class Walls {
  private readonly meshes: THREE.Mesh[] = [];
  private readonly colour = new THREE.Color();
  private readonly line = new THREE.Color();

  constructor(private readonly stage: Stage) {
    stage.onPalette((palette) => {
      this.colour.set(palette.wall);
      this.line.set(palette.grid);
    });
  }

  get count(): number {
    return this.meshes.length;
  }

  /** Draws these walls around bodies in a box, ruled every so many metres. */
  place(walls: readonly Wall[], { centre, size }: Box, spacing: number): void {
    for (const mesh of this.meshes) {
      this.stage.scene.remove(mesh);
      mesh.geometry.dispose();
      (mesh.material as THREE.Material).dispose();
    }
    this.meshes.length = 0;
    const radius = REACH * Math.max(Math.hypot(...size), 1e-9);
    for (const { point, normal } of walls) {
      const up = new THREE.Vector3(...normal);
      const gap = new THREE.Vector3(...centre).sub(new THREE.Vector3(...point)).dot(up);
      const mesh = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), this.material(spacing));
      // the foot of the bodies on it
      mesh.position.set(...centre).addScaledVector(up, -gap);
      mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), up);
      mesh.scale.setScalar(radius);
      mesh.receiveShadow = true;
      mesh.frustumCulled = false;
      // before what is drawn over it, after the bodies
      mesh.renderOrder = -1;
      this.meshes.push(mesh);
      this.stage.scene.add(mesh);
    }
    this.stage.moved();
  }

  private material(spacing: number): THREE.Material {
    const material = new THREE.MeshLambertMaterial({ color: this.colour, transparent: true, side: THREE.DoubleSide, depthWrite: false });
    // the same colours: they change with the palette
    material.color = this.colour;
    material.onBeforeCompile = (shader) => {
      shader.uniforms.spacing = { value: spacing };
      shader.uniforms.line = { value: this.line };
      shader.vertexShader = shader.vertexShader
        .replace("#include <common>", "#include <common>\nvarying vec2 vPlace;\nvarying vec2 vAcross;")
        .replace("#include <begin_vertex>", "#include <begin_vertex>\nvPlace = position.xy * length(modelMatrix[0].xyz);\nvAcross = position.xy;");
      shader.fragmentShader = shader.fragmentShader
        .replace("#include <common>", `#include <common>\nuniform float spacing;\nuniform vec3 line;\nvarying vec2 vPlace;\nvarying vec2 vAcross;\n${LINES}`)
        .replace("#include <opaque_fragment>", /* glsl */ `
          float ruled = max(0.12 * lines(vPlace, spacing), 0.28 * lines(vPlace, 5.0 * spacing));
          outgoingLight = mix(outgoingLight, line, ruled);
          diffuseColor.a = (1.0 - smoothstep(0.25, 1.0, length(vAcross))) * (gl_FrontFacing ? 0.94 : 0.14);
          #include <opaque_fragment>`);
    };
    return material;
  }
}
