import { html, nothing, render } from "lit-html";
import { dollars } from "../../../values/money/money-text.ts";
import { dateText, instantText } from "../../../values/time/time-text.ts";
import { byId } from "../../browser/dom.ts";
import type { TimePlot } from "../../browser/time-plot.ts";
import { causeEntry, causeList, tendPlots, walkByKeys } from "../../indexes/browser/point-chart.ts";
import { historyPlots, versionText } from "./history-plot.ts";
import { pointsOf, states, versionsOf } from "./history-points.ts";
import { moneyOr, percent, percentOr } from "./labels.ts";
import type { LoadedHistory } from "./load.ts";
import type { Point, Selection } from "./types.ts";

const versionCause = {
  letter: "┆",
  name: "Upright line",
  meaning: "another revision of the pool or another methodology begins; the lines before and after are not joined",
};
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

/** Expected value, cost and return over time, with each gap and each change of version. */
export class HistoryView {
  #plots: readonly TimePlot[] = [];
  /** The points of the picture; `#all` are those of the window. */
  #points: readonly Point[] = [];
  #all: readonly Point[] = [];
  #isDaily = true;
  #index = 0;
  #host = byId("plots", HTMLElement);

  constructor() {
    tendPlots(this.#host, () => this.#plots);
    walkByKeys(this.#host, {
      index: () => this.#index,
      last: () => this.#points.length - 1,
      go: (index) => {
        const point = this.#points[index];
        if (point !== undefined) for (const plot of this.#plots) plot.moveTo((point.at + point.end) / 2);
        this.#describe(index);
        byId("point-spoken", HTMLElement).textContent = byId("point", HTMLElement).textContent;
      },
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
    const counted = rows.length === 0 ? "Nothing was recorded" : `${rows.length} points, ${texts.join("; ")}`;
    byId("history-note", HTMLElement).textContent =
      `${meta.from} to ${meta.to} (UTC): ${counted}. Gaps: ${gaps}.${this.#undrawn()}`;
    byId("gaps", HTMLElement).hidden = list === "";
    byId("gap-list", HTMLElement).textContent = list;
    this.#host.hidden = rows.length === 0;
    if (rows.length === 0) return;
    this.#plots = historyPlots(this.#host, this.#points, (index) => this.#describe(index));
    const marks = [causeList(this.#points, states), versions.length > 1 ? causeEntry(versionCause) : nothing];
    render(marks, byId("marks", HTMLElement));
    this.#describe(
      Math.max(
        0,
        this.#points.findLastIndex(({ row }) => row !== null),
      ),
    );
    this.#fillRows();
  }

  clear(): void {
    for (const plot of this.#plots) plot.destroy();
    this.#plots = [];
    this.#points = this.#all = [];
    this.#host.hidden = true;
    for (const id of ["history-note", "point"]) byId(id, HTMLElement).textContent = "";
    for (const id of ["plots", "marks", "all-rows", "history-problem"]) render(nothing, byId(id, HTMLElement));
  }

  /** Returns a remark on the points that the picture leaves out. */
  #undrawn(): string {
    const first = this.#points[0];
    if (first === undefined || this.#points.length === this.#all.length) return "";
    return ` Nothing was recorded before ${timeText(first, this.#isDaily)}: the picture begins there, the table has all.`;
  }

  #describe(index: number): void {
    const point = this.#points[index];
    if (point === undefined) return;
    this.#index = index;
    byId("point", HTMLElement).textContent = pointText(point, this.#isDaily);
  }

  #fillRows(): void {
    if (!byId("history-rows", HTMLDetailsElement).open || this.#all.length === 0) return;
    const head = columns.map((name) => html`<th scope="col">${name}</th>`);
    const rows = this.#all.map((point) => rowOf(point, this.#isDaily));
    render(
      html`<table class="rows"><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table>`,
      byId("all-rows", HTMLElement),
    );
  }
}

/** Leaves out a gap of more than a quarter of the window at its start. */
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
