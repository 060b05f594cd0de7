/** @import { Point } from "./types.mjs" */
import { shape } from "../../browser/dom.mjs";
import { dollars } from "../../browser/money.mjs";
import { axisLook, centSteps, colour, stepsOf, timeSteps, utcDate } from "../../browser/plot-parts.mjs";
import { tickText } from "../../browser/times.mjs";
import { states, versionsOf } from "./history-points.mjs";

const stripHeight = 18;
const letterWidth = 13;

/**
 * A line of a plot: what it is of a row, its colour and dashes. `mark` stands at its end.
 * @typedef {{ mark: string, colour: string, dash?: number[], of: (row: NonNullable<Point["row"]>) => number | null }} Line
 */

/** @type {readonly Line[]} */
const moneyLines = [
  { mark: "cost", colour: "--series-2", dash: [6, 4], of: ({ cost_cents }) => cost_cents },
  { mark: "value", colour: "--series-1", of: ({ expected_value_cents }) => expected_value_cents },
];
/** @type {readonly Line[]} */
const returnLines = [
  { mark: "return", colour: "--series-3", of: ({ return_pct }) => (return_pct === null ? null : Number(return_pct)) },
];

/** Two plots over one time: cost and expected value, and the return; under them a strip says why a value is missing. */
export class HistoryPlots {
  /** @type {uPlot[]} */
  #plots;
  #host;
  #points;
  #strip = shape("svg", {
    class: "strip",
    role: "img",
    "aria-label": "Missing points by cause; the table says the same.",
  });

  /**
   * @param {HTMLElement} host
   * @param {readonly Point[]} points
   * @param {(index: number) => void} onPoint Told which point the cursor is on.
   */
  constructor(host, points, onPoint) {
    this.#host = host;
    this.#points = points;
    const frames = [moneyLines, returnLines].map((lines, index) => {
      const title = document.createElement("h4");
      const isHeld = !points.some(({ state }) => state === "calculated");
      const name = index === 0 ? "Expected value and cost" : "Return, in percent of the cost";
      title.textContent = isHeld ? `${name}: no expected value at any point, too little was priced` : name;
      const frame = document.createElement("div");
      frame.className = "plot-host";
      host.append(title, frame);
      return { lines, frame, isMoney: index === 0 };
    });
    host.append(this.#strip);
    const moved = (/** @type {uPlot} */ u) => {
      const at = u.cursor.left === undefined || u.cursor.left < 0 ? null : u.posToVal(u.cursor.left, "x");
      const index = at === null ? -1 : points.findLastIndex((point) => point.at <= at);
      if (index >= 0) onPoint(index);
    };
    const drawn = (/** @type {uPlot} */ u) => this.#drawStrip(u);
    this.#plots = frames.map(({ lines, frame, isMoney }) => {
      const options = optionsOf(points, lines, host.clientWidth, { isMoney, moved, drawn: isMoney ? drawn : () => {} });
      return new uPlot(options, dataOf(points, lines), frame);
    });
  }

  /** @param {number} index */
  moveTo(index) {
    const point = this.#points[index];
    if (point === undefined) return;
    for (const plot of this.#plots) {
      const left = plot.valToPos((point.at + point.end) / 2, "x");
      plot.setCursor({ left, top: plot.over.clientHeight / 2 }, true);
    }
  }

  fit() {
    for (const plot of this.#plots) plot.setSize(sizeOf(this.#host.clientWidth));
  }

  recolour() {
    for (const plot of this.#plots) plot.redraw(true, true);
  }

  destroy() {
    for (const plot of this.#plots) plot.destroy();
    this.#host.replaceChildren();
  }

  /** @param {uPlot} u */
  #drawStrip(u) {
    const left = u.bbox.left / devicePixelRatio;
    const width = u.bbox.width / devicePixelRatio;
    const { min, max } = u.scales.x ?? {};
    const from = min ?? 0;
    const perPixel = ((max ?? 1) - from) / width;
    const place = (/** @type {number} */ at) => Math.min(left + width, Math.max(left, left + (at - from) / perPixel));
    this.#strip.setAttribute("width", String(u.width));
    this.#strip.setAttribute("height", String(stripHeight + 4));
    this.#strip.replaceChildren(
      shape("rect", { class: "ground", x: left, y: 1, width, height: stripHeight - 2 }),
      ...runsOf(this.#points).flatMap((run) => marksOf(run, place(run.at), place(run.end))),
    );
  }
}

/** Neighbours of the same state together. @param {readonly Point[]} points */
function runsOf(points) {
  /** @type {{ state: Point["state"], at: number, end: number, count: number }[]} */
  const runs = [];
  for (const { state, at, end } of points) {
    const open = runs.at(-1);
    if (open?.state === state) Object.assign(open, { end, count: open.count + 1 });
    else runs.push({ state, at, end, count: 1 });
  }
  return runs;
}

/** @param {ReturnType<typeof runsOf>[number]} run @param {number} left @param {number} right */
function marksOf({ state, count }, left, right) {
  const width = Math.max(2, right - left);
  const data = { "data-state": state, "data-count": count };
  if (state === "calculated")
    return [shape("rect", { class: "calculated", ...data, x: left, y: 7.5, width, height: 3 })];
  const { letter, name } = states[state];
  const box = { x: left, y: 1, width, height: stripHeight - 2 };
  const made = [
    shape("rect", { class: `gap ${state}`, ...data, ...box, fill: `url(#pattern-${state})` }, shape("title", {}, name)),
  ];
  if (width < letterWidth) return made;
  const middle = left + width / 2;
  return [
    ...made,
    shape("rect", { class: "plate", x: middle - 6, y: 2.5, width: 12, height: stripHeight - 5, rx: 2 }),
    shape("text", { class: `letter ${state}`, x: middle, y: 13, "text-anchor": "middle" }, letter),
  ];
}

/** @param {number} width */
function sizeOf(width) {
  return { width, height: width < 560 ? 180 : 210 };
}

/** @param {readonly Point[]} points @param {readonly Line[]} lines @returns {uPlot.AlignedData} */
function dataOf(points, lines) {
  return [
    points.map(({ at }) => at),
    ...lines.map(({ of }) => points.map(({ row }) => (row === null ? null : of(row)))),
  ];
}

/**
 * @param {readonly Point[]} points
 * @param {readonly Line[]} lines
 * @param {number} width
 * @param {{ isMoney: boolean, moved: (u: uPlot) => void, drawn: (u: uPlot) => void }} parts
 * @returns {uPlot.Options}
 */
function optionsOf(points, lines, width, { isMoney, moved, drawn }) {
  const isNarrow = width < 560;
  const end = points.at(-1)?.end ?? 1;
  const valueAxis = isMoney
    ? { incrs: centSteps, values: (/** @type {uPlot} */ _u, /** @type {number[]} */ marks) => marks.map(dollars) }
    : { values: (/** @type {uPlot} */ _u, /** @type {number[]} */ marks) => marks.map((mark) => `${mark} %`) };
  return {
    ...sizeOf(width),
    padding: [16, isNarrow ? 44 : 52, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      points: { show: false },
      drag: { x: false, y: false },
      sync: { key: "roi", scales: ["x", null] },
    },
    scales: {
      x: { time: true, range: () => [points[0]?.at ?? 0, end] },
      y: { range: (_u, min, max) => valueRange(min, max, isMoney) },
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
      { ...axisLook, size: isNarrow ? 62 : 78, space: 34, ...valueAxis },
    ],
    series: [
      {},
      ...lines.map((line) => ({
        stroke: () => colour(line.colour),
        width: 2,
        ...(line.dash === undefined ? {} : { dash: line.dash }),
        paths: stepsOf(
          (index, at) => points[index]?.end ?? at,
          (index) => points[index]?.joins === true,
        ),
        points: { show: false },
      })),
    ],
    hooks: {
      drawClear: [(u) => drawVersions(u, points)],
      setCursor: [moved],
      draw: [(u) => drawNames(u, points, lines), drawn],
    },
  };
}

/** @param {number | null} min @param {number | null} max @param {boolean} isMoney @returns {[number, number]} */
function valueRange(min, max, isMoney) {
  if (min === null || max === null) return [0, 100];
  const air = Math.max(isMoney ? 1 : 0.5, (max - min) * 0.12, max === min ? max * 0.05 : 0);
  const round = isMoney ? Math.round : (/** @type {number} */ value) => value;
  return [Math.max(0, round(min - air)), round(max + air)];
}

/** An upright line where another revision of the pool or another methodology begins, with its name. @param {uPlot} u @param {readonly Point[]} points */
function drawVersions(u, points) {
  const { ctx, bbox } = u;
  const size = 11 * devicePixelRatio;
  ctx.save();
  ctx.font = `600 ${size}px system-ui, sans-serif`;
  ctx.fillStyle = ctx.strokeStyle = colour("--text");
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
  for (const { at, row } of versionsOf(points).slice(1)) {
    const x = Math.round(u.valToPos(at, "x", true));
    ctx.beginPath();
    ctx.moveTo(x, bbox.top - size);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    const isLeft = x > bbox.left + bbox.width * 0.75;
    ctx.textAlign = isLeft ? "right" : "left";
    ctx.fillText(
      `${row.methodology_version}, revision ${row.revision_number}`,
      x + (isLeft ? -1 : 1) * size * 0.4,
      bbox.top - size * 0.2,
    );
  }
  ctx.restore();
}

/** The name of each line where it ends, so that lines are told apart without colour. @param {uPlot} u @param {readonly Point[]} points @param {readonly Line[]} lines */
function drawNames(u, points, lines) {
  const { ctx } = u;
  const size = 12 * devicePixelRatio;
  const names = lines.flatMap(({ mark, colour: name, of }) => {
    const last = points.findLast(({ row }) => row !== null && of(row) !== null);
    if (last === undefined || last.row === null) return [];
    return [
      { mark, name, x: u.valToPos(last.end, "x", true) + size * 0.4, y: u.valToPos(of(last.row) ?? 0, "y", true) },
    ];
  });
  names.sort((a, b) => a.y - b.y);
  ctx.save();
  ctx.font = `700 ${size}px system-ui, sans-serif`;
  ctx.textBaseline = "middle";
  ctx.textAlign = "left";
  let free = Number.NEGATIVE_INFINITY;
  for (const { mark, name, x, y } of names) {
    const top = Math.max(y, free);
    free = top + size * 1.15;
    ctx.fillStyle = colour(name);
    ctx.fillText(mark, x, top);
  }
  ctx.restore();
}
