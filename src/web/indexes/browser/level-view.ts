import { html, nothing } from "lit-html";
import { dateText, tickText } from "../../../values/time/time-text.ts";
import { byId, fill } from "../../browser/dom.ts";
import { drawStrip, drawUprights, keepFitting, markEntry, pointOfKey } from "../../browser/plot-parts.ts";
import { TimePlot } from "../../browser/time-plot.ts";
import { choiceButtons } from "../../browser/toolbar.ts";
import { causes, levelText } from "./levels.ts";
import type { Day } from "./types.ts";

/** Days of each range. */
const ranges = { "30D": 30, "90D": 90, "1Y": 366 };
type Range = keyof typeof ranges;
const stripLabel = "Days without a level by cause; the table says the same.";
const columns = ["Day", "Level", "Priced members", "Coverage", "Members, version"];

/** The chart of an index with its ranges, the day under the cursor, the causes of its gaps and all days as a table. */
export class LevelView {
  #plot: TimePlot | null = null;
  #all: readonly Day[] = [];
  #days: readonly Day[] = [];
  #index = 0;
  #range: Range = "90D";
  #host = byId("plot", HTMLElement);

  constructor() {
    keepFitting(this.#host, () => [this.#plot]);
    this.#host.addEventListener("keydown", (event) => {
      const index = pointOfKey(event.key, this.#index, this.#days.length - 1);
      if (index === null) return;
      event.preventDefault();
      const day = this.#days[index];
      if (day !== undefined) this.#plot?.moveTo((day.at + day.end) / 2);
      this.#describe(index, true);
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
    for (const id of ["plot", "point", "spoken", "causes", "days"]) fill(id, nothing);
  }

  #draw(range: Range): void {
    this.clear();
    this.#range = range;
    this.#days = this.#all.slice(-ranges[range]);
    const choices = (Object.keys(ranges) as Range[]).map((value) => ({ value, text: value }));
    fill(
      "ranges",
      choiceButtons(choices, range, (value) => this.#draw(value)),
    );
    const strip = html`<svg class="strip" role="img" aria-label=${stripLabel}></svg>`;
    fill("plot", html`<div class="plot-host"></div>${strip}`);
    this.#plot = plotOf(this.#host, this.#days, (index) => this.#describe(index, false));
    const seen = new Set(this.#days.map(({ state }) => state));
    const marks = Object.entries(causes).map(([state, { letter, name, meaning }]) =>
      seen.has(state as Day["state"]) ? markEntry(letter, name, meaning, state) : nothing,
    );
    fill("causes", marks);
    const last = this.#days.findLastIndex(({ row }) => row !== null);
    this.#describe(Math.max(0, last), false);
    this.#fillRows();
  }

  #describe(index: number, isSpoken: boolean): void {
    const day = this.#days[index];
    if (day === undefined) return;
    this.#index = index;
    const [date, text] = [dateText(day.date), textOf(day)];
    fill("point", html`<b>${date}</b>${` ${text}`}`);
    if (isSpoken) fill("spoken", `${date}: ${text}`);
  }

  #fillRows(): void {
    if (!byId("level-rows", HTMLDetailsElement).open) return;
    const head = columns.map((name) => html`<th scope="col">${name}</th>`);
    const rows = this.#days.toReversed().map(rowOf);
    fill("days", html`<table class="index-list"><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table>`);
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
    drawBelow: (u) => drawUprights(u, versionsOf(days), "--muted"),
    onDrawn: (u) => drawStrip(strip, u, days, causes, "known"),
    onCursor: (at) => {
      if (at !== null) onDay(days.findLastIndex((day) => day.at <= at));
    },
  });
}

function valueRange(min: number | null, max: number | null): [number, number] {
  if (min === null || max === null) return [0, 1];
  const air = Math.max((max - min) * 0.12, max * 0.002);
  return [Math.max(0, min - air), max + air];
}

/** Returns the days on which another version of the members begins. */
function versionsOf(days: readonly Day[]) {
  const rows = days.flatMap(({ at, row }) => (row === null ? [] : [{ at, version: row.membership_version }]));
  return rows.flatMap(({ at, version }, index) => {
    const before = rows[index - 1]?.version;
    return before === undefined || before === version ? [] : [{ at, label: `members, version ${version}` }];
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
