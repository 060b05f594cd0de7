import { dollars } from "../../../values/money/money-text.ts";
import { spanText, tickText } from "../../../values/time/time-text.ts";
import { byId } from "../../browser/dom.ts";
import { keepFitting, pointOfKey } from "../../browser/plot-parts.ts";
import { centIntervals, colour, dayIntervals, drawRing, TimePlot } from "../../browser/time-plot.ts";

/** A UTC day of the chart. Amounts are USD cents, null if unknown or not recorded. `isComplete` means that every holding has a price. */
type Day = {
  /** Start and end in seconds. */
  at: number;
  end: number;
  isRecorded: boolean;
  value: number | null;
  cost: number | null;
  isComplete: boolean;
  /** The day and its table row in words. */
  sentence: string;
};

const daySeconds = 86_400;
const axisSpace = { narrow: 56, wide: 74 };
const chart = byId("chart", HTMLElement);
const host = byId("plot", HTMLElement);
const days = daysOf(byId("values", HTMLTableElement), Number(chart.dataset.from), Number(chart.dataset.to));
let index = days.findLastIndex(({ isRecorded }) => isRecorded);

chart.hidden = false;
const plot = valuePlot();
read(index);
keepFitting(host, () => [plot]);
host.addEventListener("keydown", (event) => {
  const target = pointOfKey(event.key, index, days.length - 1, 7);
  if (target === null) return;
  event.preventDefault();
  const day = days[target];
  if (day !== undefined) plot.moveTo((day.at + day.end) / 2);
});

function read(dayIndex: number) {
  const day = days[dayIndex];
  if (day === undefined) return;
  index = dayIndex;
  byId("reading", HTMLElement).textContent = day.sentence;
}

/** Draws lines over whole days. They end with their values: gaps stay empty. */
function valuePlot(): TimePlot {
  const [start, end] = [days[0]?.at ?? 0, days.at(-1)?.end ?? 0];
  return new TimePlot(host, host, {
    times: days.map(({ at }) => at),
    // Lines contain only values of all holdings, because partial values have another scale.
    lines: [
      { values: days.map(({ cost }) => cost), colour: "--muted", width: 1.5, dash: [6, 4] },
      { values: days.map(({ value, isComplete }) => (isComplete ? value : null)), colour: "--series-1", width: 2.5 },
    ],
    endOf: (point) => days[point]?.end ?? end,
    shaded: days.filter(({ value }) => value === null),
    timeRange: () => [start, end],
    valueRange: centRange,
    timeAxis: { text: tickText, intervals: dayIntervals, space: axisSpace },
    // Marks in whole dollars show no cents.
    valueAxis: {
      text: (cents) => dollars(cents).replace(/\.00$/, ""),
      intervals: centIntervals,
      size: { narrow: 70, wide: 96 },
    },
    height: { narrow: 220, wide: 280 },
    padding: { top: 10, right: { narrow: 12, wide: 12 } },
    onCursor: (at) => {
      if (at !== null) read(days.findLastIndex((day) => day.at <= at));
    },
    drawOnLine: (u, line) => (line === 1 ? drawParts(u) : undefined),
  });
}

function centRange(min: number | null, max: number | null): [number, number] {
  if (min === null || max === null) return [0, 10_000];
  const air = Math.max(100, Math.round((max - min) * 0.1));
  return [Math.max(0, min - air), max + air];
}

/** Draws a ring at the lower edge for each day on which some holdings have no price. */
function drawParts(u: uPlot) {
  const { ctx, bbox } = u;
  const radius = days.length > 100 ? 2 : 4;
  ctx.save();
  ctx.strokeStyle = colour("--series-2");
  for (const { at, end, value, isComplete } of days) {
    if (value === null || isComplete) continue;
    drawRing(u, { x: u.valToPos((at + end) / 2, "x", true), y: bbox.top + bbox.height - 3 * radius, radius });
  }
  ctx.restore();
}

/** Reads the days `from` to `to` (since 1970) from the table. Values are never carried forward. */
function daysOf(table: HTMLTableElement, from: number, to: number): Day[] {
  const byDay = new Map([...table.rows].map((row) => [row.dataset.day, row]));
  return Array.from({ length: to - from + 1 }, (_, index) => dayOf(from + index, byDay.get(String(from + index))));
}

function dayOf(day: number, row: HTMLTableRowElement | undefined): Day {
  const at = day * daySeconds;
  const [value, cost, priced] = [...(row?.cells ?? [])].slice(1).map(({ textContent }) => textContent);
  const words = row === undefined ? "no value recorded" : `value ${value}, cost ${cost}, holdings priced: ${priced}`;
  return {
    at,
    end: at + daySeconds,
    isRecorded: row !== undefined,
    value: centsOf(row?.dataset.value),
    cost: centsOf(row?.dataset.cost),
    isComplete: row?.dataset.complete === "yes",
    sentence: `${spanText(at, daySeconds)}: ${words}`,
  };
}

function centsOf(text = ""): number | null {
  return text === "" ? null : Number(text);
}
