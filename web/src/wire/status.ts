// Text messages from the program: hello, role, status. Checked here, trusted afterwards.

import type { Vec3 } from "./command.js";
import { WireError } from "./error.js";
import { FIELD_KINDS, type FieldKind } from "./frame.js";

export const PHASES = ["loading", "running", "paused", "finished", "diverged", "failed"] as const;
export type Phase = (typeof PHASES)[number];
export type Role = "controller" | "spectator";

export interface SceneStatus {
  id: string;
  title: string;
  description: string;
  /** The file that the program was started with, if this is it. */
  file: string | null;
  method: string;
  /** Simulated seconds that the scene is meant for, if it says so. */
  duration: number | null;
  /** 16 hex digits, or empty while it is loading. */
  topology: string;
  /** The field that it opens with, if it names one. */
  field: FieldKind | null;
  /** Where its camera stands and looks, if it says so. */
  camera: { from: Vec3; to: Vec3 } | null;
  bodies: { name: string; nodes: number; elements: number; springs: number }[];
}

export interface Failure {
  what: string;
  help: string;
  body: string | null;
  time: number | null;
  place: [number, number, number] | null;
}

/** A warning: its name stays the same as long as its cause does, its text may change. */
export interface Warned {
  id: string;
  text: string;
}

export interface Status {
  phase: Phase;
  speed: number;
  scene: SceneStatus | null;
  warnings: Warned[];
  /** Whether the scene's file is another one than when it was read. */
  edited: boolean;
  failure: Failure | null;
  notice: { number: number; text: string } | null;
}

export type Text =
  | { type: "hello"; protocol: number; version: string }
  | { type: "role"; role: Role; clients: number }
  | ({ type: "status" } & Status)
  | { type: "unknown" };

/** One entry of the gallery, from `/api/scenes`. */
export interface Offer {
  id: string;
  title: string;
  description: string;
}

type Fields = Record<string, unknown>;

/** Reads a text message. Kinds that a later program may add are `unknown`. */
export function parseText(text: string): Text {
  const message = fields(parsed(text), "a message");
  switch (message.type) {
    case "hello":
      return { type: "hello", protocol: number(message, "protocol"), version: string(message, "version") };
    case "role": {
      const role = string(message, "role");
      if (role !== "controller" && role !== "spectator") {
        throw new WireError(`the role ${role} is unknown`);
      }
      return { type: "role", role, clients: number(message, "clients") };
    }
    case "status":
      return { type: "status", ...parseStatus(message) };
    default:
      return { type: "unknown" };
  }
}

/** Reads the gallery. */
export function parseOffers(text: string): Offer[] {
  return list(parsed(text), "the gallery").map((entry) => {
    const offer = fields(entry, "a scene");
    return { id: string(offer, "id"), title: string(offer, "title"), description: string(offer, "description") };
  });
}

function parseStatus(message: Fields): Status {
  const phase = string(message, "phase") as Phase;
  if (!PHASES.includes(phase)) {
    throw new WireError(`the phase ${phase} is unknown`);
  }
  return {
    phase,
    speed: number(message, "speed"),
    scene: absent(message.scene) ? null : parseScene(fields(message.scene, "the scene")),
    warnings: list(message.warnings ?? [], "the warnings").map((entry) => {
      const warning = fields(entry, "a warning");
      return { id: string(warning, "id"), text: string(warning, "text") };
    }),
    edited: message.edited === true,
    failure: absent(message.failure) ? null : parseFailure(fields(message.failure, "the failure")),
    notice: absent(message.notice) ? null : parseNotice(fields(message.notice, "the notice")),
  };
}

function parseScene(scene: Fields): SceneStatus {
  // while it is loading only its name and title are known
  const optional = (name: string) => (typeof scene[name] === "string" ? (scene[name] as string) : "");
  const topology = optional("topology");
  if (topology !== "" && !/^[0-9a-f]{16}$/.test(topology)) {
    throw new WireError("the scene's topology is not 16 hex digits");
  }
  return {
    id: string(scene, "id"),
    title: string(scene, "title"),
    description: optional("description"),
    file: typeof scene.file === "string" ? scene.file : null,
    method: optional("method"),
    duration: typeof scene.duration === "number" ? scene.duration : null,
    topology,
    bodies: list(scene.bodies ?? [], "the bodies").map((entry) => {
      const body = fields(entry, "a body");
      return {
        name: string(body, "name"), nodes: number(body, "nodes"), elements: number(body, "elements"), springs: number(body, "springs"),
      };
    }),
    field: FIELD_KINDS.find((kind) => kind === scene.field) ?? null,
    camera: absent(scene.camera) ? null : parseCamera(fields(scene.camera, "the camera")),
  };
}

function parseCamera(camera: Fields): { from: Vec3; to: Vec3 } {
  const place = (name: string): Vec3 => {
    const value = camera[name];
    if (!Array.isArray(value) || value.length !== 3 || !value.every(Number.isFinite)) {
      throw new WireError(`the camera's "${name}" is not a place`);
    }
    return value as Vec3;
  };
  return { from: place("from"), to: place("to") };
}

function parseFailure(failure: Fields): Failure {
  const { body, time, place } = failure;
  const isPlace = Array.isArray(place) && place.length === 3 && place.every(Number.isFinite);
  return {
    what: string(failure, "what"),
    help: typeof failure.help === "string" ? failure.help : "",
    body: typeof body === "string" ? body : null,
    time: typeof time === "number" ? time : null,
    place: isPlace ? (place as [number, number, number]) : null,
  };
}

function parseNotice(notice: Fields): { number: number; text: string } {
  return { number: number(notice, "number"), text: string(notice, "text") };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new WireError("a message is not JSON");
  }
}

function absent(value: unknown): boolean {
  return value === null || value === undefined;
}

function fields(value: unknown, what: string): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new WireError(`${what} is not an object`);
  }
  return value as Fields;
}

function list(value: unknown, what: string): unknown[] {
  if (!Array.isArray(value)) {
    throw new WireError(`${what} should be a list`);
  }
  return value;
}

function string(object: Fields, name: string): string {
  const value = object[name];
  if (typeof value !== "string") {
    throw new WireError(`"${name}" should be text`);
  }
  return value;
}

function number(object: Fields, name: string): number {
  const value = object[name];
  if (typeof value !== "number" || !Number.isFinite(value)) {
    throw new WireError(`"${name}" should be a number`);
  }
  return value;
}
