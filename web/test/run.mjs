// Runs the page's tests: compiles src and test to a temporary folder and hands them to node's own runner.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const web = dirname(dirname(fileURLToPath(import.meta.url)));
const out = mkdtempSync(join(tmpdir(), "pliant-page-"));
try {
  const tsc = join(web, "node_modules", "typescript", "bin", "tsc");
  run([tsc, "--noEmit", "false", "--outDir", out, "--rootDir", web, "--project", join(web, "tsconfig.json")]);
  writeFileSync(join(out, "package.json"), '{"type": "module"}');
  // what the compiled files import by name
  symlinkSync(join(web, "node_modules"), join(out, "node_modules"), "dir");
  const files = readdirSync(join(out, "test")).filter((name) => name.endsWith(".test.js"));
  run(["--test", ...files.map((name) => join(out, "test", name))]);
} finally {
  rmSync(out, { recursive: true, force: true });
}

function run(words) {
  const env = { ...process.env, PLIANT_GOLDEN: join(web, "golden") };
  const { status } = spawnSync(process.execPath, words, { stdio: "inherit", env });
  if (status !== 0) {
    rmSync(out, { recursive: true, force: true });
    process.exit(status ?? 1);
  }
}
