// What the viewer costs, in a browser and without one; prints JSON.
//
//   cargo build --release && node bench/viewer.mjs target/release/pliant
//
// Three scenes: hello_bar; a sheet whose 20,000 nodes all lie on its surface; a block of 185,193 hexahedra with 19,496 nodes on
// its surface, whose steps are longer than a frame. A bare client that acknowledges at once tells what the program can deliver,
// Chromium (drawing in software, if the machine has no graphics card) what a user gets. Packages come from target/web.

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import { createRequire } from "node:module";
import { cpus, tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { BareClient } from "./viewer/bare_client.mjs";

const SECONDS = 5;
const SWITCHES = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
const program = process.argv[2];
if (!program) {
  console.error("usage: node bench/viewer.mjs PROGRAM");
  process.exit(2);
}

const material = `
[material.rubber]
law = "neo-hookean"
young = "100 kPa"
poisson = 0.33
density = "1000 kg/m^3"
damping = { mass = 2.0 }
`;
const box = (size, cells) => `
duration = "4 s"
gravity = [0.0, 0.0, -1.0]
${material}
[body.box]
material = "rubber"
mesh = { shape = "box", size = ${JSON.stringify(size)}, cells = ${JSON.stringify(cells)}, element = "hex" }

[[body.box.fix]]
where = { plane = { point = [0, 0, 0], normal = [1, 0, 0] } }
`;
const scratch = mkdtempSync(join(tmpdir(), "pliant-bench-"));
const scenes = {
  hello_bar: readFileSync(new URL("../scenes/hello_bar.toml", import.meta.url), "utf8"),
  sheet_20k: `title = "A sheet of 20,000 nodes"\n${box([1, 1, 0.01], [99, 99, 1])}`,
  block_20k: `title = "A block of 185,193 hexahedra"\n${box([1, 1, 1], [57, 57, 57])}`,
};

/** Starts the program and waits for its address. */
async function start(scene) {
  const words = ["view", ...(scene ? [scene] : []), "--no-open", "--port", "0"];
  const child = spawn(program, words, { stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise((done, fail) => {
    child.once("error", fail);
    child.once("exit", (code) => fail(new Error(`the program ended with ${code}`)));
    createInterface({ input: child.stdout }).on("line", (line) => {
      const found = /^Pliant's viewer: (http:\/\/\S+)$/.exec(line);
      if (found) done(new URL(found[1]));
    });
  });
  child.removeAllListeners("exit");
  return { address, end: () => child.kill("SIGKILL") };
}

/** Bytes of a file of the page as they go over the wire. */
function size(address, path) {
  const headers = { cookie: cookie(address), "accept-encoding": "gzip" };
  return new Promise((done, fail) => {
    http.get({ host: address.hostname, port: address.port, path, headers }, (answer) => {
      let bytes = 0;
      answer.on("data", (chunk) => (bytes += chunk.length));
      answer.on("end", () => (answer.statusCode === 200 ? done(bytes) : fail(new Error(`${path}: ${answer.statusCode}`))));
    }).once("error", fail);
  });
}

const cookie = (address) => `pliant_${address.port}=${address.searchParams.get("token")}`;
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const digits = (value, places = 2) => Number(value.toFixed(places));
function spread(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (part) => digits(sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN);
  return { p50: at(0.5), p99: at(0.99), worst: at(1), samples: sorted.length };
}

/** Without a browser: what the program delivers, what it costs there, how soon an order is answered. */
async function bare(address) {
  const client = await BareClient.connect(address, cookie(address));
  await client.first;
  const encoding = [];
  const before = { frames: client.frames, at: performance.now() };
  for (let i = 0; i < SECONDS * 10; i++) {
    await pause(100);
    encoding.push(client.statistics.encodeMilliseconds);
  }
  const frames = (client.frames - before.frames) / ((performance.now() - before.at) / 1e3);
  const { vertices, bytes, statistics } = client;
  const echoes = [];
  for (let i = 0; i < 40; i++) {
    echoes.push(await client.echo());
    await pause(37);
  }
  const pulls = [];
  for (let i = 0; i < 20; i++) {
    // triangles all over the surface; a place that a fix holds would give no force
    pulls.push(await Promise.race([client.pull(Math.floor((vertices * (2 * i + 1)) / 40)), pause(2000)]));
    await pause(37);
  }
  client.close();
  const felt = pulls.filter(Boolean);
  return {
    surface_vertices: vertices,
    frame_bytes: bytes,
    delivered_per_s: digits(frames, 1),
    server_encode_ms: spread(encoding),
    order_to_frame_ms: spread(echoes),
    grab_to_force_ms: spread(felt.map(({ held }) => held)),
    release_to_none_ms: spread(felt.map(({ released }) => released)),
    step_ms: digits(statistics.stepMilliseconds, 3),
    real_time_factor: digits(statistics.measured, 3),
  };
}

/** In the browser: the first frame, decoding, the mouse. */
async function seen(browser, scene, began) {
  const { address, end } = await start(scene);
  const started = performance.now();
  const context = await browser.newContext({ viewport: { width: 800, height: 600 } });
  try {
    const page = await context.newPage();
    const paths = new Set();
    page.on("request", (request) => paths.add(new URL(request.url()).pathname));
    await page.goto(address.href);
    await page.waitForFunction(() => (window.pliantProbe?.frame ?? 0) > 0, undefined, { timeout: 120_000, polling: 10 });
    const shown = performance.now();
    const decoding = [];
    for (let i = 0; i < 40; i++) {
      await pause(50);
      decoding.push(await page.evaluate(() => window.pliantProbe.decodeMilliseconds));
    }
    const alone = await page.evaluate(() => window.pliantProbe.measureDecode(200));
    const drawn = await page.evaluate(() => Number(document.getElementById("frames").dataset.value));
    const latency = await dragged(page);
    const sizes = await Promise.all([...paths].filter((p) => p === "/" || p.startsWith("/assets/")).map((p) => size(address, p)));
    return {
      page_gzip_bytes: sizes.reduce((sum, bytes) => sum + bytes, 0),
      start_to_address_ms: digits(started - began, 0),
      address_to_first_frame_ms: digits(shown - started, 0),
      decode_ms: spread(decoding),
      decode_alone_ms: digits(alone),
      drawn_per_s: digits(drawn, 1),
      input_to_force_ms: spread(latency),
    };
  } finally {
    await context.close();
    end();
  }
}

/** Pulls the body about and reads the delay that the page measures. */
async function dragged(page) {
  const point = await page.evaluate(() => window.pliantProbe.surfacePoint());
  if (!point) return [];
  await page.mouse.move(point.x, point.y);
  await page.mouse.down();
  const delays = [];
  for (let i = 0; i < 40; i++) {
    await page.mouse.move(point.x + 20 * Math.sin(i / 3), point.y - 20 * Math.cos(i / 3));
    await pause(50);
    const delay = await page.evaluate(() => Number(document.getElementById("latency").dataset.milliseconds));
    if (Number.isFinite(delay) && delay > 0) delays.push(delay);
  }
  await page.mouse.up();
  return delays;
}

/** The packages of the page, in the target folder that the program lies in. */
function playwright() {
  for (let folder = dirname(resolve(program)); ; folder = dirname(folder)) {
    try {
      return createRequire(join(folder, "web", "package.json"))("playwright-core");
    } catch (error) {
      if (dirname(folder) === folder) throw error;
    }
  }
}

/** The browser: a chosen one, or the first of its family in PATH. */
function chromium() {
  const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
  const folders = (process.env.PATH ?? "").split(delimiter);
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
  return process.env.PLIANT_CHROMIUM || found;
}

const executablePath = chromium();
const browser = await playwright().chromium.launch({ executablePath, args: SWITCHES });
try {
  const results = {};
  for (const [name, text] of Object.entries(scenes)) {
    const file = text && join(scratch, `${name}.toml`);
    if (file) writeFileSync(file, text);
    const { address, end } = await start(file);
    const delivered = await bare(address).finally(end);
    results[name] = { ...delivered, ...(await seen(browser, file, performance.now())) };
  }
  const machine = { processor: cpus()[0]?.model, cores: cpus().length, browser: browser.version() };
  console.log(JSON.stringify({ machine, scenes: results }, null, 2));
} finally {
  await browser.close();
  rmSync(scratch, { recursive: true, force: true });
}
