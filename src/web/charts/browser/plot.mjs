/** @import { Chart, Series } from "./types.mjs" */
import { dollars } from "../../browser/money.mjs";
import { axisLook, centSteps, colour, stepsOf, timeSteps, utcDate } from "../../browser/plot-parts.mjs";
import { tickText } from "../../browser/times.mjs";
import { Strip } from "./strip.mjs";

/**
 * One plot for one side: a stepped line per provider that ends where the quotes end, and under it the strip of causes.
 */
export class Plot {
  /** @type {uPlot} */
  #plot;
  #host;

  /**
   * @param {HTMLElement} host
   * @param {Chart} chart
   * @param {readonly Series[]} series Those of the side.
   * @param {(index: number | null) => void} onPoint Told which point the cursor is on.
   */
  constructor(host, chart, series, onPoint) {
    this.#host = host;
    const frame = document.createElement("div");
    frame.className = "plot";
    const strip = new Strip(chart, series, (at) => this.moveTo(at));
    host.append(frame, strip.root);
    const options = optionsOf(chart, series, host.clientWidth, {
      moved: (u) => {
        const at = u.cursor.left === undefined || u.cursor.left < 0 ? null : u.posToVal(u.cursor.left, "x");
        const index = at === null ? null : Math.floor((at - chart.start) / chart.step);
        strip.mark(u, at);
        onPoint(index !== null && index >= 0 && index < chart.count ? index : null);
      },
      drawn: (u) => strip.draw(u),
    });
    this.#plot = new uPlot(options, dataOf(chart, series), frame);
  }

  /** Puts the cursor on an instant; on the other plots too. @param {number} at Seconds. */
  moveTo(at) {
    const left = this.#plot.valToPos(at, "x");
    this.#plot.setCursor({ left, top: this.#plot.over.clientHeight / 2 }, true);
  }

  /** Fits the width of the page again. */
  fit() {
    this.#plot.setSize(sizeOf(this.#host.clientWidth));
  }

  /** Takes the colours of the page again. */
  recolour() {
    this.#plot.redraw(true, true);
  }

  destroy() {
    this.#plot.destroy();
  }
}

/** @param {number} width */
function sizeOf(width) {
  return { width, height: width < 560 ? 210 : 270 };
}

/** @param {Chart} chart @param {readonly Series[]} series @returns {uPlot.AlignedData} */
function dataOf({ start, step, count }, series) {
  const times = Array.from({ length: count }, (_, index) => start + index * step);
  return [times, ...series.map(({ points }) => points.map(({ row }) => row?.amount ?? null))];
}

/**
 * @param {Chart} chart
 * @param {readonly Series[]} series
 * @param {number} width
 * @param {{ moved: (u: uPlot) => void, drawn: (u: uPlot) => void }} tell
 * @returns {uPlot.Options}
 */
function optionsOf(chart, series, width, tell) {
  const { start, step, count } = chart;
  const isNarrow = width < 560;
  return {
    ...sizeOf(width),
    padding: [10, 26, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      points: { show: false },
      sync: { key: "charts", scales: ["x", null] },
      drag: { x: true, y: false },
    },
    scales: {
      x: {
        time: true,
        range: (_u, min, max) => (min === null ? [start, start + count * step] : [min, endOf(chart, max)]),
      },
      y: { range: (_u, min, max) => priceRange(series, min, max) },
    },
    tzDate: utcDate,
    axes: [
      {
        ...axisLook,
        size: 32,
        incrs: timeSteps,
        space: isNarrow ? 52 : 70,
        values: (_u, marks) => marks.map(tickText),
      },
      { ...axisLook, incrs: centSteps, size: isNarrow ? 66 : 92, values: (_u, marks) => marks.map(dollars) },
    ],
    series: [
      {},
      ...series.map((one) => ({
        label: one.provider.name,
        stroke: () => colour(`--series-${one.colour}`),
        width: 2,
        paths: stepsOf((_index, at) => at + step),
        points: { show: false },
      })),
    ],
    hooks: {
      drawClear: [(u) => shadeGaps(u, chart, series)],
      drawSeries: [(u, index) => drawExtras(u, chart, series[index - 1])],
      setCursor: [tell.moved],
      draw: [(u) => drawLetters(u, chart, series), tell.drawn],
    },
  };
}

/** The last point takes its whole hour or day as every other one does. @param {Chart} chart @param {number} max */
function endOf({ start, step, count }, max) {
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

/** Where no series has a quote the ground is another one. @param {uPlot} u @param {Chart} chart @param {readonly Series[]} series */
function shadeGaps(u, { start, step, count }, series) {
  const { ctx, bbox } = u;
  ctx.save();
  ctx.fillStyle = colour("--shade");
  for (let index = 0; index < count; index += 1) {
    if (series.some(({ points }) => points[index]?.state === "quoted")) continue;
    const left = Math.max(bbox.left, Math.round(u.valToPos(start + index * step, "x", true)));
    const right = Math.min(bbox.left + bbox.width, Math.round(u.valToPos(start + (index + 1) * step, "x", true)));
    if (right > left) ctx.fillRect(left, bbox.top, right - left, bbox.height);
  }
  ctx.restore();
}

/** The span from lowest to highest of each day, and a ring on a day that still runs. @param {uPlot} u @param {Chart} chart @param {Series | undefined} series */
function drawExtras(u, { step }, series) {
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
    if (row.complete === false) ring(ctx, (left + right) / 2, u.valToPos(row.amount, "y", true));
  }
  ctx.restore();
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y */
function ring(ctx, x, y) {
  ctx.globalAlpha = 1;
  ctx.fillStyle = colour("--card");
  ctx.lineWidth = 2 * devicePixelRatio;
  ctx.beginPath();
  ctx.arc(x, y, 4.5 * devicePixelRatio, 0, 2 * Math.PI);
  ctx.fill();
  ctx.stroke();
}

/** The letter of each series at the end of its line, so that lines are told apart without colour. @param {uPlot} u @param {Chart} chart @param {readonly Series[]} series */
function drawLetters(u, { step }, series) {
  const { ctx, bbox } = u;
  const size = 12 * devicePixelRatio;
  const right = bbox.left + bbox.width;
  const tags = series.flatMap(({ points, letter, colour: number }) => {
    const last = points.findLast(({ at, state }) => state === "quoted" && u.valToPos(at, "x", true) < right);
    if (last?.row?.amount === null || last?.row?.amount === undefined) return [];
    const x = Math.min(right, u.valToPos(last.at + step, "x", true)) + size * 0.5;
    return [{ letter, number, x, y: u.valToPos(last.row.amount, "y", true) }];
  });
  tags.sort((a, b) => a.y - b.y);
  ctx.save();
  ctx.font = `700 ${size}px system-ui, sans-serif`;
  ctx.textBaseline = "middle";
  ctx.textAlign = "left";
  let free = Number.NEGATIVE_INFINITY;
  for (const { letter, number, x, y } of tags) {
    const top = Math.max(y, free);
    free = top + size * 1.1;
    ctx.fillStyle = colour(`--series-${number}`);
    ctx.fillText(letter, x, top);
  }
  ctx.restore();
}
