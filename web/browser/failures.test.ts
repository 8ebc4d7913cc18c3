// When something goes wrong, the page says what, where, and the way out.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { Program } from "./program.js";
import { CRUSHED, STILL, sceneFile, withViewer } from "./stand.js";
import { pause, type Viewer } from "./viewer.js";

/** Takes the canvas from the graphics card, or gives it back. */
function graphics(viewer: Viewer, act: "loseContext" | "restoreContext"): Promise<void> {
  return viewer.page.evaluate((act) => {
    const canvas = document.getElementById("view") as HTMLCanvasElement;
    const tool = canvas.getContext("webgl2")?.getExtension("WEBGL_lose_context");
    // kept, since a lost context gives no extensions
    const kept = window as unknown as { kept?: WEBGL_lose_context };
    kept.kept ??= tool ?? undefined;
    kept.kept?.[act]();
  }, act);
}

test("a body that diverges is named with place, time and advice, and reset clears it", async () => {
  await withViewer({ scene: sceneFile("crushed", CRUSHED) }, async ({ viewer }) => {
    const { banner } = await viewer.until("the body diverges", (r) => r.phase === "diverged" && r.banner !== "");
    assert.match(banner, /\bbar\b/);
    assert.match(banner, /0\.5\d* s|\d ms/, "the time");
    assert.match(banner, /-?\d\.\d+, -?\d\.\d+, -?\d\.\d+/, "the place");
    assert.match(banner, /stiffer|finer|gentler/, "the advice");
    await viewer.page.click("#reset");
    await viewer.until("the first state is back", (r) => r.banner === "" && r.seconds === 0 && r.phase === "paused");
    assert.deepEqual(viewer.faults, []);
  });
});

test("a scene file that is broken from the start ends the program with code 2 and no address", async () => {
  const file = sceneFile("broken", STILL.replace("young", "yuong"));
  const { code, stdout, stderr } = await Program.refusal({ scene: file });
  assert.equal(code, 2, stderr);
  assert.doesNotMatch(stdout, /http/);
  assert.match(stderr, /yuong/);
});

test("a scene file that is broken later is told on the page, and mending it helps", async () => {
  const file = sceneFile("edited", STILL);
  await withViewer({ scene: file }, async ({ viewer }) => {
    await viewer.shows();
    writeFileSync(file, STILL.replace("young", "yuong"));
    await viewer.choose("hello_bar");
    await viewer.until("another scene is open", (r) => r.hash === "#scene=hello_bar" && r.phase === "running");
    await viewer.choose("edited");
    await viewer.until("the fault is told", (r) => r.phase === "failed" && /yuong/.test(r.banner));
    writeFileSync(file, STILL);
    await viewer.page.click("#reset");
    await viewer.until("the mended scene runs", (r) => r.phase === "running" && r.banner === "");
    assert.deepEqual(viewer.faults, []);
  });
});

test("a browser without WebGL 2 is told so", async () => {
  const before = () => {
    const original = HTMLCanvasElement.prototype.getContext as (this: HTMLCanvasElement, ...words: unknown[]) => unknown;
    HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, ...words: unknown[]) {
      return String(words[0]).startsWith("webgl") ? null : original.apply(this, words);
    } as typeof HTMLCanvasElement.prototype.getContext;
  };
  await withViewer({ before }, async ({ viewer }) => {
    await viewer.until("WebGL is named", (r) => /WebGL/.test(r.banner));
    await pause(500);
    assert.deepEqual(viewer.faults, []);
  });
});

test("a view that the graphics card dropped is drawn again when it is back, also while time stands still", async () => {
  await withViewer({ scene: sceneFile("still", STILL) }, async ({ viewer }) => {
    await viewer.shows();
    await viewer.halt();
    const before = await viewer.picture();
    await graphics(viewer, "loseContext");
    await viewer.until("the loss is told", (r) => /graphics card/.test(r.banner));
    await graphics(viewer, "restoreContext");
    await viewer.until("the loss is over", (r) => r.banner === "");
    let same = false;
    for (let tries = 0; tries < 40 && !same; tries++) same = before.equals(await viewer.picture());
    assert.ok(same, "the picture is another one than before");
    assert.deepEqual(viewer.faults, []);
  });
});
