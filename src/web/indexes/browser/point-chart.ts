// Parts of a chart of points over time that the pages of indexes and openables share.
import { html, nothing, render, svg } from "lit-html";
import { colour, type TimePlot } from "../../browser/time-plot.ts";

const stripHeight = 18;
/** A narrower mark has no room for its letter, pixels. */
const letterWidth = 13;

/** Point or run of points from `at` until `end`, in seconds. */
type Span = { readonly state: string; readonly at: number; readonly end: number };
/** Why points have no value: letter of the mark, name and meaning. */
export type Cause = { readonly letter: string; readonly name: string; readonly meaning: string };
type Causes = Readonly<Record<string, Cause>>;

/** Draws what is missing below a plot: a line over points with a value, a pattern with a letter over each gap. */
export function drawStrip(root: SVGElement, u: uPlot, points: readonly Span[], causes: Causes): void {
  const [left, width] = [u.bbox.left / devicePixelRatio, u.bbox.width / devicePixelRatio];
  const { min, max } = u.scales.x ?? {};
  const from = min ?? 0;
  const perPixel = ((max ?? 1) - from) / width;
  const place = (at: number) => Math.min(left + width, Math.max(left, left + (at - from) / perPixel));
  root.setAttribute("width", String(u.width));
  root.setAttribute("height", String(stripHeight + 4));
  const marks = runsOf(points).map((run) => markOf(run, place(run.at), place(run.end), causes[run.state]));
  const ground = svg`<rect class="ground" x=${left} y="1" width=${width} height=${stripHeight - 2} />`;
  render([ground, marks], root as unknown as HTMLElement);
}

function runsOf(points: readonly Span[]): (Span & { count: number })[] {
  const runs: { state: string; at: number; end: number; count: number }[] = [];
  for (const { state, at, end } of points) {
    const open = runs.at(-1);
    if (open?.state === state) Object.assign(open, { end, count: open.count + 1 });
    else runs.push({ state, at, end, count: 1 });
  }
  return runs;
}

function markOf({ state, count }: ReturnType<typeof runsOf>[number], x: number, right: number, cause?: Cause) {
  const width = Math.max(2, right - x);
  if (cause === undefined)
    return svg`<rect class="known" data-state=${state} data-count=${count} x=${x} y="7.5" width=${width} height="3" />`;
  const middle = x + width / 2;
  const letter = svg`
    <rect class="plate" x=${middle - 6} y="2.5" width="12" height=${stripHeight - 5} rx="2" />
    <text class="letter ${state}" x=${middle} y="13" text-anchor="middle">${cause.letter}</text>`;
  return svg`
    <rect class="gap ${state}" data-state=${state} data-count=${count} fill="url(#pattern-${state})"
      x=${x} y="1" width=${width} height=${stripHeight - 2}><title>${cause.name}</title></rect>
    ${width < letterWidth ? nothing : letter}`;
}

/** Lists the causes that occur among the points. */
export function causeList(points: readonly Span[], causes: Causes) {
  const seen = new Set(points.map(({ state }) => state));
  return Object.entries(causes).flatMap(([state, cause]) => (seen.has(state) ? [causeEntry(cause, state)] : []));
}

/** Returns an entry of a list of causes; `kind` is the style class of its mark. */
export function causeEntry({ letter, name, meaning }: Cause, kind = "") {
  return html`<li><span class="chip ${kind}">${letter}</span><b>${name}</b>: ${meaning}</li>`;
}

/** Version that begins `at`, in seconds. `isLeft` decides the side of its text from its place and width, in canvas pixels. */
type VersionLook = { ink: string; family: string; isLeft: (u: uPlot, x: number, textWidth: number) => boolean };

/** Draws an upright dashed line with a text where each version begins. */
export function drawVersions(
  u: uPlot,
  versions: readonly { at: number; text: string }[],
  { ink, family, isLeft }: VersionLook,
): void {
  const { ctx, bbox } = u;
  const size = 11 * devicePixelRatio;
  ctx.save();
  ctx.font = `600 ${size}px ${family}`;
  ctx.fillStyle = ctx.strokeStyle = colour(ink);
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
  for (const { at, text } of versions) {
    const x = Math.round(u.valToPos(at, "x", true));
    ctx.beginPath();
    ctx.moveTo(x, bbox.top - size);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    const gap = size * 0.4;
    const turned = isLeft(u, x, gap + ctx.measureText(text).width);
    ctx.textAlign = turned ? "right" : "left";
    ctx.fillText(text, x + (turned ? -gap : gap), bbox.top - size * 0.2);
  }
  ctx.restore();
}

/** Points that keys move through; `page` is the number of points per page key. */
type Walk = { index: () => number; last: () => number; page?: number; go: (index: number) => void };

/** Moves through points by arrow keys, Home and End, and by page keys if `page` is given. */
export function walkByKeys(host: HTMLElement, { index, last, page, go }: Walk): void {
  host.addEventListener("keydown", (event) => {
    const at = index();
    const targets: Record<string, number> = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      Home: 0,
      End: last(),
      ...(page !== undefined && { PageUp: at - page, PageDown: at + page }),
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    go(Math.min(last(), Math.max(0, target)));
  });
}

/** Keeps plots as wide as their host and in the colours of the page. */
export function tendPlots(host: HTMLElement, plots: () => readonly TimePlot[]): void {
  new ResizeObserver(() => {
    for (const plot of plots()) plot.fit();
  }).observe(host);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    for (const plot of plots()) plot.recolour();
  });
}

/** Returns the point at an instant under the cursor, in seconds; -1 if there is none. */
export function pointAt(points: readonly { at: number }[], at: number | null): number {
  return at === null ? -1 : points.findLastIndex((point) => point.at <= at);
}
