import { grouped } from "../../../values/money/money-text.ts";
import { addDays } from "../../../values/time/time-text.ts";
import type { Row } from "./types.ts";

/** Numbers of days over which changes are shown. */
export const changeDays = [1, 7, 30];

/**
 * Change of the lowest ask over some days. It only compares `providers` (slugs) that were observed on both days: a new provider would
 * otherwise look like a change.
 */
export type Change = { days: number; from: number; to: number; providers: readonly string[]; sinceDate: string };

/**
 * Returns the changes of the lowest ask until `lastDay`. A change is null if no provider was observed on both days.
 * @param rows Daily asks of all providers.
 * @param lastDay `YYYY-MM-DD`
 */
export function changesOf(rows: readonly Row[], lastDay: string): { days: number; change: Change | null }[] {
  return changeDays.map((days) => ({ days, change: changeOver(rows, lastDay, days) }));
}

/** Returns the change of the lowest ask over `days` until `lastDay`; null if no provider was observed on both days. */
export function changeOver(rows: readonly Row[], lastDay: string, days: number): Change | null {
  const sinceDate = addDays(lastDay, -days);
  const [then, now] = [amountsOn(rows, sinceDate), amountsOn(rows, lastDay)];
  const both = [...now.keys()].filter((provider) => then.has(provider));
  if (both.length === 0) return null;
  const lowest = (amounts: Map<string, number>) => Math.min(...both.map((provider) => amounts.get(provider) ?? 0));
  return { days, from: lowest(then), to: lowest(now), providers: both, sinceDate };
}

/**
 * Describes the providers that a change compares. `isPart` means that they differ from the current providers, so the change does not match
 * the shown lowest ask.
 * @param compared Slugs, at least one.
 * @param asking Slugs of providers with a current ask.
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

/**
 * Formats a change in percent with sign and one decimal, or two below 10 %: `+3.42 %`, `−12.5 %`. A change that rounds to zero has no sign.
 */
export function percentText(from: number, to: number) {
  const percent = (to / from - 1) * 100;
  const text = Math.abs(percent).toFixed(Math.abs(percent) < 10 ? 2 : 1);
  const sign = Number(text) === 0 ? "" : percent < 0 ? "−" : "+";
  const [whole = "", part] = text.split(".");
  return `${sign}${grouped(whole)}.${part} %`;
}
