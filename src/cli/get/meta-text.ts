import { type Row, summarizeMeta } from "../../contract/answer-text.ts";
import { displayText } from "../../values/display-text.ts";

/** The caller's allowance as the server reported it; null where it did not. */
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
  const lines = [countText(counted), ...summarizeMeta(meta).lines.map(line), pageText(meta), allowanceText(allowance)];
  return lines.filter((line) => line !== "");
}

function countText({ rows, requests }: Counted): string {
  if (rows === null) return "";
  return `${rows} ${rows === 1 ? "row" : "rows"}${requests > 1 ? ` of ${requests} requests` : ""}`;
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
