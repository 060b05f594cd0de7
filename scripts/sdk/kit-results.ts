/** The last results of `npm run sdk:kit`. */
export const kitResultsFile = "scripts/sdk/kit-results.json";

/** Scenarios of the conformance kit by group and result, for the SDK of one generator. */
export type KitResult = {
  generator: string;
  version: string;
  groups: Record<string, Record<"passed" | "failed" | "not_offered", number>>;
};
