import { globSync } from "node:fs";
import { runChecks } from "./support/checks.ts";
import { orExit, parseWordsOrExit, UsageError } from "./support/flags.ts";
import { longRunNames, namedLongRun } from "./support/long-runs.ts";
import { runOnOldestNode } from "./support/other-nodes.ts";
import { runShown } from "./support/run.ts";
import { allTestFiles, makeKeptFiles, runTestsWithCosts, type TestResult } from "./support/run-tests.ts";
import { ringTest, runStarts } from "./support/starts.ts";

/**
 * Checks a checkout whole: types, format, lint, the contract's rules, derived files, tests; operands are test files to run instead
 * of all. Prints the ten files that took most processor time, with `--costs` forty. With `--long` the tests that have a long form play it
 * instead of the short one. `--other-nodes` then runs some of the tests on the oldest Node, `--start` starts the program on other versions of
 * Node and npm. `--long NAME` plays that long run alone, with its own flags. Prints the seconds of each part, and closes with one line `N passed, N failed`. With ITEMTAPE_FORBID_SKIPS=1 a test that
 * skips itself for want of a tool counts as failed.
 */
const flag = { type: "boolean", default: false } as const;
const usage = `usage: npm test -- [--long] [--other-nodes] [--start] [--costs] [FILE...]
       npm test -- --long NAME [FLAG...]
long runs: ${longRunNames.join(", ")}`;
const named = orExit(usage, () => namedLongRun(process.argv.slice(2)));
if (named !== null) process.exit(await runShown(named));
const { values, positionals } = parseWordsOrExit({ long: flag, "other-nodes": flag, start: flag, costs: flag }, usage);
orExit(usage, () => refuseMissing(positionals));
// The starts play the commands of README and guides as this test does, and more of them.
const isPlayed = (file: string) => values.start && file === ringTest;
const files = positionals.length > 0 ? positionals : allTestFiles().filter((file) => !isPlayed(file));
// Tests leave to the starts what these play anyway.
if (values.start) process.env.TEST_STARTS = "follow";
const results = [
  await timed("checks", checkAndPrepare),
  await timed("tests", () => runTestsWithCosts(files, { allCosts: values.costs, isLong: values.long })),
];
if (values["other-nodes"]) results.push(await timed("tests on the oldest Node", runOnOldestNode));
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

/** @throws {UsageError} when the file does not exist: told before the checks, which take longer than one. */
function refuseMissing(files: readonly string[]): void {
  for (const file of files) if (globSync(file).length === 0) throw new UsageError(`there is no test file \`${file}\``);
}

async function checkAndPrepare(): Promise<TestResult> {
  const [checked, code] = await Promise.all([runChecks(), makeKeptFiles()]);
  return { ...checked, failed: checked.failed + (code === 0 ? 0 : 1), skipped: [] };
}

/** Prints how long a part of the run took, so that a log shows the part to shorten. */
async function timed(title: string, run: () => Promise<TestResult>): Promise<TestResult> {
  const startedMs = performance.now();
  const result = await run();
  const seconds = Math.round((performance.now() - startedMs) / 1000);
  process.stdout.write(`\n${title}: ${seconds} s, ${result.passed} passed, ${result.failed} failed\n`);
  return result;
}
