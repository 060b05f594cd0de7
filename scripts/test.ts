import { spawn } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * The whole check of a checkout: types, lint, derived files, tests. Closes with one line `N passed, N failed`.
 * With ITEMTAPE_FORBID_SKIPS=1 a test that skips itself for want of a tool counts as failed.
 */
const checks: readonly [string, ...string[]][] = [
  ["types", "npm", "run", "--silent", "typecheck"],
  ["lint", "npm", "run", "--silent", "lint"],
  ["derived files", "npm", "run", "--silent", "generate:check"],
];

/** Test files to run instead of all. */
const files = process.argv.slice(2);

let passed = 0;
let failed = 0;
process.stdout.write(`checking ${checks.map(([name]) => name).join(", ")}\n`);
const verdicts = await Promise.all(checks.map(async ([name, ...words]) => ({ name, words, code: await run(words) })));
for (const { name, words, code } of verdicts) {
  if (code === 0) passed += 1;
  else {
    failed += 1;
    process.stdout.write(`FAILED: ${name} (${words.join(" ")})\n`);
  }
}

const resultPath = join(tmpdir(), `itemtape-test-${process.pid}.json`);
const code = await run([
  "npx",
  "--no-install",
  "mocha",
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

function run(words: readonly string[]): Promise<number> {
  const [command, ...rest] = words;
  return new Promise((done) => {
    const child = spawn(command!, rest, { stdio: "inherit", shell: process.platform === "win32" });
    child.on("error", (error) => {
      process.stdout.write(`${command}: ${error.message}\n`);
      done(1);
    });
    child.on("close", (exit) => done(exit ?? 1));
  });
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
