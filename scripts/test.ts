import { parseArgs } from "node:util";
import { runChecks } from "./support/checks.ts";
import { runOnOtherNodes } from "./support/other-nodes.ts";
import { allTestFiles, makeKeptFiles, runTests, runTestsWithCosts } from "./support/run-tests.ts";

/**
 * Checks a checkout whole: types, format, lint, the contract's rules, derived files, tests; operands are test files to run instead
 * of all. `--costs` lists the files that took most CPU time. `--other-nodes` then runs a third of the tests on other versions of Node. Closes with one line `N passed, N failed`. With
 * ITEMTAPE_FORBID_SKIPS=1 a test that skips itself for want of a tool counts as failed.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { "other-nodes": { type: "boolean", default: false }, costs: { type: "boolean", default: false } },
});
const [checked] = await Promise.all([runChecks(), makeKeptFiles()]);
const files = positionals.length > 0 ? positionals : allTestFiles();
const results = [await (values.costs ? runTestsWithCosts(files) : runTests(files))];
if (values["other-nodes"]) results.push(...(await runOnOtherNodes()));

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
const passed = checked.passed + sum(results.map((result) => result.passed));
const failed = checked.failed + sum(results.map((result) => result.failed));
const skipped = results.flatMap((result) => result.skipped);
for (const reason of skipped) process.stdout.write(`skipped: ${reason}\n`);
process.stdout.write(
  `${passed} passed, ${failed} failed${skipped.length === 0 ? "" : `, ${skipped.length} skipped`}\n`,
);
process.exitCode = failed === 0 ? 0 : 1;
