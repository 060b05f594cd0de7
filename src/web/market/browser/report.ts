import { html, nothing, svg } from "lit-html";
import { dollars } from "../../../values/money/money-text.ts";
import { instantText, rangeText, spanText } from "../../../values/time/time-text.ts";
import { fill } from "../../browser/dom.ts";
import { runsOf } from "../../browser/plot-parts.ts";
import { eventsAddress } from "../../events/browser/address.ts";
import { percentText } from "./changes.ts";
import { causes, countsOf } from "./points.ts";
import { baseOf } from "./scale.ts";
import type { Chart, Point, Row, Series } from "./types.ts";

/** Renders the explanation of the patterns, for causes that occur in the chart. */
export function causeLegend({ resolution }: Chart, series: readonly Series[]) {
  const states = new Set(series.flatMap(({ points }) => points.map(({ state }) => state)));
  const entries = Object.entries(causes).filter(([cause]) => states.has(cause as Point["state"]));
  const runs = series.some(({ points }) => points.some(({ row }) => row?.complete === false));
  return [
    entryOf(swatchOf("quoted"), "Quoted", "a stored price"),
    resolution === "daily"
      ? entryOf(html`<span class="sign band"></span>`, "Band", "lowest to highest of the day")
      : nothing,
    runs ? entryOf(html`<span class="sign ring"></span>`, "Ring", "the day still runs") : nothing,
    entries.map(([cause, { letter, name, description }]) => entryOf(swatchOf(cause, letter), name, description)),
  ];
}

function entryOf(mark: unknown, name: string, description: string) {
  return html`<li>${mark}<span><b>${name}</b>: ${description}</span></li>`;
}

function swatchOf(cause: string, letter = "") {
  const mark =
    cause === "quoted"
      ? svg`<rect class="quoted" y="6.5" width="22" height="3"></rect>`
      : svg`<rect class="gap ${cause}" width="22" height="16" fill="url(#pattern-${cause})"></rect>
<rect class="plate" x="5.5" y="1.5" width="11" height="13" rx="2"></rect>
<text class="letter ${cause}" x="11" y="12" text-anchor="middle">${letter}</text>`;
  return html`<svg class="swatch" width="22" height="16" aria-hidden="true"><rect class="ground" width="22" height="16"></rect>${mark}</svg>`;
}

/** Renders the coverage and the gaps of each line. */
export function gapLists(chart: Chart, all: readonly Series[]) {
  return all.map((series) => {
    const { key, name, side, letter, points } = series;
    const counts = countsOf(points);
    const sums = Object.entries({ quoted: { name: "Quoted" }, ...causes }).map(([state, { name: word }]) => {
      const count = counts[state as Point["state"]] ?? 0;
      return count === 0
        ? nothing
        : html`<span data-state=${state} data-count=${count}>${word.toLowerCase()} ${count}</span>`;
    });
    const gaps = runsOf(points).flatMap(({ state, first, last }) => {
      if (state === "quoted") return [];
      const [from, to] = [points[first]?.at ?? 0, points[last]?.at ?? 0];
      const text = `${causes[state].name}: ${rangeText(from, to, chart.step)} (${last - first + 1})`;
      const entry = series.markets === undefined ? entryOfGap(chart, state, { provider: key, from, to }) : null;
      return [html`<li>${entry === null ? text : html`<a href=${entry}>${text}</a>`}</li>`];
    });
    return html`<section data-line=${key} data-side=${side}><h3>${letter} · ${name}, ${side}s</h3><p class="sums">${sums}</p>${
      gaps.length === 0 ? nothing : html`<ul>${gaps}</ul>`
    }</section>`;
  });
}

/**
 * Returns the address of the log's entries for hours or days without a frame; null if the log has none. It has gaps of completed days since
 * its begin. Other causes of a gap are not events.
 */
function entryOfGap(
  { knownSince, generatedAt }: Chart,
  state: Point["state"],
  { provider, from, to }: { provider: string; from: number; to: number },
): string | null {
  if (knownSince === null || (state !== "no_frame" && state !== "no_observation")) return null;
  const dateOf = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10);
  const [first, last] = [dateOf(from), dateOf(to)];
  if (dateOf(to) < knownSince.slice(0, 10) || first >= generatedAt.slice(0, 10)) return null;
  return eventsAddress({ kind: "gap", provider, from: first, to: last });
}

/** Renders a table of all points of all lines, with the causes of gaps. */
export function allRows({ resolution, step, knownAt }: Chart, all: readonly Series[]) {
  const columns = resolution === "hourly" ? hourlyColumns : dailyColumns;
  const past = knownAt === null ? [] : [`As known ${instantText(knownAt)}`];
  const heads = ["Time", "Line", "Side", "State", "Amount", ...past, ...columns.map(({ head }) => head)];
  const lines = all.flatMap((series) =>
    series.points.map(({ at, state, row }, index) => {
      const amount = state === "quoted" && row !== null ? dollars(row.amount) : "–";
      const own = columns.map(({ of }) => (row === null ? "–" : of(row)));
      const cells = [
        spanText(at, step),
        `${series.letter} ${series.name}`,
        series.side,
        stateText(state),
        amount,
        ...past.map(() => dollars(series.knownRows?.[index]?.amount ?? null)),
        ...own,
      ];
      return html`<tr class="series-${series.colour} ${state}">${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`;
    }),
  );
  const head = heads.map((name) => html`<th scope="col">${name}</th>`);
  return html`<table class="rows"><thead><tr>${head}</tr></thead><tbody>${lines}</tbody></table>`;
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

type LegendParts = {
  /** Keys of the drawn lines, and of the coloured lines. */
  shown: readonly string[];
  chosen: readonly string[];
  isCompared: boolean;
  isPercent: boolean;
  onToggle: (key: string) => void;
  onOthers: (isHidden: boolean) => void;
};

/** Shows the legend. A press on a line toggles its colour; a press on a compared item removes it. */
export function showLegend(
  { series }: Chart,
  { shown, chosen, isCompared, isPercent, onToggle, onOthers }: LegendParts,
) {
  const keys = [...new Set(series.map(({ key }) => key))];
  const buttons = keys.map((key, number) => {
    const own = series.filter((one) => one.key === key);
    const [first] = own;
    const isMain = isCompared && number === 0;
    // The table beside the chart already contains the last prices of providers.
    const last =
      isCompared || isPercent
        ? own.map((one) => html`<span class="last">${lastText(one, isPercent ? series : null)}</span>`)
        : nothing;
    const away =
      isCompared && !isMain ? html`<span class="muted"> ×<span class="hidden"> take away</span></span>` : nothing;
    const isChosen = isCompared || chosen.includes(key);
    return html`<button type="button" class="line series-${isChosen ? first?.colour : 0}" data-line=${key} ?disabled=${isMain}
aria-pressed=${isCompared ? nothing : String(isChosen)} @click=${() => onToggle(key)}><span class="chip">${first?.letter}</span>${first?.name ?? key}${last}${away}</button>`;
  });
  const isHidden = shown.length < keys.length;
  const others =
    isCompared || (!isHidden && shown.length === chosen.length)
      ? nothing
      : html`<button type="button" id="others" class="link" @click=${() => onOthers(!isHidden)}>${isHidden ? "Show all" : "Hide the others"}</button>`;
  fill("legend", [buttons, others]);
}

function lastText(series: Series, all: readonly Series[] | null) {
  const amount = series.points.findLast(({ row }) => row !== null && row.amount !== null)?.row?.amount ?? null;
  const base = all === null ? null : baseOf(series, all);
  if (amount === null) return `no ${series.side}`;
  return `${series.side} ${base !== null ? percentText(base, amount) : dollars(amount)}`;
}
