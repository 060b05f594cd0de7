import { Failure } from "../failure/failure.ts";
import { dayText, parseDay } from "./calendar.ts";

/** UTC days since 1970, both inclusive. */
export type DayWindow = { readonly from: number; readonly to: number };

/**
 * Rule for resolving a window. Without dates it is `defaultFrom` to `defaultTo`. A window is at most `daysMax` long and ends by `today`.
 */
export type WindowRule = { defaultFrom: number; defaultTo: number; daysMax: number; today: number };

/** 0001-01-01, the first day that can be written as a date. */
const firstDay = -719_162;

const series = { daysDefault: 31, daysMax: 366 };

/** `known_at` is the requested instant of the window's "today", undefined for now. */
type Given = { from?: string | undefined; to?: string | undefined; known_at?: string | undefined };

/**
 * Returns the window for the given `from` and `to`. If only one date is given, the window has the default length; `to` is then at most
 * `defaultTo`.
 * @throws {Failure} `invalid_parameter`, `invalid_range` or `window_too_large`.
 */
export function resolveWindow(given: Given, { defaultFrom, defaultTo, daysMax, today }: WindowRule): DayWindow {
  const givenFrom = dayIn(given, "from");
  const givenTo = dayIn(given, "to");
  const span = defaultTo - defaultFrom;
  const from = givenFrom ?? (givenTo === null ? defaultFrom : Math.max(firstDay, givenTo - span));
  const to = givenTo ?? (givenFrom === null ? defaultTo : Math.min(givenFrom + span, defaultTo));
  if (to > today) {
    const limit = given.known_at === undefined ? "today" : "the day of `known_at`";
    throw invalid(`query parameter \`to\`: must not be after ${limit}, ${dayText(today)} in UTC`);
  }
  if (from > to) {
    const found = givenTo === null ? `${dayText(to)}, the end of the default window; also give \`to\`` : "`to`";
    throw invalid(`query parameter \`from\`: must not be after ${found}`);
  }
  if (to - from >= daysMax) {
    throw new Failure("window_too_large", {
      detail: `query parameter \`from\`: the window spans ${to - from + 1} days and must span at most ${daysMax}`,
    });
  }
  return { from, to };
}

/**
 * Returns the window of a daily series. The default is today and the 30 days before.
 * @throws {Failure} as `resolveWindow`.
 */
export function resolveSeriesWindow(given: Given, today: number): DayWindow {
  const { daysDefault, daysMax } = series;
  return resolveWindow(given, { defaultFrom: today - daysDefault + 1, defaultTo: today, daysMax, today });
}

/** Formats the dates of a window for `meta` and cursors. */
export function windowTexts({ from, to }: DayWindow): { from: string; to: string } {
  return { from: dayText(from), to: dayText(to) };
}

function dayIn(given: Given, name: "from" | "to"): number | null {
  const text = given[name];
  if (text === undefined) return null;
  const day = parseDay(text);
  if (day === null) {
    throw new Failure("invalid_parameter", { detail: `query parameter \`${name}\`: must be a date, YYYY-MM-DD` });
  }
  return day;
}

function invalid(detail: string): Failure {
  return new Failure("invalid_range", { detail });
}
