// How large the page is.

import assert from "node:assert/strict";
import { test } from "node:test";
import { withViewer } from "./stand.js";

/** What all files of the page may have together on their way, bytes. */
const LARGEST = 400_000;

test("all files of the page together take less than 400 kB on their way", async () => {
  await withViewer({}, async ({ viewer }) => {
    await viewer.shows();
    const files = await viewer.page.evaluate(async () => {
      // an icon is asked for by the browser, which keeps no account of it
      for (const link of document.querySelectorAll<HTMLLinkElement>("link[href]")) await (await fetch(link.href)).arrayBuffer();
      const entries = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")] as PerformanceResourceTiming[];
      const own = entries.filter(({ name }) => /^\/(assets\/.*)?$/.test(new URL(name).pathname));
      return own.map(({ name, encodedBodySize, decodedBodySize }) => ({ path: new URL(name).pathname, sent: encodedBodySize, whole: decodedBodySize }));
    });
    const sizes = new Map(files.map((file) => [file.path, file]));
    const listing = [...sizes.values()].map(({ path, sent, whole }) => `${path} ${sent} of ${whole}`).join(", ");
    const ends = (end: string) => [...sizes.values()].filter((file) => file.path.endsWith(end));
    for (const end of ["/", ".js", ".css", ".svg"]) assert.ok(ends(end).length > 0, `no file ends with ${end}: ${listing}`);
    for (const file of ends(".js")) assert.ok(file.sent > 0 && file.sent < 0.5 * file.whole, `not compressed: ${listing}`);
    const sum = [...sizes.values()].reduce((bytes, file) => bytes + file.sent, 0);
    assert.ok(sum < LARGEST, `${sum} bytes: ${listing}`);
    console.log(`${sum} bytes: ${listing}`);
  });
});
