import { spanText } from "../../../values/time/time-text.ts";

// What the chart shows, read from the table, apart from how it is drawn.
/**
 * A UTC day of the chart. `day` counts from 1970; amounts are USD cents, null where unknown; a day that is not recorded has no
 * amounts. `description` is the row of the table in words.
 */
export type Day = {
  day: number;
  isRecorded: boolean;
  value: number | null;
  cost: number | null;
  isComplete: boolean;
  description: string;
};

const daySeconds = 86_400;

/** Returns every day from `from` to `to`, with what the table's row of that day says. Nothing is carried forward. */
export function daysOf(table: HTMLTableElement, from: number, to: number): Day[] {
  const rows = [...table.querySelectorAll("tr")].filter(({ dataset }) => dataset.day !== undefined);
  const byDay = new Map(rows.map((row) => [Number(row.dataset.day), row]));
  return Array.from({ length: to - from + 1 }, (_, index) => dayOf(from + index, byDay.get(from + index)));
}

/** Returns a day of the chart in words. */
export function sentenceOf({ day, description }: Day) {
  return `${spanText(day * daySeconds, daySeconds)}: ${description}`;
}

function dayOf(day: number, row: HTMLTableRowElement | undefined): Day {
  if (row === undefined) {
    return { day, isRecorded: false, value: null, cost: null, isComplete: false, description: "no value recorded" };
  }
  const [value, cost, priced] = [...row.cells].slice(1).map(({ textContent }) => textContent ?? "");
  return {
    day,
    isRecorded: true,
    value: centsOf(row.dataset.value),
    cost: centsOf(row.dataset.cost),
    isComplete: row.dataset.complete === "yes",
    description: `value ${value}, cost ${cost}, holdings priced: ${priced}`,
  };
}

function centsOf(text: string | undefined) {
  return text === undefined || text === "" ? null : Number(text);
}
