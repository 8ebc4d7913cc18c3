// Planes without end: floors with soft checks and lines that take shadows, and walls that are almost clear.
//
// Both fade out around the bodies, wherever these are, and from behind neither hides what is before it. Their pattern stands still.

import * as THREE from "three";
import { LINES } from "./ground.js";

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

/** A plane as it is drawn: a large square of it, which is moved along in it. */
export class PlaneMesh extends THREE.Mesh<THREE.PlaneGeometry, THREE.MeshLambertMaterial> {
  private readonly foot = { value: new THREE.Vector2() };

  /** Ruled every so many metres, in colours that others change. */
  constructor(look: keyof typeof LOOKS, height: number, spacing: number, colours: { plane: THREE.Color; line: THREE.Color }) {
    super(new THREE.PlaneGeometry(2, 2), new THREE.MeshLambertMaterial({ transparent: true, side: THREE.DoubleSide, depthWrite: false }));
    this.material.color = colours.plane;
    this.material.customProgramCacheKey = () => look;
    this.material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, { foot: this.foot, spacing: { value: spacing }, line: { value: colours.line } });
      extend(shader, LOOKS[look]);
    };
    this.position.z = height;
    this.receiveShadow = true;
    this.frustumCulled = false;
    // after the bodies, before all else that is not solid
    this.renderOrder = -1;
  }

  /** Draws it around a place in its own axes, as far as a radius, m. */
  around(x: number, y: number, radius: number): void {
    this.position.setX(x).setY(y);
    this.scale.setScalar(radius);
    this.foot.value.set(x, y);
  }
}

function extend(shader: THREE.WebGLProgramParametersWithUniforms, { front, back, checks, lines, fade }: (typeof LOOKS)["floor"]): void {
  shader.vertexShader = shader.vertexShader
    .replace("#include <common>", "#include <common>\nuniform vec2 foot;\nvarying vec2 vPlace;\nvarying vec2 vAcross;")
    .replace("#include <begin_vertex>", "#include <begin_vertex>\nvPlace = foot + position.xy * length(modelMatrix[0].xyz);\nvAcross = position.xy;");
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
}
