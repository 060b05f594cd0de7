import { parseArgs } from "node:util";
import type { Generator } from "./generator.ts";
import { generators } from "./generators/all.ts";

/** Flags that cannot be used; the message names the flag. */
export class UsageError extends Error {}

export const usage = `usage: npm run sdk:check [-- --only NAME]
generators: ${generators.map(({ name }) => name).join(", ")}`;

/** The generators to check. Throws UsageError for an unknown flag or name. */
export function parseOptions(args: readonly string[]): readonly Generator[] {
  const { only } = parseFlags(args);
  if (only === undefined) return generators;
  const chosen = generators.filter(({ name }) => name === only);
  if (chosen.length === 0) throw new UsageError(`--only: knows no generator \`${only}\``);
  return chosen;
}

function parseFlags(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: { only: { type: "string" } }, strict: true }).values;
  } catch (error) {
    throw new UsageError((error as Error).message.split(". ")[0]);
  }
}
