// The bodies: one mesh for the surfaces of a scene, whose buffers are overwritten in place with each frame.
//
// Without a field each body has a muted colour of its own and is lit. With one the colour is looked up for each pixel in the same table as the
// legend's, and only a part of the light counts: shape stays visible, and the colour is the one that the legend gives a number.

import * as THREE from "three";
import type { ColourRange } from "../range.js";
import type { Shown } from "../shown.js";
import { COLOURS, viridis } from "../viridis.js";
import type { Vec3 } from "../wire/command.js";
import type { Stage } from "./stage.js";

/** The part of a field's colour that no light changes. */
const UNLIT = 0.6;
/** The radius of the patch that a hand takes, in sizes of its body; the program's own number. */
const PATCH = 0.15;

export class Body {
  /** Shared by edges and pins, so that a frame's positions travel to the graphics card once. */
  positions = moving(new Float32Array(0), 3);
  private normals = moving(new Float32Array(0), 3);
  private levels = moving(new Float32Array(0), 1);
  private colours = new THREE.BufferAttribute(new Float32Array(0), 3);
  private owners = new THREE.BufferAttribute(new Float32Array(0), 1);
  private readonly mesh: THREE.Mesh<THREE.BufferGeometry, THREE.MeshPhongMaterial>;
  private readonly uniforms = {
    table: { value: table() },
    painted: { value: 0 },
    unlit: { value: UNLIT },
    hovered: { value: -1 },
    hover: { value: new THREE.Vector3() },
    patchRadius: { value: 1 },
    glow: { value: new THREE.Color() },
  };
  private shown: Shown | null = null;

  constructor(private readonly stage: Stage) {
    const material = new THREE.MeshPhongMaterial({
      vertexColors: true,
      side: THREE.DoubleSide,
      specular: 0x222222,
      shininess: 22,
      // leaves room for edges and pins that lie on the surface
      polygonOffset: true,
      polygonOffsetFactor: 1,
      polygonOffsetUnits: 1,
    });
    material.onBeforeCompile = (shader) => this.extend(shader);
    this.mesh = new THREE.Mesh(new THREE.BufferGeometry(), material);
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    // its bounds change with each frame: it is never culled, so nobody has to find them
    this.mesh.frustumCulled = false;
    // the shader is made at the first drawing, and must know that there are normals
    this.mesh.visible = false;
    stage.scene.add(this.mesh);
    stage.onPalette((palette) => {
      this.uniforms.glow.value.set(palette.glow);
      this.dye();
    });
  }

  /** Takes over the arrays of a new topology. */
  rebuild(shown: Shown): void {
    const { points, creases, normals } = shown;
    this.mesh.geometry.dispose();
    this.shown = shown;
    this.positions = moving(points, 3);
    this.normals = moving(normals, 3);
    this.levels = moving(new Float32Array(points.length / 3), 1);
    this.colours = new THREE.BufferAttribute(new Float32Array(points.length), 3);
    this.owners = new THREE.BufferAttribute(new Float32Array(points.length / 3), 1);
    shown.topology?.bodies.forEach(({ vertices: [first, end] }, i) => this.owners.array.fill(i, first, end));
    this.repeat(this.owners.array as Float32Array, 1);
    this.dye();
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", this.positions);
    geometry.setAttribute("normal", this.normals);
    geometry.setAttribute("color", this.colours);
    geometry.setAttribute("level", this.levels);
    geometry.setAttribute("owner", this.owners);
    geometry.setIndex(new THREE.BufferAttribute(creases.triangles, 1));
    geometry.boundingSphere = new THREE.Sphere(new THREE.Vector3(), Infinity);
    this.mesh.geometry = geometry;
    this.mesh.visible = true;
    this.highlight(null);
  }

  /** Brings a frame to the graphics card. */
  update(shown: Shown, range: ColourRange): void {
    this.positions.needsUpdate = true;
    this.normals.needsUpdate = true;
    this.paint(shown, range);
    this.stage.moved();
  }

  /** Colours the vertices by the field, or plainly where there is none. */
  paint(shown: Shown, range: ColourRange): void {
    const { field, values, vertices } = shown.frame;
    this.uniforms.painted.value = field ? 1 : 0;
    if (field) {
      const levels = this.levels.array as Float32Array;
      const span = range.highest - range.lowest;
      const scale = span > 0 ? 1 / span : 0;
      for (let i = 0; i < vertices; i++) levels[i] = (values[i] - range.lowest) * scale;
      this.repeat(levels, 1);
      this.levels.needsUpdate = true;
    }
    this.stage.touch();
  }

  /** Shows the body under the pointer and the patch that a hand would take there; nothing with null. */
  highlight(at: { body: number; point: Vec3 } | null): void {
    const { hovered, hover, patchRadius } = this.uniforms;
    const body = at?.body ?? -1;
    const same = body === hovered.value && (!at || hover.value.equals(new THREE.Vector3(...at.point)));
    if (same) return;
    hovered.value = body;
    if (at) {
      hover.value.set(...at.point);
      patchRadius.value = PATCH * (this.shown?.extentOf(at.body) ?? 1);
    }
    this.stage.touch();
  }

  /** The body that is highlighted, or -1. */
  get highlighted(): number {
    return this.uniforms.hovered.value;
  }

  /** Gives each body its colour. */
  private dye(): void {
    if (!this.shown?.topology) return;
    const { bodies } = this.stage.palette;
    // another first colour for another scene
    const offset = [...(this.shown.topology.bodies[0]?.name ?? "")].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
    const colours = this.colours.array as Float32Array;
    this.shown.topology.bodies.forEach(({ vertices: [first, end] }, i) => {
      const { r, g, b } = new THREE.Color(bodies[(offset + i) % bodies.length]);
      for (let j = 3 * first; j < 3 * end; j += 3) colours.set([r, g, b], j);
    });
    this.repeat(colours, 3);
    this.colours.needsUpdate = true;
  }

  /** Gives the copies at creases what their vertices have. */
  private repeat(array: Float32Array, width: number): void {
    if (!this.shown) return;
    const vertices = this.shown.frame.positions.length / 3;
    this.shown.creases.copies.forEach((vertex, i) => array.copyWithin(width * (vertices + i), width * vertex, width * (vertex + 1)));
  }

  private extend(shader: THREE.WebGLProgramParametersWithUniforms): void {
    Object.assign(shader.uniforms, this.uniforms);
    const varyings = "varying float vLevel;\nvarying float vOwner;\nvarying vec3 vPlace;";
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", `#include <common>\nattribute float level;\nattribute float owner;\n${varyings}`)
      .replace("#include <begin_vertex>", "#include <begin_vertex>\nvLevel = level;\nvOwner = owner;\nvPlace = position;");
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", /* glsl */ `#include <common>
        uniform sampler2D table;
        uniform float painted;
        uniform float unlit;
        uniform float hovered;
        uniform vec3 hover;
        uniform float patchRadius;
        uniform vec3 glow;
        ${varyings}`)
      .replace("#include <color_fragment>", /* glsl */ `#include <color_fragment>
        if (painted > 0.5) {
          float place = clamp(vLevel, 0.0, 1.0) * ${(COLOURS - 1).toFixed(1)} + 0.5;
          diffuseColor.rgb = texture2D(table, vec2(place / ${COLOURS.toFixed(1)}, 0.5)).rgb;
        }`)
      .replace("#include <opaque_fragment>", /* glsl */ `
        outgoingLight = mix(outgoingLight, diffuseColor.rgb, painted * unlit);
        if (abs(vOwner - hovered) < 0.5) {
          float rim = pow(1.0 - abs(dot(normal, normalize(vViewPosition))), 2.0);
          float near = 1.0 - smoothstep(0.55, 1.0, distance(vPlace, hover) / patchRadius);
          outgoingLight = mix(outgoingLight, glow, 0.05 + 0.4 * rim + 0.28 * near);
        }
        #include <opaque_fragment>`);
  }
}

/** The legend's colours, to be looked up for each pixel. */
function table(): THREE.DataTexture {
  const colours = viridis();
  const texels = new Uint8Array(4 * COLOURS);
  for (let i = 0; i < COLOURS; i++) texels.set([...[0, 1, 2].map((c) => Math.round(255 * colours[3 * i + c])), 255], 4 * i);
  const texture = new THREE.DataTexture(texels, COLOURS, 1);
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.minFilter = texture.magFilter = THREE.LinearFilter;
  texture.needsUpdate = true;
  return texture;
}

function moving(array: Float32Array, width: number): THREE.BufferAttribute {
  const attribute = new THREE.BufferAttribute(array, width);
  attribute.setUsage(THREE.DynamicDrawUsage);
  return attribute;
}
