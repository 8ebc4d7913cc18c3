// The ground: a faint ruler of round lengths below the bodies of a scene without a floor. It gives scale, and nobody takes it for a floor:
// it is small, fades out, takes no shadows, and lies well below what is shown.

import * as THREE from "three";
import type { Palette } from "./stage.js";

/** How far the ruler reaches, and how far below it lies, in sizes of the bodies. */
const REACH = 1.5;
const BELOW = 0.45;

const VERTEX = /* glsl */ `
varying vec2 place;
void main() {
  vec4 world = modelMatrix * vec4(position, 1.0);
  place = world.xy;
  gl_Position = projectionMatrix * viewMatrix * world;
}`;

/** GLSL: how much of a pixel lines at every so many metres cover; they fade where they come closer than pixels. */
export const LINES = /* glsl */ `
float lines(vec2 place, float every) {
  vec2 q = place / every;
  vec2 width = fwidth(q);
  vec2 away = abs(fract(q - 0.5) - 0.5) / max(width, vec2(1e-6));
  vec2 cover = (1.0 - min(away, 1.0)) * (1.0 - smoothstep(0.3, 0.9, width));
  return max(cover.x, cover.y);
}`;

const FRAGMENT = /* glsl */ `
uniform vec3 colour;
uniform vec2 centre;
uniform float spacing;
uniform float radius;
varying vec2 place;
${LINES}
void main() {
  float fade = 1.0 - smoothstep(0.15, 1.0, distance(place, centre) / radius);
  float strength = max(0.1 * lines(place, spacing), 0.24 * lines(place, 5.0 * spacing));
  gl_FragColor = vec4(colour, strength * fade);
  #include <colorspace_fragment>
}`;

export class Ground {
  readonly object: THREE.Mesh;
  /** The distance between two lines, m. */
  spacing = 0.1;
  private readonly material: THREE.ShaderMaterial;

  constructor() {
    this.material = new THREE.ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      transparent: true,
      depthWrite: false,
      side: THREE.DoubleSide,
      uniforms: {
        colour: { value: new THREE.Color() },
        centre: { value: new THREE.Vector2() },
        spacing: { value: 0.1 },
        radius: { value: 5 },
      },
    });
    this.object = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), this.material);
    this.object.frustumCulled = false;
  }

  paint(palette: Palette): void {
    (this.material.uniforms.colour.value as THREE.Color).set(palette.grid);
  }

  /** Lays the ruler under a body with this centre and size. */
  place(centre: readonly number[], size: readonly number[]): void {
    const largest = Math.max(...size, 1e-9);
    const radius = REACH * largest;
    this.spacing = roundLength(largest / 6);
    this.object.position.set(centre[0], centre[1], centre[2] - size[2] / 2 - BELOW * largest);
    this.object.scale.setScalar(radius);
    this.material.uniforms.spacing.value = this.spacing;
    this.material.uniforms.radius.value = radius;
    (this.material.uniforms.centre.value as THREE.Vector2).set(centre[0], centre[1]);
  }
}

/** The largest of 1, 2, 5 times a power of ten that is not above `length`. */
export function roundLength(length: number): number {
  const power = 10 ** Math.floor(Math.log10(length));
  const lead = length / power;
  return (lead >= 5 ? 5 : lead >= 2 ? 2 : 1) * power;
}
