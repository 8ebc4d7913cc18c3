// The first minute: pointer, views, what is dragged, edited or dropped.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { STILL, sceneFile, withViewer } from "./stand.js";
import type { Viewer } from "./viewer.js";

/** Long enough for a machine that draws a picture a second, ms. */
const PATIENCE = 75_000;

/** A block that nothing holds and nothing moves. */
const FREE = STILL.slice(0, STILL.indexOf("[[body.bar.fix]]"));

/** How much of the canvas the bodies take, along each side, and whether all of them is in it. */
function framing(viewer: Viewer): Promise<{ inside: boolean; part: number }> {
  return viewer.page.evaluate(() => {
    const canvas = document.getElementById("view")!.getBoundingClientRect();
    const box = window.pliantProbe.outline() ?? canvas;
    const inside = box.left >= canvas.left && box.right <= canvas.right && box.top >= canvas.top && box.bottom <= canvas.bottom;
    return { inside, part: Math.max((box.right - box.left) / canvas.width, (box.bottom - box.top) / canvas.height) };
  });
}

test("over a body the pointer is a hand and the body is highlighted, beside it neither", async () => {
  await withViewer({ scene: sceneFile("still", STILL) }, async ({ viewer }) => {
    await viewer.shows();
    const { x, y } = await viewer.bodyPoint();
    await viewer.page.mouse.move(x, y);
    await viewer.until("the pointer is an open hand", (r) => r.pointer === "grab");
    await viewer.untilDrawn("the body is highlighted", (d) => d.highlighted === 0);
    await viewer.page.mouse.down();
    await viewer.page.mouse.move(x + 20, y - 40, { steps: 4 });
    await viewer.until("the hand is closed", (r) => r.pointer === "grabbing" && r.newtons > 0);
    const { arrows } = await viewer.untilDrawn("the arrow begins at the hand", (d) => d.arrows.length === 1 && Math.hypot(d.arrows[0]!.x - (x + 20), d.arrows[0]!.y - (y - 40)) < 3);
    assert.equal(arrows.length, 1);
    await viewer.page.mouse.up();
    await viewer.page.mouse.move(8, 120);
    await viewer.until("the pointer is free", (r) => r.pointer === "move");
    await viewer.untilDrawn("nothing is highlighted", (d) => d.highlighted === -1);
    assert.deepEqual(viewer.faults, []);
  });
});

test("views from the front, the side and above show the whole body, and home is the first view", async () => {
  await withViewer({ scene: sceneFile("still", STILL) }, async ({ viewer }) => {
    await viewer.shows();
    const home = (await viewer.drawn()).out;
    const near = (a: readonly number[], b: readonly number[]) => a.every((value, i) => Math.abs(value - b[i]!) < 1e-3);
    const views: [string, string, number[]][] = [["1", "#view-front", [0, -1, 0]], ["3", "#view-side", [1, 0, 0]], ["7", "#view-top", [0, 0, 1]]];
    for (const [key, button, out] of views) {
      await viewer.page.keyboard.press(key);
      await viewer.untilDrawn(`key ${key}`, (d) => near(d.out, out));
      assert.ok((await framing(viewer)).inside, key);
      await viewer.page.keyboard.press("h");
      await viewer.untilDrawn("the first view is back", (d) => near(d.out, home));
      await viewer.page.click(button);
      await viewer.untilDrawn(button, (d) => near(d.out, out));
    }
    await viewer.page.click("#view-home");
    await viewer.untilDrawn("the first view is back", (d) => near(d.out, home));
    assert.deepEqual(viewer.faults, []);
  });
});

test("a body that was dragged out of the picture is in it again when it is let go", async () => {
  await withViewer({ scene: sceneFile("free", FREE) }, async ({ viewer }) => {
    await viewer.shows();
    const { mouse } = viewer.page;
    const { x, y } = await viewer.bodyPoint();
    await mouse.move(x, y);
    await mouse.down();
    await mouse.move(30, 40, { steps: 10 });
    const end = Date.now() + PATIENCE;
    while ((await framing(viewer)).inside && Date.now() < end) await viewer.read();
    assert.equal((await framing(viewer)).inside, false, "the body did not leave the picture");
    await viewer.page.keyboard.press("Space");
    await viewer.until("time stands still", (r) => r.phase === "paused");
    await mouse.up();
    const back = Date.now() + PATIENCE;
    while (!(await framing(viewer)).inside && Date.now() < back) await viewer.read();
    assert.ok((await framing(viewer)).inside, "the body is not followed");
    assert.deepEqual(viewer.faults, []);
  });
});

test("pins stay small beside a body that is far away", async () => {
  await withViewer({ scene: sceneFile("still", STILL) }, async ({ viewer }) => {
    await viewer.shows();
    assert.ok((await viewer.drawn()).pinPixels > 2);
    await viewer.page.mouse.move(200, 150);
    for (let i = 0; i < 30; i++) await viewer.page.mouse.wheel(0, 240);
    const end = Date.now() + PATIENCE;
    while ((await framing(viewer)).part > 0.12 && Date.now() < end) await viewer.read();
    const { part } = await framing(viewer);
    assert.ok(part < 0.12, `the body takes ${part} of the picture`);
    const size = await viewer.page.evaluate(() => document.getElementById("view")!.clientHeight);
    const { pinPixels } = await viewer.drawn();
    assert.ok(pinPixels < 0.03 * part * size, `${pinPixels} px beside ${part * size}`);
    assert.deepEqual(viewer.faults, []);
  });
});

test("an edited scene file is asked about, and R opens it as it is now", async () => {
  const file = sceneFile("rewritten", STILL);
  await withViewer({ scene: file }, async ({ viewer }) => {
    await viewer.shows();
    writeFileSync(file, STILL.replace("A bar that nothing moves", "A bar that was edited"));
    await viewer.until("the change is told", (r) => /scene file has changed/.test(r.banner) && /R\b/.test(r.banner));
    assert.equal((await viewer.read()).title, "A bar that nothing moves");
    await viewer.page.keyboard.press("r");
    await viewer.until("the edited scene runs", (r) => r.title === "A bar that was edited" && r.phase === "running" && r.banner === "");
    assert.deepEqual(viewer.faults, []);
  });
});

test("a file that is dropped on the page does not take its place, and the way to open it is told", async () => {
  await withViewer({}, async ({ viewer }) => {
    await viewer.shows();
    const left = await viewer.page.evaluate(() => {
      const dropped = new DataTransfer();
      dropped.items.add(new File(["title = 1"], "mine.toml"));
      const event = (type: string) => new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: dropped });
      // true where nobody has prevented what the browser would do
      return ["dragover", "drop"].map((type) => document.getElementById("view")!.dispatchEvent(event(type)));
    });
    assert.deepEqual(left, [false, false]);
    await viewer.until("the way is told", (r) => /pliant view mine\.toml/.test(r.banner));
    assert.deepEqual(viewer.faults, []);
  });
});
