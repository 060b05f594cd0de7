import { dollars } from "../../../values/money/money-text.ts";
import { tickText } from "../../../values/time/time-text.ts";
import { flagWidth } from "../../browser/plot-labels.ts";
import { centIntervals, colour, drawRing, TimePlot } from "../../browser/time-plot.ts";
import { percentText } from "./changes.ts";
import { shortName } from "./load.ts";
import { axisRange, baseOf, heightOf, percentMark, type ScaleChoice } from "./scale.ts";
import { Strip } from "./strip.ts";
import type { Chart, Row, Series } from "./types.ts";

/** A panel of the chart: the lines of one or both sides, and below them the strip of causes. `height` is the plot's height in pixels. */
type Panel = {
  chart: Chart;
  series: readonly Series[];
  choice: ScaleChoice;
  height: { narrow: number; wide: number };
};

const ringRadius = 4;

/** Draws stepped lines that end with their quotes. Bids beside asks are dashed. */
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
    const [look, known] = [{ ...choice, nameLength: host.clientWidth < 560 ? 9 : 15 }, series.filter(hasKnown)];
    // Coloured lines are drawn over grey ones.
    const lines = series.toSorted((a, b) => Number(a.colour > 0) - Number(b.colour > 0));
    // Computed from all series, so that stacked panels end at the same position.
    const flagSpace = flagWidth(
      chart.series.flatMap((one) => [...flagOf(one, [one], look), ...(hasKnown(one) ? knownFlagOf(one, [one]) : [])]),
    );
    let seen: [number, number] = [start, start + count * step];
    const frame = document.createElement("div");
    frame.className = "plot";
    const strip = new Strip(chart, series, (at) => this.moveTo(at));
    host.append(frame, strip.root);
    const times = Array.from({ length: count }, (_, index) => start + index * step);
    const endOf = (index: number) => start + (index + 1) * step;
    super(host, frame, {
      times,
      lines: [
        ...lines.map((one) => lineOf(one, series, look)),
        ...known.map((one) => knownLineOf(one, series, choice)),
      ],
      endOf,
      shaded: times.flatMap((at, index) =>
        series.some(({ points }) => points[index]?.state === "quoted") ? [] : [{ at, end: endOf(index) }],
      ),
      // uPlot ranges the time axis first, and still has the old time range when it ranges the prices.
      timeRange: (min, max) => {
        seen = min === null ? [start, endOf(count - 1)] : [min, endOfRange(chart, max ?? min)];
        return seen;
      },
      valueRange: (min) => valueRange(panel, min === null ? null : seen),
      isLogarithmic: choice.isLogarithmic,
      timeAxis: { text: tickText, space: { narrow: 52, wide: 70 } },
      valueAxis: {
        ...(choice.isPercent ? { text: percentMark } : { text: dollars, intervals: centIntervals }),
        size: { narrow: 66, wide: 96 },
      },
      height,
      padding: { top: 10, right: { narrow: flagSpace, wide: flagSpace } },
      sync: "market",
      canZoom: true,
      onCursor: (at, u) => {
        const index = at === null ? null : Math.floor((at - start) / step);
        strip.mark(u, at);
        onPoint(index !== null && index >= 0 && index < count ? index : null, u);
      },
      onRange,
      drawOnLine: (u, index) => drawSpans(u, panel, lines[index]),
      onDrawn: (u) => strip.draw(u),
    });
  }
}

function lineOf(one: Series, all: readonly Series[], choice: FlagChoice) {
  const { points, side, colour: number } = one;
  const base = baseOf(one, all);
  const isBeside = side === "bid" && all.some((other) => other.side === "ask");
  const look = number === 0 ? "plain" : isBeside ? "outlined" : "filled";
  return {
    values: points.map(({ row }) => heightOf(row?.amount, base, choice)),
    colour: `--series-${number}`,
    ...(isBeside && { dash: [5, 4] }),
    width: number === 0 ? 1 : isBeside ? 1.5 : 2,
    label: flagOf(one, all, choice),
    flag: look as "plain" | "outlined" | "filled",
  };
}

/** Grey lines have no second line, because it would hide the coloured ones. */
function hasKnown(one: Series): one is Series & { knownRows: readonly (Row | null)[] } {
  return one.colour > 0 && one.knownRows !== undefined;
}

/** Returns the dotted line of the prices as known at the earlier instant. */
function knownLineOf(one: Series, all: readonly Series[], choice: ScaleChoice) {
  const base = baseOf(one, all);
  return {
    values: (one.knownRows ?? []).map((row) => heightOf(row?.amount, base, choice)),
    colour: "--known",
    dash: [2, 3],
    width: 2,
    label: knownFlagOf(one, all),
    flag: "plain" as const,
  };
}

/** Returns the label of a dotted line. Bids beside asks have none, because the labels of their lines are near. */
function knownFlagOf({ letter, side }: Series, all: readonly Series[]): string[] {
  return side === "bid" && all.some((other) => other.side === "ask") ? [] : [`${letter} then`];
}

/** `nameLength` is the maximum length of a name in a flag. */
type FlagChoice = ScaleChoice & { nameLength: number };

/** Returns the rows of the flag at the end of a line: the name, and for coloured lines the last price. */
function flagOf(one: Series, all: readonly Series[], { isPercent, nameLength }: FlagChoice): string[] {
  const { name, side, points, colour: number } = one;
  const short = shortName(name, nameLength);
  const isNamed = side === "bid" && all.some((other) => other.side === "ask" && other.key === one.key);
  if (number === 0) return isNamed ? [] : [short];
  const amount = points.findLast(({ row }) => row !== null && row.amount !== null)?.row?.amount ?? null;
  const base = baseOf(one, all);
  if (amount === null) return [];
  const price = isPercent && base !== null ? percentText(base, amount) : dollars(amount);
  return isNamed ? [`bid ${price}`] : [short, side === "bid" ? `bid ${price}` : price];
}

/** Returns the end of the visible time, including the whole last hour or day. */
function endOfRange({ start, step, count }: Chart, max: number) {
  const last = start + (count - 1) * step;
  return max === last ? last + step : max;
}

/**
 * Returns the range of the visible prices, including each day's lowest and highest.
 * @param seen Seconds; null if no price is visible.
 */
function valueRange({ series, choice, chart }: Panel, seen: readonly [number, number] | null): [number, number] {
  const heights = series.flatMap((one) => {
    const base = baseOf(one, series);
    const isSeen = (at: number) => seen !== null && at + chart.step > seen[0] && at < seen[1];
    const shown = one.points.map(({ at }, index) => ({
      at,
      row: hasKnown(one) ? (one.knownRows[index] ?? null) : null,
    }));
    const visible = [...one.points, ...shown].flatMap(({ at, row }) => (row !== null && isSeen(at) ? [row] : []));
    return visible.flatMap(({ amount, low_amount, high_amount }) =>
      [amount, low_amount, high_amount].flatMap((value) => heightOf(value, base, choice) ?? []),
    );
  });
  if (heights.length === 0) return axisRange(null, null, choice);
  return axisRange(Math.min(...heights), Math.max(...heights), choice);
}

/** Draws the span from lowest to highest price of each day, and a ring on an incomplete day. */
function drawSpans(u: uPlot, { chart, series: all, choice }: Panel, series: Series | undefined) {
  if (series === undefined) return;
  const { ctx, bbox } = u;
  const base = baseOf(series, all);
  // Bands of bids would cover the bands of asks.
  const hasBand = series.colour > 0 && !(series.side === "bid" && all.some(({ side }) => side === "ask"));
  ctx.save();
  ctx.setLineDash([]);
  ctx.beginPath();
  // The ring of the last day may extend beyond the plot.
  const reach = ringRadius * 2 * devicePixelRatio;
  ctx.rect(bbox.left, bbox.top - reach, bbox.width + reach, bbox.height + 2 * reach);
  ctx.clip();
  ctx.fillStyle = ctx.strokeStyle = colour(`--series-${series.colour}`);
  for (const { at, row } of series.points) {
    const middle = heightOf(row?.amount, base, choice);
    if (row === null || middle === null) continue;
    const left = Math.max(bbox.left, u.valToPos(at, "x", true));
    const right = Math.min(bbox.left + bbox.width, u.valToPos(at + chart.step, "x", true));
    if (right <= left) continue;
    const [low, high] = [heightOf(row.low_amount, base, choice), heightOf(row.high_amount, base, choice)];
    if (hasBand && low !== null && high !== null) {
      const top = u.valToPos(high, "y", true);
      ctx.globalAlpha = 0.14;
      ctx.fillRect(left, top, right - left, u.valToPos(low, "y", true) - top);
    }
    if (row.complete === false)
      drawRing(u, { x: (left + right) / 2, y: u.valToPos(middle, "y", true), radius: ringRadius });
  }
  ctx.restore();
}
