// The mouse: on a body it pulls, beside it turns the camera.

import assert from "node:assert/strict";
import { test } from "node:test";
import { STILL, sceneFile, withViewer, type Stand } from "./stand.js";
import type { Place } from "./viewer.js";

/** A place of the canvas, in its lower left corner, where there is neither body nor panel. */
async function emptyPoint({ viewer }: Stand): Promise<Place> {
  return viewer.page.evaluate(() => {
    const canvas = document.getElementById("view")!;
    const box = canvas.getBoundingClientRect();
    // from the edges inwards, until nothing lies over the canvas
    for (let part = 0.97; part > 0.5; part -= 0.02) {
      for (const [u, v] of [[1 - part, part], [part, part], [1 - part, 1 - part], [part, 1 - part]] as const) {
        const place = { x: box.left + u * box.width, y: box.top + v * box.height };
        if (document.elementFromPoint(place.x, place.y) === canvas) return place;
      }
    }
    throw new Error("the canvas is covered");
  });
}

test("a drag on the body pulls it with newtons that the page shows, and letting go ends the pull", async () => {
  await withViewer({ scene: sceneFile("still", STILL) }, async ({ viewer }) => {
    const rest = (await viewer.shows()).positions;
    assert.equal((await viewer.read()).newtons, 0);
    const { x, y } = await viewer.bodyPoint();
    await viewer.page.mouse.move(x, y);
    await viewer.page.mouse.down();
    await viewer.page.mouse.move(x - 30, y - 60, { steps: 6 });
    const held = await viewer.until("a force is shown", (r) => r.newtons > 0);
    await viewer.until("the body has moved", (r) => r.positions !== rest);
    assert.ok(held.newtons < 1e5, `${held.newtons} N`);
    await viewer.page.mouse.up();
    await viewer.until("the force is gone", (r) => r.newtons === 0);
    assert.deepEqual(viewer.faults, []);
  });
});

test("a drag on a place that a fix holds says why it does not pull, and the hand is free again", async () => {
  // all but the end at x = 0 is held, far beyond the patch that a hand takes
  const held = STILL.replace("plane = { point = [0, 0, 0], normal = [1, 0, 0] }", "box = { min = [0.1, -1, -1], max = [2, 1, 1] }");
  await withViewer({ scene: sceneFile("held", held) }, async ({ viewer }) => {
    await viewer.shows();
    const { x, y } = await viewer.bodyPoint("held");
    await viewer.page.mouse.move(x, y);
    await viewer.until("the pointer is over the body", (r) => r.cursor === "body");
    await viewer.page.mouse.down();
    await viewer.page.mouse.move(x - 20, y - 30, { steps: 4 });
    await viewer.until("it is said why", (r) => /a fix holds this place/.test(r.banner));
    const refused = await viewer.until("the hand is free", (r) => r.cursor === "free");
    assert.doesNotMatch(refused.hint, /pulling/i);
    assert.equal(refused.newtons, 0);
    await viewer.page.mouse.up();
    assert.deepEqual(viewer.faults, []);
  });
});

test("a reset in the middle of a pull lets go, and the next drag pulls again", async () => {
  await withViewer({ scene: sceneFile("still", STILL) }, async ({ viewer }) => {
    await viewer.shows();
    const { x, y } = await viewer.bodyPoint();
    const pull = async () => {
      await viewer.page.mouse.move(x, y);
      await viewer.page.mouse.down();
      await viewer.page.mouse.move(x - 30, y - 60, { steps: 6 });
      await viewer.until("a force is shown", (r) => r.newtons > 0 && r.cursor === "pull");
    };
    await pull();
    await viewer.page.keyboard.press("r");
    const free = await viewer.until("the hand is free", (r) => r.newtons === 0 && r.cursor !== "pull");
    assert.doesNotMatch(free.hint, /pulling/i);
    await viewer.page.mouse.up();
    await pull();
    await viewer.page.mouse.up();
    assert.deepEqual(viewer.faults, []);
  });
});

test("a drag on empty space turns the camera and grabs nothing", async () => {
  await withViewer({ scene: sceneFile("still", STILL) }, async (stand) => {
    const { viewer } = stand;
    await viewer.shows();
    const before = await viewer.halt();
    const picture = await viewer.picture();
    const { x, y } = await emptyPoint(stand);
    await viewer.page.mouse.move(x, y);
    await viewer.page.mouse.down();
    await viewer.page.mouse.move(x + 60, y - 40, { steps: 6 });
    assert.equal((await viewer.read()).newtons, 0);
    await viewer.page.mouse.up();
    const after = await viewer.settled();
    assert.ok(!picture.equals(await viewer.picture()), "the camera did not turn");
    assert.equal(after.positions, before.positions);
    assert.equal(after.newtons, 0);
    assert.deepEqual(viewer.faults, []);
  });
});
