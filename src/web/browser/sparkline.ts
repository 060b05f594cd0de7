import { html, type TemplateResult } from "lit-html";

const size = { width: 88, height: 24, margin: 2 };

/**
 * Draws a line through the values. A day without a value is a gap; a value between gaps is a dot. Returns null for fewer than two values.
 */
export function sparkline(values: readonly (number | null)[]): TemplateResult | null {
  const known = values.filter((value) => value !== null);
  if (known.length < 2) return null;
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const x = (index: number) => size.margin + (index / (values.length - 1)) * (size.width - 2 * size.margin);
  const y = (value: number) =>
    high === low ? size.height / 2 : size.margin + ((high - value) / (high - low)) * (size.height - 2 * size.margin);
  const path = values
    .map((value, index) => {
      if (value === null) return "";
      const isOpen = index > 0 && values[index - 1] !== null;
      const isAlone = !isOpen && (values[index + 1] ?? null) === null;
      return `${isOpen ? "L" : "M"}${x(index).toFixed(1)} ${y(value).toFixed(1)}${isAlone ? "h.1" : ""}`;
    })
    .join("");
  const [first = 0, last = 0] = [known[0], known.at(-1)];
  const trend = last > first ? "rise" : last < first ? "fall" : "";
  return html`<svg class="sparkline ${trend}" width=${size.width} height=${size.height} aria-hidden="true"><path d=${path}></path></svg>`;
}
