/** @import { Row } from "./types.mjs" */
import { addDays } from "../../../values/time/time-text.mjs";

/** Days over which changes are shown. */
export const changeDays = [1, 7, 30];

/**
 * A change of the lowest ask over some days, among the `providers` (slugs) that were observed on both of them: those of one day alone would
 * make a change of what was looked at.
 * @typedef {{ days: number, from: number, to: number, providers: readonly string[], sinceDate: string }} Change
 */

/**
 * Returns the changes of the lowest ask until `lastDay`, null for each where no provider was observed at both ends.
 * @param {readonly Row[]} rows Daily asks of all providers.
 * @param {string} lastDay `YYYY-MM-DD`
 * @returns {{ days: number, change: Change | null }[]}
 */
export function changesOf(rows, lastDay) {
  return changeDays.map((days) => ({ days, change: changeOver(rows, lastDay, days) }));
}

/** @param {readonly Row[]} rows @param {string} lastDay @param {number} days @returns {Change | null} */
function changeOver(rows, lastDay, days) {
  const sinceDate = addDays(lastDay, -days);
  const [then, now] = [amountsOn(rows, sinceDate), amountsOn(rows, lastDay)];
  const both = [...now.keys()].filter((provider) => then.has(provider));
  if (both.length === 0) return null;
  const lowest = (/** @type {Map<string, number>} */ amounts) =>
    Math.min(...both.map((provider) => amounts.get(provider) ?? 0));
  return { days, from: lowest(then), to: lowest(now), providers: both, sinceDate };
}

/**
 * Says which providers a change compares. `isPart`: they are others than those whose lowest ask is shown, so that the two figures do not belong
 * together.
 * @param {readonly string[]} compared Slugs, at least one.
 * @param {readonly string[]} asking Slugs of those that ask now.
 * @param {(slug: string) => string} nameOf
 */
export function basisText(compared, asking, nameOf) {
  const [only = ""] = compared;
  const known = new Set([...asking, ...compared]).size;
  const count = compared.length;
  const isPart = count < known || known > asking.length;
  if (count === 1) return { text: isPart ? `${nameOf(only)} alone` : nameOf(only), isPart };
  if (known > asking.length) return { text: `lowest of ${count}, not all asking now`, isPart };
  const all = count === 2 ? "both" : `all ${count}`;
  return { text: `lowest of ${isPart ? `${count} of ${known}` : all} providers`, isPart };
}

/** @param {readonly Row[]} rows @param {string} day @returns {Map<string, number>} */
function amountsOn(rows, day) {
  return new Map(
    rows.flatMap(({ date, provider, amount }) =>
      date === day && provider !== null && amount !== null
        ? [/** @type {[string, number]} */ ([provider, amount])]
        : [],
    ),
  );
}

/**
 * Formats a share in percent with sign and one decimal, two below 10 %: `+3.42 %`, `−12.5 %`. The sign of what rounds to zero is left out.
 * @param {number} from
 * @param {number} to
 */
export function percentText(from, to) {
  const percent = (to / from - 1) * 100;
  const text = Math.abs(percent).toFixed(Math.abs(percent) < 10 ? 2 : 1);
  const sign = Number(text) === 0 ? "" : percent < 0 ? "−" : "+";
  return `${sign}${text.replace(/\B(?=(\d{3})+\b(?<!\.\d*))/g, ",")} %`;
}
