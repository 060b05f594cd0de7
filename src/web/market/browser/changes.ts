import { grouped } from "../../../values/money/money-text.ts";
import { addDays } from "../../../values/time/time-text.ts";
import type { Row } from "./types.ts";

/** Days over which changes are shown. */
export const changeDays = [1, 7, 30];

/**
 * A change of the lowest ask over some days, among the `providers` (slugs) that were observed on both of them: those of one day alone would
 * make a change of what was looked at.
 */
export type Change = { days: number; from: number; to: number; providers: readonly string[]; sinceDate: string };

/**
 * Returns the changes of the lowest ask until `lastDay`, null for each where no provider was observed at both ends.
 * @param rows Daily asks of all providers.
 * @param lastDay `YYYY-MM-DD`
 */
export function changesOf(rows: readonly Row[], lastDay: string): { days: number; change: Change | null }[] {
  return changeDays.map((days) => ({ days, change: changeOver(rows, lastDay, days) }));
}

/** Returns the change of the lowest ask over `days` until `lastDay`; null if no provider was observed at both ends. */
export function changeOver(rows: readonly Row[], lastDay: string, days: number): Change | null {
  const sinceDate = addDays(lastDay, -days);
  const [then, now] = [amountsOn(rows, sinceDate), amountsOn(rows, lastDay)];
  const both = [...now.keys()].filter((provider) => then.has(provider));
  if (both.length === 0) return null;
  const lowest = (amounts: Map<string, number>) => Math.min(...both.map((provider) => amounts.get(provider) ?? 0));
  return { days, from: lowest(then), to: lowest(now), providers: both, sinceDate };
}

/**
 * Says which providers a change compares. `isPart`: they are others than those whose lowest ask is shown, so that the two figures do not
 * belong together.
 * @param compared Slugs, at least one.
 * @param asking Slugs of those that ask now.
 */
export function basisText(compared: readonly string[], asking: readonly string[], nameOf: (slug: string) => string) {
  const [only = ""] = compared;
  const known = new Set([...asking, ...compared]).size;
  const count = compared.length;
  const isPart = count < known || known > asking.length;
  if (count === 1) return { text: isPart ? `${nameOf(only)} alone` : nameOf(only), isPart };
  if (known > asking.length) return { text: `lowest of ${count}, not all asking now`, isPart };
  const all = count === 2 ? "both" : `all ${count}`;
  return { text: `lowest of ${isPart ? `${count} of ${known}` : all} providers`, isPart };
}

function amountsOn(rows: readonly Row[], day: string): Map<string, number> {
  return new Map(
    rows.flatMap(({ date, provider, amount }) =>
      date === day && provider !== null && amount !== null ? [[provider, amount] as [string, number]] : [],
    ),
  );
}

/** Formats a share in percent with sign and one decimal, two below 10 %: `+3.42 %`, `−12.5 %`. The sign of what rounds to zero is left out. */
export function percentText(from: number, to: number) {
  const percent = (to / from - 1) * 100;
  const text = Math.abs(percent).toFixed(Math.abs(percent) < 10 ? 2 : 1);
  const sign = Number(text) === 0 ? "" : percent < 0 ? "−" : "+";
  const [whole = "", part] = text.split(".");
  return `${sign}${grouped(whole)}.${part} %`;
}
