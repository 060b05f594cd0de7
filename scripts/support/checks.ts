import { runShown } from "./run.ts";

const tsc = "node_modules/typescript-native/bin/tsc";

/** The checks of a checkout beside its tests, each with its program, slowest first. */
const checks: readonly { name: string; words: readonly [string, ...string[]] }[] = [
  { name: "types", words: ["node", tsc, "--noEmit"] },
  { name: "the contract's rules", words: ["node", "scripts/contract-lint.ts"] },
  {
    name: "format and lint",
    words: ["node", "node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings", "."],
  },
  { name: "derived files", words: ["node", "scripts/generate.ts", "--check"] },
  { name: "types of the pages' scripts", words: ["node", tsc, "--noEmit", "-p", "src/web/browser"] },
  { name: "types of the pages' tests", words: ["node", tsc, "--noEmit", "-p", "test/web"] },
];

/** Runs all checks at once. `failures` names the failed ones, with their commands. */
export async function runChecks(): Promise<{ passed: number; failed: number; failures: readonly string[] }> {
  process.stdout.write(`checking ${checks.map(({ name }) => name).join(", ")}\n`);
  const codes = await Promise.all(checks.map(({ words }) => runShown(words)));
  const failed = checks.filter((_, index) => codes[index] !== 0);
  const failures = failed.map(({ name, words }) => `${name} (${words.join(" ")})`);
  return { passed: checks.length - failed.length, failed: failed.length, failures };
}
