import { html, nothing } from "lit-html";
import { dollars } from "../../../values/money/money-text.ts";
import { plural } from "../../../values/text/counted.ts";
import { dateText, instantText } from "../../../values/time/time-text.ts";
import { byId, fill } from "../../browser/dom.ts";
import { keepFitting, markEntry, pointOfKey } from "../../browser/plot-parts.ts";
import type { TimePlot } from "../../browser/time-plot.ts";
import { historyPlots, versionText } from "./history-plot.ts";
import { pointsOf, states, versionsOf } from "./history-points.ts";
import { moneyOr, percent, percentOr } from "./labels.ts";
import type { LoadedHistory } from "./load.ts";
import type { Point, Selection } from "./types.ts";

const versionMark = markEntry(
  "┆",
  "Upright line",
  "another revision of the pool or another methodology begins; the lines before and after are not joined",
);
const columns = [
  "Time",
  "Expected value",
  "Cost",
  "Profit",
  "Return",
  "Profit chance",
  "Priced",
  "Prices of",
  "Methodology",
  "Revision",
  "Recorded",
];

/** Shows expected value, cost and return over time, with gaps and changes of version. */
export class HistoryView {
  #plots: readonly TimePlot[] = [];
  /** Drawn points. `#all` contains all points of the window. */
  #points: readonly Point[] = [];
  #all: readonly Point[] = [];
  #isDaily = true;
  #index = 0;
  #host = byId("plots", HTMLElement);

  constructor() {
    keepFitting(this.#host, () => this.#plots);
    this.#host.addEventListener("keydown", (event) => {
      const index = pointOfKey(event.key, this.#index, this.#points.length - 1);
      if (index === null) return;
      event.preventDefault();
      const point = this.#points[index];
      if (point !== undefined) for (const plot of this.#plots) plot.moveTo((point.at + point.end) / 2);
      this.#describe(index, true);
    });
    byId("history-rows", HTMLDetailsElement).addEventListener("toggle", () => this.#fillRows());
  }

  show(granularity: Selection["granularity"], { rows, meta }: LoadedHistory): void {
    this.clear();
    this.#isDaily = granularity === "day";
    this.#all = pointsOf(granularity, meta, rows);
    this.#points = withoutLongStart(this.#all);
    const versions = versionsOf(this.#points);
    const texts = versions.map(({ row }) => `${versionText(row)} from ${instantText(row.ts)}`);
    const [gaps = "", list = ""] = meta.missing_points.split(/: /);
    const counted = rows.length === 0 ? "Nothing was recorded" : `${plural(rows.length, "point")}, ${texts.join("; ")}`;
    fill("history-note", `${meta.from} to ${meta.to} (UTC): ${counted}. Gaps: ${gaps}.${this.#undrawn()}`);
    byId("gaps", HTMLElement).hidden = list === "";
    fill("gap-list", list);
    this.#host.hidden = rows.length === 0;
    if (rows.length === 0) return;
    this.#plots = historyPlots(this.#host, this.#points, (index) => this.#describe(index, false));
    const seen = new Set(this.#points.map(({ state }) => state));
    const marks = Object.entries(states).map(([state, { letter, name, meaning }]) =>
      seen.has(state as Point["state"]) ? markEntry(letter, name, meaning, state) : nothing,
    );
    fill("marks", [marks, versions.length > 1 ? versionMark : nothing]);
    const last = this.#points.findLastIndex(({ row }) => row !== null);
    this.#describe(Math.max(0, last), false);
    this.#fillRows();
  }

  clear(): void {
    for (const plot of this.#plots) plot.destroy();
    this.#plots = [];
    this.#points = this.#all = [];
    this.#host.hidden = true;
    for (const id of ["history-note", "plots", "point", "marks", "all-rows", "history-problem"]) fill(id, nothing);
  }

  /** Returns a note about points that are not drawn; "" if all are drawn. */
  #undrawn(): string {
    const first = this.#points[0];
    if (first === undefined || this.#points.length === this.#all.length) return "";
    return ` Nothing was recorded before ${timeText(first, this.#isDaily)}: the picture begins there, the table has all.`;
  }

  #describe(index: number, isSpoken: boolean): void {
    const point = this.#points[index];
    if (point === undefined) return;
    this.#index = index;
    const text = pointText(point, this.#isDaily);
    fill("point", text);
    if (isSpoken) fill("point-spoken", text);
  }

  #fillRows(): void {
    if (!byId("history-rows", HTMLDetailsElement).open || this.#all.length === 0) return;
    const head = columns.map((name) => html`<th scope="col">${name}</th>`);
    const rows = this.#all.map((point) => rowOf(point, this.#isDaily));
    fill("all-rows", html`<table class="rows"><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table>`);
  }
}

/** Removes a gap at the start if it is longer than a quarter of the window. */
function withoutLongStart(points: readonly Point[]): readonly Point[] {
  const first = points.findIndex(({ row }) => row !== null);
  return first > points.length / 4 ? points.slice(first) : points;
}

function timeText({ at }: Point, isDaily: boolean): string {
  const ts = new Date(at * 1000).toISOString();
  return isDaily ? dateText(ts.slice(0, 10)) : instantText(ts);
}

function causeText({ state }: Point): string {
  return states[state === "not_begun" ? state : "no_row"].name.toLowerCase();
}

/** Describes a point in a sentence. */
function pointText(point: Point, isDaily: boolean): string {
  const { row } = point;
  const time = timeText(point, isDaily);
  if (row === null) return `${time}: ${causeText(point)}.`;
  const [value, back] = [moneyOr(row.expected_value_cents), percentOr(row.return_pct)];
  return `${time}: expected value ${value}, cost ${dollars(row.cost_cents)}, return ${back}; ${versionText(row)}.`;
}

function rowOf(point: Point, isDaily: boolean) {
  const { row, state } = point;
  const cells =
    row === null
      ? html`<td colspan=${columns.length - 1}>${causeText(point)}</td>`
      : [
          moneyOr(row.expected_value_cents),
          dollars(row.cost_cents),
          moneyOr(row.expected_profit_cents),
          percentOr(row.return_pct),
          percentOr(row.profit_chance_pct),
          percent(row.priced_probability_mass_pct),
          instantText(row.price_as_of),
          row.methodology_version,
          row.revision_number,
          instantText(row.recorded_at),
        ].map((text) => html`<td>${text}</td>`);
  return html`<tr class=${state}><th scope="row">${timeText(point, isDaily)}</th>${cells}</tr>`;
}
