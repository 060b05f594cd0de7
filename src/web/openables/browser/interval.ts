import { dollars } from "../../../values/money/money-text.ts";
import { shape } from "../../browser/dom.ts";
import type { Calculation } from "./types.ts";

/** Possible ends of the scale of returns, in percent of the cost. */
const ends = [150, 200, 300, 400, 600, 1000];

/**
 * Returns the end of a scale of returns on which nine of ten containers with an expected value fit; what does not fit gets an
 * arrow.
 */
export function scaleEnd(calculations: readonly (Calculation | null)[]) {
  const reaches = calculations
    .flatMap((current) => (current === null || current.expected_value_cents === null ? [] : [reachOf(current)]))
    .sort((a, b) => a - b);
  return endAt(reaches[Math.ceil(reaches.length * 0.9) - 1] ?? 0);
}

/** Returns the end of the scale of one container alone. */
export function ownScaleEnd(current: Calculation) {
  return endAt(reachOf(current));
}

function endAt(reach: number) {
  return ends.find((end) => end >= reach) ?? 1000;
}

/**
 * Draws the axis of the intervals below it.
 * @param end In percent of the cost.
 */
export function scaleAxis(end: number) {
  const root = shape("svg", { class: "axis", width: "100%", height: 22, "aria-hidden": "true" });
  const step = end <= 150 ? 50 : end <= 300 ? 100 : end <= 600 ? 200 : 500;
  for (const percent of new Set([
    ...Array.from({ length: Math.floor(end / step) + 1 }, (_, mark) => mark * step),
    100,
  ])) {
    const anchor = percent === 0 ? "start" : percent === end ? "end" : "middle";
    const isCost = percent === 100;
    const text = isCost ? "cost" : `${percent} %`;
    if (!isCost && percent !== 0 && Math.abs(percent - 100) / end < 0.2) continue;
    root.append(
      shape("text", { x: place(percent, end), y: 13, "text-anchor": anchor, class: isCost ? "cost" : "" }, text),
      shape("line", {
        x1: place(percent, end),
        x2: place(percent, end),
        y1: 17,
        y2: 22,
        class: isCost ? "cost" : "tick",
      }),
    );
  }
  return root;
}

/**
 * Draws the expected value between its bounds, against the cost. All on one scale: a share of the container's own cost.
 * @param end Of the scale, in percent of the cost.
 */
export function intervalPicture(current: Calculation, end: number) {
  const percentOf = (cents: number) => (100 * cents) / current.cost_cents;
  const { expected_value_cents: point, expected_value_upper_cents: upperCents } = current;
  const lower = percentOf(current.expected_value_lower_cents);
  const upper = upperCents === null ? null : percentOf(upperCents);
  const root = shape("svg", {
    class: "worth",
    width: "100%",
    height: 30,
    role: "img",
    "aria-label": intervalText(current),
  });
  const side = point === null ? "none" : point > current.cost_cents ? "gain" : "loss";
  root.append(shape("line", { class: "rail", x1: "0%", x2: "100%", y1: 15, y2: 15 }));
  root.append(shape("line", { class: "cost", x1: place(100, end), x2: place(100, end), y1: 0, y2: 30 }));
  const right = Math.min(upper ?? end, end);
  const left = Math.min(lower, end);
  root.append(
    shape("rect", {
      class: `span ${side}${upper === null ? " open" : ""}`,
      x: place(left, end),
      y: 10,
      height: 10,
      width: `${(100 * (right - left)) / end}%`,
    }),
  );
  root.append(shape("line", { class: "bound", x1: place(left, end), x2: place(left, end), y1: 7, y2: 23 }));
  if (upper !== null && upper <= end)
    root.append(shape("line", { class: "bound", x1: place(right, end), x2: place(right, end), y1: 7, y2: 23 }));
  else
    root.append(shape("text", { class: "beyond", x: "100%", y: 20, "text-anchor": "end" }, upper === null ? "?" : "▸"));
  if (point !== null) {
    const isBeyond = percentOf(point) > end;
    if (!isBeyond)
      root.append(shape("circle", { class: `point ${side}`, cx: place(percentOf(point), end), cy: 15, r: 5.5 }));
    else root.append(shape("text", { class: "beyond", x: "100%", y: 20, "text-anchor": "end" }, "▸▸"));
  }
  return root;
}

/** Describes the interval in words. */
export function intervalText(current: Calculation) {
  const { cost_cents, expected_value_cents, expected_value_lower_cents, expected_value_upper_cents } = current;
  const point = expected_value_cents === null ? "held back" : dollars(expected_value_cents);
  return `Expected value ${point}, between ${dollars(expected_value_lower_cents)} and ${dollars(expected_value_upper_cents)}, cost ${dollars(cost_cents)}`;
}

/** Returns how far to the right something has to be drawn. */
function reachOf({
  cost_cents,
  expected_value_cents,
  expected_value_lower_cents,
  expected_value_upper_cents,
}: Calculation) {
  const cents = expected_value_upper_cents ?? expected_value_cents ?? expected_value_lower_cents;
  return (100 * cents) / cost_cents;
}

function place(percent: number, end: number) {
  return `${(100 * percent) / end}%`;
}
