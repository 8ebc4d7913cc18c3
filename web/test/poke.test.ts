// The tool, with a camera that looks down from z = 10 and a stage that does what the test says.
import assert from "node:assert/strict";
import test from "node:test";
import { Poke, usualEdge, type Lens } from "../src/poke.js";
import { Shown } from "../src/shown.js";
import type { Order, Vec3 } from "../src/wire/command.js";
import { decodeTopology } from "../src/wire/topology.js";
import { frame, stats, topology, Writer } from "./writer.js";

class Canvas {}

/** A stage of 2 x 2 px above the square of 2 x 2 m: a pixel is a metre, and y goes downwards. */
class Stage {
  private readonly heard = new Map<string, ((event: object) => void)[]>();

  addEventListener(name: string, hear: (event: object) => void): void {
    this.heard.set(name, [...(this.heard.get(name) ?? []), hear]);
  }

  getBoundingClientRect(): object {
    return { left: 0, top: 0, width: 2, height: 2 };
  }

  /** Something happens; what is done about it. */
  happen(name: string, words: object): string[] {
    const done: string[] = [];
    const note = (word: string) => () => done.push(word);
    const event = {
      target: new Canvas(), pointerType: "mouse", pointerId: 1, buttons: 0, shiftKey: false, deltaX: 0, deltaY: 0,
      preventDefault: note("prevented"), stopPropagation: note("stopped"), stopImmediatePropagation: note("kept"), ...words,
    };
    this.heard.get(name)?.forEach((hear) => hear(event));
    return done;
  }
}

const LENS: Lens = {
  ray: (x, y) => ({ origin: [x - 1, 1 - y, 10], direction: [0, 0, -2] }),
  axes: () => ({ right: [1, 0, 0], up: [0, 1, 0], out: [0, 0, 1] }),
};

/** A tetrahedron with its corner at the origin and edges of 1 m along the axes, which are left out: a ball would be as large. */
function stand(): { poke: Poke; stage: Stage; orders: Order[]; may: { now: boolean } } {
  for (const [name, value] of Object.entries({ HTMLCanvasElement: Canvas, addEventListener: () => undefined })) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  const shown = new Shown();
  shown.setTopology("0123456789abcdef", { ...decodeTopology(topology()), edges: new Uint32Array(0) });
  const levels = new Writer().u16(0, 0, 0, 65535, 0, 0, 0, 65535, 0, 0, 0, 65535);
  shown.apply(frame([{ tag: "POSN", body: levels }, stats], { vertices: 4, corner: [0, 0, 0], size: [1, 1, 1] }));
  const [stage, orders, may] = [new Stage(), [] as Order[], { now: true }];
  const bench = { order: (order: Order) => orders.push(order), sent: () => undefined, may: () => may.now, changed: () => undefined };
  return { poke: new Poke(stage as unknown as HTMLElement, LENS, shown, bench), stage, orders, may };
}

const RADIUS = Math.sqrt(3) / 12;

function close(actual: readonly number[], expected: readonly number[]): void {
  assert(actual.every((x, i) => Math.abs(x - expected[i]) < 1e-5), `${actual.join()} instead of ${expected.join()}`);
}

/** The last order, which must lead the ball. */
function led(orders: Order[]): Vec3 {
  const last = orders[orders.length - 1];
  assert(last.type === "lead");
  return last.target;
}

test("the ball begins before the surface below the pointer and is led onto it", () => {
  const { poke, stage, orders } = stand();
  stage.happen("pointermove", { clientX: 1.25, clientY: 0.75 });
  assert.deepEqual(orders, []);
  poke.toggle();
  poke.advance(0.01);
  const [tool] = orders;
  assert(tool.type === "tool");
  // the slanted face x + y + z = 1 is at 0.5 there
  close([...tool.place, ...tool.towards, tool.radius], [0.25, 0.25, 0.5 + RADIUS, 0, 0, 1, RADIUS]);
  close(led(orders), [0.25, 0.25, 0.5]);
  assert.equal(orders.length, 2);
  poke.advance(0.01);
  assert.equal(orders.length, 2, "nothing moved, nothing is said");
  // in the plane that faces the camera
  stage.happen("pointermove", { clientX: 0.5, clientY: 1 });
  poke.advance(0.01);
  close(led(orders), [-0.5, 0, 0.5]);
  poke.toggle();
  assert.deepEqual([orders.length, orders[3].type, poke.wanted], [4, "put-away", null]);
});

test("beside the bodies the ball begins in the plane through their middle", () => {
  const { poke, stage, orders } = stand();
  stage.happen("pointermove", { clientX: 0.25, clientY: 0.25 });
  poke.toggle();
  const [tool] = orders;
  assert(tool.type === "tool");
  close(tool.place, [-0.75, 0.75, 0.5]);
});

test("while a button is down the ball stays, and a wheel with Shift leads it deeper", () => {
  const { poke, stage, orders } = stand();
  stage.happen("pointermove", { clientX: 1.25, clientY: 0.75 });
  poke.toggle();
  stage.happen("pointermove", { clientX: 0, clientY: 0, buttons: 1 });
  poke.advance(0.01);
  close(led(orders), [0.25, 0.25, 0.5]);
  assert.deepEqual(stage.happen("wheel", { deltaY: -100 }), [], "a wheel alone is the camera's");
  assert.deepEqual(stage.happen("wheel", { deltaY: -100, shiftKey: true }), ["prevented", "stopped"]);
  poke.advance(0.01);
  close(led(orders), [0.25, 0.25, 0.5 - RADIUS / 4]);
});

test("keys change its size and lead it", () => {
  const { poke, orders } = stand();
  poke.toggle();
  poke.grow(1);
  assert(poke.press("ArrowRight") && poke.press("PageUp") && !poke.press("a"));
  poke.advance(0.05);
  const last = orders[orders.length - 1];
  assert(last.type === "lead");
  const way = (0.5 * Math.sqrt(3)) / 20;
  // the pointer was nowhere: it began at the middle of the stage, above the corner that is up
  close([...last.target, last.radius], [way, 0, 1 - way, 1.2 * RADIUS]);
  assert(poke.lift("ArrowRight") && !poke.lift("ArrowRight"));
});

test("a ball that the program has put away is taken up again with the next movement, where that may be", () => {
  const { poke, stage, orders, may } = stand();
  poke.toggle();
  assert(!poke.isVoid({ sequence: 0, pushes: false }), "the program does not know of it yet");
  assert(poke.isVoid({ sequence: 1, pushes: false }));
  poke.forget();
  may.now = false;
  stage.happen("pointermove", { clientX: 1, clientY: 1 });
  assert.equal(orders.length, 1);
  may.now = true;
  stage.happen("pointermove", { clientX: 1, clientY: 1 });
  assert.deepEqual(orders.map(({ type }) => type), ["tool", "tool"]);
});

test("a finger leads the ball and leaves the camera alone", () => {
  const { poke, stage, orders } = stand();
  assert.deepEqual(stage.happen("pointerdown", { pointerType: "touch", clientX: 1.25, clientY: 0.75 }), [], "not without a ball");
  poke.toggle();
  assert.deepEqual(stage.happen("pointerdown", { pointerType: "touch", clientX: 1.25, clientY: 0.75 }), ["kept"]);
  assert.deepEqual(stage.happen("pointermove", { pointerType: "touch", clientX: 1.5, clientY: 0.75, buttons: 1 }), ["kept"]);
  poke.advance(0.01);
  close(led(orders), [0.5, 0.25, 0.5]);
  assert.deepEqual(stage.happen("pointerup", { pointerType: "touch" }), ["kept"]);
});

test("who may not have a tool gets none", () => {
  const { poke, orders, may } = stand();
  may.now = false;
  poke.toggle();
  assert(!poke.active && orders.length === 0);
});

test("a ball is at first no smaller than edges are long", () => {
  const tetrahedron = decodeTopology(topology());
  // three edges of 1 m and three of sqrt(2) m
  assert(Math.abs(usualEdge(tetrahedron) - Math.SQRT2) < 1e-6);
  assert.equal(usualEdge({ ...tetrahedron, edges: Uint32Array.of(0, 1, 0, 2, 1, 2) }), 1);
  assert.equal(usualEdge({ ...tetrahedron, edges: new Uint32Array(0) }), 0);
});
