// What a user sees first: bodies that move, in every scene.

import assert from "node:assert/strict";
import { test } from "node:test";
import { offers, screenshot, withViewer } from "./stand.js";
import { pause } from "./viewer.js";

test("the printed address shows a moving body, and a paused one stands still to the pixel", async () => {
  await withViewer({}, async ({ viewer }) => {
    await viewer.shows();
    const first = await viewer.picture();
    // the bar swings for seconds, and comes to rest later than this test
    let moved = false;
    for (let tries = 0; tries < 40 && !moved; tries++) moved = !first.equals(await viewer.picture());
    assert.ok(moved, "no pixel changed while time ran");
    await viewer.halt();
    // colours and camera may still be on their way to where they stay; a body that moved would never be the same twice
    let [last, same] = [await viewer.picture(), false];
    for (let tries = 0; tries < 6 && !same; tries++) {
      await pause(500);
      const next = await viewer.picture();
      [last, same] = [next, last.equals(next)];
    }
    assert.ok(same, "pixels changed while time stood still");
    assert.deepEqual(viewer.faults, []);
  });
});

// one test each, so that a slow machine has its patience for each of them
const scenes = await offers();

test("the gallery has at least ten scenes", async () => {
  assert.ok(scenes.length >= 10, `only ${scenes.length} scenes`);
});

// these show what the laws do beyond real matter, and how soon they are there depends on the machine: only that may be said
const beyondMatter = new Map([
  ["abuse", /^(|Warning: (\d+ elements? of body `\w+` (is|are) turned inside out|do not trust what you see: the total energy strayed).*)$/s],
  ["three_bars", /^(|Warning: \d+ elements? of body `nonlinear` (is|are) turned inside out.*)$/s],
  ["three_long_bars", /^(|Warning: \d+ elements? of body `nonlinear` (is|are) turned inside out.*)$/s],
]);

for (const { id, title } of scenes) {
  test(`the scene ${id} opens from the gallery and runs without an error`, async () => {
    await withViewer({ viewport: { width: 1000, height: 700 } }, async ({ viewer }) => {
      await viewer.shows();
      await viewer.choose(id);
      const opened = await viewer.until(`${id} is open`, (r) => r.title === title && r.phase !== "loading" && r.hash === `#scene=${id}`);
      const mayBeSaid = beyondMatter.get(id) ?? /^$/;
      assert.match(opened.banner, mayBeSaid);
      // the clock of the scene before may be read first: it falls once, then it must rise
      let [last, rises] = [Number.POSITIVE_INFINITY, 0];
      await viewer.until(`${id} runs`, (r) => {
        if (r.seconds < last) rises = 0;
        if (r.seconds > last) rises += 1;
        last = r.seconds;
        return r.phase === "finished" || rises >= 3;
      });
      await pause(700);
      await viewer.page.locator("#title").scrollIntoViewIfNeeded();
      await viewer.page.screenshot({ path: screenshot(id) });
      const { banner, phase } = await viewer.read();
      assert.match(banner, mayBeSaid);
      assert.match(phase, /^(running|finished)$/);
      assert.deepEqual(viewer.faults, []);
    });
  });
}

test("a beam that bends far down stays in the picture", async () => {
  await withViewer({ link: "#scene=cantilever_strains" }, async ({ viewer }) => {
    // half a swing of the first mode: pi / (3.516 sqrt(E I / (rho A L^4))) = 0.69 s
    await viewer.until("the beams are bent", (r) => r.hash === "#scene=cantilever_strains" && /^Linear strain/.test(r.title) && r.seconds > 0.7);
    const { outline, canvas } = await viewer.page.evaluate(() => {
      const { left, right, top, bottom } = document.getElementById("view")!.getBoundingClientRect();
      return { outline: window.pliantProbe.outline(), canvas: { left, right, top, bottom } };
    });
    const [words, within] = [JSON.stringify({ outline, canvas }), outline ?? canvas];
    assert.ok(outline && within.left >= canvas.left && within.right <= canvas.right, words);
    assert.ok(within.top >= canvas.top && within.bottom <= canvas.bottom, words);
    assert.deepEqual(viewer.faults, []);
  });
});

test("no request leaves the program's own address", async () => {
  await withViewer({}, async ({ program, viewer }) => {
    await viewer.shows();
    await viewer.choose("tumbling_block");
    await viewer.until("the scene is open", (r) => r.hash === "#scene=tumbling_block" && r.seconds > 0);
    const own = [`${program.origin}/`, `${program.origin.replace("http:", "ws:")}/`];
    const foreign = viewer.asked.filter((url) => !own.some((start) => url.startsWith(start)));
    assert.deepEqual(foreign, []);
    assert.ok(viewer.asked.some((url) => url.startsWith("ws:")), "sockets are seen");
  });
});
