// The ground: a grid of round lengths below the body that fades out with the distance. It gives scale, it holds nothing up.

import * as THREE from "three";
import type { Palette } from "./stage.js";

const VERTEX = /* glsl */ `
varying vec2 place;
void main() {
  vec4 world = modelMatrix * vec4(position, 1.0);
  place = world.xy;
  gl_Position = projectionMatrix * viewMatrix * world;
}`;

// a line's cover of a pixel is its distance in pixels; it fades where lines come closer than pixels
const FRAGMENT = /* glsl */ `
uniform vec3 colour;
uniform vec2 centre;
uniform float spacing;
uniform float radius;
varying vec2 place;
float lines(float every) {
  vec2 q = place / every;
  vec2 width = fwidth(q);
  vec2 away = abs(fract(q - 0.5) - 0.5) / max(width, vec2(1e-6));
  vec2 cover = (1.0 - min(away, 1.0)) * (1.0 - smoothstep(0.3, 0.9, width));
  return max(cover.x, cover.y);
}
void main() {
  float fade = 1.0 - smoothstep(0.25, 1.0, distance(place, centre) / radius);
  float strength = max(0.22 * lines(spacing), 0.42 * lines(5.0 * spacing));
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

  /** Lays the grid under a body with this centre and size. */
  place(centre: readonly number[], size: readonly number[]): void {
    const largest = Math.max(...size, 1e-9);
    const radius = 4 * largest;
    this.spacing = roundLength(largest / 6);
    const lowest = centre[2] - size[2] / 2 - 0.35 * largest;
    this.object.position.set(centre[0], centre[1], Math.floor(lowest / this.spacing) * this.spacing);
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
