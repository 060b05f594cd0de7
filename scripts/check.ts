import { runChecks } from "./support/checks.ts";
import { parseWordsOrExit } from "./support/flags.ts";

/** Checks types, format, lint, the contract's rules and derived files, as `npm test` does before the tests. */
parseWordsOrExit({}, "usage: npm run check");
const { passed, failed, failures } = await runChecks();
for (const failure of failures) process.stdout.write(`failed: ${failure}\n`);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
