import { spanText } from "../../../values/time/time-text.mjs";

// What the chart shows, read from the table, apart from how it is drawn.
/**
 * A UTC day of the chart. `day` counts from 1970; amounts are USD cents, null where unknown; a day that is not recorded has no
 * amounts. `description` is the row of the table in words.
 * @typedef {{ day: number, isRecorded: boolean, value: number | null, cost: number | null, isComplete: boolean, description: string }} Day
 */

const daySeconds = 86_400;

/**
 * Returns every day from `from` to `to`, with what the table's row of that day says. Nothing is carried forward.
 * @param {HTMLTableElement} table
 * @param {number} from
 * @param {number} to
 * @returns {Day[]}
 */
export function daysOf(table, from, to) {
  const rows = [...table.querySelectorAll("tr")].filter(({ dataset }) => dataset.day !== undefined);
  const byDay = new Map(rows.map((row) => [Number(row.dataset.day), row]));
  return Array.from({ length: to - from + 1 }, (_, index) => dayOf(from + index, byDay.get(from + index)));
}

/** @param {Day} day */
export function sentenceOf({ day, description }) {
  return `${spanText(day * daySeconds, daySeconds)}: ${description}`;
}

/** @param {number} day @param {HTMLTableRowElement | undefined} row @returns {Day} */
function dayOf(day, row) {
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

/** @param {string | undefined} text */
function centsOf(text) {
  return text === undefined || text === "" ? null : Number(text);
}
