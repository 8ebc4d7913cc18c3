// Wiring: the link, the state that is shown, the picture, the hands and the panels; and the loop that ties them together.

import { Connection } from "./connection.js";
import { part, write } from "./dom.js";
import { Drag } from "./drag.js";
import { Grip } from "./grip.js";
import { listen } from "./keys.js";
import { Latency } from "./latency.js";
import { Nudge } from "./nudge.js";
import { Poke } from "./poke.js";
import { Banner } from "./panel/banner.js";
import { Colour } from "./panel/colour.js";
import { Gallery } from "./panel/gallery.js";
import { Help } from "./panel/help.js";
import { HintLine } from "./panel/hint.js";
import { Transport } from "./panel/transport.js";
import { installProbe } from "./probe.js";
import { shortly } from "./quantity.js";
import { Shown } from "./shown.js";
import type { Standpoint, View } from "./view/camera.js";
import { Picture } from "./view/picture.js";
import type { Order } from "./wire/command.js";
import type { Role, Status } from "./wire/status.js";

/** Without a frame for so long while time runs the picture is old, ms. */
const STALE = 500;

const stage = part("stage");
const canvas = part<HTMLCanvasElement>("view");
const wireframe = part<HTMLInputElement>("wireframe");
const contacts = part<HTMLInputElement>("contacts");
const tool = part<HTMLInputElement>("tool");
const shown = new Shown();
const latency = new Latency();
const picture = Picture.open({ canvas, labels: part("labels"), axes: part<HTMLCanvasElement>("axes") });
const camera = picture?.camera ?? null;

const connection = new Connection({ connected, lost, role, status, offers: (offers) => gallery.setOffers(offers), topology });
const banner: Banner = new Banner(() => order({ type: "reset" }));
const transport = new Transport(order);
const gallery = new Gallery((scene) => order({ type: "open", scene }), (words) => banner.notice(words));
const colour = new Colour((field) => connection.wishField(field), () => picture?.paint(shown, colour.range));
const help = new Help();
const line = new HintLine();
const grip = new Grip({
  order,
  hash: () => shown.hash,
  sent: (sequence) => latency.sent(sequence, performance.now()),
});
const drag = camera && new Drag(stage, camera, shown, grip, () => connection.controls && !broken);
const poke = camera && new Poke(stage, camera, shown, {
  order,
  sent: (sequence) => latency.sent(sequence, performance.now()),
  may: () => connection.controls && !broken && phase !== "loading",
  changed: () => (tool.checked = poke?.active ?? false),
});
const nudge = new Nudge(shown, grip, () => camera?.axes() ?? { right: [1, 0, 0], up: [0, 0, 1] });

let phase: Status["phase"] = "loading";
let broken = false;
/** Nobody has dragged anything yet. */
let fresh = true;
let scene = "";
let framed = "";
/** The file that the program was started with, if there is one. */
let file: string | null = null;
/** Where the scene says that the camera stands, if it does. */
let standpoint: Standpoint | null = null;
let lastFrame = performance.now();
let lastTick = performance.now();

/** Orders something; what was told of the run before a new one begins is over with it. */
function order(order: Order): number {
  if (order.type === "reset" || order.type === "open") banner.hush();
  return connection.order(order);
}

function connected(): void {
  document.body.dataset.link = "open";
  // the program let go with the last link, whose loss may not have been told
  layDown();
  latency.forget();
  lastFrame = performance.now();
  banner.say("link", null);
}

function lost(words: string, ended: boolean): void {
  document.body.dataset.link = "lost";
  write(part("role"), ended ? "the program has ended" : "no connection");
  transport.end(ended ? "ended" : "no connection");
  write(part("clients"), "");
  part("take").hidden = true;
  layDown();
  latency.forget();
  transport.lock();
  gallery.suspend();
  const command = `pliant view${file ? ` ${/\s/.test(file) ? `"${file}"` : file}` : ""}`;
  banner.say("link", ended ? { head: "The program has ended.", text: `Start it again with ${command}; this page then goes on by itself.` } : { head: "", text: words });
}

function role(role: Role, clients: number): void {
  write(part("role"), role);
  write(part("clients"), role === "controller" && clients > 1 ? ` · ${clients} pages` : "");
  const controls = role === "controller";
  part("take").hidden = controls;
  for (const panel of [transport, gallery]) {
    if (controls) panel.unlock();
    else panel.lock();
  }
  if (!controls) layDown();
  const action = { label: "Take control", run: take };
  banner.say("watching", controls ? null : { head: "You are watching.", text: "Another page has control.", action });
}

function status(status: Status): void {
  phase = status.phase;
  broken = phase === "diverged" || phase === "failed";
  if (phase !== "loading") {
    scene = status.scene?.id ?? "";
    standpoint = status.scene?.camera ?? null;
    file = status.scene?.file ?? file;
    colour.opens(scene, status.scene?.field ?? null);
  }
  lastFrame = performance.now();
  transport.status(status);
  gallery.status(status);
  banner.status(status);
  const warnings = part("warnings");
  warnings.hidden = status.warnings.length === 0;
  warnings.replaceChildren(...status.warnings.map(({ text }) => Object.assign(document.createElement("li"), { textContent: text })));
  const bodies = status.scene?.bodies.map((body) => body.name).join(", ");
  canvas.setAttribute("aria-label", `${status.scene?.title ?? "No scene"}, in three dimensions. Bodies: ${bodies || "none"}`);
  if (phase === "loading" || phase === "failed") {
    letGo();
    poke?.resize();
  }
  if (picture) {
    picture.trouble = phase === "diverged" ? (status.failure?.place ?? null) : null;
    picture.touch();
  }
}

function topology(hash: string, topology: Parameters<Shown["setTopology"]>[1]): void {
  letGo();
  poke?.resize();
  shown.setTopology(hash, topology);
  transport.meets = topology.colliders.length > 0;
  nudge.rebuild();
  colour.rebuild();
  picture?.rebuild(shown);
}

function take(): void {
  connection.say({ type: "take" });
}

/** The program holds nothing any more. */
function letGo(): void {
  // first, so that the others have nothing left to tell the program
  grip.drop();
  drag?.end();
  nudge.rest();
}

/** The program holds nothing any more, and has no tool. */
function layDown(): void {
  letGo();
  poke?.forget();
  poke?.leave();
}

function applyFrame(now: number): void {
  const bytes = connection.take();
  if (!bytes) return;
  const before = shown.frames > 0 ? shown.frame.time : 0;
  try {
    shown.apply(bytes);
  } catch (error) {
    connection.refuse(error);
    return;
  }
  lastFrame = now;
  if (grip.isVoid(shown.frame)) letGo();
  if (poke?.isVoid(shown.frame)) poke.forget();
  latency.shown(shown.frame.sequence, performance.now());
  colour.frame(shown, now);
  picture?.update(shown, colour.range, now);
  transport.frame(shown.frame, now);
  // a reset keeps the scene and its topology, and therefore a view that has the body in it
  const what = `${scene} ${shown.hash}`;
  if (framed !== what) {
    framed = what;
    home();
    write(part("scale"), picture ? `grid ${shortly(picture.spacing, "m")}` : "");
  }
  // somebody who begins anew wants to see it
  if (shown.frame.time < before && camera && !camera.holds(shown.rest.centre)) show("here");
  connection.acknowledge(shown.frame.number);
}

function say(now: number): void {
  const { frame } = shown;
  const late = now - lastFrame;
  const stale = connection.open && phase === "running" && late > STALE && !document.hidden;
  stage.classList.toggle("stale", stale || !connection.open);
  part("stale").hidden = !stale;
  if (stale) write(part("stale"), `No news for ${(late / 1000).toFixed(1)} s`);
  line.update(
    {
      controls: connection.controls,
      open: connection.open,
      // statics that has reached its equilibrium follows a hand without time
      running: phase === "running" || phase === "finished",
      broken,
      fresh,
      away: camera !== null && shown.frames > 0 && !camera.sees(shown.box()),
      over: drag?.over ?? false,
      pulling: grip.hand !== null,
      tool: poke?.active ?? false,
      push: frame.stats.push,
      chosen: nudge.active,
      force: frame.stats.force,
      largest: frame.stats.largestForce,
      touch: matchMedia("(hover: none)").matches,
    },
    `${part("title").textContent}, ${phase}`,
    now,
  );
  stage.dataset.cursor = grip.hand ? "pull" : poke?.active ? "tool" : drag?.over && connection.controls && !broken ? "body" : "free";
}

function loop(now: number): void {
  requestAnimationFrame(loop);
  nudge.advance((now - lastTick) / 1000);
  poke?.advance((now - lastTick) / 1000);
  lastTick = now;
  grip.flush();
  applyFrame(now);
  colour.tick(now, phase);
  drag?.look();
  if (picture) {
    const under = drag?.pulling || poke?.active || !connection.controls || broken ? null : drag?.under;
    picture.highlight(under ? { body: shown.ownerOf(under.triangle), point: under.point } : null);
    // also where time stands still and no frames come
    if (grip.hand || poke?.wanted) picture.hold();
    else if (shown.frames > 0) picture.follow(shown, now);
    picture.chosen = nudge.place();
    picture.wish(poke?.wanted ?? null);
    picture.draw(now);
  }
  transport.tick(now, latency.milliseconds);
  say(now);
}

function press(key: string, event: KeyboardEvent): boolean {
  // a key that repeats itself does not pull again what was let go
  if (event.repeat ? nudge.knows(key) || poke?.knows(key) : nudge.press(key) || poke?.press(key)) return true;
  const actions: Record<string, () => void> = {
    " ": () => transport.toggle(),
    ".": () => transport.advance(),
    r: () => order({ type: "reset" }),
    "+": () => transport.change(1),
    "=": () => transport.change(1),
    "-": () => transport.change(-1),
    f: () => show("here"),
    h: home,
    Home: home,
    "1": () => show("front"),
    "3": () => show("side"),
    "7": () => show("top"),
    w: () => wireframe.click(),
    c: () => contacts.click(),
    t: () => poke?.toggle(),
    "[": () => poke?.grow(-1),
    "]": () => poke?.grow(1),
    n: () => choose(event.shiftKey ? -1 : 1),
    "?": () => help.toggle(),
    F1: () => help.toggle(),
    Escape: () => { drag?.end(); nudge.cancel(); poke?.leave(); picture?.touch(); },
  };
  const action = actions[key.length === 1 ? key.toLowerCase() : key];
  if (!action) return false;
  if (!event.repeat || key === ".") action();
  return true;
}

function choose(step: 1 | -1): void {
  nudge.choose(step);
  picture?.touch();
}

/** Shows all bodies as they are, from one side. */
function show(view: View): void {
  if (shown.frames > 0) picture?.frameAll(shown, view);
}

/** The view that the scene begins with. */
function home(): void {
  if (shown.frames > 0) picture?.begin(shown, standpoint);
}

function showEdges(): void {
  if (picture) picture.wireframe.visible = wireframe.checked;
}

wireframe.addEventListener("change", showEdges);
showEdges();
tool.addEventListener("change", () => poke?.toggle());
contacts.addEventListener("change", () => connection.wishContacts(contacts.checked));
part("take").addEventListener("click", take);
part("frame-all").addEventListener("click", () => show("here"));
part("view-home").addEventListener("click", home);
for (const view of ["front", "side", "top"] as const) part(`view-${view}`).addEventListener("click", () => show(view));
stage.addEventListener("pointerdown", () => (document.activeElement as HTMLElement | null)?.blur(), { capture: true });
stage.addEventListener("pointermove", (event) => (fresh &&= event.buttons === 0), { capture: true });
stage.addEventListener("contextmenu", (event) => event.preventDefault());
// a browser would leave the page for a file that is dropped on it
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  const name = event.dataTransfer?.files[0]?.name;
  if (name) banner.notice(`The page cannot open files by itself. Start the program with it: pliant view ${name}`);
});
listen(press, (key) => nudge.lift(key) || (poke?.lift(key) ?? false));
installProbe(shown, picture, canvas);
transport.lock();
if (!picture) {
  stage.classList.add("blank");
  banner.say("graphics", {
    head: "This browser offers no WebGL 2, which the view is drawn with.",
    text: "Update the browser, or switch on hardware acceleration in its settings, and reload. The controls and numbers work without it.",
  });
}
canvas.addEventListener("webglcontextlost", () => {
  banner.say("graphics", { head: "The graphics card has dropped the view.", text: "Reload the page if it does not come back." });
});
canvas.addEventListener("webglcontextrestored", () => {
  banner.say("graphics", null);
  // where time stands still no frame would ask for it
  picture?.redraw();
});
connection.wishField(colour.wanted);
connection.wishContacts(contacts.checked);
connection.connect();
requestAnimationFrame(loop);
