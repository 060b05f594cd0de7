import { addDays } from "../../../values/time/time-text.ts";
import type { ChartState } from "./chart-address.ts";
import type { Resolution } from "./types.ts";

const rowsMax = 1000;
/** Maximum number of days per window, by resolution. */
export const windowDaysMax = { daily: 366, hourly: 31 };
/** Maximum number of older windows that are read to find the oldest day. */
const allWindowsMax = 10;
/** Maximum number of requests without a confirmation. */
export const unaskedRequestsMax = 12;
/** Number of past days that the Free plan includes. */
const freeDays = 30;

export const ranges: Record<
  NonNullable<ChartState["range"]>,
  { text: string; days: number; resolution: Resolution }
> = {
  "1d": { text: "1D", days: 1, resolution: "hourly" },
  "7d": { text: "7D", days: 7, resolution: "hourly" },
  "30d": { text: "30D", days: 30, resolution: "daily" },
  "90d": { text: "90D", days: 90, resolution: "daily" },
  "1y": { text: "1Y", days: 365, resolution: "daily" },
  all: { text: "All", days: 365, resolution: "daily" },
};

/**
 * Days to read: from `from` to `to`, split into `windows` that the API permits, newest first. `isOpen` means that older windows follow
 * until one is empty.
 */
export type Plan = {
  resolution: Resolution;
  from: string;
  to: string;
  windows: { from: string; to: string }[];
  isOpen: boolean;
};

/**
 * Plans the reads for a state. A range of n days starts n days before today, so that it contains both ends of a change.
 * @param isFree The Free plan only includes the last 30 completed days.
 */
export function planOf(
  state: Pick<ChartState, "range" | "from" | "to" | "resolution">,
  today: string,
  isFree: boolean,
): Plan {
  const resolution = isFree ? "daily" : resolutionOf(state);
  const days = ranges[state.range ?? "30d"].days;
  const first = addDays(today, -freeDays);
  let [from, to] = state.range === null ? [state.from, state.to] : [addDays(today, -days), today];
  if (to > today) to = today;
  if (isFree) {
    to = to >= today ? addDays(today, -1) : to < first ? first : to;
    from = from < first ? first : from > to ? to : from;
  }
  if (from > to) from = to;
  const isOpen = state.range === "all" && !isFree;
  return { resolution, from, to, windows: windowsOf(from, to, windowDaysMax[resolution]), isOpen };
}

/** Items first observed within this number of days open on hours. */
const youngDays = 6;

/**
 * Returns the initial range of a page without a range in its address; null for the default. An item with its first price a few days ago
 * opens on hours.
 * @param days Daily rows of the last 30 days.
 * @param search The query of the address.
 */
export function openingRange(
  days: readonly { date?: string }[],
  today: string,
  search: string,
  isFree: boolean,
): Pick<ChartState, "range"> | null {
  const params = new URLSearchParams(search);
  const isGiven = ["range", "from", "resolution", "zoom"].some((name) => params.has(name));
  const first = days.flatMap(({ date }) => date ?? []).sort()[0];
  if (isGiven || isFree || first === undefined || first < addDays(today, -youngDays)) return null;
  return { range: "7d" };
}

/** Returns the days of a zoom that starts before its range, as in an old link; null otherwise. */
export function rangeOfZoom(
  { range, zoom }: Pick<ChartState, "range" | "zoom">,
  today: string,
): Pick<ChartState, "range" | "from" | "to"> | null {
  const dateOf = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10);
  if (range === null || range === "all" || zoom === null || dateOf(zoom.min) >= addDays(today, -ranges[range].days))
    return null;
  const to = dateOf(zoom.max - 1);
  return { range: null, from: dateOf(zoom.min), to: to > today ? today : to };
}

/** Returns the resolution of the state, or the default of its range. */
export function resolutionOf({
  range,
  from,
  to,
  resolution,
}: Pick<ChartState, "range" | "from" | "to" | "resolution">) {
  if (resolution !== null) return resolution;
  if (range !== null) return ranges[range].resolution;
  return to <= addDays(from, 7) ? "hourly" : "daily";
}

/** Splits days into windows of at most `daysMax`, newest first. */
export function windowsOf(from: string, to: string, daysMax: number) {
  const windows = [];
  for (let end = to; end >= from; end = addDays(end, -daysMax)) {
    const start = addDays(end, 1 - daysMax);
    windows.push({ from: start < from ? from : start, to: end });
  }
  return windows;
}

/**
 * Returns the window before `from`, which an open plan reads next; null after ten windows.
 * @param count Number of older windows that were read.
 */
export function windowBefore(from: string, resolution: Resolution, count: number) {
  return count >= allWindowsMax ? null : { from: addDays(from, -windowDaysMax[resolution]), to: addDays(from, -1) };
}

/**
 * Returns the number of requests for a window: a page has 1,000 rows, and a row is one hour or day of one provider.
 * @param providers Number of providers in one request.
 */
export function pagesOf({ from, to }: { from: string; to: string }, resolution: Resolution, providers: number) {
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
  return Math.max(1, Math.ceil((days * (resolution === "hourly" ? 24 : 1) * providers) / rowsMax));
}
