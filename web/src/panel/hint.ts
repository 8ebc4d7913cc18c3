// The hint line: what a drag does now. And the news: the same for those who listen, at most once a second.

import { part, write } from "../dom.js";
import { quantity, shortly } from "../quantity.js";

/** What the hint depends on. */
export interface Situation {
  controls: boolean;
  open: boolean;
  running: boolean;
  /** It goes no further without a reset. */
  broken: boolean;
  /** Nobody has dragged anything yet. */
  fresh: boolean;
  /** No part of the body is in the picture. */
  away: boolean;
  over: boolean;
  pulling: boolean;
  /** The pointer leads a tool. */
  tool: boolean;
  /** The force of the tool, N. */
  push: number;
  chosen: boolean;
  force: number;
  largest: number;
  touch: boolean;
}

const BOTH = "Drag the body to pull it, drag beside it to orbit";

export function hint(now: Situation): string {
  if (!now.open) return "Drag to orbit";
  if (now.broken) return now.controls ? "Reset to go on (R)" : "You are watching: take control to reset";
  if (now.pulling) {
    if (!now.running) return "Time stands still: press Space to let it run while you pull";
    const limit = now.largest > 0 ? ` (largest ${shortly(now.largest, "N")})` : "";
    return `Pulling with ${quantity(now.force, "N")}${limit}`;
  }
  if (now.tool) {
    if (!now.running) return "Time stands still: press Space, and the ball goes where you point";
    const words = now.touch ? "Drag to lead the ball" : "Shift and wheel: deeper; [ and ]: size; T puts it away";
    return now.push > 0 ? `Pushing with ${quantity(now.push, "N")}` : words;
  }
  if (now.chosen) return "Arrow keys pull the marked point, N chooses another one, Escape lets go";
  if (now.away) return now.touch ? "The body is out of view: choose Show the whole body" : "The body is out of view: press F";
  if (now.fresh && now.controls) return BOTH;
  if (now.over && now.controls) return "Drag to pull";
  if (now.over) return "You are watching: take control to pull. Drag to orbit";
  if (now.touch && now.controls) return BOTH;
  return "Drag to orbit";
}

/** Shows the hint and reads out what changed. */
export class HintLine {
  private readonly line = part("hint");
  private readonly news = part("news");
  private spokenAt = 0;

  update(now: Situation, facts: string, time: number): void {
    const words = hint(now);
    write(this.line, words);
    if (time - this.spokenAt < 1000) return;
    const spoken = `${facts}. ${words}.`;
    if (this.news.textContent !== spoken) {
      write(this.news, spoken);
      this.spokenAt = time;
    }
  }
}
