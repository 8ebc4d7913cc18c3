// What a scene looks like: light and colour, and what stands beside the bodies.

import assert from "node:assert/strict";
import { test } from "node:test";
import { STILL, sceneFile, withViewer } from "./stand.js";

/** The last colour of the legend, viridis at its end. */
const YELLOW = [0xfd, 0xe7, 0x25];

const VIEW = `
[view]
field = "von-mises"
camera = { from = ["0.5 m", "-3 m", "0.15 m"], to = ["0.5 m", "0.15 m", "0.15 m"] }
`;

test("floors are drawn and leave no room for a grid, bones and hinges are seen, a held face has a plate", async () => {
  await withViewer({ link: "#scene=tube_grab" }, async ({ viewer }) => {
    const is = (id: string) => viewer.until(`${id} is open`, (r) => r.hash === `#scene=${id}` && r.phase === "running" && r.seconds > 0);
    await is("tube_grab");
    const floor = await viewer.untilDrawn("the floor is drawn", (d) => d.colliders.length === 1);
    assert.equal(floor.ground, false, "a grid beside the floor");
    await viewer.choose("bone_and_skin");
    await is("bone_and_skin");
    // the bone and the rod of its hinge
    await viewer.untilDrawn("the bone is drawn, and a ruler in place of the floor", (d) => d.bones === 2 && d.colliders.length === 0 && d.ground);
    await viewer.choose("hello_bar");
    await is("hello_bar");
    await viewer.untilDrawn("the bar is held by a plate", (d) => d.plates === 1 && d.bones === 0);
    assert.deepEqual(viewer.faults, []);
  });
});

test("colliders are drawn where they are, and C marks what touches them", async () => {
  await withViewer({ link: "#scene=press" }, async ({ viewer }) => {
    await viewer.until("the scene is open", (r) => r.hash === "#scene=press" && r.phase === "running" && r.seconds > 0);
    const before = await viewer.untilDrawn("both plates are drawn", (d) => d.colliders.length === 2);
    assert.deepEqual([before.contacts, before.ground], [0, true], "nobody asked for contacts, and no plate is a floor");
    const [below, above] = before.colliders;
    await viewer.page.keyboard.press("c");
    // 5 x 5 nodes at each plate
    await viewer.untilDrawn("contacts are marked", (d) => d.contacts >= 50);
    await viewer.until("the upper plate is down", (r) => r.seconds > 0.7);
    const { colliders } = await viewer.drawn();
    assert.ok(Math.hypot(colliders[0]!.x - below!.x, colliders[0]!.y - below!.y) < 1, "the lower plate stands");
    assert.ok(colliders[1]!.y > above!.y + 10, `the upper one came down by ${colliders[1]!.y - above!.y} px`);
    assert.equal(await viewer.page.isVisible("#deepest"), true);
    await viewer.page.keyboard.press("c");
    await viewer.untilDrawn("the marks are gone", (d) => d.contacts === 0);
    await viewer.choose("hello_bar");
    await viewer.untilDrawn("nothing is left of the plates", (d) => d.colliders.length === 0);
    await viewer.page.waitForSelector("#deepest", { state: "hidden" });
    assert.deepEqual(viewer.faults, []);
  });
});

test("a scene opens with its own field and camera, and the next one plainly", async () => {
  await withViewer({ scene: sceneFile("viewed", STILL + VIEW) }, async ({ viewer }) => {
    await viewer.until("stress is shown", (r) => /Von Mises/.test(r.legend));
    const { out } = await viewer.untilDrawn("the camera stands in front", (d) => d.out[1] < -0.99);
    assert.ok(Math.abs(out[0]) < 1e-3 && Math.abs(out[2]) < 1e-3, String(out));
    await viewer.choose("hello_bar");
    await viewer.until("another scene is open", (r) => r.title !== "A bar that nothing moves" && r.phase === "running");
    assert.equal(await viewer.page.inputValue("#field"), "none");
    await viewer.page.waitForSelector("#legend", { state: "hidden" });
    assert.deepEqual(viewer.faults, []);
  });
});

test("a field has the colours of its legend on lit and on shaded sides", async () => {
  await withViewer({ scene: sceneFile("still", STILL) }, async ({ viewer }) => {
    await viewer.shows();
    const { page } = viewer;
    await viewer.halt();
    await page.selectOption("#field", "displacement");
    await viewer.until("the field is shown", (r) => /Displacement/.test(r.legend));
    // everything is above this range, and has the last colour of the legend
    await page.check("#fixed");
    await page.fill("#lowest", "-2");
    await page.fill("#highest", "-1");
    for (const key of ["h", "3"]) {
      await page.keyboard.press("Escape");
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      await page.keyboard.press(key);
      await viewer.settled();
      const colour = await viewer.colourAt(await viewer.bodyPoint());
      const away = Math.max(...colour.map((x, i) => Math.abs(x - YELLOW[i]!)));
      // a light that multiplied all of it would take away more than 90
      assert.ok(away < 45, `${colour} instead of ${YELLOW}`);
    }
    assert.deepEqual(viewer.faults, []);
  });
});
