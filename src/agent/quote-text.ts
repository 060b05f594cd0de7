import type { Row } from "../contract/answer-text.ts";
import { displayText } from "../values/text/display-text.ts";
import { roundAge } from "../values/time/time-text.ts";

/** What the texts of quotes mean, for the reader. */
export const quoteLegend = "Quotes: provider, US-dollar cents, x quantity where known (age; `?` where not known).";

/** Writes a quote in a few words: `northgate 123739 x12 (18 min)`. */
export function quoteText({ provider, amount, quantity, as_of }: Row, nowMs: number): string {
  const count = typeof quantity === "number" ? ` x${quantity}` : "";
  const age = typeof as_of === "string" ? roundAge(nowMs - Date.parse(as_of)) : "?";
  return `${displayText(String(provider))} ${String(amount)}${count} (${age})`;
}
