import { readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RunOptions, runShown } from "./run.ts";

/** Counts of a run. `skipped` holds the titles of tests that skipped themselves. */
export type TestResult = { passed: number; failed: number; skipped: readonly string[] };

/** Folders and files whose tests take longest: simulations, servers that are killed, generators, browsers, the real market. */
const long =
  /^(sim|faults|scripts|web|jobs[/\\]mirror)[/\\]|real-data\.test\.ts$|[/\\](database|mirror|full-disk|account-shares|fuzz|portfolios-timing|check|publish|membership-change|record-frame|package|replay)\.test\.ts$/;
/** Files that `--costs` lists. */
const listedFiles = 30;

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

/** Runs test files and prints which took most CPU time, with their children and all that they loaded first. Only Linux tells. */
export async function runTestsWithCosts(files: readonly string[]): Promise<TestResult> {
  const path = join(tmpdir(), `itemtape-costs-${process.pid}.jsonl`);
  try {
    const result = await runTests(files, { env: { ...process.env, ITEMTAPE_TEST_COSTS: path } }, [
      "--require",
      "./scripts/mocha-costs.mjs",
    ]);
    const lines = readFileSync(path, "utf8").trimEnd().split("\n");
    const costs = lines.map((line) => JSON.parse(line) as { file: string; ms: number }).sort((a, b) => b.ms - a.ms);
    const seconds = (ms: number) => (ms / 1000).toFixed(1).padStart(7);
    for (const { file, ms } of costs.slice(0, listedFiles)) process.stdout.write(`${seconds(ms)} s  ${file}\n`);
    process.stdout.write(
      `${seconds(costs.reduce((sum, { ms }) => sum + ms, 0))} s of CPU in all ${costs.length} files\n`,
    );
    return result;
  } finally {
    rmSync(path, { force: true });
  }
}

/** Runs test files in several processes. A run that ends without a result is a failure. `more`: words for mocha. */
export async function runTests(
  files: readonly string[],
  options?: RunOptions,
  more: readonly string[] = [],
): Promise<TestResult> {
  const path = join(tmpdir(), `itemtape-test-${process.pid}.json`);
  const reporter = ["--reporter", "./scripts/mocha-reporter.mjs", "--reporter-option", `result=${path}`];
  const mocha = "node_modules/mocha/bin/mocha.js";
  const code = await runShown(
    ["node", mocha, "--parallel", "--jobs", String(jobCount), ...reporter, ...more, ...files],
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
