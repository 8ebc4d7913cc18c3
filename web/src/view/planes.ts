// Planes without end: floors with soft checks and lines that take shadows, and walls that are almost clear.
//
// Both fade out around the bodies, and from behind neither hides what is before it.

import * as THREE from "three";
import { LINES } from "./ground.js";
import type { Palette } from "./stage.js";

/** GLSL: which share of a pixel the dark fields of a checkerboard cover. */
const CHECKS = /* glsl */ `
float checks(vec2 place, float every) {
  vec2 q = place / every;
  vec2 width = max(fwidth(q), vec2(1e-6));
  // the mean of a square wave over the pixel, in each direction
  vec2 mean = 2.0 * (abs(fract(0.5 * (q - 0.5 * width)) - 0.5) - abs(fract(0.5 * (q + 0.5 * width)) - 0.5)) / width;
  return 0.5 - 0.5 * mean.x * mean.y;
}`;

/** How much of what is behind a plane its front and its back hide, how dark its checks and lines are, and where it begins to fade. */
const LOOKS = {
  floor: { front: 1, back: 0.12, checks: 0.07, lines: 0.2, fade: 0.12 },
  wall: { front: 0.34, back: 0.12, checks: 0, lines: 0.45, fade: 0.15 },
};

export class Planes {
  private readonly colour = new THREE.Color();
  private readonly line = new THREE.Color();

  /** Gives all of them their colours. */
  paint(palette: Palette): void {
    this.colour.set(palette.wall);
    this.line.set(palette.grid);
  }

  /** A plane across z of this radius, m, ruled every so many metres. */
  mesh(look: keyof typeof LOOKS, radius: number, spacing: number): THREE.Mesh {
    const mesh = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), this.material(look, spacing));
    mesh.scale.setScalar(radius);
    mesh.receiveShadow = true;
    mesh.frustumCulled = false;
    // after the bodies, before all else that is not solid
    mesh.renderOrder = -1;
    return mesh;
  }

  private material(look: keyof typeof LOOKS, spacing: number): THREE.Material {
    const { front, back, checks, lines, fade } = LOOKS[look];
    const material = new THREE.MeshLambertMaterial({ transparent: true, side: THREE.DoubleSide, depthWrite: false });
    // the same colours: they change with the palette
    material.color = this.colour;
    // materials whose texts are the same share a program, and its numbers
    material.customProgramCacheKey = () => look;
    material.onBeforeCompile = (shader) => {
      shader.uniforms.spacing = { value: spacing };
      shader.uniforms.line = { value: this.line };
      shader.vertexShader = shader.vertexShader
        .replace("#include <common>", "#include <common>\nvarying vec2 vPlace;\nvarying vec2 vAcross;")
        .replace("#include <begin_vertex>", "#include <begin_vertex>\nvPlace = position.xy * length(modelMatrix[0].xyz);\nvAcross = position.xy;");
      shader.fragmentShader = shader.fragmentShader
        .replace("#include <common>", `#include <common>\nuniform float spacing;\nuniform vec3 line;\nvarying vec2 vPlace;\nvarying vec2 vAcross;\n${LINES}${CHECKS}`)
        .replace("#include <opaque_fragment>", /* glsl */ `
          outgoingLight *= 1.0 - ${checks.toFixed(3)} * checks(vPlace, 5.0 * spacing);
          float ruled = ${lines.toFixed(2)} * max(0.4 * lines(vPlace, spacing), lines(vPlace, 5.0 * spacing));
          float hides = gl_FrontFacing ? ${front.toFixed(2)} : ${back.toFixed(2)};
          // lines are lines also on what is almost clear
          float shows = max(hides, ruled);
          outgoingLight = mix(outgoingLight, line, ruled / shows);
          diffuseColor.a = shows * (1.0 - smoothstep(${fade.toFixed(2)}, 1.0, length(vAcross)));
          #include <opaque_fragment>`);
    };
    return material;
  }
}
