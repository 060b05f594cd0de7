import { oneOf, parseFlags } from "../support/flags.ts";
import type { Generator } from "./generator.ts";
import { heyApi } from "./generators/hey-api.ts";
import { oazapfts } from "./generators/oazapfts.ts";
import { openapiFetch } from "./generators/openapi-fetch.ts";
import { orval } from "./generators/orval.ts";
import { swaggerTypescriptApi } from "./generators/swagger-typescript-api.ts";
import { typedOpenapi } from "./generators/typed-openapi.ts";

/** All generators that are tested. */
export const generators: readonly Generator[] = [
  openapiFetch,
  heyApi,
  orval,
  swaggerTypescriptApi,
  oazapfts,
  typedOpenapi,
];
const names = generators.map(({ name }) => name);

export const usage = `usage: npm run sdk:check [-- --only NAME]
generators: ${names.join(", ")}`;

/**
 * Returns the generators to check. Without `--only` the tests of the check also run.
 * @throws {UsageError} when a flag or generator is unknown.
 */
export function parseOptions(args: readonly string[]): { generators: readonly Generator[]; runsTests: boolean } {
  const { only } = parseFlags(args, { only: { type: "string" } });
  if (only === undefined) return { generators, runsTests: true };
  const chosen = oneOf("only", only, names);
  return { generators: generators.filter(({ name }) => name === chosen), runsTests: false };
}
