// The banner: the one thing that the user has to know now. The gravest wins; where there is nothing to say it is hidden.

import { part, write } from "../dom.js";
import { quantity } from "../quantity.js";
import type { Failure, Status, Warned } from "../wire/status.js";

/** Who speaks, the gravest first. */
const ORDER = ["graphics", "link", "failed", "edited", "diverged", "notice", "warning", "watching"] as const;
type Speaker = (typeof ORDER)[number];

interface Words {
  head: string;
  text: string;
  action?: { label: string; run: () => void };
}

const TONES: Record<Speaker, "bad" | "warn" | "mild"> = {
  graphics: "bad", link: "bad", failed: "bad", edited: "mild", diverged: "bad", notice: "mild", warning: "warn", watching: "mild",
};
/** How long a notice stays, ms. */
const NOTICE = 8000;

export class Banner {
  private readonly said = new Map<Speaker, Words>();
  private noticed = 0;
  private scene = "";
  /** Warnings that the user has put away; they stay in the panel. */
  private closed = new Set<string>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private action: (() => void) | undefined;

  constructor(private readonly reset: () => void) {
    part("banner-action").addEventListener("click", () => this.action?.());
  }

  /** Speaks, or falls silent with null. */
  say(speaker: Speaker, words: Words | null): void {
    if (words) this.said.set(speaker, words);
    else this.said.delete(speaker);
    this.show();
  }

  /** Something that is told once and goes by itself. */
  notice(text: string): void {
    this.say("notice", { head: "", text, action: { label: "Close", run: () => this.say("notice", null) } });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.say("notice", null), NOTICE);
  }

  /** Drops the notice: it was about what is over. */
  hush(): void {
    clearTimeout(this.timer);
    this.say("notice", null);
  }

  status(status: Status): void {
    const { phase, failure, notice, scene } = status;
    if ((scene?.id ?? "") !== this.scene) {
      this.hush();
      this.closed.clear();
    }
    this.scene = scene?.id ?? "";
    this.warn(status.warnings);
    const reload = { label: "Reload", run: this.reset };
    this.say("edited", status.edited ? { head: "The scene file has changed.", text: "Reload it (R)?", action: reload } : null);
    this.say("failed", phase === "failed" ? failedWords(failure, scene?.title ?? "The scene") : null);
    const reset = { label: "Reset", run: this.reset };
    this.say("diverged", phase === "diverged" ? { ...divergedWords(failure), action: reset } : null);
    if (notice && notice.number !== this.noticed) {
      this.noticed = notice.number;
      this.notice(notice.text);
    }
  }

  /** Tells warnings that nobody has put away; one that goes and comes back is new. */
  private warn(warnings: Warned[]): void {
    this.closed = new Set(warnings.map(({ id }) => id).filter((id) => this.closed.has(id)));
    const open = warnings.filter(({ id }) => !this.closed.has(id));
    const run = () => {
      open.forEach(({ id }) => this.closed.add(id));
      this.say("warning", null);
    };
    const more = open.length > 1 ? `${open.length - 1} more in the panel.` : "";
    // the newest is the last
    const words = { head: "Warning:", text: sentences(open[open.length - 1]?.text, more), action: { label: "Close", run } };
    this.say("warning", open.length ? words : null);
  }

  private show(): void {
    const speaker = ORDER.find((name) => this.said.has(name));
    const banner = part("banner");
    const words = speaker && this.said.get(speaker);
    banner.hidden = !words;
    if (!speaker || !words) return;
    banner.dataset.tone = TONES[speaker];
    write(part("banner-head"), words.head);
    write(part("banner-text"), words.text);
    const button = part("banner-action");
    button.hidden = !words.action;
    write(button, words.action?.label ?? "");
    this.action = words.action?.run;
  }
}

function failedWords(failure: Failure | null, title: string): Words {
  return { head: `"${title}" could not be made.`, text: sentences(failure?.what, helps(failure)) };
}

function divergedWords(failure: Failure | null): Words {
  const body = failure?.body ? `the body "${failure.body}"` : "a body";
  const time = failure?.time == null ? "" : ` at ${quantity(failure.time, "s")}`;
  const place = failure?.place ? ` near (${failure.place.map((x) => x.toFixed(3)).join(", ")}) m` : "";
  return {
    head: `The simulation broke down: ${body}${time}${place}.`,
    text: sentences(failure?.what, helps(failure), "The last good state is shown."),
  };
}

function helps(failure: Failure | null): string {
  return failure?.help ? `What helps: ${failure.help}` : "";
}

/** Texts one after the other, each ended by a full stop. */
function sentences(...texts: (string | null | undefined)[]): string {
  const given = texts.map((text) => (text ?? "").trim()).filter(Boolean);
  return given.map((text) => (/[.!?:]$/.test(text) ? text : `${text}.`)).join(" ");
}
