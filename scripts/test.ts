import { globSync } from "node:fs";
import { runChecks } from "./support/checks.ts";
import { orExit, parseWordsOrExit, UsageError } from "./support/flags.ts";
import { longRunNames, namedLongRun } from "./support/long-runs.ts";
import { otherNodes, runOnNode } from "./support/other-nodes.ts";
import { runShown } from "./support/run.ts";
import { allTestFiles, makeKeptFiles, runTestsWithCosts, type TestResult } from "./support/run-tests.ts";
import { ringTest, runStarts } from "./support/starts.ts";

/**
 * Checks a whole checkout: types, format, lint, the contract's rules, derived files, tests. Operands are test files to run instead of all.
 * Prints the ten files with the most processor time, forty with `--costs`. With `--long`, tests that have a long form run it instead of the
 * short one. `--other-nodes` also runs some tests on older versions of Node. `--start` also starts the program on other versions of Node and npm.
 * `--long NAME` runs only that long run, with its own flags. Prints the seconds of each part, and ends with one line `N passed, N failed`.
 * With ITEMTAPE_FORBID_SKIPS=1, a test that skips itself because a tool is missing counts as failed.
 */
const flag = { type: "boolean", default: false } as const;
const usage = `usage: npm test -- [--long] [--other-nodes] [--start] [--costs] [FILE...]
       npm test -- --long NAME [FLAG...]
long runs: ${longRunNames.join(", ")}`;
const named = orExit(usage, () => namedLongRun(process.argv.slice(2)));
if (named !== null) process.exit(await runShown(named));
const { values, positionals } = parseWordsOrExit({ long: flag, "other-nodes": flag, start: flag, costs: flag }, usage);
orExit(usage, () => refuseMissing(positionals));
// The starts run the same commands of README and guides as this test, and more.
const isPlayed = (file: string) => values.start && file === ringTest;
const files = positionals.length > 0 ? positionals : allTestFiles().filter((file) => !isPlayed(file));
// Tests skip the parts that the starts run anyway.
if (values.start) process.env.TEST_STARTS = "follow";
const results = [
  await timed("checks", checkAndPrepare),
  await timed("tests", () => runTestsWithCosts(files, { allCosts: values.costs, isLong: values.long })),
];
for (const node of values["other-nodes"] ? otherNodes : [])
  results.push(await timed(`tests on Node ${node.version}`, () => runOnNode(node)));
if (values.start) results.push(await timed("starts", runStarts));

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
const passed = sum(results.map((result) => result.passed));
const failed = sum(results.map((result) => result.failed));
const skipped = results.flatMap((result) => result.skipped);
for (const failure of results.flatMap(({ failures }) => failures)) process.stdout.write(`failed: ${failure}\n`);
for (const reason of skipped) process.stdout.write(`skipped: ${reason}\n`);
process.stdout.write(
  `${passed} passed, ${failed} failed${skipped.length === 0 ? "" : `, ${skipped.length} skipped`}\n`,
);
process.exitCode = failed === 0 ? 0 : 1;

/** @throws {UsageError} when a file does not exist. It runs first, because the checks are slow. */
function refuseMissing(files: readonly string[]): void {
  for (const file of files) if (globSync(file).length === 0) throw new UsageError(`unknown test file \`${file}\``);
}

async function checkAndPrepare(): Promise<TestResult> {
  const [checked, code] = await Promise.all([runChecks(), makeKeptFiles()]);
  return { ...checked, failed: checked.failed + (code === 0 ? 0 : 1), skipped: [] };
}

/** Prints the duration of a part of the run, so that a log shows slow parts. */
async function timed(title: string, run: () => Promise<TestResult>): Promise<TestResult> {
  const startedMs = performance.now();
  const result = await run();
  const seconds = Math.round((performance.now() - startedMs) / 1000);
  process.stdout.write(`\n${title}: ${seconds} s, ${result.passed} passed, ${result.failed} failed\n`);
  return result;
}
