/** @import { Chart, Item } from "./types.mjs" */
import { byId, element } from "../../browser/dom.mjs";
import { spanText } from "../../browser/times.mjs";
import { Plot } from "./plot.mjs";
import { allRows, causeLegend, gapLists, rowsAt, sentenceAt, seriesCards } from "./report.mjs";
import { itemText } from "./search.mjs";

const sideTitles = {
  ask: ["Asks", "what sellers offer it for"],
  bid: ["Bids", "what buy orders would pay"],
};

/** The drawn chart with its texts. */
export class Picture {
  /** @type {Plot[]} */
  #plots = [];
  /** @type {Chart | null} */
  #chart = null;
  #index = 0;
  #root = byId("picture", HTMLElement);
  #plotsRoot = byId("plots", HTMLElement);

  constructor() {
    const places = byId("plots", HTMLElement);
    places.addEventListener("keydown", (event) => this.#key(event));
    new ResizeObserver(() => {
      for (const plot of this.#plots) plot.fit();
    }).observe(places);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      for (const plot of this.#plots) plot.recolour();
    });
    byId("rows", HTMLDetailsElement).addEventListener("toggle", () => this.#fillRows());
  }

  /** @param {Chart} chart @param {Item} item */
  show(chart, item) {
    this.clear();
    this.#chart = chart;
    this.#root.hidden = false;
    const { resolution, series } = chart;
    const meta = series[0]?.meta;
    byId("title", HTMLElement).textContent = itemText(item);
    byId("subtitle", HTMLElement).textContent =
      `${resolution === "hourly" ? "Hourly" : "Daily"} cached quotes, ${meta?.from} to ${meta?.to} (UTC), US dollars. Offers and orders, not sales.`;
    for (const side of new Set(series.map(({ side }) => side))) this.#addPlot(chart, side);
    byId("causes", HTMLElement).replaceChildren(...causeLegend(chart));
    byId("cards", HTMLElement).replaceChildren(...seriesCards(chart));
    byId("gaps", HTMLElement).replaceChildren(...gapLists(chart));
    this.#point(this.#lastQuoted());
    this.#fillRows();
  }

  clear() {
    for (const plot of this.#plots) plot.destroy();
    this.#plots = [];
    this.#chart = null;
    this.#root.hidden = true;
    this.#plotsRoot.replaceChildren();
    byId("all-rows", HTMLElement).replaceChildren();
  }

  /** @param {Chart} chart @param {"ask" | "bid"} side */
  #addPlot(chart, side) {
    const series = chart.series.filter((one) => one.side === side);
    const [title = "", description = ""] = sideTitles[side];
    const nothing = series.every(({ points }) => points.every(({ state }) => state !== "quoted"));
    const host = element("div", {
      class: "plot-host",
      tabindex: "0",
      role: "group",
      "aria-label": `${title} chart. Arrow keys move from point to point, Home and End to the ends.`,
      "data-side": side,
    });
    const note = nothing ? ` Nothing was quoted in this window; the strip shows why.` : "";
    this.#plotsRoot.append(
      element("h3", {}, title, element("span", { class: "muted" }, ` ${description}.${note}`)),
      host,
    );
    this.#plots.push(new Plot(host, chart, series, (index) => index !== null && this.#point(index)));
  }

  /** @param {number} index */
  #point(index) {
    const chart = this.#chart;
    if (chart === null) return;
    this.#index = index;
    byId("point-time", HTMLElement).textContent = spanText(chart.start + index * chart.step, chart.step);
    byId("point", HTMLElement).replaceChildren(rowsAt(chart, index));
  }

  #lastQuoted() {
    const points = this.#chart?.series[0]?.points ?? [];
    return Math.max(
      0,
      points.findLastIndex(({ state }) => state === "quoted"),
    );
  }

  #fillRows() {
    const details = byId("rows", HTMLDetailsElement);
    const place = byId("all-rows", HTMLElement);
    if (!details.open || this.#chart === null || place.childElementCount > 0) return;
    place.replaceChildren(allRows(this.#chart));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const chart = this.#chart;
    if (chart === null) return;
    const page = chart.resolution === "hourly" ? 24 : 7;
    const last = chart.count - 1;
    /** @type {Record<string, number>} */
    const targets = {
      ArrowLeft: this.#index - 1,
      ArrowRight: this.#index + 1,
      PageUp: this.#index - page,
      PageDown: this.#index + page,
      Home: 0,
      End: last,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    const index = Math.min(last, Math.max(0, target));
    for (const plot of this.#plots) plot.moveTo(chart.start + (index + 0.5) * chart.step);
    this.#point(index);
    byId("spoken", HTMLElement).textContent = sentenceAt(chart, index);
  }
}
