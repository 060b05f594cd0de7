/** @import { Day } from "./values.mjs" */

const daySeconds = 86_400;
const timeSteps = [1, 2, 7, 14, 30, 60].map((days) => days * daySeconds);
const centSteps = Array.from({ length: 14 }, (_, power) => [1, 2, 5].map((digit) => digit * 10 ** power)).flat();

/** A line over whole days that ends where the values end: nothing is drawn across a gap. */
export class ValuePlot {
  /** @type {uPlot} */
  #plot;
  #host;
  #days;

  /**
   * @param {HTMLElement} host
   * @param {readonly Day[]} days
   * @param {(at: number) => string} tickText
   * @param {(index: number) => void} onDay Told which day the cursor is on.
   */
  constructor(host, days, tickText, onDay) {
    this.#host = host;
    this.#days = days;
    const first = (days[0]?.day ?? 0) * daySeconds;
    const options = optionsOf(host.clientWidth, days, tickText, (u) => {
      if (u.cursor.left === undefined || u.cursor.left < 0) return;
      onDay(Math.floor((u.posToVal(u.cursor.left, "x") - first) / daySeconds));
    });
    this.#plot = new uPlot(options, dataOf(days), host);
  }

  /** Puts the cursor on a day. @param {number} index */
  moveTo(index) {
    const day = this.#days[index];
    if (day === undefined) return;
    this.#plot.setCursor({ left: this.#plot.valToPos((day.day + 0.5) * daySeconds, "x"), top: 0 });
  }

  /** Fits the width of the page again. */
  fit() {
    this.#plot.setSize(sizeOf(this.#host.clientWidth));
  }

  /** Takes the colours of the page again. */
  recolour() {
    this.#plot.redraw(true, true);
  }
}

/** @param {number} width */
function sizeOf(width) {
  return { width, height: width < 560 ? 220 : 280 };
}

/** Costs, values of all holdings, values of a part of them. @param {readonly Day[]} days @returns {uPlot.AlignedData} */
function dataOf(days) {
  return [
    days.map(({ day }) => day * daySeconds),
    days.map(({ cost }) => cost),
    days.map(({ value, isComplete }) => (isComplete ? value : null)),
    days.map(({ value, isComplete }) => (isComplete ? null : value)),
  ];
}

/**
 * @param {number} width
 * @param {readonly Day[]} days
 * @param {(at: number) => string} tickText
 * @param {(u: uPlot) => void} onMove
 * @returns {uPlot.Options}
 */
function optionsOf(width, days, tickText, onMove) {
  const isNarrow = width < 560;
  const [start, end] = [(days[0]?.day ?? 0) * daySeconds, ((days.at(-1)?.day ?? 0) + 1) * daySeconds];
  const axis = {
    stroke: () => colour("--muted"),
    grid: { stroke: () => colour("--grid"), width: 1 },
    ticks: { stroke: () => colour("--line"), width: 1, size: 4 },
    font: "12px system-ui, sans-serif",
  };
  return {
    ...sizeOf(width),
    padding: [10, 12, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    scales: { x: { time: true, range: () => [start, end] }, y: { range: (_u, min, max) => centRange(min, max) } },
    tzDate: (at) => uPlot.tzDate(new Date(at * 1000), "Etc/UTC"),
    axes: [
      { ...axis, size: 32, incrs: timeSteps, space: isNarrow ? 56 : 74, values: (_u, marks) => marks.map(tickText) },
      { ...axis, incrs: centSteps, size: isNarrow ? 70 : 96, values: (_u, marks) => marks.map(axisDollars) },
    ],
    series: [
      {},
      { stroke: () => colour("--muted"), width: 1.5, dash: [6, 4], paths: stepsOf(), points: { show: false } },
      { stroke: () => colour("--series-1"), width: 2.5, paths: stepsOf(), points: { show: false } },
      { stroke: () => colour("--series-2"), width: 2.5, paths: () => null, points: { show: false } },
    ],
    hooks: {
      drawClear: [(u) => shadeGaps(u, days)],
      drawSeries: [(u, series) => (series === 3 ? markParts(u, days) : undefined)],
      setCursor: [onMove],
    },
  };
}

/** @param {number | null} min @param {number | null} max @returns {[number, number]} */
function centRange(min, max) {
  if (min === null || max === null) return [0, 10_000];
  const air = Math.max(100, Math.round((max - min) * 0.1));
  return [Math.max(0, min - air), max + air];
}

/** A horizontal line for each day, an upright one only between neighbours: a part is no neighbour of the whole. @returns {uPlot.Series.PathBuilder} */
function stepsOf() {
  return (u, series, first, last) => {
    const stroke = new Path2D();
    const [times, amounts] = [u.data[0], u.data[series] ?? []];
    for (let i = first; i <= last; i += 1) {
      const [at, amount] = [times[i], amounts[i]];
      if (at === undefined || amount === null || amount === undefined) continue;
      const y = u.valToPos(amount, "y", true);
      const left = u.valToPos(at, "x", true);
      if (i > first && typeof amounts[i - 1] === "number") stroke.lineTo(left, y);
      else stroke.moveTo(left, y);
      stroke.lineTo(u.valToPos(at + daySeconds, "x", true), y);
    }
    return { stroke, fill: null, clip: null, flags: 0 };
  };
}

/** Where nothing is known the ground is another one. @param {uPlot} u @param {readonly Day[]} days */
function shadeGaps(u, days) {
  const { ctx, bbox } = u;
  ctx.save();
  ctx.fillStyle = colour("--shade");
  for (const { day, value } of days) {
    if (value !== null) continue;
    const left = Math.round(u.valToPos(day * daySeconds, "x", true));
    const right = Math.round(u.valToPos((day + 1) * daySeconds, "x", true));
    ctx.fillRect(left, bbox.top, right - left, bbox.height);
  }
  ctx.restore();
}

/** A ring on each day whose value leaves a holding out. @param {uPlot} u @param {readonly Day[]} days */
function markParts(u, days) {
  const { ctx } = u;
  const radius = (days.length > 100 ? 2 : 4) * devicePixelRatio;
  ctx.save();
  ctx.fillStyle = colour("--card");
  ctx.strokeStyle = colour("--series-2");
  ctx.lineWidth = 2 * devicePixelRatio;
  for (const { day, value, isComplete } of days) {
    if (value === null || isComplete) continue;
    ctx.beginPath();
    ctx.arc(u.valToPos((day + 0.5) * daySeconds, "x", true), u.valToPos(value, "y", true), radius, 0, 2 * Math.PI);
    ctx.fill();
    ctx.stroke();
  }
  ctx.restore();
}

/** @param {number} cents A mark of the axis, whole cents. */
function axisDollars(cents) {
  const digits = String(cents).padStart(3, "0");
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ",");
  return digits.endsWith("00") ? `$${whole}` : `$${whole}.${digits.slice(-2)}`;
}

/** @param {string} name A custom property of the style sheet. */
function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
