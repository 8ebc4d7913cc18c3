// Contacts: a cross at each point of a body that touches something, and an arrow along the force on the body there.
//
// All of it is drawn over the bodies: most contacts are below them. Arrows are as long as their share of the largest force of late.

import * as THREE from "three";
import { ColourRange } from "../range.js";
import type { Contact } from "../wire/frame.js";
import type { Stage } from "./stage.js";

/** The breadth of a cross, in sizes of the bodies; and at most, px of the page. */
const PART = 0.03;
const LARGEST = 11;
/** The length of an arrow at the largest force, its thickness, and its head, in sizes of the body. */
const LENGTH = 0.22;
const SHAFT = 0.0035;
const HEAD = 0.011;
/** The largest force of late is forgotten so many times faster than a range of colours: an impact is followed by much smaller forces. */
const FORGETS = 5;
/** More than this hide each other, and the body; those with the largest forces are shown. */
const MOST = 2000;

export class Contacts {
  private readonly crosses: THREE.Points<THREE.BufferGeometry, THREE.PointsMaterial>;
  private readonly shafts: THREE.InstancedMesh;
  private readonly heads: THREE.InstancedMesh;
  private readonly range = new ColourRange();
  private updated = 0;

  constructor(stage: Stage) {
    const material = new THREE.MeshBasicMaterial({ depthTest: false, depthWrite: false, transparent: true, opacity: 0.85 });
    // both stand on the origin and point along y
    this.shafts = new THREE.InstancedMesh(new THREE.CylinderGeometry(1, 1, 1, 8).translate(0, 0.5, 0), material, MOST);
    this.heads = new THREE.InstancedMesh(new THREE.ConeGeometry(1, 1, 12).translate(0, 0.5, 0), material, MOST);
    const cross = new THREE.PointsMaterial({ size: LARGEST, sizeAttenuation: false, depthTest: false, depthWrite: false, transparent: true });
    cross.onBeforeCompile = (shader) => {
      shader.fragmentShader = shader.fragmentShader.replace("#include <color_fragment>", /* glsl */ `#include <color_fragment>
        vec2 away = abs(gl_PointCoord - 0.5);
        if (abs(away.x - away.y) > 0.12) discard;`);
    };
    this.crosses = new THREE.Points(new THREE.BufferGeometry(), cross);
    const places = new THREE.BufferAttribute(new Float32Array(3 * MOST), 3).setUsage(THREE.DynamicDrawUsage);
    this.crosses.geometry.setAttribute("position", places);
    for (const part of [this.shafts, this.heads, this.crosses]) {
      part.frustumCulled = false;
      part.renderOrder = 8;
      stage.scene.add(part);
    }
    stage.onPalette((palette) => {
      material.color.set(palette.contact);
      cross.color.set(palette.contact);
    });
    this.clear();
  }

  /** How many are shown. */
  get count(): number {
    return this.crosses.geometry.drawRange.count;
  }

  /** Another scene: nothing touches. */
  clear(): void {
    this.range.clear();
    this.show([], 1);
  }

  /** Shows the contacts of a frame that comes at a time, ms, on bodies of a size, m. */
  update(contacts: Contact[], size: number, now: number): void {
    const largest = contacts.reduce((most, { force }) => Math.max(most, Math.hypot(...force)), 0);
    this.range.follow(0, largest, FORGETS * Math.min((now - this.updated) / 1000, 0.2));
    this.updated = now;
    this.show(foremost(contacts, MOST), size);
  }

  /** Gives the crosses their size before a picture: a metre has so many pixels, each of them drawn by so many. */
  scale(size: number, pixelsPerMetre: number, density: number): void {
    this.crosses.material.size = density * Math.min(LARGEST, PART * size * pixelsPerMetre);
  }

  private show(contacts: Contact[], size: number): void {
    const places = this.crosses.geometry.getAttribute("position");
    const [direction, place, turned] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Quaternion()];
    const matrix = new THREE.Matrix4();
    let arrows = 0;
    contacts.forEach(({ point, force }, i) => {
      places.setXYZ(i, ...point);
      const length = LENGTH * size * (this.range.highest > 0 ? Math.min(1, Math.hypot(...force) / this.range.highest) : 0);
      if (!(length > HEAD * size * 0.2)) return;
      const head = Math.min(length, 3 * HEAD * size);
      turned.setFromUnitVectors(THREE.Object3D.DEFAULT_UP, direction.set(...force).normalize());
      place.set(...point);
      this.shafts.setMatrixAt(arrows, matrix.compose(place, turned, new THREE.Vector3(SHAFT * size, Math.max(length - head, 1e-9), SHAFT * size)));
      place.addScaledVector(direction, length - head);
      this.heads.setMatrixAt(arrows, matrix.compose(place, turned, new THREE.Vector3(head / 3, head, head / 3)));
      arrows += 1;
    });
    places.needsUpdate = true;
    this.crosses.geometry.setDrawRange(0, contacts.length);
    for (const part of [this.shafts, this.heads]) {
      part.count = arrows;
      part.instanceMatrix.needsUpdate = true;
    }
    this.crosses.visible = contacts.length > 0;
    this.shafts.visible = this.heads.visible = arrows > 0;
  }
}

/** At most so many, those with the largest forces. */
function foremost(contacts: Contact[], most: number): Contact[] {
  if (contacts.length <= most) return contacts;
  const force = (contact: Contact) => Math.hypot(...contact.force);
  return [...contacts].sort((a, b) => force(b) - force(a)).slice(0, most);
}
