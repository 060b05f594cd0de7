import { dollars } from "../../../values/money/money-text.ts";
import { instantText, rangeText, spanText } from "../../../values/time/time-text.ts";
import { element, shape } from "../../browser/dom.ts";
import { causes, countsOf, runsOf } from "./points.ts";
import type { Chart, Point, Row, Series } from "./types.ts";

/** Explains the patterns of the strips; only the causes that the chart has. */
export function causeLegend({ resolution }: Chart, series: readonly Series[]) {
  const states = new Set(series.flatMap(({ points }) => points.map(({ state }) => state)));
  const entries = Object.entries(causes).filter(([cause]) => states.has(cause as Point["state"]));
  const swatch = (cause: string, letter: string) =>
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
  const entry = (mark: Node, name: string, description: string) =>
    element("li", {}, mark, element("span", {}, element("b", {}, name), `: ${description}`));
  const sign = (kind: string) => element("span", { class: `sign ${kind}` });
  const runs = series.some(({ points }) => points.some(({ row }) => row?.complete === false));
  return [
    entry(swatch("quoted", ""), "Quoted", "a stored price"),
    ...(resolution === "daily" ? [entry(sign("band"), "Band", "lowest to highest of the day")] : []),
    ...(runs ? [entry(sign("ring"), "Ring", "the day still runs")] : []),
    ...entries.map(([cause, { letter, name, description }]) => entry(swatch(cause, letter), name, description)),
  ];
}

/** Lists for each line how much of it is there and its gaps, run by run. */
export function gapLists({ step }: Chart, all: readonly Series[]) {
  return all.map((series) => {
    const { key, name, side, letter, points } = series;
    const counts = countsOf(points);
    const sums = Object.entries({ quoted: { name: "Quoted" }, ...causes }).flatMap(([state, { name: word }]) => {
      const count = counts[state as Point["state"]] ?? 0;
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

/** Makes a table of every point of every line, gaps with their cause. */
export function allRows({ resolution, step }: Chart, all: readonly Series[]) {
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

type Column = { head: string; of: (row: Row) => string };

const quantity: Column = {
  head: "Quantity",
  of: (row) => (row.amount === null ? "–" : String(row.quantity ?? "unknown")),
};
const observedAt: Column = {
  head: "Seen at the source",
  of: (row) => (row.amount === null ? "–" : instantText(row.source_observed_at)),
};

const hourlyColumns: readonly Column[] = [
  quantity,
  { head: "Checked", of: ({ checked_at }) => instantText(checked_at) },
  observedAt,
];

const dailyColumns: readonly Column[] = [
  { head: "Lowest", of: ({ low_amount }) => dollars(low_amount ?? null) },
  { head: "Highest", of: ({ high_amount }) => dollars(high_amount ?? null) },
  { head: "Hours seen", of: ({ observations }) => String(observations ?? "unknown") },
  quantity,
  { head: "Recorded", of: ({ recorded_at }) => instantText(recorded_at) },
  observedAt,
];

function stateText(state: Point["state"]) {
  return state === "quoted" ? "quoted" : causes[state].name.toLowerCase();
}
