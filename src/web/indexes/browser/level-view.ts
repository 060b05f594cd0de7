import { html, nothing, render } from "lit-html";
import { dateText, tickText } from "../../../values/time/time-text.ts";
import { byId } from "../../browser/dom.ts";
import { TimePlot } from "../../browser/time-plot.ts";
import { causes, levelText } from "./levels.ts";
import { causeList, drawStrip, drawVersions, pointAt, tendPlots, walkByKeys } from "./point-chart.ts";
import type { Day } from "./types.ts";

const ranges = [
  ["30D", 30],
  ["90D", 90],
  ["1Y", 366],
] as const;
const stripLabel = "Days without a level by cause; the table says the same.";
const columns = ["Day", "Level", "Priced members", "Coverage", "Members, version"];

/** The chart of an index with its ranges, the day under the cursor, the causes of its gaps and all days as a table. */
export class LevelView {
  #plot: TimePlot | null = null;
  #all: readonly Day[] = [];
  #days: readonly Day[] = [];
  #index = 0;
  #range = 90;
  #host = byId("plot", HTMLElement);

  constructor() {
    tendPlots(this.#host, () => (this.#plot === null ? [] : [this.#plot]));
    walkByKeys(this.#host, {
      index: () => this.#index,
      last: () => this.#days.length - 1,
      go: (index) => {
        const day = this.#days[index];
        if (day !== undefined) this.#plot?.moveTo((day.at + day.end) / 2);
        this.#describe(index, true);
      },
    });
    byId("level-rows", HTMLDetailsElement).addEventListener("toggle", () => this.#fillRows());
  }

  show(days: readonly Day[]): void {
    this.#all = days;
    this.#draw(this.#range);
  }

  clear(): void {
    this.#plot?.destroy();
    this.#plot = null;
    for (const id of ["plot", "point", "causes", "days"]) render(nothing, byId(id, HTMLElement));
    byId("spoken", HTMLElement).textContent = "";
  }

  #draw(range: number): void {
    this.clear();
    this.#range = range;
    this.#days = this.#all.slice(-range);
    const chips = ranges.map(([name, count]) => {
      const choose = () => this.#draw(count);
      const isChosen = count === range;
      return html`<button type="button" class="chip-button" data-range=${count} aria-pressed=${isChosen} @click=${choose}>${name}</button>`;
    });
    render(chips, byId("ranges", HTMLElement));
    const strip = html`<svg class="strip" role="img" aria-label=${stripLabel}></svg>`;
    render(html`<div class="plot-host"></div>${strip}`, this.#host);
    this.#plot = plotOf(this.#host, this.#days, (index) => this.#describe(index, false));
    render(causeList(this.#days, causes), byId("causes", HTMLElement));
    const last = this.#days.findLastIndex(({ row }) => row !== null);
    this.#describe(Math.max(0, last), false);
    this.#fillRows();
  }

  #describe(index: number, isSpoken: boolean): void {
    this.#index = index;
    const day = this.#days[index];
    if (day === undefined) return;
    const [date, text] = [dateText(day.date), textOf(day)];
    render(html`<b>${date}</b> ${text}`, byId("point", HTMLElement));
    if (isSpoken) byId("spoken", HTMLElement).textContent = `${date}: ${text}`;
  }

  #fillRows(): void {
    if (!byId("level-rows", HTMLDetailsElement).open) return;
    const head = columns.map((name) => html`<th scope="col">${name}</th>`);
    const rows = this.#days.toReversed().map(rowOf);
    const table = html`<table class="index-list"><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table>`;
    render(table, byId("days", HTMLElement));
  }
}

/** @param onDay Called with the day under the cursor. */
function plotOf(host: HTMLElement, days: readonly Day[], onDay: (index: number) => void): TimePlot {
  const [frame, strip] = host.children as unknown as [HTMLElement, SVGElement];
  const [first, last] = [days[0]?.at ?? 0, days.at(-1)?.end ?? 1];
  return new TimePlot(host, frame, {
    times: days.map(({ at }) => at),
    lines: [{ values: days.map(({ row }) => (row?.value == null ? null : Number(row.value))), colour: "--series-1" }],
    endOf: (index) => days[index]?.end ?? last,
    timeRange: () => [first, last],
    valueRange,
    timeAxis: { text: tickText, space: { narrow: 52, wide: 70 } },
    valueAxis: { text: (value) => value.toLocaleString("en-US"), size: { narrow: 52, wide: 64 }, space: 40 },
    height: { narrow: 260, wide: 420 },
    padding: { top: 16, right: { narrow: 20, wide: 28 } },
    drawBelow: (u) => drawVersions(u, versionsOf(days), versionLook),
    onDrawn: (u) => drawStrip(strip, u, days, causes),
    onCursor: (at) => {
      const index = pointAt(days, at);
      if (index >= 0) onDay(index);
    },
  });
}

function valueRange(min: number | null, max: number | null): [number, number] {
  if (min === null || max === null) return [0, 1];
  const air = Math.max((max - min) * 0.12, max * 0.002);
  return [Math.max(0, min - air), max + air];
}

const versionLook = {
  ink: "--muted",
  family: "Inter, system-ui, sans-serif",
  isLeft: ({ ctx }: uPlot, x: number, textWidth: number) => x + textWidth > ctx.canvas.width,
};

/** Returns the days on which another version of the members begins. */
function versionsOf(days: readonly Day[]) {
  const rows = days.flatMap(({ at, row }) => (row === null ? [] : [{ at, version: row.membership_version }]));
  return rows.flatMap(({ at, version }, index) => {
    const before = rows[index - 1]?.version;
    return before === undefined || before === version ? [] : [{ at, text: `members, version ${version}` }];
  });
}

function causeOf({ state }: Day): string {
  return state === "level" ? "" : causes[state].name;
}

function textOf(day: Day): string {
  const { row } = day;
  if (row === null) return causeOf(day);
  const priced = `${row.priced_constituent_count} of ${row.constituent_count} members priced (${row.coverage_pct} %)`;
  return `${row.value === null ? `no level, ${causeOf(day)}` : levelText(row.value)} · ${priced}`;
}

function rowOf(day: Day) {
  const { date, row } = day;
  const cells =
    row === null
      ? [causeOf(day), "–", "–", "–"]
      : [
          row.value === null ? `no level: ${causeOf(day)}` : levelText(row.value),
          `${row.priced_constituent_count} of ${row.constituent_count}`,
          `${row.coverage_pct} %`,
          row.membership_version,
        ];
  return html`<tr><th scope="row">${date}</th>${cells.map((text) => html`<td>${text}</td>`)}</tr>`;
}
