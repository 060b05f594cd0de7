import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RunOptions, runShown } from "./run.ts";

/** Counts of a run. `failures` contains each failed test with its message, `skipped` the titles of skipped tests. */
export type TestResult = { passed: number; failed: number; failures: readonly string[]; skipped: readonly string[] };

/** The slowest files: clients, starts, the package, nodes that fail and follow, simulations, the mirror's memory, the real market. */
const longest =
  /^(kit|known|start|nodes|releases|sim)[/\\]|^package\.|[/\\](mirror-memory|past-storage|replay-known|compare-market|check|changed-values|field-inputs)\./;
/** Folders and files with slow tests: killed servers, generators, browsers, the real market. */
const long =
  /^(faults|scripts|web|jobs[/\\]mirror)[/\\]|real-data\.test\.ts$|[/\\](database|mirror|full-disk|account-shares|fuzz|portfolios-timing|check|publish|membership-change|record-frame|package|replay)\.test\.ts$/;
/** Number of files in the list of costs at the end of a run, by default and with `--costs`. */
const listedFiles = 10;
const listedWithCosts = 40;

/** Returns all test files, longest first, so that no long file runs alone at the end. */
export function allTestFiles(): string[] {
  const found = readdirSync("test", { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".test.ts"));
  const rank = (path: string) => [longest, long].findIndex((pattern) => pattern.test(path)) >>> 0;
  const ordered = found.sort().sort((one, other) => rank(one) - rank(other));
  return ordered.map((path) => join("test", path));
}

/** Maximum time of a test in the long run. */
const longTimeoutMs = 1_200_000;
/** Processes that run tests on two cores. Long tests wait more for clocks and disks; a further process loads all modules again. */
const jobs = { short: ["--jobs", "3"], long: ["--jobs", "4"] };

/** Creates the files that tests copy. All mocha processes read them. Resolves to the exit code. */
export function makeKeptFiles(options?: RunOptions): Promise<number> {
  return runShown(["node", "test/support/kept-files.ts"], options);
}

/** Settings of a run: whether it lists the costs of forty files, and whether tests run in their long form. */
type Play = { allCosts: boolean; isLong: boolean };

/** Runs test files and prints the ones with the most processor time, including their children and imports. Only Linux reports it. */
export async function runTestsWithCosts(files: readonly string[], { allCosts, isLong }: Play): Promise<TestResult> {
  const path = join(tmpdir(), `itemtape-costs-${process.pid}.jsonl`);
  const env = { ...process.env, TEST_COSTS_FILE: path, ...(isLong ? { TEST_SIZE: "long" } : {}) };
  const costs = process.platform === "linux" ? ["--require", "./scripts/mocha-costs.mjs"] : [];
  const limit = isLong ? [...jobs.long, "--timeout", String(longTimeoutMs)] : jobs.short;
  try {
    const result = await runTests(files, { env }, [...costs, ...limit]);
    printCosts(path, allCosts ? listedWithCosts : listedFiles);
    return result;
  } finally {
    rmSync(path, { force: true });
  }
}

function printCosts(path: string, count: number): void {
  if (!existsSync(path)) return;
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  const costs = lines.map((line) => JSON.parse(line) as { file: string; ms: number }).sort((a, b) => b.ms - a.ms);
  const print = (ms: number, what: string) =>
    process.stdout.write(`${(ms / 1000).toFixed(1).padStart(7)} s  ${what}\n`);
  process.stdout.write(`processor time of the dearest ${Math.min(count, costs.length)} files, and of all:\n`);
  for (const { file, ms } of costs.slice(0, count)) print(ms, file);
  print(
    costs.reduce((sum, { ms }) => sum + ms, 0),
    `all ${costs.length} files`,
  );
}

/** The report of one mocha run, as its reporter writes it. */
type Report = { passed: number; failed: { title: string; file: string | null; message: string }[]; skipped: string[] };

/** Time after which a mocha run counts as hanging and failed: many times the duration of the long form. */
const hangMs = 3 * 3_600_000;
/** Maximum characters of a failed test's message at the end. */
const messageMax = 600;

/** Runs test files in several processes. A run that ends without a result is a failure. `more`: further arguments of mocha. */
export async function runTests(
  files: readonly string[],
  options?: RunOptions,
  more: readonly string[] = jobs.long,
): Promise<TestResult> {
  const path = join(tmpdir(), `itemtape-test-${process.pid}.json`);
  const reporter = ["--reporter", "./scripts/mocha-reporter.mjs", "--reporter-option", `result=${path}`];
  const mocha = "node_modules/mocha/bin/mocha.js";
  const words = ["node", mocha, "--parallel", ...reporter, ...more, ...files] as const;
  const code = await runShown(words, { limitMs: hangMs, ...options });
  const { passed, failed, skipped } = readReport(path);
  const failures = failed.map(
    ({ file, title, message }) => `${file ?? "somewhere"}: ${title}\n  ${message.slice(0, messageMax)}`,
  );
  // A file with only long tests has none in the short run, but a complete run without tests has failed.
  const isFaulty = (code !== 0 || passed + skipped.length === 0) && failures.length === 0;
  if (isFaulty) failures.push(`a run ended with exit code ${code} and named no failed test`);
  return { passed, failed: failures.length, failures, skipped };
}

function readReport(path: string): Report {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return { passed: 0, failed: [], skipped: [] };
  } finally {
    rmSync(path, { force: true });
  }
}
