import { html } from "lit-html";
import { byId, fill } from "../../browser/dom.ts";
import { choiceButtons } from "../../browser/toolbar.ts";
import { type ChartState, rangeNames } from "./chart-address.ts";
import { ranges, resolutionOf } from "./ranges.ts";
import type { Resolution } from "./types.ts";

/** Ranges of the Free plan, which includes the last 30 completed days. */
const freeRanges = new Set(["7d", "30d"]);
const planHint = "Hourly history needs a paid plan";

const never = () => false;
const dates = { from: "", to: "", zoom: null };
const rangeHint = "Older days need a paid plan";

/** The controls of the chart. Each change is reported immediately; the listener draws it. */
export class Toolbar {
  #resolution = byId("resolution", HTMLSelectElement);
  #onChange: (change: Partial<ChartState>) => void;

  constructor(onChange: (change: Partial<ChartState>) => void) {
    this.#onChange = onChange;
    this.#resolution.addEventListener("change", () => {
      const { value } = this.#resolution;
      onChange({ resolution: value === "" ? null : (value as Resolution), zoom: null });
    });
  }

  show(state: ChartState, isFree: boolean) {
    this.#showRanges(state, isFree);
    this.#showResolution(state, isFree);
    this.#showLook(state, isFree);
    byId("plan-note", HTMLElement).textContent = isFree
      ? "Free plan: daily asks of the main platform, 30 days. Paid plans add hours, bids and other markets."
      : "";
  }

  #showRanges({ range: current }: ChartState, isFree: boolean) {
    const choices = rangeNames.map((range) => {
      const { text } = ranges[range];
      const isDisabled = isFree && !freeRanges.has(range);
      return { value: range, text, isDisabled, ...(isDisabled && { hint: rangeHint }) };
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
    // Compared items show only one side.
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
    // Percent and logarithm exclude each other.
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
