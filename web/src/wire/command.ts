// Messages from the page to the program: JSON, keys in the order of docs/src/viewer-protocol.md.

import { WireError } from "./error.js";
import type { FieldKind } from "./frame.js";

export type Vec3 = [number, number, number];

/** Messages that anybody may send. */
export type Message =
  | { type: "ack"; frame: number }
  | { type: "field"; field: FieldKind }
  | { type: "contacts"; shown: boolean }
  | { type: "take" };

/** Orders that only the controller's page may give; each is sent with a sequence number. */
export type Order =
  | { type: "open"; scene: string }
  | { type: "play" }
  | { type: "pause" }
  | { type: "step" }
  | { type: "reset" }
  | { type: "speed"; factor: number }
  | { type: "grab"; topology: string; triangle: number; weights: Vec3; target: Vec3 }
  | { type: "move"; target: Vec3 }
  | { type: "release" }
  | { type: "tool"; topology: string; place: Vec3; towards: Vec3; radius: number }
  | { type: "lead"; target: Vec3; radius: number }
  | { type: "put-away" };

/** The program knows no place farther away along an axis, m. */
export const FARTHEST = 1e6;

/** The slowest and the fastest wanted speed. */
export const SPEEDS = { slowest: 1 / 16, fastest: 4 };

/** The text of a message that is no order. */
export function encodeMessage(message: Message): string {
  switch (message.type) {
    case "ack":
      return JSON.stringify({ type: "ack", frame: count(message.frame) });
    case "field":
      return JSON.stringify({ type: "field", field: message.field });
    case "contacts":
      return JSON.stringify({ type: "contacts", shown: message.shown });
    case "take":
      return JSON.stringify({ type: "take" });
  }
}

/** The text of an order. */
export function encodeOrder(order: Order, sequence: number): string {
  const head = { type: order.type, sequence: count(sequence) };
  switch (order.type) {
    case "open":
      return JSON.stringify({ ...head, scene: order.scene });
    case "play":
    case "pause":
    case "step":
    case "reset":
    case "release":
    case "put-away":
      return JSON.stringify(head);
    case "speed":
      return JSON.stringify({ ...head, factor: speed(order.factor) });
    case "grab": {
      const { topology, triangle, weights, target } = order;
      return JSON.stringify({
        ...head, topology: hash(topology), triangle: count(triangle), weights: convex(weights), target: place(target),
      });
    }
    case "move":
      return JSON.stringify({ ...head, target: place(order.target) });
    case "tool":
      return JSON.stringify({ ...head, topology: hash(order.topology), place: place(order.place), towards: direction(order.towards), radius: radius(order.radius) });
    case "lead":
      return JSON.stringify({ ...head, target: place(order.target), radius: radius(order.radius) });
  }
}

function count(value: number): number {
  if (!Number.isInteger(value) || value < 0 || value > 0xffffffff) {
    throw new WireError(`${value} is not a count`);
  }
  return value;
}

function hash(topology: string): string {
  if (!/^[0-9a-f]{16}$/.test(topology)) {
    throw new WireError(`the topology ${topology} is not 16 hex digits`);
  }
  return topology;
}

function speed(factor: number): number {
  if (!(factor >= SPEEDS.slowest && factor <= SPEEDS.fastest)) {
    throw new WireError(`a speed of ${factor} lies outside 1/16 to 4`);
  }
  return factor;
}

function place(target: Vec3): Vec3 {
  // written so that what is not a number is refused: JSON knows none
  if (!target.every((x) => Math.abs(x) <= FARTHEST)) {
    throw new WireError(`${target.join(", ")} is not a place`);
  }
  return target;
}

function direction(towards: Vec3): Vec3 {
  if (!(Math.hypot(...place(towards)) > 1e-6)) {
    throw new WireError(`${towards.join(", ")} is not a direction`);
  }
  return towards;
}

function radius(length: number): number {
  if (!(length >= 1e-9 && length <= FARTHEST)) {
    throw new WireError(`${length} is not a radius`);
  }
  return length;
}

function convex(weights: Vec3): Vec3 {
  const sum = weights[0] + weights[1] + weights[2];
  if (!weights.every((w) => w >= 0 && w <= 1) || Math.abs(sum - 1) > 1e-6) {
    throw new WireError(`${weights.join(", ")} are not weights`);
  }
  return weights;
}
