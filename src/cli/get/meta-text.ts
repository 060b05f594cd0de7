import { shown } from "../../ingest/feeds/observation.ts";
import type { Row } from "./cells.ts";

/** What the server said of the caller's allowance; null where it said nothing. */
export type Allowance = {
  limitPerMinute: number | null;
  remainingInMinute: number | null;
  quotaRemaining: number | null;
};

/** `rows` is null where the answer is no list. */
type Counted = { rows: number | null; requests: number };

const metaCharsMax = 1200;

/** The closing lines of an answer: how old it is, what is missing in it, what follows, what is left to spend. */
export function metaText(meta: Row, allowance: Allowance, counted: Counted): string[] {
  const lines = [countText(counted), ageText(meta), gapText(meta), pageText(meta), allowanceText(allowance)];
  return lines.filter((line) => line !== "");
}

function countText({ rows, requests }: Counted): string {
  if (rows === null) return "";
  return `${rows} ${rows === 1 ? "row" : "rows"}${requests > 1 ? ` of ${requests} requests` : ""}`;
}

function ageText({ freshness, as_of, timestamp_quality, cache_recently_checked }: Row): string {
  if (freshness === undefined) return "";
  const observed = typeof as_of === "string" ? `observed at ${as_of}` : "when it was observed is not known";
  const quality = typeof timestamp_quality === "string" ? ` (times: ${timestamp_quality})` : "";
  const checked =
    cache_recently_checked === undefined
      ? ""
      : `; ${cache_recently_checked === true ? "checked with the source within 15 minutes" : "not checked of late"}`;
  return line(`freshness ${String(freshness)}: ${observed}${quality}${checked}`);
}

function gapText({ from, to, resolution, missing_points }: Row): string {
  if (missing_points === undefined) return "";
  const window = `${String(from)} to ${String(to)}, ${resolution === "hour" ? "one point an hour" : `one point a ${String(resolution)}`}`;
  return line(`${window}; ${missing_points === "none" ? "no gaps" : `gaps: ${String(missing_points)}`}`);
}

function pageText({ next_cursor, next_page }: Row): string {
  if (typeof next_cursor === "number") return `more rows follow: cursor=${next_cursor}, or --all`;
  return typeof next_page === "string" ? line(`more rows follow: after=${next_page}, or --all`) : "";
}

function allowanceText({ limitPerMinute, remainingInMinute, quotaRemaining }: Allowance): string {
  const left = [
    ...(remainingInMinute === null ? [] : [`${remainingInMinute} of ${limitPerMinute ?? "?"} requests this minute`]),
    ...(quotaRemaining === null ? [] : [`${quotaRemaining} units this month`]),
  ];
  return left.length === 0 ? "" : `left: ${left.join(", ")}`;
}

function line(text: string): string {
  return shown(text, metaCharsMax);
}
