import { table } from "../bench/table.ts";
import type { SdkResult } from "./check.ts";
import { versionOf } from "./generator.ts";
import { generators } from "./generators/all.ts";

/** The table of the generators, the failures by name, and what an SDK needs that no document can give it. */
export function reportText(results: readonly SdkResult[]): string {
  const rows = results.map(({ name, operations, called, requests, looseFiles, failures, seconds }) => [
    name,
    versionOf(packageOf(name)),
    `${called}/${operations}`,
    String(requests),
    looseFiles.length === 0 ? "exact" : "strict",
    String(failures.length),
    seconds.toFixed(1),
  ]);
  const head = ["generator", "version", "operations", "requests", "types", "failures", "seconds"];
  const failures = results.flatMap(({ name, failures }) =>
    failures.map(({ operationId, message }) => `${name}: ${operationId ?? "the whole SDK"}: ${message}`),
  );
  const blocks = [table([head, ...rows]), [...results.flatMap(notesOf), ...widenedOf(results)], failures].filter(
    (lines) => lines.length > 0,
  );
  return blocks.map((lines) => lines.join("\n")).join("\n\n");
}

function notesOf({ name, looseFiles }: SdkResult): string[] {
  const note = generators.find((generator) => generator.name === name)?.note ?? null;
  const files = `${looseFiles[0]}${looseFiles.length > 1 ? ` and ${looseFiles.length - 1} more` : ""}`;
  return [
    ...(looseFiles.length === 0
      ? []
      : [`${name}: without exactOptionalPropertyTypes, which its own code does not take: ${files}`]),
    ...(note === null ? [] : [`${name}: ${note}`]),
  ];
}

/** Says of which operations the document shows no second page. */
function widenedOf(results: readonly SdkResult[]): string[] {
  const ids = new Set(results.flatMap(({ widened }) => widened));
  return [...ids].map(
    (id) => `${id}: its examples show one page, so the second is asked for with limit=1 and no filter`,
  );
}

function packageOf(name: string): string {
  return generators.find((generator) => generator.name === name)?.packages[0] ?? name;
}
