import { byId, element } from "../../browser/dom.ts";
import type { ChartState } from "./chart-address.ts";
import { rangeNames } from "./chart-address.ts";
import { ranges, resolutionOf } from "./ranges.ts";
import type { Resolution } from "./types.ts";

/** Ranges that the Free plan has: its last 30 completed days. */
const freeRanges = new Set(["7d", "30d"]);
const planHint = "Hourly history needs a paid plan: Builder, Trader or Quant";

/** The controls of the chart. A change is reported at once, and drawn by whoever hears it. */
export class Toolbar {
  #chips = byId("ranges", HTMLElement);
  #resolution = byId("resolution", HTMLSelectElement);
  #onChange;
  #isFree = false;

  /** @param costText Says what a change would cost. */
  constructor(onChange: (change: Partial<ChartState>) => void, costText: (change: Partial<ChartState>) => string) {
    this.#onChange = onChange;
    this.#chips.replaceChildren(...rangeNames.map((range) => this.#chip(range, costText)));
    this.#resolution.addEventListener("change", () => {
      const { value } = this.#resolution;
      onChange({ resolution: value === "" ? null : (value as Resolution), zoom: null });
    });
    this.#press("sides", (value) => ({
      sides: value === "both" ? ["ask", "bid"] : value === "ask" ? ["ask"] : ["bid"],
    }));
    this.#press("panels", (value) => ({ hasTwoPanels: value === "2" }));
    this.#press("scale", (value) =>
      value === "log" ? { isLogarithmic: true, isPercent: false } : { isLogarithmic: false },
    );
    this.#press("unit", (value) =>
      value === "percent" ? { isPercent: true, isLogarithmic: false } : { isPercent: false },
    );
    byId("whole", HTMLButtonElement).addEventListener("click", () => onChange({ zoom: null }));
  }

  show(state: ChartState, isFree: boolean) {
    this.#isFree = isFree;
    for (const chip of this.#buttons("ranges")) {
      chip.setAttribute("aria-pressed", String(chip.value === state.range));
      chip.disabled = isFree && !freeRanges.has(chip.value);
      if (chip.disabled)
        chip.title =
          "The Free plan has the last 30 completed days; the rest needs a paid plan: Builder, Trader or Quant";
    }
    const followed = isFree ? "daily" : resolutionOf({ ...state, resolution: null });
    const options = [
      element("option", { value: "" }, `Auto: ${followed}`),
      element("option", { value: "daily" }, "Daily"),
      element("option", { value: "hourly", disabled: isFree }, isFree ? "Hourly (paid plans)" : "Hourly"),
    ];
    this.#resolution.replaceChildren(...options);
    this.#resolution.value = isFree ? "" : (state.resolution ?? "");
    this.#resolution.title = isFree ? planHint : "Auto follows the range";
    const { sides, hasTwoPanels, isLogarithmic, isPercent, compared } = state;
    // Several items are compared by one side.
    const isCompared = compared.length > 0;
    this.#mark("sides", isFree ? "ask" : sides.length === 2 && !isCompared ? "both" : (sides[0] ?? "ask"));
    this.#mark("panels", hasTwoPanels ? "2" : "1");
    this.#mark("scale", isLogarithmic ? "log" : "linear");
    this.#mark("unit", isPercent ? "percent" : "usd");
    for (const button of this.#buttons("sides")) button.disabled = isFree || (isCompared && button.value === "both");
    for (const button of this.#buttons("panels")) button.disabled = sides.length < 2 || isCompared || isFree;
    byId("whole", HTMLButtonElement).hidden = state.zoom === null;
    byId("plan-note", HTMLElement).textContent = isFree
      ? "Free plan: daily asks of the main platform, the last 30 completed days. Hourly history, bids and other marketplaces need Builder, Trader or Quant."
      : "";
  }

  #chip(range: (typeof rangeNames)[number], costText: (change: Partial<ChartState>) => string) {
    const change = { range, from: "", to: "", zoom: null };
    const tell = () => {
      if (!this.#isFree || freeRanges.has(range))
        byId("cost-hint", HTMLElement).textContent = `${ranges[range].text}: ${costText(change)}`;
    };
    const hide = () => {
      byId("cost-hint", HTMLElement).textContent = "";
    };
    const listeners = {
      click: () => this.#onChange(change),
      pointerenter: tell,
      pointerleave: hide,
      focus: tell,
      blur: hide,
    };
    return element("button", { type: "button", value: range, ...listeners }, ranges[range].text);
  }

  #press(id: string, changeOf: (value: string) => Partial<ChartState>) {
    for (const button of this.#buttons(id))
      button.addEventListener("click", () => this.#onChange(changeOf(button.value)));
  }

  #mark(id: string, value: string) {
    for (const button of this.#buttons(id)) button.setAttribute("aria-pressed", String(button.value === value));
  }

  #buttons(id: string) {
    return byId(id, HTMLElement).querySelectorAll("button");
  }
}
