// What these tests use of Node, declared here so that nobody who builds the program has to fetch a package of types for it.

declare module "node:child_process" {
  interface Output {
    on(event: "data", hear: (bytes: unknown) => void): void;
  }
  export interface ChildProcess {
    readonly stdout: Output | null;
    readonly stderr: Output | null;
    readonly exitCode: number | null;
    readonly signalCode: string | null;
    once(event: "exit" | "close", hear: (code: number | null) => void): void;
    once(event: "error", hear: (error: Error) => void): void;
    kill(signal: string): boolean;
  }
  type Environment = Record<string, string | undefined>;
  export function spawn(program: string, words: string[], options: { env: Environment; stdio: string[] }): ChildProcess;
}

declare module "node:readline" {
  export function createInterface(options: { input: unknown }): { on(event: "line", hear: (line: string) => void): void };
}

declare module "node:fs" {
  export function mkdtempSync(prefix: string): string;
  export function mkdirSync(path: string, options: { recursive: boolean }): void;
  export function rmSync(path: string, options: { recursive: boolean; force: boolean }): void;
  export function writeFileSync(path: string, text: string): void;
}

declare module "node:os" {
  export function tmpdir(): string;
}

declare module "node:path" {
  export function join(...parts: string[]): string;
}

declare module "node:test" {
  export function test(name: string, work: () => Promise<void>): void;
  export function after(work: () => Promise<void>): void;
}

declare module "node:assert/strict" {
  const assert: {
    ok(value: unknown, message?: string): asserts value;
    equal<T>(value: unknown, expected: T, message?: string): asserts value is T;
    notEqual(value: unknown, other: unknown, message?: string): void;
    deepEqual(value: unknown, expected: unknown, message?: string): void;
    match(text: string, pattern: RegExp, message?: string): void;
    doesNotMatch(text: string, pattern: RegExp, message?: string): void;
  };
  export default assert;
}

interface Buffer extends Uint8Array {
  equals(other: Uint8Array): boolean;
}

declare const process: {
  readonly env: Record<string, string | undefined>;
  on(event: "exit", hear: () => void): void;
};
