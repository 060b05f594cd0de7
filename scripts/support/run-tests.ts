import { readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RunOptions, runShown } from "./run.ts";

/** Counts of a run. `skipped` holds the titles of tests that skipped themselves. */
export type TestResult = { passed: number; failed: number; skipped: readonly string[] };

/** Folders and files whose tests take longest: simulations, servers that are killed, generators, browsers, the real market. */
const long =
  /^(sim|faults|scripts|web)[/\\]|[/\\](real-data|replay-real-data|quote-import-real-data|database)\.test\.ts$/;

/** Returns all test files, the longest first, so that none of them keeps a core waiting at the end. */
export function allTestFiles(): string[] {
  const found = readdirSync("test", { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".test.ts"));
  const isLong = (path: string) => long.test(path);
  const ordered = [...found.filter(isLong).sort(), ...found.filter((path) => !isLong(path)).sort()];
  return ordered.map((path) => join("test", path));
}

/** Processes that run tests: one more than two cores need, because some tests wait for clocks and browsers. */
const jobCount = 3;

/** Makes the files that tests copy, which all of mocha's processes read. Resolves to the exit code. */
export function makeKeptFiles(options?: RunOptions): Promise<number> {
  return runShown(["node", "--import", "tsx", "test/support/kept-files.ts"], options);
}

/** Runs test files in several processes. A run that ends without a result is a failure. */
export async function runTests(files: readonly string[], options?: RunOptions): Promise<TestResult> {
  const path = join(tmpdir(), `itemtape-test-${process.pid}.json`);
  const reporter = ["--reporter", "./scripts/mocha-reporter.mjs", "--reporter-option", `result=${path}`];
  const mocha = "node_modules/mocha/bin/mocha.js";
  const code = await runShown(
    ["node", mocha, "--parallel", "--jobs", String(jobCount), ...reporter, ...files],
    options,
  );
  const { passes, failures, skipped } = readResult(path);
  return { passed: passes, failed: failures + (code !== 0 && failures === 0 ? 1 : 0), skipped };
}

function readResult(path: string): { passes: number; failures: number; skipped: string[] } {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return { passes: 0, failures: 0, skipped: [] };
  } finally {
    rmSync(path, { force: true });
  }
}
