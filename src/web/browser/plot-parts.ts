import { html, nothing, render, type SVGTemplateResult, svg, type TemplateResult } from "lit-html";
import { colour } from "./time-plot.ts";

const stripHeight = 18;
const letterWidth = 13;

/** A plot that can be fitted to its host and to the colours of the page. */
type Fitting = { fit: () => void; recolour: () => void };
/** Reason for a missing value. */
type Cause = { readonly letter: string; readonly name: string };
/** A time span in seconds with its state: known, or the cause of a missing value. */
type Span<State extends string> = { readonly state: State; readonly at: number; readonly end: number };

/** Updates plots when the width of their host or the colour scheme changes. */
export function keepFitting(host: HTMLElement, plots: () => readonly (Fitting | null)[]): void {
  new ResizeObserver(() => {
    for (const plot of plots()) plot?.fit();
  }).observe(host);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    for (const plot of plots()) plot?.recolour();
  });
}

/** Returns the index of the point that a key moves to, from 0 to `last`; null for other keys. `page` is the step of the page keys. */
export function pointOfKey(key: string, index: number, last: number, page?: number): number | null {
  const targets: Record<string, number> = {
    ArrowLeft: index - 1,
    ArrowRight: index + 1,
    Home: 0,
    End: last,
    ...(page !== undefined && { PageUp: index - page, PageDown: index + page }),
  };
  const target = targets[key];
  return target === undefined ? null : Math.min(last, Math.max(0, target));
}

/** Joins adjacent points with the same state. `first` and `last` are indexes. */
export function runsOf<State extends string>(points: readonly { readonly state: State }[]) {
  const runs: { state: State; first: number; last: number }[] = [];
  points.forEach(({ state }, index) => {
    const open = runs.at(-1);
    if (open?.state === state) open.last = index;
    else runs.push({ state, first: index, last: index });
  });
  return runs;
}

/**
 * Draws a strip under a plot: a line for known values, a pattern with a letter for missing values. States without a cause are known and
 * have the class `known`.
 */
export function drawStrip<State extends string>(
  strip: SVGElement,
  u: uPlot,
  spans: readonly Span<State>[],
  causes: Readonly<Partial<Record<State, Cause>>>,
  known: string,
): void {
  const left = u.bbox.left / devicePixelRatio;
  const width = u.bbox.width / devicePixelRatio;
  const from = u.scales.x?.min ?? 0;
  const perPixel = ((u.scales.x?.max ?? 1) - from) / width;
  const place = (at: number) => Math.min(left + width, Math.max(left, left + (at - from) / perPixel));
  strip.setAttribute("width", String(u.width));
  strip.setAttribute("height", String(stripHeight + 4));
  const marks = runsOf(spans).map(({ state, first, last }) => {
    const x = place(spans[first]?.at ?? 0);
    const length = Math.max(2, place(spans[last]?.end ?? 0) - x);
    return markOf({ state, count: last - first + 1, x, width: length }, causes[state], known);
  });
  render(svg`<rect class="ground" x=${left} y="1" width=${width} height=${stripHeight - 2}></rect>${marks}`, strip);
}

function markOf(
  { state, count, x, width }: { state: string; count: number; x: number; width: number },
  cause: Cause | undefined,
  known: string,
): SVGTemplateResult {
  if (cause === undefined)
    return svg`<rect class=${known} data-state=${state} data-count=${count} x=${x} y="7.5" width=${width} height="3"></rect>`;
  const middle = x + width / 2;
  const letter = svg`<rect class="plate" x=${middle - 6} y="2.5" width="12" height=${stripHeight - 5} rx="2"></rect>
<text class="letter ${state}" x=${middle} y="13" text-anchor="middle">${cause.letter}</text>`;
  return svg`<rect class="gap ${state}" data-state=${state} data-count=${count} x=${x} y="1" width=${width}
height=${stripHeight - 2} fill="url(#pattern-${state})"><title>${cause.name}</title></rect>${width < letterWidth ? nothing : letter}`;
}

/** Draws a vertical line with a label at each instant (seconds) at which a new version starts. */
export function drawUprights(u: uPlot, marks: readonly { at: number; label: string }[], colourName: string): void {
  const { ctx, bbox } = u;
  const size = 11 * devicePixelRatio;
  const gap = size * 0.4;
  ctx.save();
  ctx.font = `600 ${size}px Inter, system-ui, sans-serif`;
  ctx.fillStyle = ctx.strokeStyle = colour(colourName);
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
  for (const { at, label } of marks) {
    const x = Math.round(u.valToPos(at, "x", true));
    ctx.beginPath();
    ctx.moveTo(x, bbox.top - size);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    const isLeft = x + gap + ctx.measureText(label).width > ctx.canvas.width;
    ctx.textAlign = isLeft ? "right" : "left";
    ctx.fillText(label, x + (isLeft ? -gap : gap), bbox.top - size * 0.2);
  }
  ctx.restore();
}

/** Returns an entry of the list that explains the marks of a chart. */
export function markEntry(letter: string, name: string, description: string, kind = ""): TemplateResult {
  return html`<li><span class="chip ${kind}">${letter}</span><b>${name}</b>: ${description}</li>`;
}
