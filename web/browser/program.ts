// The program under test: started on a port of its own, ended whatever happens.

import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";

const PATIENCE = 30_000;
const ADDRESS = /^Pliant's viewer: (http:\/\/\S+)$/;
const NEXT_ADDRESS = /^For another browser .*: (http:\/\/\S+)$/;

/** How to start it. */
export interface Start {
  /** A scene file to begin with. */
  scene?: string;
  /** A port, where it must be a certain one. */
  port?: number;
  /** The secret in the address, where pages shall outlive a restart. */
  token?: string;
}

/** How a program that serves nothing ended. */
export interface Ending {
  code: number | null;
  stdout: string;
  stderr: string;
}

const running = new Set<ChildProcess>();
process.on("exit", () => running.forEach((child) => child.kill("SIGKILL")));

/** A program that serves the viewer. */
export class Program {
  readonly origin: string;
  readonly port: number;
  /** The address for one more browser, as soon as somebody has come in. */
  next: string | undefined;

  private constructor(private readonly child: ChildProcess, readonly address: string) {
    const url = new URL(address);
    this.origin = url.origin;
    this.port = Number(url.port);
  }

  /** Starts it and waits for the address that it prints. */
  static async start(start: Start = {}): Promise<Program> {
    const child = launch(start);
    const said: string[] = [];
    child.stderr?.on("data", (bytes) => said.push(String(bytes)));
    let program: Program | undefined;
    const address = await new Promise<string>((resolve, reject) => {
      const give = (why: string) => reject(new Error(`the program ${why}: ${said.join("")}`));
      const timer = setTimeout(() => give("prints no address"), PATIENCE);
      child.once("exit", (code) => give(`ended with ${code}`));
      child.once("error", (error) => give(`cannot be started (${error.message})`));
      createInterface({ input: child.stdout! }).on("line", (line) => {
        said.push(`${line}\n`);
        const next = NEXT_ADDRESS.exec(line);
        if (next && program) program.next = next[1];
        const found = ADDRESS.exec(line);
        if (!found) return;
        clearTimeout(timer);
        resolve(found[1]!);
      });
    });
    program = new Program(child, address);
    return program;
  }

  /** Starts it where it is expected to refuse, and waits for its end. */
  static async refusal(start: Start): Promise<Ending> {
    const child = launch(start);
    const ending: Ending = { code: null, stdout: "", stderr: "" };
    child.stdout?.on("data", (bytes) => (ending.stdout += String(bytes)));
    child.stderr?.on("data", (bytes) => (ending.stderr += String(bytes)));
    const timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE);
    ending.code = await new Promise((resolve) => child.once("close", resolve));
    clearTimeout(timer);
    return ending;
  }

  /** Ends it at once, as a power cut would. */
  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.child.once("exit", resolve));
    this.child.kill("SIGKILL");
    await ended;
  }
}

function launch(start: Start): ChildProcess {
  const program = process.env["PLIANT_PROGRAM"];
  if (!program) throw new Error("PLIANT_PROGRAM must name the program; `cargo xtask test` sets it");
  const words = ["view", ...(start.scene ? [start.scene] : []), "--no-open", "--port", String(start.port ?? 0)];
  const env = { ...process.env };
  delete env["PLIANT_TOKEN"];
  if (start.token) env["PLIANT_TOKEN"] = start.token;
  const child = spawn(program, words, { env, stdio: ["ignore", "pipe", "pipe"] });
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}
