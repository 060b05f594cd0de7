/** @import { Chart, Series } from "./types.mjs" */
import { dollars } from "../../browser/money.mjs";
import { centIntervals, colour, drawRing, TimePlot } from "../../browser/time-plot.mjs";
import { tickText } from "../../browser/times.mjs";
import { Strip } from "./strip.mjs";

/** One plot for one side: a stepped line per provider that ends where the quotes end, and under it the strip of causes. */
export class Plot {
  #plot;

  /**
   * @param {HTMLElement} host
   * @param {Chart} chart
   * @param {readonly Series[]} series Those of the side.
   * @param {(index: number | null) => void} onPoint Called with the point under the cursor.
   */
  constructor(host, chart, series, onPoint) {
    const { start, step, count } = chart;
    const frame = document.createElement("div");
    frame.className = "plot";
    const strip = new Strip(chart, series, (at) => this.moveTo(at));
    host.append(frame, strip.root);
    const times = Array.from({ length: count }, (_, index) => start + index * step);
    const endOf = (/** @type {number} */ index) => start + (index + 1) * step;
    this.#plot = new TimePlot(host, frame, {
      times,
      lines: series.map(({ points, letter, colour: number }) => ({
        values: points.map(({ row }) => row?.amount ?? null),
        colour: `--series-${number}`,
        label: letter,
      })),
      endOf,
      shaded: times.flatMap((at, index) =>
        series.some(({ points }) => points[index]?.state === "quoted") ? [] : [{ at, end: endOf(index) }],
      ),
      timeRange: (min, max) => (min === null ? [start, endOf(count - 1)] : [min, endOfRange(chart, max ?? min)]),
      valueRange: (min, max) => priceRange(series, min, max),
      timeAxis: { text: tickText, space: { narrow: 52, wide: 70 } },
      valueAxis: { text: dollars, intervals: centIntervals, size: { narrow: 66, wide: 92 } },
      height: { narrow: 210, wide: 270 },
      padding: { top: 10, right: { narrow: 26, wide: 26 } },
      sync: "charts",
      canZoom: true,
      onCursor: (at, u) => {
        const index = at === null ? null : Math.floor((at - start) / step);
        strip.mark(u, at);
        onPoint(index !== null && index >= 0 && index < count ? index : null);
      },
      drawOnLine: (u, index) => drawSpans(u, chart, series[index]),
      onDrawn: (u) => strip.draw(u),
    });
  }

  /** Puts the cursor on an instant; on the other plots too. @param {number} at Seconds. */
  moveTo(at) {
    this.#plot.moveTo(at);
  }

  /** Fits the width of the page again. */
  fit() {
    this.#plot.fit();
  }

  /** Takes the colours of the page again. */
  recolour() {
    this.#plot.recolour();
  }

  destroy() {
    this.#plot.destroy();
  }
}

/** The last point takes its whole hour or day as every other one does. @param {Chart} chart @param {number} max */
function endOfRange({ start, step, count }, max) {
  const last = start + (count - 1) * step;
  return max === last ? last + step : max;
}

/** @param {readonly Series[]} series @param {number | null} min @param {number | null} max @returns {[number, number]} */
function priceRange(series, min, max) {
  if (min === null || max === null) return [0, 100];
  let [low, high] = [min, max];
  for (const { points } of series) {
    for (const { row } of points) {
      low = Math.min(low, row?.low_amount ?? low);
      high = Math.max(high, row?.high_amount ?? high);
    }
  }
  const air = Math.max(1, Math.round((high - low) * 0.08), low === high ? Math.round(high * 0.05) : 0);
  return [Math.max(0, low - air), high + air];
}

/** Draws the span from lowest to highest of each day, and a ring on a day that still runs. @param {uPlot} u @param {Chart} chart @param {Series | undefined} series */
function drawSpans(u, { step }, series) {
  if (series === undefined) return;
  const { ctx, bbox } = u;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  for (const { at, row } of series.points) {
    if (row === null || row.amount === null) continue;
    const left = u.valToPos(at, "x", true);
    const right = u.valToPos(at + step, "x", true);
    ctx.fillStyle = ctx.strokeStyle = colour(`--series-${series.colour}`);
    if (row.low_amount !== undefined && row.high_amount !== undefined) {
      const top = u.valToPos(row.high_amount, "y", true);
      ctx.globalAlpha = 0.16;
      ctx.fillRect(left, top, right - left, u.valToPos(row.low_amount, "y", true) - top);
    }
    if (row.complete === false)
      drawRing(u, { x: (left + right) / 2, y: u.valToPos(row.amount, "y", true), radius: 4.5 });
  }
  ctx.restore();
}
