import { type FlagStyle, type Label, writeLabels } from "./plot-labels.ts";

const hour = 3_600;
const day = 86_400;
/** Intervals of a time axis in whole days, in seconds. */
export const dayIntervals = [1, 2, 7, 14, 30, 60].map((days) => days * day);
const timeIntervals = [...[1, 2, 3, 6, 12].map((hours) => hours * hour), ...dayIntervals];
/** Intervals of a price axis, in whole cents. */
export const centIntervals = Array.from({ length: 14 }, (_, power) =>
  [1, 2, 5].map((digit) => digit * 10 ** power),
).flat();

const narrowBelow = 560;
const laneWidth = 2.5;
const axisLook = {
  stroke: () => colour("--muted"),
  grid: { stroke: () => colour("--grid"), width: 1 },
  ticks: { stroke: () => colour("--line"), width: 1, size: 4 },
  font: "12px Inter, system-ui, sans-serif",
};

/** A length in pixels for narrow and for wide pages. */
type Length = { narrow: number; wide: number };

/**
 * A line of a plot, with a value or null for each time. `label` is text at its end, which distinguishes lines without colour; `flag` draws
 * it as a flag of one or two rows. `colour` is a custom property of the style sheet. A line with `isHidden` only contributes its range and
 * its hooks.
 */
type PlotLine = {
  values: readonly (number | null)[];
  colour: string;
  label?: string | readonly string[];
  flag?: FlagStyle;
  width?: number;
  dash?: number[];
  isHidden?: boolean;
};

/**
 * Options of a plot. Times are in seconds.
 * - `endOf` returns the end of the line of a point
 * - `joins` returns whether the line of a point continues from the previous point
 * - `shaded` lists spans without any value
 * - `valueRange` receives the least and greatest visible values, null without any; the value axis then has no marks
 * - `onRange` is called with the visible time
 */
export type TimePlotParts = {
  times: readonly number[];
  lines: readonly PlotLine[];
  endOf: (index: number) => number;
  joins?: (index: number) => boolean;
  shaded?: readonly { at: number; end: number }[];
  timeRange: (min: number | null, max: number | null) => [number, number];
  valueRange: (min: number | null, max: number | null, u: uPlot) => [number, number];
  isLogarithmic?: boolean;
  timeAxis: { text: (at: number) => string; intervals?: number[]; space: Length };
  valueAxis: { text: (value: number) => string; intervals?: number[]; size: Length; space?: number };
  height: Length;
  padding: { top: number; right: Length };
  sync?: string;
  canZoom?: boolean;
  onCursor: (at: number | null, u: uPlot) => void;
  onRange?: (min: number, max: number) => void;
  drawBelow?: (u: uPlot) => void;
  drawOnLine?: (u: uPlot, index: number) => void;
  onDrawn?: (u: uPlot) => void;
};

/** Draws stepped lines over time. They end with their values: gaps stay empty. */
export class TimePlot {
  #plot: uPlot;
  #host;
  #parts;

  /**
   * @param host Element that determines the width.
   * @param frame Element that receives the plot.
   */
  constructor(host: HTMLElement, frame: HTMLElement, parts: TimePlotParts) {
    this.#host = host;
    this.#parts = parts;
    const data = [parts.times, ...parts.lines.map(({ values }) => values)] as uPlot.AlignedData;
    this.#plot = new uPlot(optionsOf(parts, host.clientWidth), data, frame);
  }

  /**
   * Moves the cursor to an instant, also on synchronised plots.
   * @param at Seconds.
   */
  moveTo(at: number) {
    const left = this.#plot.valToPos(at, "x");
    this.#plot.setCursor({ left, top: this.#plot.over.clientHeight / 2 }, true);
  }

  /**
   * Shows a time range; pass null to show all.
   * @param range Seconds.
   */
  zoom(range: { min: number; max: number } | null) {
    const times = this.#parts.times;
    const [first = 0, last = first] = [times[0], times.at(-1)];
    this.#plot.setScale("x", range ?? { min: first, max: last });
  }

  /** Fits the plot to the current width of the host. */
  fit() {
    this.#plot.setSize(sizeOf(this.#parts, this.#host.clientWidth));
  }

  /** Redraws the plot in the current colours of the page. */
  recolour() {
    this.#plot.redraw(true, true);
  }

  destroy() {
    this.#plot.destroy();
  }
}

/** Draws a ring, which marks a preliminary value. */
export function drawRing({ ctx }: uPlot, { x, y, radius }: { x: number; y: number; radius: number }) {
  ctx.globalAlpha = 1;
  ctx.fillStyle = colour("--card");
  ctx.lineWidth = 2 * devicePixelRatio;
  ctx.beginPath();
  ctx.arc(x, y, radius * devicePixelRatio, 0, 2 * Math.PI);
  ctx.fill();
  ctx.stroke();
}

/**
 * Returns the current value of a colour of the page.
 * @param name Custom property of the style sheet.
 */
export function colour(name: string) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function sizeOf({ height }: TimePlotParts, width: number) {
  return { width, height: width < narrowBelow ? height.narrow : height.wide };
}

function optionsOf(parts: TimePlotParts, width: number): uPlot.Options {
  const { timeAxis, valueAxis, padding, sync } = parts;
  const fitting = width < narrowBelow ? "narrow" : "wide";
  let isEmpty = false;
  // Without any value, the axis has no marks.
  const filter = (_u: uPlot, marks: number[]) => (isEmpty ? marks.map(() => null) : marks);
  return {
    ...sizeOf(parts, width),
    padding: [padding.top, padding.right[fitting], 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      points: { show: false },
      drag: { x: parts.canZoom === true, y: false },
      ...(sync !== undefined && { sync: { key: sync, scales: ["x", null] } }),
    },
    scales: {
      x: { time: true, range: (_u, min, max) => parts.timeRange(min, max) },
      y: {
        ...(parts.isLogarithmic === true && { distr: 3, log: 10 }),
        range: (u, min, max) => {
          isEmpty = min === null;
          return parts.valueRange(min, max, u);
        },
      },
    },
    tzDate: (at) => uPlot.tzDate(new Date(at * 1000), "Etc/UTC"),
    axes: [
      {
        ...axisLook,
        size: 32,
        incrs: timeAxis.intervals ?? timeIntervals,
        space: timeAxis.space[fitting],
        values: (_u, marks) => marks.map(timeAxis.text),
      },
      {
        ...axisLook,
        grid: { ...axisLook.grid, filter },
        ticks: { ...axisLook.ticks, filter },
        filter,
        size: valueAxis.size[fitting],
        values: (_u, marks) => marks.map((value) => (value === null ? "" : valueAxis.text(value))),
        ...(parts.isLogarithmic === true && { splits: (_u, _axis, min, max) => logMarks(min, max) }),
        ...(valueAxis.intervals !== undefined && { incrs: valueAxis.intervals }),
        ...(valueAxis.space !== undefined && { space: valueAxis.space }),
      },
    ],
    series: [{}, ...parts.lines.map((line) => seriesOf(parts, line))],
    hooks: {
      drawClear: [(u) => drawShade(u, parts), (u) => parts.drawBelow?.(u)],
      drawSeries: [(u, index) => (index > 0 ? parts.drawOnLine?.(u, index - 1) : undefined)],
      setCursor: [(u) => parts.onCursor(cursorAt(u), u)],
      setScale: [
        (u, name) => {
          const { min, max } = u.scales.x ?? {};
          if (name === "x" && typeof min === "number" && typeof max === "number") parts.onRange?.(min, max);
        },
      ],
      draw: [(u) => drawLabels(u, parts), (u) => parts.onDrawn?.(u)],
    },
  };
}

/** Returns the instant under the cursor in seconds; null if it is outside the plot. */
function cursorAt(u: uPlot) {
  const { left } = u.cursor;
  return left === undefined || left < 0 ? null : u.posToVal(left, "x");
}

function seriesOf(parts: TimePlotParts, { colour: name, width = 2, dash, isHidden = false }: PlotLine): uPlot.Series {
  return {
    stroke: () => colour(name),
    width,
    paths: isHidden ? () => null : stairsOf(parts),
    points: { show: false },
    ...(dash !== undefined && { dash }),
  };
}

/**
 * Draws a horizontal line for the time of each value, and a vertical line between joined neighbours. uPlot's own stepped paths are clipped
 * at gaps, which removes the line of the last value before a gap.
 */
function stairsOf({ lines, endOf, joins = () => true }: TimePlotParts): uPlot.Series.PathBuilder {
  return (u, series, first, last) => {
    const stroke = new Path2D();
    const times = u.data[0];
    const values = u.data[series] ?? [];
    for (let index = first; index <= last; index += 1) {
      const [at, value] = [times[index], values[index]];
      if (at === undefined || value === null || value === undefined) continue;
      const y = u.valToPos(value, "y", true) + laneOf(lines, series - 1, index) * laneWidth * devicePixelRatio;
      const left = u.valToPos(at, "x", true);
      if (index > first && typeof values[index - 1] === "number" && joins(index)) stroke.lineTo(left, y);
      else stroke.moveTo(left, y);
      stroke.lineTo(u.valToPos(endOf(index), "x", true), y);
    }
    return { stroke, fill: null, clip: null, flags: 0 };
  };
}

/** Returns the lane of a line at a point, so that lines with equal values are drawn side by side. A single line has lane 0. */
export function laneOf(lines: readonly PlotLine[], line: number, index: number) {
  const value = lines[line]?.values[index];
  let [count, before] = [0, 0];
  lines.forEach(({ values, isHidden }, other) => {
    if (isHidden === true || values[index] !== value) return;
    if (other < line) before += 1;
    count += 1;
  });
  return count < 2 ? 0 : before - (count - 1) / 2;
}

/**
 * Returns the marks of a logarithmic axis: whole decades, with their 2 and 5 in shorter ranges, or even steps in very short ranges.
 * @param min Above zero.
 */
export function logMarks(min: number, max: number) {
  if (max / min < 4) {
    const rough = (max - min) / 7;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = ([1, 2, 5].find((digit) => digit * power >= rough) ?? 10) * power;
    const first = Math.ceil(min / step);
    return Array.from({ length: Math.floor(max / step) - first + 1 }, (_, index) => (first + index) * step);
  }
  const digits = max / min > 1000 ? [1] : [1, 2, 5];
  const powers = Array.from(
    { length: Math.ceil(Math.log10(max / min)) + 2 },
    (_, index) => Math.floor(Math.log10(min)) + index,
  );
  return powers
    .flatMap((power) => digits.map((digit) => digit * 10 ** power))
    .filter((mark) => mark >= min && mark <= max);
}

/** Shades the spans without any value. */
function drawShade(u: uPlot, { shaded = [] }: TimePlotParts) {
  const { ctx, bbox } = u;
  ctx.save();
  ctx.fillStyle = colour("--shade");
  for (const { at, end } of shaded) {
    const left = Math.max(bbox.left, Math.round(u.valToPos(at, "x", true)));
    const right = Math.min(bbox.left + bbox.width, Math.round(u.valToPos(end, "x", true)));
    if (right > left) ctx.fillRect(left, bbox.top, right - left, bbox.height);
  }
  ctx.restore();
}

/** Draws the label of each line at its end. Flags are in the margin; a line that ended earlier has only its name there. */
function drawLabels(u: uPlot, { times, lines, endOf }: TimePlotParts) {
  const { left, width } = u.bbox;
  const right = left + width;
  const ended = lines.flatMap(({ label = [], flag, colour: name, values }) => {
    const last = values.findLastIndex(
      (value, index) => value !== null && u.valToPos(times[index] ?? 0, "x", true) < right,
    );
    const value = values[last];
    if (label.length === 0 || value === null || value === undefined) return [];
    const end = Math.min(right, u.valToPos(endOf(last), "x", true));
    if (end < left) return [];
    const rows = typeof label === "string" ? [label] : label;
    return [{ rows, flag, own: colour(name), end, y: u.valToPos(value, "y", true) }];
  });
  const latest = Math.max(...ended.map(({ end }) => end));
  const labels = ended.flatMap(({ rows, flag, own, end, y }): Label[] => {
    if (flag === undefined) return [{ rows, own, x: end, y }];
    if (end >= latest - 1) return [{ rows, flag, own, x: right, y }];
    return flag === "outlined" ? [] : [{ rows: rows.slice(0, 1), flag: "plain", own, x: right, y }];
  });
  writeLabels(u.ctx, labels, colour("--card"));
}
