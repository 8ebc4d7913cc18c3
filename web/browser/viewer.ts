// A page of the viewer in the browser: what it shows, read as a user reads it, and everything that went wrong in it.

import type { BrowserContext, Page } from "playwright-core";

const PATIENCE = 30_000;
/** Hides all but the canvas, so that a picture shows the bodies and no clock that ticks. */
const CANVAS_ALONE = "* { visibility: hidden !important } #view { visibility: visible !important }";

/** On the page. */
export interface Place {
  x: number;
  y: number;
}

/** What is drawn beside the bodies. */
export interface Drawn {
  colliders: Place[];
  contacts: number;
  plates: number;
  bones: number;
  ground: boolean;
  highlighted: number;
  pinPixels: number;
  arrows: Place[];
  tool: (Place & { radius: number }) | null;
  out: [number, number, number];
}

/** What tests ask of the page beside its text. */
interface Probe {
  surfacePoint(): Place | null;
  heldPoint(): Place | null;
  outline(): { left: number; right: number; top: number; bottom: number } | null;
  restGap(): number;
  positionsHash(): number | string;
  readonly drawn: Drawn | null;
  readonly decodeMilliseconds: number;
  readonly frame: number;
}

declare global {
  interface Window {
    pliantProbe: Probe;
  }
}

/** The page's text and numbers at one moment. */
export interface Readings {
  title: string;
  phase: string;
  seconds: number;
  wanted: number;
  measured: number;
  newtons: number;
  /** Of the tool, N. */
  push: number;
  latency: number;
  legend: string;
  hint: string;
  /** What the pointer looks like over the canvas: "body", "pull" or "free"; and as the browser shows it. */
  cursor: string;
  pointer: string;
  role: string;
  /** Empty while it is hidden. */
  banner: string;
  hash: string;
  /** Number of the frame that is shown, 0 before the first. */
  frame: number;
  /** Of the shown positions. */
  positions: string;
}

export class Viewer {
  /** Errors of the console, uncaught ones, requests that failed. */
  readonly faults: string[] = [];
  /** Addresses that the page asked for, of sockets too. */
  readonly asked: string[] = [];
  /** Binary messages that came over sockets. */
  received = 0;

  private constructor(readonly page: Page) {
    page.on("console", (message) => {
      if (message.type() === "error") this.faults.push(`console: ${message.text()} (${message.location().url})`);
    });
    page.on("pageerror", (error) => this.faults.push(`uncaught: ${error.message}`));
    page.on("requestfailed", (request) => this.faults.push(`failed: ${request.url()} ${request.failure()?.errorText}`));
    page.on("request", (request) => this.asked.push(request.url()));
    page.on("websocket", (socket) => {
      this.asked.push(socket.url());
      socket.on("framereceived", ({ payload }) => (this.received += typeof payload === "string" ? 0 : 1));
    });
  }

  /** Opens an address in a new tab and returns at once. */
  static async open(context: BrowserContext, address: string): Promise<Viewer> {
    const viewer = new Viewer(await context.newPage());
    await viewer.page.goto(address);
    return viewer;
  }

  read(): Promise<Readings> {
    return this.page.evaluate(() => {
      const element = (id: string) => document.getElementById(id);
      const text = (id: string) => element(id)?.textContent?.trim() ?? "";
      const value = (id: string, name: string) => Number(element(id)?.dataset[name] ?? Number.NaN);
      const banner = element("banner");
      const visible = banner !== null && banner.getClientRects().length > 0;
      const probe: Probe | undefined = window.pliantProbe;
      return {
        title: text("title"),
        phase: text("phase"),
        seconds: value("time", "seconds"),
        wanted: value("wanted", "value"),
        measured: value("measured", "value"),
        newtons: value("force", "newtons"),
        push: value("push", "newtons"),
        latency: value("latency", "milliseconds"),
        legend: text("legend"),
        hint: text("hint"),
        cursor: element("stage")?.dataset["cursor"] ?? "",
        pointer: getComputedStyle(element("view")!).cursor,
        role: text("role"),
        banner: visible ? text("banner") : "",
        hash: location.hash,
        frame: probe?.frame ?? 0,
        positions: String(probe?.positionsHash() ?? ""),
      };
    });
  }

  /** Waits until the page shows something; the error tells what it shows instead. */
  async until(what: string, condition: (readings: Readings) => boolean, patience = PATIENCE): Promise<Readings> {
    const end = Date.now() + patience;
    for (;;) {
      const readings = await this.read();
      if (condition(readings)) return readings;
      if (Date.now() > end) throw new Error(`waited in vain until ${what}: ${JSON.stringify(readings, null, 1)}`);
      await pause(50);
    }
  }

  /** Waits until bodies are on the screen. */
  shows(): Promise<Readings> {
    return this.until("a frame is shown", (r) => r.frame > 0 && r.phase !== "loading");
  }

  /** Stops time with the button, and waits until the last frame under way has come. */
  async halt(): Promise<Readings> {
    if ((await this.read()).phase === "running") await this.page.click("#play");
    await this.until("time stands still", (r) => r.phase === "paused");
    return this.settled();
  }

  /** Waits until the shown frame stays the same for a while, as it must where time stands still: also while the page draws, which may take a second each time. */
  async settled(): Promise<Readings> {
    const end = Date.now() + 2 * PATIENCE;
    for (let last = await this.read(); ; ) {
      await pause(400);
      await this.page.evaluate(async () => {
        for (let i = 0; i < 4; i++) await new Promise((drawn) => requestAnimationFrame(drawn));
      });
      const now = await this.read();
      if (now.frame === last.frame) return now;
      if (Date.now() > end) throw new Error(`frames keep coming: ${now.frame}, in phase ${now.phase}`);
      last = now;
    }
  }

  /** Opens a scene by its button. */
  async choose(scene: string): Promise<void> {
    await this.page.click(`#scenes [data-scene="${scene}"]`);
  }

  /** The canvas, pixel for pixel. */
  async picture(): Promise<Buffer> {
    // a sheet made by script: the page's security policy forbids styles in its text
    await this.page.evaluate((rules) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(rules);
      document.adoptedStyleSheets = [sheet];
    }, CANVAS_ALONE);
    const picture = await this.page.locator("#view").screenshot();
    await this.page.evaluate(() => void (document.adoptedStyleSheets = []));
    return picture;
  }

  /** What is drawn beside the bodies. */
  async drawn(): Promise<Drawn> {
    const drawn = await this.page.evaluate(() => window.pliantProbe.drawn);
    if (!drawn) throw new Error("nothing is drawn");
    return drawn;
  }

  /** Waits until what is drawn is as it should be. */
  async untilDrawn(what: string, condition: (drawn: Drawn) => boolean): Promise<Drawn> {
    const end = Date.now() + PATIENCE;
    for (;;) {
      const drawn = await this.drawn();
      if (condition(drawn)) return drawn;
      if (Date.now() > end) throw new Error(`waited in vain until ${what}: ${JSON.stringify(drawn)}`);
      await pause(50);
    }
  }

  /** The colour of a pixel, 0 to 255. */
  async colourAt({ x, y }: Place): Promise<[number, number, number]> {
    const png = await this.page.screenshot({ clip: { x: Math.round(x), y: Math.round(y), width: 1, height: 1 } });
    return this.page.evaluate(async (bytes) => {
      const image = await createImageBitmap(new Blob([Uint8Array.from(bytes)], { type: "image/png" }));
      const canvas = new OffscreenCanvas(1, 1);
      const context = canvas.getContext("2d")!;
      context.drawImage(image, 0, 0);
      const [r, g, b] = context.getImageData(0, 0, 1, 1).data;
      return [r, g, b] as [number, number, number];
    }, [...png]);
  }

  /** A place of the screen where a body is, free to move or between pins. */
  async bodyPoint(kind: "free" | "held" = "free"): Promise<Place> {
    const end = Date.now() + PATIENCE;
    for (;;) {
      const point = await this.page.evaluate((kind) => (kind === "free" ? window.pliantProbe.surfacePoint() : window.pliantProbe.heldPoint()), kind);
      if (point) return point;
      if (Date.now() > end) throw new Error("no body is in sight");
      await pause(50);
    }
  }
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
