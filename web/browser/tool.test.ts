// The tool: a ball that follows the pointer.

import assert from "node:assert/strict";
import { test } from "node:test";
import { STILL, sceneFile, screenshot, withViewer } from "./stand.js";

test("T takes up a ball that follows the pointer, and puts it away", async () => {
  await withViewer({ scene: sceneFile("still", STILL) }, async ({ viewer }) => {
    await viewer.shows();
    const { page } = viewer;
    assert.equal((await viewer.drawn()).tool, null);
    const { x, y } = await viewer.bodyPoint();
    await page.mouse.move(x, y);
    await page.keyboard.press("t");
    const near = (place: { x: number; y: number } | null, x: number, y: number) => place !== null && Math.hypot(place.x - x, place.y - y) < 3;
    const { tool } = await viewer.untilDrawn("the ball is below the pointer", (d) => near(d.tool, x, y));
    // as large as half of the cells' edges are long: 1/6 m along the bar, 0.15 m across
    assert.ok(Math.abs(tool!.radius - 0.15) < 0.02, String(tool!.radius));
    await viewer.until("the pointer is one that leads a ball", (r) => r.cursor === "tool" && /T puts it away|Pushing/.test(r.hint));
    assert.equal(await page.isChecked("#tool"), true);
    await page.mouse.move(x + 60, y - 90, { steps: 4 });
    await viewer.untilDrawn("the ball follows", (d) => near(d.tool, x + 60, y - 90));
    await page.keyboard.press("]");
    await viewer.untilDrawn("the ball grows", (d) => d.tool !== null && d.tool.radius > 1.15 * tool!.radius);
    await page.keyboard.press("t");
    await viewer.untilDrawn("the ball is gone", (d) => d.tool === null);
    assert.equal(await page.isChecked("#tool"), false);
    assert.deepEqual(viewer.faults, []);
  });
});

test("the ball pushes the body with newtons that the page shows", async () => {
  await withViewer({ scene: sceneFile("still", STILL) }, async ({ viewer }) => {
    const rest = (await viewer.shows()).positions;
    const { page } = viewer;
    const { x, y } = await viewer.bodyPoint();
    await page.mouse.move(x, y);
    await page.keyboard.press("t");
    // from before the bar into it, by its radius
    const pushing = await viewer.until("the bar is pushed", (r) => r.push > 0 && r.positions !== rest);
    assert.ok(pushing.push < 1e5, `${pushing.push} N`);
    await viewer.until("it is said", (r) => /^Pushing with/.test(r.hint));
    await viewer.untilDrawn("an arrow begins in the ball", (d) => d.arrows.length === 1);
    await page.screenshot({ path: screenshot("tool") });
    await page.keyboard.press("t");
    await viewer.until("the force is gone", (r) => r.push === 0);
    assert.deepEqual(viewer.faults, []);
  });
});

test("a reset puts the ball away, and the next movement takes it up again", async () => {
  await withViewer({ scene: sceneFile("still", STILL) }, async ({ viewer }) => {
    await viewer.shows();
    const { page } = viewer;
    const { x, y } = await viewer.bodyPoint();
    await page.mouse.move(x, y);
    await page.check("#tool");
    await viewer.untilDrawn("there is a ball", (d) => d.tool !== null);
    await page.keyboard.press("r");
    await viewer.untilDrawn("it is put away", (d) => d.tool === null);
    await page.mouse.move(x + 5, y + 5);
    await viewer.untilDrawn("there is a ball again", (d) => d.tool !== null);
    assert.deepEqual(viewer.faults, []);
  });
});

test("a page that only watches has no ball, and the one of a page that loses control goes", async () => {
  await withViewer({ scene: sceneFile("still", STILL) }, async ({ program, context, viewer }) => {
    await viewer.shows();
    const other = await context.newPage();
    await other.goto(program.origin);
    await other.waitForSelector("#take:not([hidden])");
    await other.keyboard.press("t");
    assert.equal(await other.isChecked("#tool"), false);
    const { x, y } = await viewer.bodyPoint();
    await viewer.page.bringToFront();
    await viewer.page.mouse.move(x, y);
    await viewer.page.keyboard.press("t");
    await viewer.untilDrawn("there is a ball", (d) => d.tool !== null);
    await other.bringToFront();
    await other.waitForFunction(() => window.pliantProbe.drawn?.tool !== null);
    await other.click("#take");
    await other.waitForFunction(() => window.pliantProbe.drawn?.tool === null);
    await viewer.page.bringToFront();
    await viewer.untilDrawn("it is gone", (d) => d.tool === null);
    assert.equal(await viewer.page.isChecked("#tool"), false);
    assert.deepEqual(viewer.faults, []);
  });
});
