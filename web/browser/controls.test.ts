// Time, speed and what is shown: buttons, keys, links.

import assert from "node:assert/strict";
import { test } from "node:test";
import { STILL, sceneFile, screenshot, withViewer } from "./stand.js";
import { pause } from "./viewer.js";

/** One level of a frame's positions: a bar of 1 m in 65535 parts is 15 µm, and it is rounded along three axes, m. */
const LEVEL = 3e-5;
/** The bar of hello_bar has fallen farther than this after 0.2 s, m. */
const BENT = 1e-3;

test("pause stops time, a dot makes one step, R restores the first frame, Space plays", async () => {
  await withViewer({}, async ({ viewer }) => {
    const { keyboard } = viewer.page;
    const gap = () => viewer.page.evaluate(() => window.pliantProbe.restGap());
    // the scene begins with the bar at rest, as its topology has it
    const reset = async (act: () => Promise<void>) => {
      await act();
      const readings = await viewer.until("the first frame is back", (r) => r.seconds === 0);
      assert.ok((await gap()) < LEVEL, `${await gap()} m from rest after a reset`);
      return readings;
    };
    await viewer.shows();
    await viewer.until("the bar is bent", (r) => r.phase === "running" && r.seconds > 0.2);
    await keyboard.press("Space");
    await viewer.until("time stands still", (r) => r.phase === "paused");
    const paused = await viewer.settled();
    await pause(500);
    assert.equal((await viewer.read()).seconds, paused.seconds);

    await keyboard.press(".");
    const stepped = await viewer.until("a step is made", (r) => r.seconds > paused.seconds);
    await pause(300);
    const still = await viewer.read();
    assert.deepEqual([still.seconds, still.phase], [stepped.seconds, "paused"], "one step and no more");
    assert.notEqual(still.positions, paused.positions);

    assert.ok((await gap()) > BENT, `${await gap()} m from rest before the reset`);
    const first = await reset(() => keyboard.press("r"));
    assert.equal(first.phase, "paused", "a paused scene stays paused");
    await keyboard.press("Space");
    await viewer.until("time runs", (r) => r.phase === "running" && r.seconds > 0.1 && r.positions !== first.positions);
    await viewer.page.click("#play");
    await viewer.until("time stands still", (r) => r.phase === "paused");
    const again = await reset(() => viewer.page.click("#reset"));
    assert.equal(again.positions, first.positions);
    await viewer.page.click("#step");
    await viewer.until("a step is made", (r) => r.seconds > 0 && r.phase === "paused");
    assert.deepEqual(viewer.faults, []);
  });
});

test("a deep link opens its scene, choosing one changes the link, and the way back works", async () => {
  await withViewer({ link: "#scene=pull_and_let_go" }, async ({ viewer }) => {
    const is = (title: string, hash: string) => viewer.until(`${hash} is open`, (r) => r.title === title && r.hash === hash && r.phase !== "loading");
    // titles as in scenes/
    const pulled = ["A beam is pulled by a hand and let go", "#scene=pull_and_let_go"] as const;
    const tumbling = ["A block thrown into a spin about its middle axis turns over", "#scene=tumbling_block"] as const;
    await is(...pulled);
    await viewer.choose("tumbling_block");
    await is(...tumbling);
    await viewer.page.goBack();
    await is(...pulled);
    await viewer.page.goForward();
    await is(...tumbling);
    assert.deepEqual(viewer.faults, []);
  });
});

test("the speed that is wanted follows the slider from a sixteenth to four times", async () => {
  await withViewer({}, async ({ viewer }) => {
    await viewer.shows();
    await viewer.page.focus("#speed");
    await viewer.page.keyboard.press("Home");
    await viewer.until("time runs at a sixteenth", (r) => r.wanted === 1 / 16);
    await viewer.page.keyboard.press("End");
    await viewer.until("time runs four times as fast", (r) => r.wanted === 4);
    assert.deepEqual(viewer.faults, []);
  });
});

test("a field colours the body and names its unit, and the wireframe shows edges", async () => {
  await withViewer({}, async ({ viewer }) => {
    await viewer.shows();
    await viewer.until("the bar is bent", (r) => r.seconds > 0.2);
    await viewer.halt();
    const shown = async (field: string) => {
      await viewer.page.selectOption("#field", field);
      await viewer.settled();
      return viewer.picture();
    };
    const pictures = [await shown("none")];
    for (const [field, unit] of [["displacement", /, m?m\b/], ["von-mises", /Pa/], ["energy-density", /J\/m/]] as const) {
      pictures.push(await shown(field));
      const { legend } = await viewer.read();
      assert.match(legend, unit, field);
    }
    assert.ok(pictures[0]!.equals(await shown("none")), "without a field the body is as before");
    await viewer.page.check("#wireframe");
    await viewer.settled();
    pictures.push(await viewer.picture());
    for (const [i, one] of pictures.entries()) {
      for (const [j, other] of pictures.slice(0, i).entries()) assert.ok(!one.equals(other), `pictures ${j} and ${i} are the same`);
    }
    assert.deepEqual(viewer.faults, []);
  });
});

test("a body that was moved out of view is told, and a reset shows it again", async () => {
  await withViewer({ scene: sceneFile("still", STILL) }, async ({ viewer }) => {
    await viewer.shows();
    const { mouse, keyboard } = viewer.page;
    // three times half the picture's breadth to the right
    for (let i = 0; i < 3; i++) {
      await mouse.move(40, 120);
      await mouse.down({ button: "right" });
      await mouse.move(400, 120, { steps: 4 });
      await mouse.up({ button: "right" });
    }
    await viewer.until("the hint tells it", (r) => /out of view/.test(r.hint) && r.seconds > 0);
    await keyboard.press("r");
    await viewer.until("the body is back", (r) => r.hint === "Drag to orbit");
    assert.ok(await viewer.bodyPoint());
    assert.deepEqual(viewer.faults, []);
  });
});

test("Enter in the search opens the first scene that it leaves, and limits are typed in the legend's unit", async () => {
  await withViewer({}, async ({ viewer }) => {
    await viewer.shows();
    const { page } = viewer;
    await page.fill("#search", "static_twist");
    await page.press("#search", "Enter");
    await viewer.until("statics has found its equilibrium", (r) => r.hash === "#scene=static_twist" && r.phase === "finished");
    assert.equal(await page.textContent("#time"), "equilibrium");
    assert.ok(await page.isDisabled("#play"));
    await page.selectOption("#field", "von-mises");
    await viewer.until("stress is shown", (r) => /kPa/.test(r.legend));
    await page.check("#fixed");
    assert.equal(await page.textContent("#limits-unit"), "kPa");
    await page.fill("#highest", "");
    assert.equal(await page.textContent("#limits-words"), "");
    await page.fill("#lowest", "0");
    await page.fill("#highest", "8");
    await viewer.until("the legend goes up to 8 kPa", (r) => /kPa\s*0\s*2\.00\s*4\.00\s*6\.00\s*8\.00$/.test(r.legend));
    await page.screenshot({ path: screenshot("limits") });
    assert.deepEqual(viewer.faults, []);
  });
});
