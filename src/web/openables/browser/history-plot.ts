import { dollars } from "../../../values/money/money-text.ts";
import { tickText } from "../../../values/time/time-text.ts";
import { shape } from "../../browser/dom.ts";
import { centIntervals, colour, TimePlot } from "../../browser/time-plot.ts";
import { states, versionsOf } from "./history-points.ts";
import type { Point } from "./types.ts";

const stripHeight = 18;
const letterWidth = 13;

/** A line of a plot: what it is of a row, its colour and dashes. `mark` stands at its end. */
type Line = {
  mark: string;
  colour: string;
  dash?: number[];
  of: (row: NonNullable<Point["row"]>) => number | null;
};

const moneyLines: readonly Line[] = [
  { mark: "cost", colour: "--series-2", dash: [6, 4], of: ({ cost_cents }) => cost_cents },
  { mark: "value", colour: "--series-1", of: ({ expected_value_cents }) => expected_value_cents },
];
const returnLines: readonly Line[] = [
  { mark: "return", colour: "--series-3", of: ({ return_pct }) => (return_pct === null ? null : Number(return_pct)) },
];

/** Two plots over one time: cost and expected value, and the return; under them a strip shows why a value is missing. */
export class HistoryPlots {
  #plots;
  #host;
  #points;
  #strip = shape("svg", {
    class: "strip",
    role: "img",
    "aria-label": "Missing points by cause; the table says the same.",
  });

  /** @param onPoint Called with the point under the cursor. */
  constructor(host: HTMLElement, points: readonly Point[], onPoint: (index: number) => void) {
    this.#host = host;
    this.#points = points;
    const frames = [moneyLines, returnLines].map((lines, index) => {
      const title = document.createElement("h4");
      const isWithheld = !points.some(({ state }) => state === "calculated");
      const name = index === 0 ? "Expected value and cost" : "Return, in percent of the cost";
      title.textContent = isWithheld ? `${name}: no expected value at any point, too little was priced` : name;
      const frame = document.createElement("div");
      frame.className = "plot-host";
      host.append(title, frame);
      return { lines, frame, isMoney: index === 0 };
    });
    host.append(this.#strip);
    const onCursor = (at: number | null) => {
      const index = at === null ? -1 : points.findLastIndex((point) => point.at <= at);
      if (index >= 0) onPoint(index);
    };
    const onDrawn = (u: uPlot) => this.#drawStrip(u);
    this.#plots = frames.map(({ lines, frame, isMoney }) => {
      const parts = partsOf(points, lines, isMoney);
      return new TimePlot(host, frame, { ...parts, onCursor, ...(isMoney && { onDrawn }) });
    });
  }

  moveTo(index: number) {
    const point = this.#points[index];
    if (point === undefined) return;
    for (const plot of this.#plots) plot.moveTo((point.at + point.end) / 2);
  }

  fit() {
    for (const plot of this.#plots) plot.fit();
  }

  recolour() {
    for (const plot of this.#plots) plot.recolour();
  }

  destroy() {
    for (const plot of this.#plots) plot.destroy();
    this.#host.replaceChildren();
  }

  #drawStrip(u: uPlot) {
    const left = u.bbox.left / devicePixelRatio;
    const width = u.bbox.width / devicePixelRatio;
    const { min, max } = u.scales.x ?? {};
    const from = min ?? 0;
    const perPixel = ((max ?? 1) - from) / width;
    const place = (at: number) => Math.min(left + width, Math.max(left, left + (at - from) / perPixel));
    this.#strip.setAttribute("width", String(u.width));
    this.#strip.setAttribute("height", String(stripHeight + 4));
    this.#strip.replaceChildren(
      shape("rect", { class: "ground", x: left, y: 1, width, height: stripHeight - 2 }),
      ...runsOf(this.#points).flatMap((run) => marksOf(run, place(run.at), place(run.end))),
    );
  }
}

/** Neighbours of the same state together. */
function runsOf(points: readonly Point[]) {
  const runs: { state: Point["state"]; at: number; end: number; count: number }[] = [];
  for (const { state, at, end } of points) {
    const open = runs.at(-1);
    if (open?.state === state) Object.assign(open, { end, count: open.count + 1 });
    else runs.push({ state, at, end, count: 1 });
  }
  return runs;
}

function marksOf({ state, count }: ReturnType<typeof runsOf>[number], left: number, right: number) {
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

function partsOf(
  points: readonly Point[],
  lines: readonly Line[],
  isMoney: boolean,
): Omit<import("../../browser/time-plot.ts").TimePlotParts, "onCursor"> {
  const end = points.at(-1)?.end ?? 1;
  return {
    times: points.map(({ at }) => at),
    lines: lines.map(({ mark, colour: name, dash, of }) => ({
      values: points.map(({ row }) => (row === null ? null : of(row))),
      colour: name,
      label: mark,
      ...(dash !== undefined && { dash }),
    })),
    endOf: (index) => points[index]?.end ?? end,
    joins: (index) => points[index]?.joins === true,
    timeRange: () => [points[0]?.at ?? 0, end],
    valueRange: (min, max) => valueRange(min, max, isMoney),
    timeAxis: { text: tickText, space: { narrow: 52, wide: 70 } },
    valueAxis: {
      text: isMoney ? dollars : (value) => `${value} %`,
      size: { narrow: 62, wide: 78 },
      space: 34,
      ...(isMoney && { intervals: centIntervals }),
    },
    height: { narrow: 180, wide: 210 },
    padding: { top: 16, right: { narrow: 56, wide: 60 } },
    sync: "roi",
    drawBelow: (u) => drawVersions(u, points),
  };
}

function valueRange(min: number | null, max: number | null, isMoney: boolean): [number, number] {
  if (min === null || max === null) return [0, 100];
  const air = Math.max(isMoney ? 1 : 0.5, (max - min) * 0.12, max === min ? max * 0.05 : 0);
  const round = isMoney ? Math.round : (value: number) => value;
  return [Math.max(0, round(min - air)), round(max + air)];
}

/** Draws an upright line where another revision of the pool or another methodology begins, with its name. */
function drawVersions(u: uPlot, points: readonly Point[]) {
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
