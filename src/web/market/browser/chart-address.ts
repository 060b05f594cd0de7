import type { Resolution, Side } from "./types.ts";

/** Ranges of the chart by their name in the address. */
export const rangeNames = ["1d", "7d", "30d", "90d", "1y", "all"] as const;
/** Maximum number of items to compare with the page's item. */
export const comparedMax = 3;

/**
 * State of the chart:
 * - `range` is null if `from` and `to` set the days
 * - `resolution` is null if it follows the range
 * - `providers` limits the shown providers; empty shows all
 * - `chosen` lists the providers in colour; empty means the first two
 * - `zoom` is the visible time in seconds; null shows the range with data
 * - `compared` lists further items
 * - `known` is the minute of a second line with prices as known then, as `2026-01-15T09:00Z`; "" without it
 */
export type ChartState = {
  range: (typeof rangeNames)[number] | null;
  from: string;
  to: string;
  resolution: Resolution | null;
  sides: readonly Side[];
  hasTwoPanels: boolean;
  isLogarithmic: boolean;
  isPercent: boolean;
  providers: readonly string[];
  chosen: readonly string[];
  compared: readonly number[];
  zoom: { min: number; max: number } | null;
  known: string;
};

const slug = /^[a-z0-9][a-z0-9-]{0,59}$/;

/** Reads the state from the query of the address. Defaults replace missing and invalid parts. */
export function readChart(search: string): ChartState {
  const params = new URLSearchParams(search);
  const [from, to] = [dateOf(params.get("from")), dateOf(params.get("to"))];
  const isByDates = from !== "" && to !== "" && from <= to;
  const list = (name: string) => [...new Set((params.get(name) ?? "").split(","))];
  const sides = (["ask", "bid"] as Side[]).filter((side) => list("sides").includes(side));
  const resolution = params.get("resolution");
  const [, min = 0, max = 0] = (/^(\d{9,10})-(\d{9,10})$/.exec(params.get("zoom") ?? "") ?? []).map(Number);
  return {
    range: isByDates ? null : (rangeNames.find((name) => name === params.get("range")) ?? "30d"),
    from: isByDates ? from : "",
    to: isByDates ? to : "",
    resolution: resolution === "hourly" || resolution === "daily" ? resolution : null,
    sides: sides.length > 0 ? sides : ["ask", "bid"],
    hasTwoPanels: params.get("panels") === "2",
    isLogarithmic: params.get("scale") === "log",
    isPercent: params.get("unit") === "percent" && params.get("scale") !== "log",
    providers: list("providers").filter((name) => slug.test(name)),
    chosen: list("lines").filter((name) => slug.test(name)),
    compared: list("compare").filter(isItemId).map(Number).slice(0, comparedMax),
    zoom: min < max ? { min, max } : null,
    known: minuteOf(params.get("known")),
  };
}

/** Returns the query that `readChart` reads as the same state, with a question mark; "" for the default state. */
export function writeChart({ range, from, to, resolution, sides, compared, zoom, ...looks }: ChartState) {
  const { providers, chosen } = looks;
  const parts = [
    ...(range === null ? [`from=${from}`, `to=${to}`] : range === "30d" ? [] : [`range=${range}`]),
    ...(resolution === null ? [] : [`resolution=${resolution}`]),
    ...(sides.length === 2 ? [] : [`sides=${sides.join(",")}`]),
    ...(looks.hasTwoPanels ? ["panels=2"] : []),
    ...(looks.isLogarithmic ? ["scale=log"] : []),
    ...(looks.isPercent ? ["unit=percent"] : []),
    ...(providers.length === 0 ? [] : [`providers=${providers.join(",")}`]),
    ...(chosen.length === 0 ? [] : [`lines=${chosen.join(",")}`]),
    ...(compared.length === 0 ? [] : [`compare=${compared.join(",")}`]),
    ...(zoom === null ? [] : [`zoom=${Math.round(zoom.min)}-${Math.round(zoom.max)}`]),
    ...(looks.known === "" ? [] : [`known=${looks.known}`]),
  ];
  return parts.length === 0 ? "" : `?${parts.join("&")}`;
}

/** Returns the item id in an address such as `/items/661`; null if it contains none. */
export function itemIdOf(path: string) {
  const id = /^\/items\/(\d+)$/.exec(path)?.[1] ?? "";
  return isItemId(id) ? Number(id) : null;
}

/** Ranges by resolution and days of the former charts page. */
const formerRanges = new Map([
  ["daily 30", "30d"],
  ["daily 90", "90d"],
  ["daily 366", "1y"],
  ["hourly 2", "1d"],
  ["hourly 7", "7d"],
  ["hourly 31", "30d"],
]);

/**
 * Returns the new address for a fragment of the former charts page; null if it names no item.
 * @param fragment Such as `#item=4&resolution=hourly&days=7&sides=ask&providers=steam`.
 */
export function addressOfFragment(fragment: string) {
  const params = new URLSearchParams(fragment.replace(/^#/, ""));
  const item = params.get("item") ?? "";
  if (!isItemId(item)) return null;
  const resolution = params.get("resolution") === "hourly" ? "hourly" : "daily";
  const range = formerRanges.get(`${resolution} ${params.get("days")}`);
  if (range !== undefined) params.set("range", range);
  params.set("resolution", resolution);
  if (!params.has("sides")) params.set("sides", "ask");
  return `/items/${item}${writeChart(readChart(String(params)))}`;
}

function dateOf(text: string | null) {
  const isDate = text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
  return isDate ? text : "";
}

/** A date that does not exist, such as 30 February, is invalid. */
function minuteOf(text: string | null) {
  const isMinute = text !== null && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}Z$/.test(text) && !Number.isNaN(Date.parse(text));
  return isMinute && new Date(text).toISOString().startsWith(text.slice(0, 16)) ? text : "";
}

function isItemId(text: string) {
  return /^[1-9]\d{0,9}$/.test(text) && Number(text) <= 2_147_483_647;
}
