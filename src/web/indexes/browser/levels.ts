import { html, nothing } from "lit-html";
import { addDays, dateText } from "../../../values/time/time-text.ts";
import type { Day, LevelRow, PriceIndex, State } from "./types.ts";

const daySeconds = 86_400;
/** Numbers of days over which the pages show a change. */
export const changeDays = [1, 7, 30] as const;
/** Minimum share of priced members for a level, percent. */
const coverageMinPct = 90;

/** Reasons for a missing level: letter of the mark, name and meaning. */
export const causes: Readonly<Record<Exclude<State, "level">, { letter: string; name: string; meaning: string }>> = {
  few_priced: { letter: "P", name: "too few priced", meaning: "less than 90 % of the members had a price" },
  not_linked: {
    letter: "L",
    name: "not linked",
    meaning: "too few members had a price both then and on the last day with a level",
  },
  no_row: {
    letter: "N",
    name: "not calculated",
    meaning: "no level was calculated for the day, or no member had a price",
  },
  not_begun: { letter: "·", name: "not begun", meaning: "before the day on which the index begins" },
};

/** Returns the text of a page for plans without indexes. */
export function advice({ code }: { code: string | null }): unknown {
  if (code !== "plan_upgrade_required") return nothing;
  return html`<p>Not on the Free plan. Builder and higher plans show level, change and members of each index here.</p>`;
}

/** Returns one day for each date of the window. */
export function daysOf(
  { from, to }: { from: string; to: string },
  rows: readonly LevelRow[],
  { base_date }: PriceIndex,
): Day[] {
  const byDate = new Map(rows.map((row) => [row.date, row]));
  const days: Day[] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) {
    const row = byDate.get(date) ?? null;
    const at = Date.parse(`${date}T00:00:00Z`) / 1000;
    days.push({ date, at, end: at + daySeconds, row, state: stateOf(row, date < base_date) });
  }
  return days;
}

function stateOf(row: LevelRow | null, isBefore: boolean): State {
  if (row === null) return isBefore ? "not_begun" : "no_row";
  if (row.value !== null) return "level";
  return Number(row.coverage_pct) < coverageMinPct ? "few_priced" : "not_linked";
}

/** Returns the change in percent from the level `days` earlier to the latest level. Returns the reason if one of them is missing. */
export function changeOver(all: readonly Day[], days: number): { pct: number } | { missing: string } {
  const last = all.findLast(({ row }) => row !== null);
  if (last?.row == null) return { missing: "no day has a level" };
  if (last.row.value === null) return { missing: `no level on ${dateText(last.date)}` };
  const before = addDays(last.date, -days);
  const value = all.find(({ date }) => date === before)?.row?.value ?? null;
  if (value === null) return { missing: `no level on ${dateText(before)}` };
  return { pct: percentChange(last.row.value, value) };
}

/** Returns the change from `base` to `value`, percent. */
export function percentChange(value: string | number, base: string | number): number {
  return (Number(value) / Number(base) - 1) * 100;
}

/** Returns the number of members with a price, such as `3 of 4`; 0 before the first level. */
export function pricedText({ priced_constituent_count: priced, constituent_count: all }: PriceIndex): string {
  return `${priced ?? 0} of ${all}`;
}

type Level = Pick<PriceIndex, "value" | "base_date">;

/** Returns the date on which the first level is expected. Returns null with a level, and after that date. */
export function firstLevelOn({ value, base_date }: Level, today: string): string | null {
  const date = addDays(base_date, 1);
  return value !== null || today > date ? null : date;
}

/** Formats a level with two decimals and grouped thousands. Without a level, returns its expected date or "no level". */
export function levelText(level: Level, today: string): string {
  if (level.value !== null) return numberText(level.value);
  const date = firstLevelOn(level, today);
  return date === null ? "no level" : `First level on ${dateText(date)}`;
}

/** Formats a number with two decimals and grouped thousands. */
export function numberText(value: string): string {
  return Number(value).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}

/** Formats a change with its sign: `+1.25 %`. */
export function changeText(pct: number): string {
  const rounded = Number(pct.toFixed(2));
  return `${rounded > 0 ? "+" : rounded < 0 ? "−" : ""}${Math.abs(rounded).toFixed(2)} %`;
}

/** Returns the style class of a change; "" for no change. */
export function toneOf(pct: number | null): string {
  return pct === null || pct === 0 ? "" : pct > 0 ? "rise" : "fall";
}
