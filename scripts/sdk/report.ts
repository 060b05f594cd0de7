import { table } from "../support/table.ts";
import type { SdkResult } from "./check.ts";
import { versionOf } from "./generator.ts";

/** Prints the table of generators, notes about them, and the failures by generator and operation. */
export function reportText(results: readonly SdkResult[]): string {
  const rows = results.map(({ generator, operations, called, requests, looseFiles, failures, seconds }) => [
    generator.name,
    versionOf(generator.packages[0]),
    `${called}/${operations}`,
    String(requests),
    looseFiles.length === 0 ? "exact" : "strict",
    String(failures.length),
    seconds.toFixed(1),
  ]);
  const head = ["generator", "version", "operations", "requests", "types", "failures", "seconds"];
  const failures = results.flatMap(({ generator, failures }) =>
    failures.map(({ operationId, message }) => `${generator.name}: ${operationId ?? "the whole SDK"}: ${message}`),
  );
  const blocks = [table([head, ...rows]), [...results.flatMap(notesOf), ...widenedOf(results)], failures].filter(
    (lines) => lines.length > 0,
  );
  return blocks.map((lines) => lines.join("\n")).join("\n\n");
}

function notesOf({ generator: { name, note }, looseFiles }: SdkResult): string[] {
  const files = `${looseFiles[0]}${looseFiles.length > 1 ? ` and ${looseFiles.length - 1} more` : ""}`;
  return [
    ...(looseFiles.length === 0
      ? []
      : [`${name}: without exactOptionalPropertyTypes, which its own code does not support: ${files}`]),
    ...(note === null ? [] : [`${name}: ${note}`]),
  ];
}

/** Returns a note with the operations that have examples of only one page. */
function widenedOf(results: readonly SdkResult[]): string[] {
  const ids = new Set(results.flatMap(({ widened }) => widened));
  return [...ids].map(
    (id) => `${id}: its examples show one page, so the second is asked for with limit=1 and no filter`,
  );
}
