import { runChecks } from "./support/checks.ts";
import { parseWordsOrExit } from "./support/flags.ts";
import { runOnOtherNodes } from "./support/other-nodes.ts";
import { allTestFiles, makeKeptFiles, runLongTests, runTestsWithCosts } from "./support/run-tests.ts";
import { runStarts } from "./support/starts.ts";

/**
 * Checks a checkout whole: types, format, lint, the contract's rules, derived files, tests; operands are test files to run instead
 * of all. Prints the ten files that took most processor time, with `--costs` forty. `--long` then runs the long form of the tests that have
 * one, `--only-long` nothing but that. `--other-nodes` then runs a third of the tests on the oldest Node, `--start` starts the program on other versions of Node and npm. Closes with one line
 * `N passed, N failed`. With ITEMTAPE_FORBID_SKIPS=1 a test that skips itself for want of a tool counts as failed.
 */
const flag = { type: "boolean", default: false } as const;
const { values, positionals } = parseWordsOrExit(
  { long: flag, "only-long": flag, "other-nodes": flag, start: flag, costs: flag },
  "usage: npm test -- [--long | --only-long] [--other-nodes] [--start] [--costs] [FILE...]",
);
const allCosts = values.costs;
const files = positionals.length > 0 ? positionals : allTestFiles();
const isOnlyLong = values["only-long"];
const [checked, keptFilesCode] = await Promise.all([
  isOnlyLong ? { passed: 0, failed: 0, failures: [] } : runChecks(),
  makeKeptFiles(),
]);
const results = isOnlyLong ? [] : [await runTestsWithCosts(files, { allCosts })];
if (values.long || isOnlyLong) results.push(await runLongTests(allCosts));
if (values["other-nodes"]) results.push(...(await runOnOtherNodes()));
if (values.start) results.push(await runStarts());

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
const passed = checked.passed + sum(results.map((result) => result.passed));
const failed = checked.failed + (keptFilesCode === 0 ? 0 : 1) + sum(results.map((result) => result.failed));
const skipped = results.flatMap((result) => result.skipped);
const failures = [...checked.failures, ...results.flatMap((result) => result.failures)];
for (const failure of failures) process.stdout.write(`failed: ${failure}\n`);
for (const reason of skipped) process.stdout.write(`skipped: ${reason}\n`);
process.stdout.write(
  `${passed} passed, ${failed} failed${skipped.length === 0 ? "" : `, ${skipped.length} skipped`}\n`,
);
process.exitCode = failed === 0 ? 0 : 1;
