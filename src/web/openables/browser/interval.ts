import { html, nothing, svg } from "lit-html";
import { dollars } from "../../../values/money/money-text.ts";
import type { Calculation } from "./types.ts";

/** Possible ends of the scale of returns, in percent of the cost. */
const ends = [150, 200, 300, 400, 600, 1000];

/** Returns the end of a scale that fits nine of ten containers with an expected value. The others get an arrow. */
export function scaleEnd(calculations: readonly Calculation[]): number {
  const reaches = calculations
    .filter(({ expected_value_cents }) => expected_value_cents !== null)
    .map(reachOf)
    .sort((a, b) => a - b);
  return endAt(reaches[Math.ceil(reaches.length * 0.9) - 1] ?? 0);
}

/** Returns the end of the scale for one container. */
export function ownScaleEnd(current: Calculation): number {
  return endAt(reachOf(current));
}

function endAt(reach: number): number {
  return ends.find((end) => end >= reach) ?? 1000;
}

/** Returns the rightmost value of a container, in percent of its cost. */
function reachOf(one: Calculation): number {
  const cents = one.expected_value_upper_cents ?? one.expected_value_cents ?? one.expected_value_lower_cents;
  return (100 * cents) / one.cost_cents;
}

/** Draws the axis for the intervals below it, up to `end` percent of the cost. */
export function scaleAxis(end: number) {
  const step = end <= 150 ? 50 : end <= 300 ? 100 : end <= 600 ? 200 : 500;
  const steps = Array.from({ length: Math.floor(end / step) + 1 }, (_, mark) => mark * step);
  const marks = [...new Set([...steps, 100])].filter(
    (percent) => percent === 0 || percent === 100 || Math.abs(percent - 100) / end >= 0.2,
  );
  return html`<svg class="axis" width="100%" height="22" aria-hidden="true">${marks.map((percent) => {
    const x = place(percent, end);
    const [kind, tick, text] = percent === 100 ? ["cost", "cost", "cost"] : ["", "tick", `${percent} %`];
    const anchor = percent === 0 ? "start" : percent === end ? "end" : "middle";
    return svg`
      <text x=${x} y="13" text-anchor=${anchor} class=${kind}>${text}</text>
      <line x1=${x} x2=${x} y1="17" y2="22" class=${tick} />`;
  })}</svg>`;
}

/** Draws the expected value with its bounds. The scale ends at `end` percent of the cost. */
export function intervalPicture(current: Calculation, end: number) {
  const percentOf = (cents: number | null) => (cents === null ? null : (100 * cents) / current.cost_cents);
  const point = percentOf(current.expected_value_cents);
  const upper = percentOf(current.expected_value_upper_cents);
  const left = Math.min(percentOf(current.expected_value_lower_cents) ?? 0, end);
  const right = Math.min(upper ?? end, end);
  const side = point === null ? "none" : point > 100 ? "gain" : "loss";
  const upright = (kind: string, percent: number, y1: number, y2: number) => {
    const x = place(percent, end);
    return svg`<line class=${kind} x1=${x} x2=${x} y1=${y1} y2=${y2} />`;
  };
  const beyond = (text: string) => svg`<text class="beyond" x="100%" y="20" text-anchor="end">${text}</text>`;
  const dot = (percent: number) => svg`<circle class="point ${side}" cx=${place(percent, end)} cy="15" r="5.5" />`;
  const span = `span ${side}${upper === null ? " open" : ""}`;
  return html`<svg class="worth" width="100%" height="30" role="img" aria-label=${intervalText(current)}>
    <line class="rail" x1="0%" x2="100%" y1="15" y2="15" />
    ${upright("cost", 100, 0, 30)}
    <rect class=${span} x=${place(left, end)} y="10" height="10" width=${place(right - left, end)} />
    ${upright("bound", left, 7, 23)}
    ${upper === null ? beyond("?") : upper > end ? beyond("▸") : upright("bound", right, 7, 23)}
    ${point === null ? nothing : point > end ? beyond("▸▸") : dot(point)}
  </svg>`;
}

function intervalText(one: Calculation): string {
  const point = one.expected_value_cents === null ? "held back" : dollars(one.expected_value_cents);
  const [lower, upper] = [dollars(one.expected_value_lower_cents), dollars(one.expected_value_upper_cents)];
  return `Expected value ${point}, between ${lower} and ${upper}, cost ${dollars(one.cost_cents)}`;
}

function place(percent: number, end: number): string {
  return `${(100 * percent) / end}%`;
}
