import { displayText } from "../values/display-text.ts";
import type { Node } from "./contract-view.ts";
import { cellCharsMax } from "./limits.ts";
import { columnsOf, type FlatRow } from "./text.ts";

/** Columns whose values say why something is there or not: counted, so that gaps are not overlooked. */
const countedColumns = new Set(["availability", "status", "complete", "ambiguous", "in_catalog"]);

/** What `meta` says about window, gaps and times, in words. Paging and ids are told elsewhere. */
export function metaLines(meta: Node): string[] {
  const lines: string[] = [];
  if ("from" in meta)
    lines.push(
      `Window: ${text(meta.from)} to ${text(meta.to)}${"resolution" in meta ? `, by ${text(meta.resolution)}` : ""}.`,
    );
  if ("missing_points" in meta) lines.push(gaps(text(meta.missing_points, 1000)));
  if ("as_of" in meta) {
    const known = `Oldest source observation: ${text(meta.as_of)}.`;
    lines.push(meta.as_of === null ? "Time of observation: unknown (as_of is null)." : known);
  }
  if (typeof meta.freshness === "string") lines.push(freshness(meta.freshness));
  if (typeof meta.cache_recently_checked === "boolean") lines.push(checked(meta.cache_recently_checked));
  const rest = Object.entries(meta).filter(([key]) => !toldKeys.has(key));
  if (rest.length > 0) lines.push(`${rest.map(([key, value]) => `${key}=${text(value)}`).join(", ")}.`);
  return lines;
}

const toldKeys = new Set([
  "request_id",
  "generated_at",
  "next_cursor",
  "next_page",
  "from",
  "to",
  "resolution",
  "missing_points",
  "as_of",
  "freshness",
  "cache_recently_checked",
]);

/** How often the rows hold null, by column, and the states they are in; a column that is null throughout is said elsewhere. */
export function countLines(rows: readonly FlatRow[]): string[] {
  const lines: string[] = [];
  for (const column of columnsOf(rows)) {
    if (!countedColumns.has(column.split(".").at(-1)!)) continue;
    const counts = new Map<string, number>();
    for (const row of rows) counts.set(String(row[column]), (counts.get(String(row[column])) ?? 0) + 1);
    lines.push(`${column}: ${[...counts].map(([value, count]) => `${displayText(value)} ${count}`).join(", ")}.`);
  }
  const nulls = columnsOf(rows).flatMap((column) => {
    const count = rows.filter((row) => (row[column] ?? null) === null).length;
    return count === 0 ? [] : [`${column} ${count} of ${rows.length}`];
  });
  if (nulls.length > 0) lines.push(`null (unknown or absent; never 0): ${nulls.join(", ")}.`);
  return lines;
}

function gaps(missing: string): string {
  return missing === "none" ? "Gaps: none in this window." : `Gaps: ${missing}. A missing point is not a zero.`;
}

function freshness(said: string): string {
  if (said === "fresh") return "Freshness: fresh.";
  if (said === "stale") return "Freshness: stale, the observations are old.";
  return "Freshness: unknown, because the time of observation is unknown.";
}

function checked(recently: boolean): string {
  const when = recently ? "within the last 15 minutes" : "not within the last 15 minutes";
  return `The cache was checked against its source ${when}, which is no sign of a new quote.`;
}

function text(value: unknown, charsMax = cellCharsMax): string {
  return displayText(String(value), charsMax);
}
