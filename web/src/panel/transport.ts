// Time: play, pause, step, reset, speed; and the numbers that tell how well the program keeps up.

import { mark, part, write } from "../dom.js";
import { digits, factor, quantity } from "../quantity.js";
import type { Order } from "../wire/command.js";
import type { Frame } from "../wire/frame.js";
import { clock } from "./clock.js";
import type { Phase, Status } from "../wire/status.js";

/** How long a miss must last before it is told, s. */
const PATIENCE = 1.5;
const SLOWEST = -4;
const FASTEST = 2;

export class Transport {
  private readonly play = part<HTMLButtonElement>("play");
  private readonly step = part<HTMLButtonElement>("step");
  private readonly reset = part<HTMLButtonElement>("reset");
  private readonly speed = part<HTMLInputElement>("speed");
  private phase: Phase = "loading";
  /** Seconds that stand for the whole load; null where time is time. */
  private load: number | null = null;
  private seconds = 0;
  /** Whether there is anything that bodies can meet: only then is anything said of it. */
  meets = false;
  private allowed = false;
  private wanted = 1;
  private missedSince: number | null = null;
  private readonly arrivals: number[] = [];

  constructor(private readonly order: (order: Order) => number) {
    this.play.addEventListener("click", () => this.toggle());
    this.step.addEventListener("click", () => this.advance());
    this.reset.addEventListener("click", () => this.order({ type: "reset" }));
    this.speed.addEventListener("input", () => this.wish(Number(this.speed.value)));
  }

  toggle(): void {
    if (this.phase === "finished") return;
    this.order({ type: this.phase === "running" ? "pause" : "play" });
  }

  /** One step. */
  advance(): void {
    if (this.phase !== "finished") this.order({ type: "step" });
  }

  /** Twice or half as fast. */
  change(by: 1 | -1): void {
    this.wish(Number(this.speed.value) + by);
  }

  /** The controls do something. */
  unlock(): void {
    this.allowed = true;
    this.enable();
  }

  /** The controls do nothing. */
  lock(): void {
    this.allowed = false;
    this.enable();
  }

  /** There is nobody who plays; says so where the phase stands. */
  end(word: string): void {
    const phase = part("phase");
    write(phase, word);
    phase.dataset.phase = "ended";
  }

  status(status: Status): void {
    this.phase = status.phase;
    const phase = part("phase");
    write(phase, status.phase);
    phase.dataset.phase = status.phase;
    const running = status.phase === "running";
    write(part("play-words"), running ? "Pause" : "Play");
    this.play.dataset.running = String(running);
    this.showSpeed(status.speed);
    // a scene that is loading does not tell its method yet
    if (status.phase !== "loading") this.load = status.scene?.method === "static" ? (status.scene.duration ?? 1) : null;
    for (const id of ["measured", "step-length"]) part(id).parentElement!.hidden = this.load !== null;
    this.showTime();
    this.enable();
  }

  /** The numbers of a frame that was applied at `now`, ms. */
  frame(frame: Frame, now: number): void {
    const { stats } = frame;
    this.seconds = frame.time;
    this.showTime();
    this.number("measured", `${stats.measured.toFixed(2)}×`, stats.measured);
    this.number("step-time", `${digits(stats.stepMilliseconds)} ms`, stats.stepMilliseconds);
    this.number("step-length", quantity(stats.step, "s"), stats.step);
    this.number("steps", stats.steps.toLocaleString("en"), stats.steps);
    const force = part("force");
    write(force, quantity(stats.force, "N"));
    force.dataset.newtons = stats.force > 0 ? String(stats.force) : "0";
    const push = part("push");
    write(push, quantity(stats.push, "N"));
    push.dataset.newtons = String(stats.push);
    push.parentElement!.hidden = !frame.pushes;
    for (const id of ["touching", "deepest"]) part(id).parentElement!.hidden = !this.meets && !frame.pushes;
    this.number("touching", stats.contacts.toLocaleString("en"), stats.contacts);
    this.number("deepest", stats.deepest > 0 ? quantity(stats.deepest, "m") : "none", stats.deepest);
    this.arrivals.push(now);
    this.miss(frame, now);
  }

  /** Once in each animation frame. */
  tick(now: number, latency: number | null): void {
    while (this.arrivals.length && now - this.arrivals[0] > 1000) this.arrivals.shift();
    this.number("frames", String(this.arrivals.length), this.arrivals.length);
    const element = part("latency");
    write(element, latency === null ? "–" : `${latency.toFixed(0)} ms`);
    mark(element, "milliseconds", latency);
  }

  private showTime(): void {
    const time = part("time");
    write(time, clock(this.seconds, this.load, this.phase));
    mark(time, "seconds", this.seconds);
  }

  private enable(): void {
    const over = this.phase === "diverged" || this.phase === "failed" || this.phase === "finished";
    for (const control of [this.reset, this.speed]) control.disabled = !this.allowed;
    for (const control of [this.play, this.step]) control.disabled = !this.allowed || over;
  }

  private wish(power: number): void {
    const bounded = Math.min(FASTEST, Math.max(SLOWEST, Math.round(power)));
    const counts = this.order({ type: "speed", factor: 2 ** bounded }) !== 0;
    // a wish that nobody heard is taken back
    this.showSpeed(counts ? 2 ** bounded : this.wanted);
  }

  private showSpeed(speed: number): void {
    const words = factor(speed);
    this.wanted = speed;
    this.number("wanted", words, speed);
    // a slider under somebody's hand already stands where it should
    const power = String(Math.round(Math.log2(speed)));
    if (this.speed.value !== power) this.speed.value = power;
    this.speed.setAttribute("aria-valuetext", `${words} real time`);
  }

  private number(id: string, text: string, value: number): void {
    const element = part(id);
    write(element, text);
    mark(element, "value", value);
  }

  /** Says in words when the program is more than a tenth slower than wanted. */
  private miss(frame: Frame, now: number): void {
    const { wanted, measured } = frame.stats;
    const late = frame.running && this.phase === "running" && measured < 0.9 * wanted;
    if (!late) this.missedSince = null;
    else this.missedSince ??= now;
    const told = this.missedSince !== null && now - this.missedSince > 1000 * PATIENCE;
    const share = Math.round((100 * measured) / wanted);
    write(part("miss"), told ? `This computer reaches ${share} % of the wanted speed.` : "");
  }
}
