import { readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runChecks } from "./support/checks.ts";
import { runShown } from "./support/run.ts";

/**
 * Checks a checkout whole: types, format, lint, the contract's rules, derived files, tests. Closes with one line
 * `N passed, N failed`. With ITEMTAPE_FORBID_SKIPS=1 a test that skips itself for want of a tool counts as failed.
 */
const [checked] = await Promise.all([
  runChecks(),
  // Both of mocha's processes read it.
  runShown(["node", "--import", "tsx", "test/support/kept-files.ts"]),
]);
let { passed, failed } = checked;

/** Test files to run instead of all. */
const files = process.argv.slice(2);
const resultPath = join(tmpdir(), `itemtape-test-${process.pid}.json`);
const code = await runShown([
  "node",
  "node_modules/mocha/bin/mocha.js",
  "--parallel",
  "--jobs",
  "2",
  "--reporter",
  "./scripts/mocha-reporter.mjs",
  "--reporter-option",
  `result=${resultPath}`,
  ...(files.length > 0 ? files : allFiles()),
]);
const result = readResult();
passed += result.passes;
failed += result.failures + (code !== 0 && result.failures === 0 ? 1 : 0);
for (const reason of result.skipped) process.stdout.write(`skipped: ${reason}\n`);
process.stdout.write(
  `${passed} passed, ${failed} failed${result.skipped.length === 0 ? "" : `, ${result.skipped.length} skipped`}\n`,
);
process.exitCode = failed === 0 ? 0 : 1;

/** The longest first, so that none of them keeps one core waiting at the end. */
function allFiles(): string[] {
  const found = readdirSync("test", { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".test.ts"));
  const isLong = (path: string) => /^(sim|faults)[/\\]/.test(path);
  const ordered = [...found.filter(isLong).toReversed(), ...found.filter((path) => !isLong(path)).sort()];
  return ordered.map((path) => join("test", path));
}

function readResult(): { passes: number; failures: number; skipped: string[] } {
  try {
    return JSON.parse(readFileSync(resultPath, "utf8"));
  } catch {
    return { passes: 0, failures: 0, skipped: [] };
  } finally {
    rmSync(resultPath, { force: true });
  }
}
