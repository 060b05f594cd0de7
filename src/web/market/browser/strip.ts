import { nothing, render, svg } from "lit-html";
import { rangeText } from "../../../values/time/time-text.ts";
import { shape } from "../../browser/dom.ts";
import { runsOf } from "../../browser/plot-parts.ts";
import { shortName } from "./load.ts";
import { causes, countsOf } from "./points.ts";
import type { Chart, Point, Series } from "./types.ts";

const rowHeight = 16;
const barHeight = 14;
/** Minimum width of a mark with a letter, and width of the plate behind the letter. */
const letterWidth = 13;
const plateWidth = 15;
const markWidth = 2;

type Run = { state: Point["state"]; first: number; last: number };

/** Draws a row per series below the plot: a coloured line for quoted times, a pattern with a letter for gaps. */
export class Strip {
  readonly root = shape("svg", { class: "strip", role: "img" });
  readonly #chart: Chart;
  readonly #series: readonly Series[];
  /** Position of the plot within the strip, in pixels and seconds. */
  #frame = { left: 0, width: 0, from: 0, perPixel: 1 };
  #hairline = shape("line", { class: "hairline", y1: 0, y2: 0, x1: 0, x2: 0, visibility: "hidden" });

  /** @param onMove Called with the time under the pointer, in seconds. */
  constructor(chart: Chart, series: readonly Series[], onMove: (at: number) => void) {
    this.#chart = chart;
    this.#series = series;
    this.root.setAttribute("aria-label", summaryOf(series));
    this.root.addEventListener("pointermove", (event) => {
      const { left, from, perPixel } = this.#frame;
      const x = (event as PointerEvent).clientX - this.root.getBoundingClientRect().left;
      if (x >= left) onMove(from + (x - left) * perPixel);
    });
  }

  /** Draws the strip for the visible time of the plot. */
  draw(u: uPlot) {
    const left = u.bbox.left / devicePixelRatio;
    const width = u.bbox.width / devicePixelRatio;
    const height = this.#series.length * rowHeight;
    const from = u.scales.x?.min ?? 0;
    this.#frame = { left, width, from, perPixel: ((u.scales.x?.max ?? 1) - from) / width };
    this.root.setAttribute("width", String(u.width));
    this.root.setAttribute("height", String(height + 4));
    this.#hairline.setAttribute("y2", String(height));
    const rows = this.#series.map((series, index) => this.#row(series, index * rowHeight + 1));
    render([rows, this.#hairline], this.root as SVGElement);
  }

  /** Moves the hairline to the plot's cursor. */
  mark(u: uPlot, at: number | null) {
    this.#hairline.setAttribute("visibility", at === null ? "hidden" : "visible");
    if (at === null) return;
    const x = String(u.bbox.left / devicePixelRatio + (u.cursor.left ?? 0));
    this.#hairline.setAttribute("x1", x);
    this.#hairline.setAttribute("x2", x);
  }

  #row(series: Series, top: number) {
    const { key, points, side, colour } = series;
    const { left, width } = this.#frame;
    const marks = runsOf(points).map((run) => this.#mark(points, run, top));
    return svg`<g data-line=${key} data-side=${side} class="series-${colour}"><text class="label" x=${left - 8} y=${top + 11}
text-anchor="end">${this.#label(series)}</text><rect class="ground" x=${left} y=${top} width=${width} height=${barHeight}></rect>${marks}</g>`;
  }

  #label({ key, name, letter, side }: Series) {
    const ofSide = this.#series.some((other) => other.side !== side) ? ` ${side}` : "";
    if (this.#frame.left < 80) return `${letter}${ofSide}`;
    // Items are labelled by letter only.
    const own = /^\d+$/.test(key) ? letter : shortName(name, ofSide === "" ? 13 : 9);
    return `${own}${ofSide}`;
  }

  #mark(points: Series["points"], { state, first, last }: Run, top: number) {
    const { left, width: whole, from, perPixel } = this.#frame;
    const { step } = this.#chart;
    const [begin, end] = [points[first]?.at ?? 0, (points[last]?.at ?? 0) + step];
    const x = Math.max(left, left + (begin - from) / perPixel);
    const width = Math.min(left + whole, left + (end - from) / perPixel) - x;
    if (width <= 0) return nothing;
    const range = rangeText(begin, end - step, step);
    if (state === "quoted")
      return svg`<rect class="quoted" x=${x} y=${top + barHeight / 2 - 1.5} width=${width} height="3"><title>Quoted: ${range}</title></rect>`;
    const { letter, name } = causes[state];
    const middle = x + width / 2;
    const plateSize = Math.min(plateWidth, width - 2);
    const plate = svg`<rect class="plate" x=${middle - plateSize / 2} y=${top + 1.5} width=${plateSize} height=${barHeight - 3} rx="2"></rect>
<text class="letter ${state}" x=${middle} y=${top + 11} text-anchor="middle">${letter}</text>`;
    return svg`<rect class="gap ${state}" x=${x} y=${top} width=${Math.max(width, markWidth)} height=${barHeight} data-cause=${state}
data-count=${last - first + 1} fill="url(#pattern-${state})"><title>${name}: ${range}</title></rect>${width < letterWidth ? nothing : plate}`;
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
