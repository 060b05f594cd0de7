import { html, nothing, svg } from "lit-html";
import { dollars } from "../../../values/money/money-text.ts";
import { type Bin, type Distribution, sum } from "./bins.ts";
import { tierColour, tierLetter } from "./labels.ts";
import type { Calculation, Tier } from "./types.ts";

const panelHeight = 130;
const head = 62;
const between = 34;
const boxHeight = 18;
/** Minimum height and width of a mark in pixels, even for a rare outcome. */
const markMin = 2;
const letterMin = 13;
const narrowBelow = 560;
const label = "Outcomes by value; the lines below and the tables have the same data.";

/** Value axis in pixels. `edge` returns the left edge of a position; `apart` is the width for outcomes without a price. */
type Frame = {
  left: number;
  right: number;
  width: number;
  apart: number;
  edge: (place: number) => number;
  x: (cents: number) => number;
};

/**
 * Draws two panels over one value axis, and the quantiles: the chance of each value, and its share of the expected value. Outcomes without
 * a price are drawn separately.
 */
export function distributionPicture(distribution: Distribution, current: Calculation, width: number) {
  const frame = frameOf(distribution, width);
  const second = head + panelHeight + between;
  const base = second + panelHeight;
  const axis = base + boxHeight + 6;
  const share = width < narrowBelow ? "Share of value" : "Share of the priced value";
  // Titles are last, so that they are above the vertical lines.
  return html`<svg width=${width} height=${base + boxHeight + 42} role="img" aria-label=${label}>${[
    panel(distribution, frame, head, "chance"),
    panel(distribution, frame, second, "worth"),
    valueAxis(frame, axis),
    quantileBox(current, frame, base + 12),
    markers(current, frame, axis),
    title("Chance of a value", head - 8, frame, current),
    title(share, second - 8, frame, current),
  ]}</svg>`;
}

function frameOf({ low, high, perDecade, unpriced }: Distribution, width: number): Frame {
  const left = 46;
  const apart = unpriced === null ? 0 : width < narrowBelow ? 46 : 70;
  const right = width - 8 - (apart === 0 ? 0 : apart + 14);
  const perPlace = (right - left) / (high - low);
  const edge = (place: number) => left + (place - low) * perPlace;
  return { left, right, width, apart, edge, x: (cents) => edge(Math.log10(Math.max(1, cents)) * perDecade) };
}

/** Draws the title of a panel beside the vertical lines: at the left, at the right, or after the last line. */
function title(text: string, y: number, { left, right, x }: Frame, current: Calculation) {
  const lines = [current.cost_cents, current.expected_value_cents].flatMap((cents) => (cents === null ? [] : x(cents)));
  const room = text.length * 6.2 + 4;
  const isFree = (from: number) => lines.every((line) => line < from - 4 || line > from + room);
  const [place, anchor] = isFree(left)
    ? [left, "start"]
    : isFree(right - room)
      ? [right, "end"]
      : [Math.min(Math.max(...lines) + 8, right - room), "start"];
  return svg`<text class="panel-title" x=${place} y=${y} text-anchor=${anchor}>${text}</text>`;
}

function panel({ tiers, bins, unpriced }: Distribution, frame: Frame, top: number, of: "chance" | "worth") {
  const { left, right, width, apart, edge } = frame;
  const floor = top + panelHeight;
  const hasUnpriced = of === "chance" && unpriced !== null;
  const { end, step } = ticksTo(Math.max(...[...bins, ...(hasUnpriced ? [unpriced] : [])].map((bin) => sum(bin[of]))));
  const scale = panelHeight / end;
  const ticks = Array.from({ length: Math.round(end / step) + 1 }, (_, index) => {
    const y = floor - step * index * scale;
    return svg`
      <line class="grid" x1=${left} x2=${width - 8} y1=${y} y2=${y} />
      <text class="tick" x=${left - 6} y=${y + 4} text-anchor="end">${`${Number((step * index).toPrecision(3))} %`}</text>`;
  });
  const target = (x: number, size: number, number: number) =>
    svg`<rect class="target" x=${x} y=${top} width=${size} height=${panelHeight} data-bin=${number} />`;
  const bars = bins.map((bin, number) => {
    const x = edge(bin.index) + 1;
    const size = Math.max(markMin, edge(bin.index + 1) - edge(bin.index) - 2);
    return [
      bar(bin, number, bin[of], { tiers, x, floor, size, scale, hatched: false }),
      target(x - 1, size + 2, number),
    ];
  });
  if (unpriced === null) return [ticks, bars];
  const middle = right + 14 + apart / 2;
  const text = (y: number, words: string, kind: string) =>
    svg`<text class=${kind} x=${middle} text-anchor="middle" y=${y}>${words}</text>`;
  return [
    ticks,
    bars,
    svg`<line class="divide" x1=${right + 7} x2=${right + 7} y1=${top - 4} y2=${floor} />`,
    hasUnpriced
      ? bar(unpriced, bins.length, unpriced.chance, { tiers, x: right + 14, floor, size: apart, scale, hatched: true })
      : text(floor - panelHeight / 2, "unknown", "tick"),
    text(floor + 16, "no price", "tick strong"),
    target(right + 14, apart, bins.length),
  ];
}

type Box = { tiers: readonly Tier[]; x: number; floor: number; size: number; scale: number; hatched: boolean };

/** Draws the tiers of a bin as a stack, the most common at the bottom. */
function bar(bin: Bin, number: number, parts: readonly number[], { tiers, x, floor, size, scale, hatched }: Box) {
  let y = floor;
  const pieces = tiers.map((tier, place) => {
    const part = parts[place] ?? 0;
    if (part === 0) return nothing;
    const height = Math.max(markMin, part * scale);
    y -= height;
    const [middle, line] = [x + size / 2, y + height / 2 + 4];
    const letter = svg`<text class="tier-letter" x=${middle} y=${line} text-anchor="middle">${tierLetter(place)}</text>`;
    const hatch = svg`<rect fill="url(#pattern-unpriced)" x=${x} y=${y} width=${size} height=${height} />`;
    const hasLetter = height >= letterMin && size >= letterMin;
    return svg`<g class=${tierColour(tier, place)}>
      <rect class="own" x=${x} y=${y} width=${size} height=${height} />
      ${hatched ? hatch : hasLetter ? letter : nothing}
    </g>`;
  });
  return svg`<g class=${hatched ? "bar hatched" : "bar"} data-bin=${number} data-first=${bin.first}>${pieces}</g>`;
}

/** Returns a round end of an axis, and the step between its marks. */
function ticksTo(tallest: number): { end: number; step: number } {
  const rough = Math.max(tallest, 0.0001) / 3;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((digit) => digit * power >= rough) ?? 10) * power;
  return { step, end: step * Math.ceil(tallest / step - 1e-9) };
}

function valueAxis({ left, right, x }: Frame, y: number) {
  const hasRoom = x(10) - x(1) > 190;
  const candidates = Array.from({ length: 12 }, (_, power) =>
    (hasRoom ? [1, 2, 5] : [1]).map((digit) => digit * 10 ** power),
  ).flat();
  let free = Number.NEGATIVE_INFINITY;
  const marks = candidates.map((cents) => {
    const place = x(cents);
    if (place < left - 1 || place > right + 1) return nothing;
    const text = cents < 100 ? dollars(cents) : dollars(cents).replace(/\.00$/, "");
    const half = text.length * 3.6;
    const middle = Math.max(place, half);
    const isFree = middle - half >= free;
    if (isFree) free = middle + half + 6;
    return svg`
      <line class="base" x1=${place} x2=${place} y1=${y} y2=${y + 5} />
      ${isFree ? svg`<text class="tick" x=${middle} y=${y + 19} text-anchor="middle">${text}</text>` : nothing}`;
  });
  return svg`<line class="base" x1=${left} x2=${right} y1=${y} y2=${y} />${marks}`;
}

/** Draws the quantiles. A line covers the 5th to 95th percentile, a box the 25th to 75th with the median. A ring marks the 99th. */
function quantileBox({ quantiles }: Calculation, { x }: Frame, y: number) {
  if (quantiles === null) return nothing;
  const { p05, p25, p50, p75, p95, p99 } = quantiles;
  const words = `Quantiles of the priced outcomes: 5 % ${dollars(p05)}, 25 % ${dollars(p25)}, half ${dollars(p50)}, 75 % ${dollars(p75)}, 95 % ${dollars(p95)}, 99 % ${dollars(p99)}`;
  return svg`<g class="quantiles">
    <title>${words}</title>
    <line x1=${x(p05)} x2=${x(p95)} y1=${y} y2=${y} />
    <rect x=${x(p25)} y=${y - 5} width=${Math.max(3, x(p75) - x(p25))} height="10" />
    <line class="median" x1=${x(p50)} x2=${x(p50)} y1=${y - 7} y2=${y + 7} />
    <circle cx=${x(p99)} cy=${y} r="3.5" />
  </g>`;
}

/** Draws vertical lines for cost and expected value, with their names in two rows above. */
function markers(current: Calculation, frame: Frame, base: number) {
  const { expected_value_lower_cents: lower, expected_value_upper_cents: upper } = current;
  const short = frame.width < narrowBelow ? "value" : "expected value";
  const marks = [
    { kind: "cost", cents: current.cost_cents, name: "cost", y: 12 },
    { kind: "value", cents: current.expected_value_cents, name: short, y: 28 },
  ].flatMap(({ kind, cents, name, y }) =>
    cents === null ? [] : [{ kind, y, text: `${name} ${dollars(cents)}`, place: frame.x(cents) }],
  );
  const lines = marks.map(({ kind, text, y, place }, index) => {
    const other = marks[1 - index]?.place ?? 0;
    // The text is on the side away from the other line, if it fits there.
    const room = text.length * 7.2;
    const isLeft = place <= other ? place > room : place + room > frame.width;
    const [x, anchor] = isLeft ? [place - 5, "end"] : [place + 5, "start"];
    return svg`
      <line class="mark ${kind}" x1=${place} x2=${place} y1=${y - 9} y2=${base} />
      <text class="mark ${kind}" x=${x} y=${y} text-anchor=${anchor}>${text}</text>`;
  });
  if (upper === null || lower === upper) return lines;
  const low = frame.x(lower);
  const size = Math.max(1, Math.min(frame.right, frame.x(upper)) - low);
  const band = svg`<rect class="between" x=${low} y=${head - 6} width=${size} height=${base - head + 6} />`;
  return [band, lines];
}
