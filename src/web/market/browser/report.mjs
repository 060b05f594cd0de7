/** @import { Chart, Point, Row, Series } from "./types.mjs" */

import { dollars } from "../../../values/money/money-text.mjs";
import { instantText, rangeText, spanText } from "../../../values/time/time-text.mjs";
import { element, shape } from "../../browser/dom.mjs";
import { causes, countsOf, runsOf } from "./points.mjs";

/** Explains the patterns of the strips; only the causes that the chart has. @param {Chart} chart @param {readonly Series[]} series */
export function causeLegend({ resolution }, series) {
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
  const sign = (/** @type {string} */ kind) => element("span", { class: `sign ${kind}` });
  const runs = series.some(({ points }) => points.some(({ row }) => row?.complete === false));
  return [
    entry(swatch("quoted", ""), "Quoted", "a stored price"),
    ...(resolution === "daily" ? [entry(sign("band"), "Band", "lowest to highest of the day")] : []),
    ...(runs ? [entry(sign("ring"), "Ring", "the day still runs")] : []),
    ...entries.map(([cause, { letter, name, description }]) => entry(swatch(cause, letter), name, description)),
  ];
}

/** Lists for each line how much of it is there and its gaps, run by run. @param {Chart} chart @param {readonly Series[]} all */
export function gapLists({ step }, all) {
  return all.map((series) => {
    const { key, name, side, letter, points } = series;
    const counts = countsOf(points);
    const sums = Object.entries({ quoted: { name: "Quoted" }, ...causes }).flatMap(([state, { name: word }]) => {
      const count = counts[/** @type {Point["state"]} */ (state)] ?? 0;
      return count === 0
        ? []
        : [element("span", { "data-state": state, "data-count": String(count) }, `${word.toLowerCase()} ${count}`)];
    });
    const gaps = runsOf(points).flatMap(({ state, first, last }) => {
      if (state === "quoted") return [];
      const text = rangeText(points[first]?.at ?? 0, points[last]?.at ?? 0, step);
      return [element("li", {}, `${causes[state].name}: ${text} (${last - first + 1})`)];
    });
    return element(
      "section",
      { "data-line": key, "data-side": side },
      element("h3", {}, `${letter} · ${name}, ${side}s`),
      element("p", { class: "sums" }, ...sums),
      ...(gaps.length === 0 ? [] : [element("ul", {}, ...gaps)]),
    );
  });
}

/** Makes a table of every point of every line, gaps with their cause. @param {Chart} chart @param {readonly Series[]} all */
export function allRows({ resolution, step }, all) {
  const columns = resolution === "hourly" ? hourlyColumns : dailyColumns;
  const heads = ["Time", "Line", "Side", "State", "Amount", ...columns.map(({ head }) => head)];
  const lines = all.flatMap((series) =>
    series.points.map(({ at, state, row }) => {
      const amount = state === "quoted" && row !== null ? dollars(row.amount) : "–";
      const own = columns.map(({ of }) => (row === null ? "–" : of(row)));
      const cells = [
        spanText(at, step),
        `${series.letter} ${series.name}`,
        series.side,
        stateText(state),
        amount,
        ...own,
      ];
      return element(
        "tr",
        { class: `series-${series.colour} ${state}` },
        ...cells.map((cell) => element("td", {}, cell)),
      );
    }),
  );
  const head = element("tr", {}, ...heads.map((name) => element("th", { scope: "col" }, name)));
  return element("table", { class: "rows" }, element("thead", {}, head), element("tbody", {}, ...lines));
}

/** @typedef {{ head: string, of: (row: Row) => string }} Column */

/** @type {Column} */
const quantity = { head: "Quantity", of: (row) => (row.amount === null ? "–" : String(row.quantity ?? "unknown")) };
/** @type {Column} */
const observedAt = {
  head: "Seen at the source",
  of: (row) => (row.amount === null ? "–" : instantText(row.source_observed_at)),
};

/** @type {readonly Column[]} */
const hourlyColumns = [quantity, { head: "Checked", of: ({ checked_at }) => instantText(checked_at) }, observedAt];

/** @type {readonly Column[]} */
const dailyColumns = [
  { head: "Lowest", of: ({ low_amount }) => dollars(low_amount ?? null) },
  { head: "Highest", of: ({ high_amount }) => dollars(high_amount ?? null) },
  { head: "Hours seen", of: ({ observations }) => String(observations ?? "unknown") },
  quantity,
  { head: "Recorded", of: ({ recorded_at }) => instantText(recorded_at) },
  observedAt,
];

/** @param {Point["state"]} state */
function stateText(state) {
  return state === "quoted" ? "quoted" : causes[state].name.toLowerCase();
}
