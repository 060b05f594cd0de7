import { nothing, render, type TemplateResult } from "lit-html";
import { byId, element, fill } from "../../browser/dom.ts";
import { keepFitting, pointOfKey } from "../../browser/plot-parts.ts";
import type { ChartState } from "./chart-address.ts";
import { Plot } from "./plot.ts";
import { allRows, causeLegend, gapLists, showLegend } from "./report.ts";
import { sentenceAt, Tooltip } from "./tooltip.ts";
import type { Chart, Series } from "./types.ts";

const panelHeights = { one: { narrow: 320, wide: 424 }, two: { narrow: 220, wide: 250 } };
const daySeconds = 86_400;

/** Number of providers in colour by default. */
const chosenCount = 2;

/**
 * Callbacks of the chart. `onToggle` reports a press on a legend entry, `onOthers` a request to hide or show the grey lines. `onZoom`
 * reports the visible seconds, null if all is visible.
 */
type ChartListeners = {
  onToggle: (key: string) => void;
  onOthers: (isHidden: boolean) => void;
  onZoom: (zoom: { min: number; max: number } | null) => void;
};

/** The drawn chart: panels, legend, tooltip and spoken descriptions. */
export class ChartView {
  #plots: Plot[] = [];
  /** `place` describes the searched providers, for the text of an empty panel. */
  #shown: { chart: Chart; series: readonly Series[]; state: ChartState; place: string } | null = null;
  #index = 0;
  #host = byId("plots", HTMLElement);
  #tooltip = new Tooltip(this.#host);
  #listeners: ChartListeners;
  /** Zoom that was last set or reported, to ignore range events that the reader did not cause. */
  #zoom: ChartState["zoom"] = null;
  /** Visible time in seconds. */
  visible = { min: 0, max: 0 };
  /** Keys of the coloured lines. */
  chosen: readonly string[] = [];

  constructor(listeners: ChartListeners) {
    this.#listeners = listeners;
    this.#host.addEventListener("keydown", (event) => this.#key(event));
    keepFitting(this.#host, () => this.#plots);
    byId("all-rows", HTMLDetailsElement).addEventListener("toggle", () => this.#fillRows());
    byId("whole", HTMLButtonElement).addEventListener("click", () => {
      for (const plot of this.#plots) plot.zoom(null);
    });
  }

  /**
   * @param isFree Whether the plan is Free, which only includes the main platform.
   * @param order Keys of providers; the first ones are coloured by default.
   */
  show(read: Chart, state: ChartState, { isFree, order }: { isFree: boolean; order: readonly string[] }) {
    this.clear();
    const isCompared = state.compared.length > 0;
    const isShown = (key: string) => isCompared || state.providers.length === 0 || state.providers.includes(key);
    const shown = [...new Set(read.series.map(({ key }) => key))].filter(isShown);
    const known = (keys: readonly string[]) => keys.filter((key) => shown.includes(key));
    const chosen = known(state.chosen);
    this.chosen = chosen.length > 0 ? chosen : [...new Set([...known(order), ...shown])].slice(0, chosenCount);
    const isChosen = (key: string) => isCompared || this.chosen.includes(key);
    const all = read.series.filter(({ key }) => isShown(key));
    const series = all.map((one) => (isChosen(one.key) ? one : { ...one, colour: 0 }));
    const chart = { ...read, series };
    const place = isFree ? " on the main platform" : state.providers.length > 0 ? " at the chosen providers" : "";
    this.#shown = { chart, series, state, place };
    const { resolution, from, to } = chart;
    Object.assign(byId("chart", HTMLElement).dataset, { resolution, from, to });
    showLegend(read, { ...this.#listeners, shown, chosen: this.chosen, isCompared, isPercent: state.isPercent });
    const sides = (["ask", "bid"] as const).filter((side) => state.sides.includes(side));
    const panels =
      state.hasTwoPanels && !isCompared ? sides.map((side) => series.filter((one) => one.side === side)) : [series];
    panels.forEach((own, number) => {
      const side = panels.length === 2 ? sides[number] : null;
      this.#addPanel(own, side ?? null);
    });
    fill("causes", causeLegend(chart, series));
    fill("gaps", gapLists(chart, series));
    this.#index = Math.max(0, series[0]?.points.findLastIndex((point) => point.state === "quoted") ?? 0);
    this.#fillRows();
    this.visible = { min: chart.start, max: chart.start + chart.count * chart.step };
    this.zoom(state.zoom ?? openingOf(chart, state));
  }

  clear() {
    for (const plot of this.#plots) plot.destroy();
    this.#plots = [];
    this.#shown = null;
    this.#tooltip.hide();
    byId("whole", HTMLButtonElement).hidden = true;
    this.#host.replaceChildren();
    for (const id of ["causes", "gaps", "legend", "rows-place"]) fill(id, nothing);
  }

  /** Shows content instead of the panels. */
  offer(content: TemplateResult) {
    const place = element("div", { class: "offer" });
    render(content, place);
    this.#host.replaceChildren(place);
  }

  /** Shows a time range; pass null to show all. */
  zoom(range: ChartState["zoom"]) {
    this.#zoom = range;
    for (const plot of this.#plots) plot.zoom(range);
  }

  #addPanel(series: readonly Series[], side: "ask" | "bid" | null) {
    const shown = this.#shown;
    if (shown === null) return;
    const { chart, state, place } = shown;
    const isEmpty = series.every(({ points }) => points.every(({ row }) => row === null || row.amount === null));
    const name = side === null ? "Prices" : side === "ask" ? "Asks" : "Bids";
    const host = element("div", {
      class: "plot-host",
      tabindex: "0",
      role: "group",
      "aria-label": `${name} over time. Arrow keys move from point to point, Home and End to the ends.`,
      ...(side !== null && { "data-side": side }),
    });
    if (side !== null) this.#host.append(element("p", { class: "panel-title" }, name));
    this.#host.append(host);
    const panel = {
      chart,
      series,
      choice: { isLogarithmic: state.isLogarithmic, isPercent: state.isPercent },
      height: side === null ? panelHeights.one : panelHeights.two,
    };
    this.#plots.push(
      new Plot(host, panel, {
        onPoint: (index, u) => this.#point(index, u),
        onRange: (min, max) => this.#range(min, max),
      }),
    );
    if (!isEmpty) return;
    const isBids = side === "bid" || (state.sides.length === 1 && state.sides[0] === "bid");
    const what = isBids ? "No buy orders known" : side === "ask" ? "No ask observed" : "Nothing observed";
    const text = element("p", { class: "empty-panel" }, `${what} in this range${place}.`);
    // Placed over the plot area, without its axes.
    host.querySelector(".u-over")?.append(text);
  }

  #point(index: number | null, u: uPlot) {
    const shown = this.#shown;
    if (shown === null || index === null) return this.#tooltip.hide();
    this.#index = index;
    const x = u.over.getBoundingClientRect().left + (u.cursor.left ?? 0);
    this.#tooltip.show(shown.chart, shown.series, { index, x, isPercent: shown.state.isPercent });
  }

  #range(min: number, max: number) {
    const shown = this.#shown;
    if (shown === null) return;
    const { start, step, count } = shown.chart;
    this.visible = { min, max };
    const zoom = min <= start && max >= start + (count - 1) * step ? null : { min, max };
    byId("whole", HTMLButtonElement).hidden = zoom === null;
    if (zoom?.min === this.#zoom?.min && zoom?.max === this.#zoom?.max) return;
    this.#zoom = zoom;
    this.#listeners.onZoom(zoom);
  }

  #fillRows() {
    const shown = this.#shown;
    const place = byId("rows-place", HTMLElement);
    if (!byId("all-rows", HTMLDetailsElement).open || shown === null || place.childElementCount > 0) return;
    fill("rows-place", allRows(shown.chart, shown.series));
  }

  #key(event: KeyboardEvent) {
    const shown = this.#shown;
    if (shown === null) return;
    const { start, step, count } = shown.chart;
    const index = pointOfKey(event.key, this.#index, count - 1, step < daySeconds ? 24 : 7);
    if (index === null) return;
    event.preventDefault();
    for (const plot of this.#plots) plot.moveTo(start + (index + 0.5) * step);
    this.#index = index;
    byId("spoken", HTMLElement).textContent = sentenceAt(shown.chart, shown.series, index);
  }
}

/**
 * Returns the seconds that a chart initially shows; null for its whole range. One day shows the last 24 hours, although two calendar days
 * are loaded. A range that is mostly before the first price starts at this price.
 */
export function openingOf({ generatedAt, start, step, count, series }: Chart, { range }: Pick<ChartState, "range">) {
  const now = (Math.floor(Date.parse(generatedAt) / 1000 / step) + 1) * step;
  const end = Math.min(start + count * step, now);
  if (range === "1d" && step < daySeconds) return { min: end - daySeconds, max: end };
  const firsts = series.map(({ points }) => points.findIndex(({ state }) => state === "quoted"));
  const first = Math.min(...firsts.filter((index) => index >= 0));
  if (!Number.isFinite(first) || first * 2 <= count) return null;
  return { min: start + first * step, max: end };
}
