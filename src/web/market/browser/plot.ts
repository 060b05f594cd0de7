import { dollars } from "../../../values/money/money-text.ts";
import { tickText } from "../../../values/time/time-text.ts";
import { centIntervals, colour, drawRing, TimePlot } from "../../browser/time-plot.ts";
import { axisRange, baseOf, heightOf, percentMark, type ScaleChoice } from "./scale.ts";
import { Strip } from "./strip.ts";
import type { Chart, Series } from "./types.ts";

/** A panel of the chart: the lines of one side or of both, and under them the strip of causes. `height` is that of the plot in pixels. */
type Panel = {
  chart: Chart;
  series: readonly Series[];
  choice: ScaleChoice;
  height: { narrow: number; wide: number };
};

/** Stepped lines that end where the quotes end; bids beside asks are dashed. */
export class Plot extends TimePlot {
  constructor(
    host: HTMLElement,
    panel: Panel,
    {
      onPoint,
      onRange,
    }: { onPoint: (index: number | null, u: uPlot) => void; onRange: (min: number, max: number) => void },
  ) {
    const { chart, series, choice, height } = panel;
    const { start, step, count } = chart;
    const frame = document.createElement("div");
    frame.className = "plot";
    const strip = new Strip(chart, series, (at) => this.moveTo(at));
    host.append(frame, strip.root);
    const times = Array.from({ length: count }, (_, index) => start + index * step);
    const endOf = (index: number) => start + (index + 1) * step;
    super(host, frame, {
      times,
      lines: series.map((one) => lineOf(one, series, choice)),
      endOf,
      shaded: times.flatMap((at, index) =>
        series.some(({ points }) => points[index]?.state === "quoted") ? [] : [{ at, end: endOf(index) }],
      ),
      timeRange: (min, max) => (min === null ? [start, endOf(count - 1)] : [min, endOfRange(chart, max ?? min)]),
      valueRange: (min, max, u) => valueRange(panel, min, max, u),
      isLogarithmic: choice.isLogarithmic,
      timeAxis: { text: tickText, space: { narrow: 52, wide: 70 } },
      valueAxis: {
        ...(choice.isPercent ? { text: percentMark } : { text: dollars, intervals: centIntervals }),
        size: { narrow: 66, wide: 96 },
      },
      height,
      padding: { top: 10, right: { narrow: 22, wide: 26 } },
      sync: "market",
      canZoom: true,
      onCursor: (at, u) => {
        const index = at === null ? null : Math.floor((at - start) / step);
        strip.mark(u, at);
        onPoint(index !== null && index >= 0 && index < count ? index : null, u);
      },
      onRange,
      drawOnLine: (u, index) => drawSpans(u, panel, series[index]),
      onDrawn: (u) => strip.draw(u),
    });
  }
}

function lineOf(one: Series, all: readonly Series[], choice: ScaleChoice) {
  const { points, side, key, letter, colour: number } = one;
  const base = baseOf(one);
  const isBeside = side === "bid" && all.some((other) => other.side === "ask");
  const isNamed = isBeside && all.some((other) => other.side === "ask" && other.key === key);
  return {
    values: points.map(({ row }) => heightOf(row?.amount, base, choice)),
    colour: `--series-${number}`,
    ...(isBeside && { dash: [5, 4], width: 1.5 }),
    ...(!isNamed && { label: letter }),
  };
}

/** The last point takes its whole hour or day as every other one does. */
function endOfRange({ start, step, count }: Chart, max: number) {
  const last = start + (count - 1) * step;
  return max === last ? last + step : max;
}

/** Returns the range of the visible prices, lowest and highest of their days included. */
function valueRange(
  { series, choice, chart }: Panel,
  min: number | null,
  max: number | null,
  u: uPlot,
): [number, number] {
  if (min === null || max === null) return axisRange(null, null, choice);
  const { min: from = 0, max: to = 0 } = u.scales.x ?? {};
  let [low, high] = [min, max];
  for (const one of series) {
    const base = baseOf(one);
    for (const { at, row } of one.points) {
      if (row === null || at + chart.step <= (from ?? 0) || at >= (to ?? 0)) continue;
      low = Math.min(low, heightOf(row.low_amount, base, choice) ?? low);
      high = Math.max(high, heightOf(row.high_amount, base, choice) ?? high);
    }
  }
  return axisRange(low, high, choice);
}

/** Draws the span from lowest to highest of each day, and a ring on a day that still runs. */
function drawSpans(u: uPlot, { chart, series: all, choice }: Panel, series: Series | undefined) {
  if (series === undefined) return;
  const { ctx, bbox } = u;
  const base = baseOf(series);
  // Bands of bids would lie over those of the asks beside them.
  const hasBand = !(series.side === "bid" && all.some(({ side }) => side === "ask"));
  ctx.save();
  ctx.setLineDash([]);
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.fillStyle = ctx.strokeStyle = colour(`--series-${series.colour}`);
  for (const { at, row } of series.points) {
    const middle = heightOf(row?.amount, base, choice);
    if (row === null || middle === null) continue;
    const left = u.valToPos(at, "x", true);
    const right = u.valToPos(at + chart.step, "x", true);
    const [low, high] = [heightOf(row.low_amount, base, choice), heightOf(row.high_amount, base, choice)];
    if (hasBand && low !== null && high !== null) {
      const top = u.valToPos(high, "y", true);
      ctx.globalAlpha = 0.14;
      ctx.fillRect(left, top, right - left, u.valToPos(low, "y", true) - top);
    }
    if (row.complete === false) drawRing(u, { x: (left + right) / 2, y: u.valToPos(middle, "y", true), radius: 4 });
  }
  ctx.restore();
}
