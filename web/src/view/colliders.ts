// Colliders: what bodies meet. Planes are floors or walls, all else is solid, matte and grey, and bodies behind it shine through a little.

import * as THREE from "three";
import type { Box, Shown } from "../shown.js";
import { downTo, surround, type Placed } from "../surround.js";
import type { Collider, Turned } from "../wire/collider.js";
import type { Vec3 } from "../wire/command.js";
import type { Topology } from "../wire/topology.js";
import { frameOf } from "./bones.js";
import { PlaneMesh } from "./planes.js";
import { solid } from "./solids.js";
import type { Stage } from "./stage.js";

/** How far a plane is drawn around the bodies, at least, in sizes of them; and in distances of the eye. */
const REACH = 4.5;
const SIGHT = 1.1;
/** A plane that stands still and whose normal is steeper than this is a floor. */
const FLOOR = 0.7;
/** How much of what is behind a solid it hides. */
const HIDES = 0.84;

export function isFloor({ shape, axes, moves, bone }: Collider): boolean {
  return shape.kind === "plane" && !moves && bone === null && axes[2][2] > FLOOR;
}

/** One of them as it is drawn, and where it is. */
interface Drawn extends Placed {
  collider: Collider;
  group: THREE.Group;
  /** From a bone's masters at rest to the world, backwards. */
  inverse: THREE.Matrix4 | null;
}

export class Colliders {
  private drawn: Drawn[] = [];
  private readonly colours = { plane: new THREE.Color(), line: new THREE.Color() };
  private readonly materials: THREE.MeshLambertMaterial[] = [];

  constructor(private readonly stage: Stage) {
    this.materials = stage.palette.colliders.map(
      // what is behind it is hidden by its nearest surface alone
      () => new THREE.MeshLambertMaterial({ transparent: true, opacity: HIDES, depthWrite: true }),
    );
    stage.onPalette((palette) => {
      this.colours.plane.set(palette.wall);
      this.colours.line.set(palette.grid);
      this.materials.forEach((material, i) => material.color.set(palette.colliders[i]));
    });
  }

  /** The origins of those that are drawn, m. */
  get places(): Vec3[] {
    return this.drawn.map(({ origin }) => origin);
  }

  /** Takes over the colliders of a new topology, planes ruled every so many metres. */
  rebuild(topology: Topology | null, spacing: number): void {
    this.drawn.forEach(({ group }) => this.forget(group));
    let solids = 0;
    this.drawn = (topology?.colliders ?? []).map((collider) => {
      const { shape, thickness, bone, axes, origin } = collider;
      const geometry = solid(shape, thickness);
      const mesh = geometry ? this.solid(geometry, solids++) : this.plane(collider, spacing);
      const group = new THREE.Group().add(mesh);
      group.matrixAutoUpdate = false;
      this.stage.scene.add(group);
      const masters = bone === null ? null : topology?.bones[bone].masters.flat();
      const drawn = { collider, group, shape, axes, origin, inverse: masters ? frameOf(masters, 0).invert() : null };
      this.put(drawn, axes, origin);
      return drawn;
    });
    this.stage.moved();
  }

  /** Brings those that move to where they are in a frame. */
  update({ frame }: Shown): void {
    let moving = 0;
    for (const drawn of this.drawn) {
      const { collider, inverse } = drawn;
      const at = 12 * moving;
      if (collider.moves && frame.colliders.length >= at + 12) {
        const triple = (i: number) => [...frame.colliders.subarray(at + 3 * i, at + 3 * i + 3)] as Vec3;
        this.put(drawn, [triple(0), triple(1), triple(2)], triple(3));
      } else if (inverse && collider.bone !== null && frame.bones.length >= 12 * (collider.bone + 1)) {
        this.carry(drawn, frameOf(frame.bones, 12 * collider.bone).multiply(inverse));
      }
      if (collider.moves) moving += 1;
    }
  }

  /** Once in each animation frame: draws planes around bodies in a box, as far as an eye wants to see them. */
  arrange({ centre, size }: Box, eye: THREE.Vector3): void {
    for (const { group } of this.drawn) {
      const [plane] = group.children;
      if (!(plane instanceof PlaneMesh)) continue;
      // the foot of the bodies on it, in its own axes
      const foot = new THREE.Vector3(...centre).applyMatrix4(group.matrix.clone().invert());
      const away = new THREE.Vector3(...centre).distanceTo(eye);
      plane.around(foot.x, foot.y, Math.max(REACH * Math.hypot(...size), SIGHT * away, 1e-9));
    }
  }

  /** A box around bodies, the colliders near them, and other shapes. */
  around(bodies: Box, others: readonly Placed[] = []): Box {
    return surround(bodies, [...this.drawn, ...others]);
  }

  /** What a first view shows of bodies in a box: the colliders near them, and the floor that they fall on. */
  framed(bodies: Box): Box {
    return this.drawn.filter(({ collider }) => isFloor(collider)).reduce(downTo, this.around(bodies));
  }

  /** Whether bodies cannot fall for ever. */
  get floored(): boolean {
    return this.drawn.some(({ collider }) => isFloor(collider));
  }

  private put(drawn: Drawn, axes: Turned, origin: Vec3): void {
    Object.assign(drawn, { axes, origin });
    drawn.group.matrix.copy(poseOf(axes, origin));
    drawn.group.matrixWorldNeedsUpdate = true;
  }

  private carry(drawn: Drawn, map: THREE.Matrix4): void {
    const { axes, origin } = drawn.collider;
    const pose = map.multiply(poseOf(axes, origin));
    const [x, y, z] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
    pose.extractBasis(x, y, z);
    this.put(drawn, [x.toArray(), y.toArray(), z.toArray()], new THREE.Vector3().setFromMatrixPosition(pose).toArray());
  }

  private solid(geometry: THREE.BufferGeometry, number: number): THREE.Mesh {
    const mesh = new THREE.Mesh(geometry, this.materials[number % this.materials.length]);
    mesh.castShadow = mesh.receiveShadow = true;
    mesh.frustumCulled = false;
    // before planes: bodies shine through it, floors and their shadows do not
    mesh.renderOrder = -2;
    return mesh;
  }

  private plane(collider: Collider, spacing: number): THREE.Mesh {
    return new PlaneMesh(isFloor(collider) ? "floor" : "wall", collider.thickness, spacing, this.colours);
  }

  private forget(group: THREE.Group): void {
    this.stage.scene.remove(group);
    group.traverse((part) => {
      if (!(part instanceof THREE.Mesh)) return;
      part.geometry.dispose();
      if (!this.materials.includes(part.material)) part.material.dispose();
    });
  }
}

function poseOf(axes: Turned, origin: Vec3): THREE.Matrix4 {
  const [x, y, z] = axes.map((axis) => new THREE.Vector3(...axis)) as [THREE.Vector3, THREE.Vector3, THREE.Vector3];
  return new THREE.Matrix4().makeBasis(x, y, z).setPosition(...origin);
}
