import { html, nothing } from "lit-html";
import { csvRecord } from "../../../values/text/csv.ts";
import { dateText, tickText } from "../../../values/time/time-text.ts";
import { byId, fill } from "../../browser/dom.ts";
import { drawStrip, drawUprights, keepFitting, markEntry, pointOfKey } from "../../browser/plot-parts.ts";
import { copyLink, saveFile } from "../../browser/take.ts";
import { dayIntervals, TimePlot } from "../../browser/time-plot.ts";
import { choiceButtons } from "../../browser/toolbar.ts";
import { causes, numberText, percentChange } from "./levels.ts";
import type { Day, LevelRow } from "./types.ts";

/** Number of days per range. */
const ranges = { "30D": 30, "90D": 90, "1Y": 366 };
const units = { level: "Level", percent: "%" };
const scales = { linear: "Linear", log: "Log" };
/** State of the chart in the query of the address. Percentages have no logarithmic scale. */
type ChartState = { range: keyof typeof ranges; unit: keyof typeof units; scale: keyof typeof scales };
const plain: ChartState = { range: "90D", unit: "level", scale: "linear" };
const stripLabel = "Days without a level by cause; the table has the same data.";
const csvColumns = ["date", "state", "level", "priced_members", "members", "membership_version"];
const columns = ["Day", "Level", "Priced members", "Coverage", "Members, version"];

/** Chart of an index, with ranges, the day under the cursor, causes of gaps and a table. */
export class LevelView {
  #plot: TimePlot | null = null;
  #name = "";
  /** Returns the address of the log's entry of a corrected level; null without one. */
  #entryOf: (row: LevelRow) => string | null = () => null;
  #all: readonly Day[] = [];
  #days: readonly Day[] = [];
  #index = 0;
  #look = readChartState();
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
    byId("whole", HTMLButtonElement).addEventListener("click", () => this.#plot?.zoom(null));
    byId("csv", HTMLButtonElement).addEventListener("click", () => saveCsv(this.#name, this.#days));
    byId("copy", HTMLButtonElement).addEventListener("click", () => void copyLink());
  }

  /** @param entryOf Returns the address of the log's entry of a corrected level; null without one. */
  show(name: string, days: readonly Day[], entryOf: (row: LevelRow) => string | null): void {
    this.#name = name;
    this.#entryOf = entryOf;
    this.#all = days;
    this.#draw({});
  }

  clear(): void {
    this.#plot?.destroy();
    this.#plot = null;
    for (const id of ["plot", "point", "spoken", "causes", "days"]) fill(id, nothing);
  }

  #draw(change: Partial<ChartState>): void {
    this.clear();
    this.#look = { ...this.#look, ...change };
    writeChartState(this.#look);
    this.#days = this.#all.slice(-ranges[this.#look.range]);
    this.#showChoices();
    const strip = html`<svg class="strip" role="img" aria-label=${stripLabel}></svg>`;
    fill("plot", html`<div class="plot-host"></div>${strip}`);
    this.#plot = plotOf(this.#host, this.#days, this.#look, (index) => this.#describe(index, false));
    const seen = new Set(this.#days.map(({ state }) => state));
    const marks = Object.entries(causes).map(([state, { letter, name, meaning }]) =>
      seen.has(state as Day["state"]) ? markEntry(letter, name, meaning, state) : nothing,
    );
    fill("causes", marks);
    const last = this.#days.findLastIndex(({ row }) => row !== null);
    this.#describe(Math.max(0, last), false);
    this.#fillRows();
  }

  #showChoices(): void {
    const show = <Value extends string>(
      id: string,
      texts: Record<Value, unknown>,
      name: keyof ChartState,
      now: Value,
    ) => {
      const choices = (Object.keys(texts) as Value[]).map((value) => ({ value, text: textOfChoice(texts, value) }));
      // Percent and logarithm exclude each other.
      const other = name === "unit" ? { scale: plain.scale } : name === "scale" ? { unit: plain.unit } : {};
      fill(
        id,
        choiceButtons(choices, now, (value) => this.#draw({ ...other, [name]: value })),
      );
    };
    show("ranges", ranges, "range", this.#look.range);
    show("unit", units, "unit", this.#look.unit);
    show("scale", scales, "scale", this.#look.scale);
  }

  #describe(index: number, isSpoken: boolean): void {
    const day = this.#days[index];
    if (day === undefined) return;
    this.#index = index;
    const [date, text] = [dateText(day.date), textOf(day)];
    fill("point", html`<b>${date}</b>${` ${text}`}${this.#correctionOf(day)}`);
    if (isSpoken) fill("spoken", `${date}: ${text}`);
  }

  /** Renders the revision of a corrected level, with a link to its entry in the log. */
  #correctionOf({ row }: Day) {
    if (row === null || row.revision === 1) return nothing;
    const entry = this.#entryOf(row);
    const text = `revision ${row.revision}`;
    return html` · ${entry === null ? text : html`<a href=${entry}>${text}</a>`}`;
  }

  #fillRows(): void {
    if (!byId("level-rows", HTMLDetailsElement).open) return;
    const head = columns.map((name) => html`<th scope="col">${name}</th>`);
    const rows = this.#days.toReversed().map((day) => rowOf(day, this.#correctionOf(day)));
    fill("days", html`<table class="index-list"><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table>`);
  }
}

/** @param onDay Called with the index of the day under the cursor. */
function plotOf(host: HTMLElement, days: readonly Day[], { unit, scale }: ChartState, onDay: (index: number) => void) {
  const [frame, strip] = host.children as unknown as [HTMLElement, SVGElement];
  const [first, lastDay, last] = [days[0]?.at ?? 0, days.at(-1)?.at ?? 0, days.at(-1)?.end ?? 1];
  const values = days.map(({ row }) => (row?.value == null ? null : Number(row.value)));
  const base = values.find((value) => value !== null) ?? 1;
  const isPercent = unit === "percent";
  const whole = byId("whole", HTMLButtonElement);
  return new TimePlot(host, frame, {
    times: days.map(({ at }) => at),
    lines: [
      {
        values: isPercent ? values.map((value) => value && percentChange(value, base)) : values,
        colour: "--series-1",
      },
    ],
    endOf: (index) => days[index]?.end ?? last,
    timeRange: (min, max) => (min === null || max === null ? [first, last] : [min, max >= lastDay ? last : max]),
    valueRange: (min, max) => valueRange(min, max, { isPercent, isLogarithmic: scale === "log" }),
    isLogarithmic: scale === "log",
    canZoom: true,
    onRange: (min, max) => {
      whole.hidden = min <= first && max >= lastDay;
    },
    timeAxis: { text: tickText, intervals: dayIntervals, space: { narrow: 52, wide: 70 } },
    valueAxis: {
      text: (value) => `${value.toLocaleString("en-US")}${isPercent ? " %" : ""}`,
      size: { narrow: 52, wide: 64 },
      space: 40,
    },
    height: { narrow: 260, wide: 420 },
    padding: { top: 16, right: { narrow: 20, wide: 28 } },
    drawBelow: (u) => drawUprights(u, versionsOf(days), "--muted"),
    onDrawn: (u) => drawStrip(strip, u, days, causes, "known"),
    onCursor: (at) => {
      if (at !== null) onDay(days.findLastIndex((day) => day.at <= at));
    },
  });
}

type Axis = { isPercent: boolean; isLogarithmic: boolean };

function valueRange(min: number | null, max: number | null, { isPercent, isLogarithmic }: Axis): [number, number] {
  if (min === null || max === null) return isLogarithmic ? [1, 10] : [0, 1];
  if (isLogarithmic) {
    const factor = Math.max(1.02, (max / min) ** 0.08);
    return [min / factor, max * factor];
  }
  const air = Math.max((max - min) * 0.12, isPercent ? 0.2 : max * 0.002);
  return [isPercent ? min - air : Math.max(0, min - air), max + air];
}

function textOfChoice(texts: Readonly<Record<string, unknown>>, value: string): string {
  const text = texts[value];
  return typeof text === "string" ? text : value;
}

function readChartState(): ChartState {
  const params = new URLSearchParams(location.search);
  const chosen = <Value extends string>(name: string, values: Record<Value, unknown>, otherwise: Value) => {
    const value = params.get(name) ?? "";
    return value in values ? (value as Value) : otherwise;
  };
  const scale = chosen("scale", scales, plain.scale);
  const unit = scale === "log" ? plain.unit : chosen("unit", units, plain.unit);
  return { range: chosen("range", ranges, plain.range), unit, scale };
}

function writeChartState(look: ChartState): void {
  const parts = Object.entries(look).filter(([name, value]) => value !== plain[name as keyof ChartState]);
  const query = parts.length === 0 ? "" : `?${new URLSearchParams(parts)}`;
  history.replaceState(null, "", location.pathname + query);
}

function saveCsv(name: string, days: readonly Day[]): void {
  const lines = days.map(({ date, state, row }) => [
    date,
    state,
    row?.value,
    row?.priced_constituent_count,
    row?.constituent_count,
    row?.membership_version,
  ]);
  const text = [csvColumns, ...lines].map((cells) => `${csvRecord(cells)}\r\n`).join("");
  saveFile(`${name.toLowerCase().replace(/[^a-z0-9]+/g, "-")}_${days[0]?.date}_${days.at(-1)?.date}.csv`, text);
}

/** Returns the days at which a new version of the members starts. */
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
  return `${row.value === null ? `no level, ${causeOf(day)}` : numberText(row.value)} · ${priced}`;
}

function rowOf(day: Day, correction: unknown) {
  const { date, row } = day;
  const cells =
    row === null
      ? [causeOf(day), "–", "–", "–"]
      : [
          [row.value === null ? `no level: ${causeOf(day)}` : numberText(row.value), correction],
          `${row.priced_constituent_count} of ${row.constituent_count}`,
          `${row.coverage_pct} %`,
          row.membership_version,
        ];
  return html`<tr><th scope="row">${date}</th>${cells.map((text) => html`<td>${text}</td>`)}</tr>`;
}
