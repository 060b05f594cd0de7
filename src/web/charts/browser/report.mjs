/** @import { Chart, Point, Series } from "./types.mjs" */
import { element, shape } from "../../browser/dom.mjs";
import { dollars } from "../../browser/money.mjs";
import { instantText, rangeText, spanText } from "../../browser/times.mjs";
import { causes, countsOf, runsOf } from "./points.mjs";

const sideNames = { ask: "asks", bid: "bids" };

/** Explains the patterns of the strip; only the causes that the chart has. @param {Chart} chart */
export function causeLegend({ series, resolution }) {
  const states = new Set(series.flatMap(({ points }) => points.map(({ state }) => state)));
  const entries = Object.entries(causes).filter(([cause]) => states.has(/** @type {Point["state"]} */ (cause)));
  const swatch = (/** @type {string} */ cause, /** @type {string} */ letter) =>
    shape(
      "svg",
      { class: "swatch", width: 22, height: 16, "aria-hidden": "true" },
      shape("rect", { class: "ground", width: 22, height: 16 }),
      ...(cause === "quoted"
        ? [shape("rect", { class: "quoted", y: 6.5, width: 22, height: 3 })]
        : [
            shape("rect", { class: `gap ${cause}`, width: 22, height: 16, fill: `url(#pattern-${cause})` }),
            shape("rect", { class: "plate", x: 5.5, y: 1.5, width: 11, height: 13, rx: 2 }),
            shape("text", { class: `letter ${cause}`, x: 11, y: 12, "text-anchor": "middle" }, letter),
          ]),
    );
  const entry = (/** @type {Node} */ mark, /** @type {string} */ name, /** @type {string} */ description) =>
    element("li", {}, mark, element("span", {}, element("b", {}, name), `: ${description}`));
  const isDaily = resolution === "daily";
  const runs = series.some(({ points }) => points.some(({ row }) => row?.complete === false));
  const sign = (/** @type {string} */ kind) => element("span", { class: `sign ${kind}` });
  return [
    entry(swatch("quoted", ""), "Quoted", "a stored price"),
    ...(isDaily ? [entry(sign("band"), "Band", "lowest to highest of the day")] : []),
    ...(runs ? [entry(sign("ring"), "Ring", "the day still runs")] : []),
    ...entries.map(([cause, { letter, name, description }]) => entry(swatch(cause, letter), name, description)),
  ];
}

/** Makes one card per series: how much of it is there, why the rest is not, and how old it is. @param {Chart} chart */
export function seriesCards({ series, step }) {
  return series.map((one) => {
    const { provider, side, letter, meta, points } = one;
    const counts = countsOf(points);
    const last = points.findLast(({ state }) => state === "quoted");
    const gaps = Object.entries(causes).flatMap(([cause, { name }]) => {
      const count = counts[/** @type {Point["state"]} */ (cause)] ?? 0;
      return count === 0 ? [] : [element("span", { "data-cause": cause }, `${name.toLowerCase()} ${count}`)];
    });
    const term = (/** @type {string} */ name, /** @type {(Node | string)[]} */ ...content) =>
      element("div", {}, element("dt", {}, name), element("dd", {}, ...content));
    return element(
      "li",
      { class: `card series-${one.colour}`, "data-provider": provider.provider, "data-side": side },
      element("h3", {}, element("span", { class: "chip" }, letter), `${provider.name}, ${sideNames[side]}`),
      element(
        "dl",
        {},
        term(
          "Last quote",
          last?.row == null ? "none in this window" : `${dollars(last.row.amount)} · ${spanText(last.at, step)}`,
        ),
        term("Points", element("span", { "data-cause": "quoted" }, `quoted ${counts.quoted ?? 0}`), ...gaps),
        term("freshness", meta.freshness, ` (${meta.timestamp_quality})`),
        term("as_of", instantText(meta.as_of)),
        term("missing_points", ...unbroken(meta.missing_points)),
      ),
    );
  });
}

/** Lines break between times, not within one. @param {string} text */
function unbroken(text) {
  return text
    .split(/(?<=[ /])/)
    .flatMap((word) => [element("span", { class: "word" }, word.trimEnd()), word.endsWith(" ") ? " " : element("wbr")]);
}

/** Lists the gaps in words, run by run. @param {Chart} chart */
export function gapLists({ series, step }) {
  return series.map(({ provider, side, letter, points }) => {
    const gaps = runsOf(points).flatMap(({ state, first, last }) => {
      if (state === "quoted") return [];
      const text = rangeText(points[first]?.at ?? 0, points[last]?.at ?? 0, step);
      return [element("li", {}, `${causes[state].name}: ${text} (${last - first + 1})`)];
    });
    const heading = element("h3", {}, `${letter} · ${provider.name}, ${sideNames[side]}`);
    return element("section", {}, heading, gaps.length === 0 ? "No gaps." : element("ul", {}, ...gaps));
  });
}

/** Makes a table of the exact rows of all series at one point. @param {Chart} chart @param {number} index */
export function rowsAt(chart, index) {
  return rowsTable(
    chart,
    chart.series.map((series) => ({ series, point: /** @type {Point} */ (series.points[index]) })),
    false,
  );
}

/** Makes a table of every point of every series, gaps with their cause. @param {Chart} chart */
export function allRows(chart) {
  const lines = chart.series.flatMap((series) => series.points.map((point) => ({ series, point })));
  return rowsTable(chart, lines, true);
}

/** Describes one point in a sentence, for readers who cannot see the chart. @param {Chart} chart @param {number} index */
export function sentenceAt({ series, step }, index) {
  const parts = series.map(({ provider, side, points }) => {
    const point = points[index];
    const value = point?.row?.amount == null ? stateText(point?.state) : dollars(point.row.amount);
    return `${provider.name} ${side} ${value}`;
  });
  return `${spanText(series[0]?.points[index]?.at ?? 0, step)}: ${parts.join("; ")}`;
}

/**
 * @param {Chart} chart
 * @param {readonly { series: Series, point: Point }[]} lines
 * @param {boolean} withTime
 */
function rowsTable({ resolution, step }, lines, withTime) {
  const columns = resolution === "hourly" ? hourlyColumns : dailyColumns;
  const time = withTime ? [resolution === "hourly" ? "ts" : "date"] : [];
  const heads = [...time, "provider", "side", "availability", "amount", ...columns.map(({ head }) => head)];
  const body = lines.map(({ series, point }) => {
    const { row, state } = point;
    const cells = [
      ...(withTime ? [row?.ts ?? row?.date ?? spanText(point.at, step)] : []),
      `${series.letter} ${series.provider.provider}`,
      series.side,
      stateText(state),
      state === "quoted" && row !== null ? dollars(row.amount) : "–",
      ...columns.map(({ of }) => (row === null ? "–" : of(row))),
    ];
    const made = cells.map((cell) => element("td", {}, cell));
    return element("tr", { class: `series-${series.colour} ${state}` }, ...made);
  });
  const head = element("tr", {}, ...heads.map((name) => element("th", { scope: "col" }, name)));
  return element("table", { class: "rows" }, element("thead", {}, head), element("tbody", {}, ...body));
}

/** @typedef {{ head: string, of: (row: import("./types.mjs").Row) => string }} Column */

/** @type {Column} */
const quantity = { head: "quantity", of: (row) => (row.amount === null ? "–" : String(row.quantity ?? "unknown")) };
/** @type {Column} */
const observedAt = {
  head: "source_observed_at",
  of: (row) => (row.amount === null ? "–" : (row.source_observed_at ?? "unknown")),
};

/** @type {readonly Column[]} */
const hourlyColumns = [
  quantity,
  { head: "checked_at", of: ({ checked_at }) => checked_at ?? "–" },
  { head: "ingested_at", of: ({ ingested_at }) => ingested_at ?? "–" },
  observedAt,
];

/** @type {readonly Column[]} */
const dailyColumns = [
  { head: "low_amount", of: ({ low_amount }) => dollars(low_amount ?? null) },
  { head: "high_amount", of: ({ high_amount }) => dollars(high_amount ?? null) },
  { head: "observations", of: ({ observations }) => String(observations) },
  quantity,
  { head: "complete", of: ({ complete }) => String(complete) },
  { head: "recorded_at", of: ({ recorded_at }) => recorded_at ?? "–" },
  observedAt,
];

/** The word of the API where it has one. @param {Point["state"] | undefined} state */
function stateText(state) {
  if (state === undefined || state === "quoted" || state === "item_missing" || state === "no_quote")
    return state ?? "–";
  return `no row: ${causes[state].name.toLowerCase()}`;
}
