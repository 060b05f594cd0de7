import { dollars } from "../../../values/money/money-text.ts";
import { tickText } from "../../../values/time/time-text.ts";
import { centIntervals, colour, dayIntervals, drawRing, TimePlot } from "../../browser/time-plot.ts";
import type { Day } from "./values.ts";

const daySeconds = 86_400;
const axisSpace = { narrow: 56, wide: 74 };

/** A line over whole days that ends where the values end: nothing is drawn across a gap. */
export class ValuePlot extends TimePlot {
  #days;

  /** @param onDay Called with the day under the cursor. */
  constructor(host: HTMLElement, days: readonly Day[], onDay: (index: number) => void) {
    const [start, end] = [secondsOf(days[0]?.day ?? 0), secondsOf((days.at(-1)?.day ?? 0) + 1)];
    super(host, host, {
      times: days.map(({ day }) => secondsOf(day)),
      // Costs and values of all holdings: a value of a part of them has no place on their scale.
      lines: [
        { values: days.map(({ cost }) => cost), colour: "--muted", width: 1.5, dash: [6, 4] },
        { values: days.map(({ value, isComplete }) => (isComplete ? value : null)), colour: "--series-1", width: 2.5 },
      ],
      endOf: (index) => secondsOf((days[index]?.day ?? 0) + 1),
      shaded: days
        .filter(({ value }) => value === null)
        .map(({ day }) => ({ at: secondsOf(day), end: secondsOf(day + 1) })),
      timeRange: () => [start, end],
      valueRange: centRange,
      timeAxis: { text: tickText, intervals: dayIntervals, space: axisSpace },
      valueAxis: { text: axisDollars, intervals: centIntervals, size: { narrow: 70, wide: 96 } },
      height: { narrow: 220, wide: 280 },
      padding: { top: 10, right: { narrow: 12, wide: 12 } },
      onCursor: (at) => {
        if (at !== null) onDay(Math.floor((at - start) / daySeconds));
      },
      drawOnLine: (u, index) => (index === 1 ? drawParts(u, days) : undefined),
    });
    this.#days = days;
  }

  /** Puts the cursor on a day. */
  moveToDay(index: number) {
    const day = this.#days[index];
    if (day !== undefined) this.moveTo(secondsOf(day.day + 0.5));
  }
}

/** @param day Days since 1970. */
function secondsOf(day: number) {
  return day * daySeconds;
}

function centRange(min: number | null, max: number | null): [number, number] {
  if (min === null || max === null) return [0, 10_000];
  const air = Math.max(100, Math.round((max - min) * 0.1));
  return [Math.max(0, min - air), max + air];
}

/** Draws a ring at the lower edge on each day whose value leaves a holding out. */
function drawParts(u: uPlot, days: readonly Day[]) {
  const { ctx } = u;
  const radius = days.length > 100 ? 2 : 4;
  ctx.save();
  ctx.strokeStyle = colour("--series-2");
  for (const { day, value, isComplete } of days) {
    if (value === null || isComplete) continue;
    const y = u.bbox.top + u.bbox.height - 3 * radius;
    drawRing(u, { x: u.valToPos(secondsOf(day + 0.5), "x", true), y, radius });
  }
  ctx.restore();
}

/** Writes a mark of the axis without cents where there are none. */
function axisDollars(cents: number) {
  return dollars(cents).replace(/\.00$/, "");
}
