import { html, nothing, render } from "lit-html";
import { dollars } from "../../../values/money/money-text.ts";
import { spanText } from "../../../values/time/time-text.ts";
import { element } from "../../browser/dom.ts";
import { percentText } from "./changes.ts";
import { causes } from "./points.ts";
import { baseOf } from "./scale.ts";
import type { Chart, Point, Series } from "./types.ts";

const gap = 14;

/** A box beside the crosshair with the price of each line at this time, or the cause of its gap. */
export class Tooltip {
  #root = element("div", { class: "tooltip", hidden: true, "aria-hidden": "true" });
  #host;

  constructor(host: HTMLElement) {
    this.#host = host;
  }

  hide() {
    this.#root.hidden = true;
  }

  /**
   * @param series Shown series.
   * @param at `x` is the crosshair's position in pixels of the page.
   */
  show(
    chart: Chart,
    series: readonly Series[],
    { index, x, isPercent }: { index: number; x: number; isPercent: boolean },
  ) {
    if (this.#root.parentElement !== this.#host) this.#host.append(this.#root);
    const sides = (["ask", "bid"] as const).filter((side) => series.some((one) => one.side === side));
    const keys = [...new Set(series.map(({ key }) => key))];
    const rows = keys.map((key) => {
      const own = series.filter((one) => one.key === key);
      const [first] = own;
      const cells = sides.map((side) => {
        const one = own.find((other) => other.side === side);
        if (one === undefined) return html`<td data-side=${side}>–</td>`;
        const known = knownText(one, index);
        const then = known === "" ? nothing : html`<div class="muted">${known}</div>`;
        return html`<td data-side=${side}>${valueText(one, one.points[index], isPercent ? series : null)}${then}</td>`;
      });
      return html`<tr class="series-${first?.colour}" data-line=${key}><th><span class="chip">${first?.letter}</span>${first?.name}</th>${cells}</tr>`;
    });
    const time = spanText(chart.start + index * chart.step, chart.step);
    const head = html`<tr><th>${time}</th>${sides.map((side) => html`<th>${side}</th>`)}</tr>`;
    render(html`<table><thead>${head}</thead><tbody>${rows}</tbody></table>`, this.#root);
    this.#root.hidden = false;
    const { left, width } = this.#host.getBoundingClientRect();
    const own = this.#root.offsetWidth;
    const position = x - left + gap + own > width ? x - left - gap - own : x - left + gap;
    this.#root.style.left = `${Math.max(0, Math.min(position, width - own))}px`;
  }
}

/**
 * Returns the price of a point, or the cause of its gap.
 * @param all All lines of the chart, for the change in percent; pass null to omit it.
 */
function valueText(series: Series, point: Point | undefined, all: readonly Series[] | null) {
  const row = point?.row ?? null;
  if (point === undefined || row === null || row.amount === null) return causeText(point);
  const base = all === null ? null : baseOf(series, all);
  const change = base !== null ? ` (${percentText(base, row.amount)})` : "";
  const runs = row.complete === false ? " so far" : "";
  // The line of a compared item shows the best price of all providers.
  const at = row.provider === null ? undefined : series.markets?.get(row.provider);
  return `${dollars(row.amount)}${change}${at === undefined ? "" : ` at ${at}`}${runs}`;
}

/** Returns the price of a point as known at the earlier instant of the chart; "" if there is no price, then and now. */
function knownText({ points, knownRows }: Series, index: number) {
  const amount = knownRows?.[index]?.amount ?? null;
  if (amount !== null) return `then ${dollars(amount)}`;
  return knownRows === undefined || (points[index]?.row?.amount ?? null) === null ? "" : "unknown then";
}

function causeText(point: Point | undefined) {
  return point === undefined || point.state === "quoted" ? "–" : causes[point.state].name.toLowerCase();
}

/** Describes a point in a sentence, for screen readers. */
export function sentenceAt({ start, step }: Chart, series: readonly Series[], index: number) {
  const parts = series.map((one) => {
    const known = knownText(one, index);
    return `${one.name} ${one.side} ${valueText(one, one.points[index], null)}${known === "" ? "" : `, ${known}`}`;
  });
  return `${spanText(start + index * step, step)}: ${parts.join("; ")}`;
}
