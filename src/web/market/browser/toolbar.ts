import { html } from "lit-html";
import { byId, fill } from "../../browser/dom.ts";
import { choiceButtons } from "../../browser/toolbar.ts";
import { type ChartState, rangeNames } from "./chart-address.ts";
import { ranges, resolutionOf } from "./ranges.ts";
import type { Resolution } from "./types.ts";

/** Ranges that the Free plan has: its last 30 completed days. */
const freeRanges = new Set(["7d", "30d"]);
const planHint = "Hourly history needs a paid plan: Builder, Trader or Quant";

const never = () => false;
const dates = { from: "", to: "", zoom: null };
const rangeHint = "The Free plan has the last 30 completed days; the rest needs a paid plan: Builder, Trader or Quant";

/** The controls of the chart. A change is reported at once, and drawn by its listener. */
export class Toolbar {
  #resolution = byId("resolution", HTMLSelectElement);
  #onChange: (change: Partial<ChartState>) => void;
  #costText: (change: Partial<ChartState>) => string;

  /** @param costText Returns the cost of a change in words. */
  constructor(onChange: (change: Partial<ChartState>) => void, costText: (change: Partial<ChartState>) => string) {
    this.#onChange = onChange;
    this.#costText = costText;
    this.#resolution.addEventListener("change", () => {
      const { value } = this.#resolution;
      onChange({ resolution: value === "" ? null : (value as Resolution), zoom: null });
    });
    byId("whole", HTMLButtonElement).addEventListener("click", () => onChange({ zoom: null }));
  }

  show(state: ChartState, isFree: boolean) {
    this.#showRanges(state, isFree);
    this.#showResolution(state, isFree);
    this.#showLook(state, isFree);
    byId("whole", HTMLButtonElement).hidden = state.zoom === null;
    byId("plan-note", HTMLElement).textContent = isFree
      ? "Free plan: daily asks of the main platform, the last 30 completed days. Hourly history, bids and other marketplaces need Builder, Trader or Quant."
      : "";
  }

  #showRanges({ range: current }: ChartState, isFree: boolean) {
    const choices = rangeNames.map((range) => {
      const { text } = ranges[range];
      const isDisabled = isFree && !freeRanges.has(range);
      const onPreview = (isShown: boolean) => {
        const cost = isShown && !isDisabled ? `${text}: ${this.#costText({ range, ...dates })}` : "";
        byId("cost-hint", HTMLElement).textContent = cost;
      };
      return { value: range, text, isDisabled, onPreview, ...(isDisabled && { hint: rangeHint }) };
    });
    fill(
      "ranges",
      choiceButtons(choices, current, (range) => this.#onChange({ range, ...dates })),
    );
  }

  #showResolution(state: ChartState, isFree: boolean) {
    const followed = isFree ? "daily" : resolutionOf({ ...state, resolution: null });
    const hourly = isFree ? "Hourly (paid plans)" : "Hourly";
    fill(
      "resolution",
      html`<option value="">Auto: ${followed}</option><option value="daily">Daily</option><option value="hourly" ?disabled=${isFree}>${hourly}</option>`,
    );
    this.#resolution.value = isFree ? "" : (state.resolution ?? "");
    this.#resolution.title = isFree ? planHint : "Auto follows the range";
  }

  #showLook({ sides, hasTwoPanels, isLogarithmic, isPercent, compared }: ChartState, isFree: boolean) {
    // Several items are compared by one side.
    const isCompared = compared.length > 0;
    const side = isFree ? "ask" : sides.length === 2 && !isCompared ? "both" : (sides[0] ?? "ask");
    const isLocked = (value: string) => isFree || (isCompared && value === "both");
    const isOnePanel = () => sides.length < 2 || isCompared || isFree;
    this.#choice("sides", { both: "Ask + bid", ask: "Ask", bid: "Bid" }, side, isLocked, (value) => ({
      sides: value === "both" ? ["ask", "bid"] : [value],
    }));
    this.#choice("panels", { one: "One panel", two: "Two" }, hasTwoPanels ? "two" : "one", isOnePanel, (value) => ({
      hasTwoPanels: value === "two",
    }));
    // Percent have no logarithm: each of the two choices ends the other.
    this.#choice("unit", { usd: "$", percent: "%" }, isPercent ? "percent" : "usd", never, (value) =>
      value === "percent" ? { isPercent: true, isLogarithmic: false } : { isPercent: false },
    );
    this.#choice("scale", { linear: "Linear", log: "Log" }, isLogarithmic ? "log" : "linear", never, (value) =>
      value === "log" ? { isLogarithmic: true, isPercent: false } : { isLogarithmic: false },
    );
  }

  #choice<Value extends string>(
    id: string,
    texts: Record<Value, string>,
    current: Value,
    isDisabled: (value: Value) => boolean,
    changeOf: (value: Value) => Partial<ChartState>,
  ) {
    const choices = (Object.keys(texts) as Value[]).map((value) => ({
      value,
      text: texts[value],
      isDisabled: isDisabled(value),
    }));
    fill(
      id,
      choiceButtons(choices, current, (value) => this.#onChange(changeOf(value))),
    );
  }
}
