// The stand of a test: a program, a browser and a page, taken down whatever happens; scenes that tests write.

import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { chromium, type Browser, type BrowserContext } from "playwright-core";
import { Program, type Start } from "./program.js";
import { Viewer } from "./viewer.js";

/** Software rendering: CI's machines have no graphics card. */
const SWITCHES = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
const SMALL = { width: 800, height: 600 };

export interface Stand {
  program: Program;
  context: BrowserContext;
  viewer: Viewer;
}

/** What differs from a page that is simply opened. */
export interface Wish extends Start {
  /** Behind the address, such as `#scene=hello_bar`. */
  link?: string;
  viewport?: { width: number; height: number };
  /** Runs in the page before its own scripts. */
  before?: () => void;
}

let browser: Promise<Browser> | undefined;
const scratch = mkdtempSync(join(tmpdir(), "pliant-browser-"));
after(async () => {
  await (await browser)?.close();
  rmSync(scratch, { recursive: true, force: true });
});

/** The browser, started once for each file of tests. */
function shared(): Promise<Browser> {
  const executablePath = process.env["PLIANT_CHROMIUM"];
  if (!executablePath) throw new Error("PLIANT_CHROMIUM must name a browser; `cargo xtask test` sets it");
  browser ??= chromium.launch({ executablePath, args: SWITCHES });
  return browser;
}

/** Runs a test with a fresh program, an own set of cookies and one page; keeps a picture of a failure. */
export async function withViewer(wish: Wish, test: (stand: Stand) => Promise<void>): Promise<void> {
  const program = await Program.start(wish);
  const context = await (await shared()).newContext({ viewport: wish.viewport ?? SMALL });
  try {
    if (wish.before) await context.addInitScript(wish.before);
    const viewer = await Viewer.open(context, program.address + (wish.link ?? ""));
    try {
      await test({ program, context, viewer });
    } catch (error) {
      await viewer.page.screenshot({ path: screenshot(`failed-${Date.now()}`) }).catch(() => undefined);
      if (error instanceof Error) error.message += `\nfaults of the page: ${viewer.faults.join("\n") || "none"}`;
      throw error;
    }
  } finally {
    await context.close();
    await program.kill();
  }
}

/** The gallery, as the program tells it to who has its address. */
export async function offers(): Promise<{ id: string; title: string }[]> {
  const program = await Program.start();
  try {
    const door = await fetch(program.address, { redirect: "manual" });
    const cookie = (door.headers.get("set-cookie") ?? "").split(";")[0]!;
    const answer = await fetch(`${program.origin}/api/scenes`, { headers: { cookie } });
    return (await answer.json()) as { id: string; title: string }[];
  } finally {
    await program.kill();
  }
}

/** Where a picture for people is kept. */
export function screenshot(name: string): string {
  const folder = process.env["PLIANT_SCREENSHOTS"] ?? join(tmpdir(), "pliant-screenshots");
  mkdirSync(folder, { recursive: true });
  return join(folder, `${name}.png`);
}

/** Writes a scene file for one test. */
export function sceneFile(name: string, text: string): string {
  const path = join(scratch, `${name}.toml`);
  writeFileSync(path, text);
  return path;
}

/** A bar that nothing moves: whatever it does, the user did. */
export const STILL = `
title = "A bar that nothing moves"
duration = "4 s"

[material.rubber]
law = "neo-hookean"
young = "200 kPa"
poisson = 0.33
density = "1000 kg/m^3"
damping = { mass = 4.0 }

[body.bar]
material = "rubber"
mesh = { shape = "box", size = ["1 m", "0.3 m", "0.3 m"], cells = [6, 2, 2], element = "hex" }

[[body.bar.fix]]
where = { plane = { point = [0, 0, 0], normal = [1, 0, 0] } }
`;

/** A bar one of whose ends is driven through the other: no state of matter, and it diverges at about 0.59 s by `pliant run`. */
export const CRUSHED = `
title = "A bar is crushed through itself"
duration = "4 s"

[material.rubber]
law = "neo-hookean"
young = "100 kPa"
poisson = 0.33
density = "1000 kg/m^3"

[body.bar]
material = "rubber"
mesh = { shape = "box", size = ["1 m", "0.3 m", "0.3 m"], cells = [6, 2, 2], element = "tet" }

[[body.bar.fix]]
where = { plane = { point = [0, 0, 0], normal = [1, 0, 0] } }

[[body.bar.fix]]
where = { plane = { point = [1, 0, 0], normal = [1, 0, 0] } }
move = ["-1.5 m", "0 m", "0 m"]
over = "1 s"
`;
