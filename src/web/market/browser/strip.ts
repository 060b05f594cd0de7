import { rangeText } from "../../../values/time/time-text.ts";
import { shape } from "../../browser/dom.ts";
import { causes, countsOf, runsOf } from "./points.ts";
import type { Chart, Series } from "./types.ts";

const rowHeight = 16;
const barHeight = 14;
/** Narrower than this a mark has no room for its letter, and at least this wide is the mark of a gap. */
const letterWidth = 13;
const plateWidth = 15;
const markWidth = 2;

/** For each series a row under the plot: a line in its colour where it is quoted, a pattern and a letter where it is not. */
export class Strip {
  root;
  #chart;
  #series;
  #hairline = shape("line", { class: "hairline", y1: 0, y2: 0, x1: 0, x2: 0, visibility: "hidden" });

  /** @param onMove Called with the time under the pointer, in seconds. */
  constructor(chart: Chart, series: readonly Series[], onMove: (at: number) => void) {
    this.#chart = chart;
    this.#series = series;
    this.root = shape("svg", { class: "strip", role: "img", "aria-label": summaryOf(series) });
    this.root.addEventListener("pointermove", (event) => {
      const { left, from, perPixel } = this.#frame;
      const x = (event as PointerEvent).clientX - this.root.getBoundingClientRect().left;
      if (x >= left) onMove(from + (x - left) * perPixel);
    });
  }

  /** The position of the plot in the strip, in pixels and seconds. */
  #frame = { left: 0, from: 0, perPixel: 1 };

  /** Draws what the plot shows. */
  draw(u: uPlot) {
    const left = u.bbox.left / devicePixelRatio;
    const width = u.bbox.width / devicePixelRatio;
    const height = this.#series.length * rowHeight;
    const { min: from = 0, max: to = 1 } = u.scales.x ?? {};
    this.#frame = { left, from: from ?? 0, perPixel: ((to ?? 1) - (from ?? 0)) / width };
    this.root.setAttribute("width", String(u.width));
    this.root.setAttribute("height", String(height + 4));
    this.#hairline.setAttribute("y2", String(height));
    const rows = this.#series.map((series, index) => this.#row(series, index * rowHeight + 1, left, width));
    this.root.replaceChildren(...rows, this.#hairline);
  }

  /** Shows where the cursor is. */
  mark(u: uPlot, at: number | null) {
    this.#hairline.setAttribute("visibility", at === null ? "hidden" : "visible");
    if (at === null) return;
    const x = u.bbox.left / devicePixelRatio + (u.cursor.left ?? 0);
    this.#hairline.setAttribute("x1", String(x));
    this.#hairline.setAttribute("x2", String(x));
  }

  #row(series: Series, top: number, left: number, width: number) {
    const { key, letter, points, side } = series;
    const hasBoth = this.#series.some((other) => other.side !== side);
    // An item has no short name.
    const own = /^\d+$/.test(key) ? letter : key;
    const text = hasBoth ? `${own} ${side}` : own;
    const short = text.length > 14 ? `${own.slice(0, hasBoth ? 8 : 12)}…${hasBoth ? ` ${side}` : ""}` : text;
    const label = left < 80 ? `${letter}${hasBoth ? ` ${side}` : ""}` : short;
    const row = shape("g", { "data-line": key, "data-side": side, class: `series-${series.colour}` });
    row.append(shape("text", { class: "label", x: left - 8, y: top + 11, "text-anchor": "end" }, label));
    row.append(shape("rect", { class: "ground", x: left, y: top, width, height: barHeight }));
    for (const run of runsOf(points)) row.append(...this.#marks(points, run, top, left + width));
    return row;
  }

  #marks(
    points: Series["points"],
    { state, first, last }: ReturnType<typeof runsOf>[number],
    top: number,
    right: number,
  ) {
    const { left, from, perPixel } = this.#frame;
    const { step } = this.#chart;
    const [begin, end] = [points[first]?.at ?? 0, (points[last]?.at ?? 0) + step];
    const x = Math.max(left, left + (begin - from) / perPixel);
    const width = Math.min(right, left + (end - from) / perPixel) - x;
    if (width <= 0) return [];
    const range = `${rangeText(begin, end - step, step)}`;
    if (state === "quoted") {
      const line = { class: "quoted", x, y: top + barHeight / 2 - 1.5, width, height: 3 };
      return [shape("rect", line, shape("title", {}, `Quoted: ${range}`))];
    }
    const { letter, name } = causes[state];
    const count = last - first + 1;
    const mark = { class: `gap ${state}`, x, y: top, width: Math.max(width, markWidth), height: barHeight };
    const data = { "data-cause": state, "data-count": count, fill: `url(#pattern-${state})` };
    const made = [shape("rect", { ...mark, ...data }, shape("title", {}, `${name}: ${range}`))];
    if (width < letterWidth) return made;
    const middle = { x: x + width / 2, y: top + 11, "text-anchor": "middle" };
    const plateSize = Math.min(plateWidth, width - 2);
    const plate = {
      class: "plate",
      x: middle.x - plateSize / 2,
      y: top + 1.5,
      width: plateSize,
      height: barHeight - 3,
      rx: 2,
    };
    return [...made, shape("rect", plate), shape("text", { class: `letter ${state}`, ...middle }, letter)];
  }
}

function summaryOf(series: readonly Series[]) {
  const parts = series.map(({ name, side, points }) => {
    const counts = countsOf(points);
    const gaps = Object.entries(causes).flatMap(([cause, { name: gap }]) => {
      const count = counts[cause as keyof typeof causes] ?? 0;
      return count === 0 ? [] : [`${gap.toLowerCase()} ${count}`];
    });
    return `${name} ${side}: quoted ${counts.quoted ?? 0}, ${gaps.join(", ") || "no gaps"}`;
  });
  return `Gaps by cause. ${parts.join(". ")}.`;
}
