import type { Row } from "../contract/answer-text.ts";
import { displayText } from "../values/text/display-text.ts";
import { roundAge } from "../values/time/time-text.ts";

/** Explanation of the texts of quotes. */
export const quoteLegend = "Quotes: provider, US-dollar cents, x quantity if known (age; `?` if unknown).";

/** Writes a quote in a few words: `northgate 123739 x12 (18 min)`. */
export function quoteText({ provider, amount, quantity, as_of }: Row, nowMs: number): string {
  const count = typeof quantity === "number" ? ` x${quantity}` : "";
  const age = typeof as_of === "string" ? roundAge(nowMs - Date.parse(as_of)) : "?";
  return `${displayText(String(provider))} ${String(amount)}${count} (${age})`;
}

/** Note about missing data, because models confuse offers with sales. */
export const notStored = "Sales, their volumes and fees are not stored.";

/** Explains why an item with a phase has no quote of some providers. */
export const phaseNote =
  "The main platform sells all phases of a name as one: its quote belongs to the item without a phase.";
