import { displayText } from "../../values/display-text.ts";
import type { Row } from "./field-text.ts";

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
  const lines = [countText(counted), ageText(meta), windowText(meta), pageText(meta), allowanceText(allowance)];
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

function windowText({ from, to, resolution, missing_points }: Row): string {
  if (from === undefined || to === undefined) return "";
  const points =
    resolution === undefined ? "" : `, one point ${resolution === "hour" ? "an" : "a"} ${String(resolution)}`;
  const gaps = missing_points === "none" ? "; no gaps" : `; gaps: ${String(missing_points)}`;
  return line(`${String(from)} to ${String(to)}${points}${missing_points === undefined ? "" : gaps}`);
}

function pageText(meta: Row): string {
  const next = nextOf(meta);
  return next === null ? "" : line(`more rows follow: ${next}, or --all`);
}

/** The parameter that asks for the page after this one; null: it was the last. */
export function nextOf({ next_cursor, next_page }: Row): string | null {
  if (typeof next_cursor === "number") return `cursor=${next_cursor}`;
  return typeof next_page === "string" ? `after=${displayText(next_page, metaCharsMax)}` : null;
}

function allowanceText({ limitPerMinute, remainingInMinute, quotaRemaining }: Allowance): string {
  const left = [
    ...(remainingInMinute === null ? [] : [`${remainingInMinute} of ${limitPerMinute ?? "?"} requests this minute`]),
    ...(quotaRemaining === null ? [] : [`${quotaRemaining} units this month`]),
  ];
  return left.length === 0 ? "" : `left: ${left.join(", ")}`;
}

function line(text: string): string {
  return displayText(text, metaCharsMax);
}
