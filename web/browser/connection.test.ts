// The link between page and program: several pages, lost and found programs, hidden tabs.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { Program } from "./program.js";
import { sceneFile, withViewer } from "./stand.js";
import { Viewer, pause } from "./viewer.js";

/** As long as the program asks for at least. */
const SECRET = "0123456789abcdef0123456789abcdef";
const OTHER = "fedcba9876543210fedcba9876543210";

test("a second page looks on until it takes control", async () => {
  await withViewer({}, async ({ program, context, viewer }) => {
    await viewer.until("the first page controls", (r) => r.frame > 0 && /control/i.test(r.role));
    const second = await Viewer.open(context, program.address);
    await second.until("the second page looks on", (r) => r.frame > 0 && /spectat/i.test(r.role));
    await second.page.keyboard.press("Space");
    await pause(700);
    assert.equal((await viewer.read()).phase, "running", "a spectator's key does nothing");
    const { wanted } = await viewer.read();
    await second.page.keyboard.press("-");
    assert.equal((await second.read()).wanted, wanted, "a spectator is shown a speed that does not exist");
    await second.page.click("#take");
    await second.until("the second page controls", (r) => /control/i.test(r.role) && !/spectat/i.test(r.role));
    await viewer.until("the first page looks on", (r) => /spectat/i.test(r.role));
    await second.page.keyboard.press("Space");
    await viewer.until("the second page's key counts", (r) => r.phase === "paused");
    assert.deepEqual([...viewer.faults, ...second.faults], []);
  });
});

test("an address serves one browser; the next is led in by a file on disk, as the program opens it", async () => {
  await withViewer({}, async ({ program, context, viewer }) => {
    await viewer.shows();
    const other = await context.browser()!.newContext();
    try {
      const page = await other.newPage();
      assert.equal((await page.goto(program.address))?.status(), 403, "a second browser comes in by a used address");
      for (let wait = 0; wait < 100 && !program.next; wait += 1) await pause(50);
      const file = sceneFile("redirect", "").replace(/toml$/, "html");
      writeFileSync(file, `<!doctype html><meta http-equiv="refresh" content="0; url=${program.next}">`);
      const led = await Viewer.open(other, `file://${file}`);
      // the token does not stay in the address
      await led.page.waitForURL(`${program.origin}/`);
      await led.shows();
    } finally {
      await other.close();
    }
  });
});

test("a killed program is told, and the page goes on by itself when it is back with the same token", async () => {
  await withViewer({ token: SECRET }, async ({ program, viewer }) => {
    await viewer.shows();
    await program.kill();
    const lost = await viewer.until("the loss is told", (r) => /program has ended/i.test(r.banner));
    assert.match(lost.banner, /Start it again with pliant view;/);
    assert.deepEqual([lost.phase, lost.role], ["ended", "the program has ended"]);
    assert.equal(await viewer.page.locator("#gallery button:enabled").count(), 0, "scenes can be chosen of a program that is gone");
    await viewer.page.evaluate(() => (location.hash = "#scene=tumbling_block"));
    const back = await Program.start({ port: program.port, token: SECRET });
    try {
      await viewer.until("the page goes on", (r) => r.banner === "" && r.phase === "running" && r.frame > 0 && r.frame !== lost.frame);
      await viewer.until("what was wanted meanwhile is open", (r) => r.hash === "#scene=tumbling_block" && /^A block thrown/.test(r.title) && r.phase === "running");
    } finally {
      await back.kill();
    }
  });
});

test("a program with another token asks for its new address, and the old tab follows a new one", async () => {
  await withViewer({ token: SECRET }, async ({ program, context, viewer }) => {
    await viewer.shows();
    await program.kill();
    const back = await Program.start({ port: program.port, token: OTHER });
    try {
      await viewer.until("the new address is asked for", (r) => /address/i.test(r.banner));
      const fresh = await Viewer.open(context, back.address);
      await fresh.shows();
      // whichever tab comes first controls, the other one looks on
      await viewer.until("the old tab goes on", (r) => /^(|.*watching.*)$/is.test(r.banner) && r.phase === "running");
      assert.deepEqual(fresh.faults, []);
    } finally {
      await back.kill();
    }
  });
});

test("a hidden tab takes no frames and comes back with a fresh one", async () => {
  await withViewer({}, async ({ program, context, viewer }) => {
    await viewer.shows();
    // a second page tells how far the program is
    const watcher = await Viewer.open(context, program.address);
    await watcher.shows();
    const turn = (state: "hidden" | "visible") =>
      viewer.page.evaluate((now) => {
        Object.defineProperty(document, "visibilityState", { configurable: true, get: () => now });
        Object.defineProperty(document, "hidden", { configurable: true, get: () => now === "hidden" });
        document.dispatchEvent(new Event("visibilitychange"));
      }, state);
    await turn("hidden");
    await pause(300);
    const [hidden, before] = [await viewer.read(), viewer.received];
    const missed = 30;
    await watcher.until("the program is far ahead", (r) => r.frame > hidden.frame + missed);
    assert.equal((await viewer.read()).frame, hidden.frame, "a hidden tab has shown a frame");
    // the one that was under way
    assert.ok(viewer.received - before <= 1, `${viewer.received - before} frames came to a hidden tab`);
    await turn("visible");
    const back = await viewer.until("a fresh frame is shown", (r) => r.frame > hidden.frame + missed);
    const skipped = back.frame - hidden.frame - (viewer.received - before);
    assert.ok(skipped >= missed - 2, `only ${skipped} frames were skipped`);
    assert.deepEqual([...viewer.faults, ...watcher.faults], []);
  });
});
