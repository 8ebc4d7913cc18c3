// The link to the program: one WebSocket, the gallery and the topology over HTTP, and what to say when it breaks.
//
// At most one frame is under way. It waits in `pending` until `take` hands it out in an animation frame, and the next one comes
// only after `acknowledge`: a hidden or slow page therefore never builds up a queue.

import { backoff } from "./backoff.js";
import { encodeMessage, encodeOrder, type Message, type Order } from "./wire/command.js";
import { WireError } from "./wire/error.js";
import { frameNumber, frameTopology, type FieldKind } from "./wire/frame.js";
import { parseOffers, parseText, type Offer, type Role, type Status } from "./wire/status.js";
import { decodeTopology, type Topology } from "./wire/topology.js";

const PROTOCOL = 3;
/** The close code for too many connections or messages. */
const REFUSED = 1008;
/** The program drops pages that it has not heard of for 60 s; a paused scene sends no frames to acknowledge. */
const KEEP_ALIVE = 20_000;

/** What the rest of the page hears of the link. */
export interface Listener {
  /** The program has answered on a new socket. */
  connected(): void;
  /** There is no link; the words say why and what to do. The program may have ended. */
  lost(words: string, ended: boolean): void;
  role(role: Role, clients: number): void;
  status(status: Status): void;
  offers(offers: Offer[]): void;
  topology(hash: string, topology: Topology): void;
}

export class Connection {
  private socket: WebSocket | null = null;
  private attempt = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private pending: ArrayBuffer | null = null;
  private known = "";
  private fetching = "";
  private sequence = 0;
  private field: FieldKind = "none";
  private contacts = false;
  private role: Role = "spectator";
  private spokeAt = 0;
  /** Whether the program has said something sensible since the socket was opened. */
  private greeted = false;

  constructor(private readonly listener: Listener) {
    document.addEventListener("visibilitychange", () => this.wake());
    setInterval(() => this.keepAlive(), KEEP_ALIVE / 4);
  }

  /** Whether orders of this page count. */
  get controls(): boolean {
    return this.open && this.role === "controller";
  }

  get open(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  connect(): void {
    clearTimeout(this.retry);
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/socket`);
    socket.binaryType = "arraybuffer";
    // a socket that was given up may still deliver: only the present one is heard
    const present = () => socket === this.socket;
    socket.onopen = () => present() && this.opened();
    socket.onmessage = (event: MessageEvent<string | ArrayBuffer>) => present() && this.receive(event.data);
    socket.onclose = (event) => present() && this.closed(event.code);
    this.socket = socket;
  }

  /** Sends a message that anybody may send. */
  say(message: Message): void {
    this.send(encodeMessage(message));
  }

  /** Gives an order; returns its sequence number, or 0 where this page does not control the program. */
  order(order: Order): number {
    if (!this.controls) return 0;
    this.sequence += 1;
    this.send(encodeOrder(order, this.sequence));
    return this.sequence;
  }

  /** Chooses the field; remembered over a lost connection. */
  wishField(field: FieldKind): void {
    this.field = field;
    if (this.open) this.say({ type: "field", field });
  }

  /** Wants contacts marked, or not; remembered likewise. */
  wishContacts(shown: boolean): void {
    this.contacts = shown;
    if (this.open) this.say({ type: "contacts", shown });
  }

  /** The waiting frame, if its topology is here; the caller shows it and acknowledges it. */
  take(): ArrayBuffer | null {
    const frame = this.pending;
    if (!frame || document.hidden) return null;
    try {
      const wanted = frameTopology(frame);
      if (wanted !== this.known) {
        void this.fetchTopology(wanted);
        return null;
      }
    } catch (error) {
      this.refuse(error);
      return null;
    }
    this.pending = null;
    return frame;
  }

  /** Tells the program that a frame is on the screen. */
  acknowledge(frame: number): void {
    // a link whose frames can be shown is a good one
    this.attempt = 0;
    this.say({ type: "ack", frame });
  }

  /** Gives up a connection whose messages cannot be read, and says so. */
  refuse(error: unknown): void {
    if (!(error instanceof WireError)) throw error;
    this.pending = null;
    this.listener.lost(`The program sent something that this page cannot read (${error.message}). Reload the page.`, false);
    const socket = this.socket;
    this.socket = null;
    socket?.close();
    this.again();
  }

  private opened(): void {
    this.pending = null;
    this.greeted = false;
    // until the program says otherwise
    this.role = "spectator";
    this.say({ type: "field", field: this.field });
    if (this.contacts) this.say({ type: "contacts", shown: true });
    void this.fetchOffers();
  }

  private receive(data: string | ArrayBuffer): void {
    if (typeof data !== "string") {
      this.pending = data;
      return;
    }
    try {
      const message = parseText(data);
      if (message.type === "hello" && message.protocol !== PROTOCOL) {
        throw new WireError(`it speaks protocol ${message.protocol}, this page ${PROTOCOL}`);
      }
      if (!this.greeted) this.listener.connected();
      this.greeted = true;
      if (message.type === "role") {
        this.role = message.role;
        this.listener.role(message.role, message.clients);
      }
      if (message.type === "status") this.listener.status(message);
    } catch (error) {
      this.refuse(error);
    }
  }

  private closed(code: number): void {
    this.socket = null;
    this.pending = null;
    this.again();
    void this.explain(code);
  }

  /** Tells apart a program that is gone and one that was started anew and knows no cookie of ours. */
  private async explain(code: number): Promise<void> {
    let words = "The connection was lost, trying again.";
    let ended = false;
    if (code === REFUSED) words = "The program refused this page: there are too many, or it spoke too much. Close other pages; trying again.";
    try {
      const answer = await fetch("/api/scenes", { cache: "no-store" });
      if (answer.status === 403) words = "The program was started anew: open the address it printed.";
    } catch {
      ended = true;
    }
    if (!this.open) this.listener.lost(words, ended);
  }

  private again(): void {
    clearTimeout(this.retry);
    // a hidden page needs no connection; `wake` makes one
    if (document.hidden) return;
    this.retry = setTimeout(() => this.connect(), backoff(this.attempt, Math.random()));
    this.attempt += 1;
  }

  private wake(): void {
    if (document.hidden || this.socket) return;
    this.attempt = 0;
    this.connect();
  }

  private send(text: string): void {
    if (!this.open) return;
    this.socket?.send(text);
    this.spokeAt = performance.now();
  }

  private keepAlive(): void {
    if (document.hidden || !this.open || performance.now() - this.spokeAt < KEEP_ALIVE) return;
    // repeating a wish changes nothing
    this.say({ type: "field", field: this.field });
  }

  private async fetchOffers(): Promise<void> {
    try {
      const answer = await fetch("/api/scenes", { cache: "no-store" });
      if (answer.ok) this.listener.offers(parseOffers(await answer.text()));
    } catch {
      // the socket tells of a lost program; the gallery comes with the next connection
    }
  }

  private async fetchTopology(hash: string): Promise<void> {
    if (this.fetching === hash) return;
    this.fetching = hash;
    try {
      const answer = await fetch(`/api/topology/${hash}`);
      if (!answer.ok) throw new Error(`no topology ${hash}`);
      const topology = decodeTopology(await answer.arrayBuffer());
      this.known = hash;
      this.listener.topology(hash, topology);
    } catch (error) {
      if (error instanceof WireError) {
        this.refuse(error);
      } else {
        this.skip(hash);
      }
    } finally {
      this.fetching = "";
    }
  }

  /** The scene has changed while its topology was asked for: lets the next frame come. */
  private skip(hash: string): void {
    if (this.pending && frameTopology(this.pending) === hash) {
      this.acknowledge(frameNumber(this.pending));
      this.pending = null;
    }
  }
}
