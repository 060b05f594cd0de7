/** @import { Provider, Resolution, Selection, Side } from "./types.mjs" */
import { byId, element } from "../../browser/dom.mjs";
import { presets } from "./selection.mjs";

/** The fields that choose what is charted; the item is kept elsewhere. */
export class Controls {
  #fields = byId("controls", HTMLFieldSetElement);
  #window = byId("window", HTMLSelectElement);
  #from = byId("from", HTMLInputElement);
  #to = byId("to", HTMLInputElement);
  #dates = byId("dates", HTMLElement);
  #providers = byId("providers", HTMLElement);
  #draw = byId("draw", HTMLButtonElement);

  constructor() {
    this.#fields.addEventListener("change", (event) => {
      if (/** @type {Element} */ (event.target).getAttribute("name") === "resolution") this.#fillWindow(null);
      this.#update();
    });
    this.#fillWindow(null);
    this.#update();
  }

  /** @param {boolean} isEnabled */
  enable(isEnabled) {
    this.#fields.disabled = !isEnabled;
  }

  /** @param {readonly Provider[]} providers */
  offer(providers) {
    const boxes = providers.map(({ provider, name, active }) =>
      element(
        "label",
        { class: "choice" },
        element("input", { type: "checkbox", name: "provider", value: provider }),
        element("span", {}, name, ...(active ? [] : [element("span", { class: "muted" }, " (feed no longer read)")])),
      ),
    );
    this.#providers.replaceChildren(...boxes);
  }

  /** @param {Selection} selection */
  show(selection) {
    const { resolution, sides, providers, days, from, to } = selection;
    for (const input of this.#inputs("resolution")) input.checked = input.value === resolution;
    for (const input of this.#inputs("side")) input.checked = sides.includes(/** @type {Side} */ (input.value));
    for (const input of this.#inputs("provider")) input.checked = providers.includes(input.value);
    this.#fillWindow(days === null ? "dates" : String(days));
    this.#from.value = from;
    this.#to.value = to;
    this.#update();
  }

  /** @param {number | null} itemId @returns {Selection} */
  read(itemId) {
    const isByDates = this.#window.value === "dates";
    return {
      itemId,
      resolution: this.#resolution(),
      days: isByDates ? null : Number(this.#window.value),
      from: isByDates ? this.#from.value : "",
      to: isByDates ? this.#to.value : "",
      sides: /** @type {Side[]} */ (this.#chosen("side")),
      providers: this.#chosen("provider"),
    };
  }

  /** Returns a sentence about what is still to be chosen, or null. @param {Selection} selection */
  lacks({ itemId, sides, providers, days, from, to }) {
    if (itemId === null) return "Choose an item first: type a part of its name.";
    if (providers.length === 0) return "Choose at least one provider.";
    if (sides.length === 0) return "Choose asks, bids or both.";
    if (days === null && (from === "" || to === "")) return "Give both dates of the window.";
    return null;
  }

  /** @param {string | null} value */
  #fillWindow(value) {
    const options = presets[this.#resolution()].map(({ days, words }) =>
      element("option", { value: String(days) }, words),
    );
    this.#window.replaceChildren(...options, element("option", { value: "dates" }, "these dates"));
    if (value !== null) this.#window.value = value;
  }

  #update() {
    const cost = this.#chosen("side").length * this.#chosen("provider").length;
    this.#dates.hidden = this.#window.value !== "dates";
    this.#draw.textContent = cost === 0 ? "Draw" : `Draw (${cost} ${cost === 1 ? "request" : "requests"})`;
  }

  /** @returns {Resolution} */
  #resolution() {
    return this.#chosen("resolution")[0] === "hourly" ? "hourly" : "daily";
  }

  /** @param {string} name */
  #chosen(name) {
    return this.#inputs(name).flatMap(({ checked, value }) => (checked ? [value] : []));
  }

  /** @param {string} name @returns {HTMLInputElement[]} */
  #inputs(name) {
    return [...this.#fields.querySelectorAll(`input[name="${name}"]`)].filter(
      (input) => input instanceof HTMLInputElement,
    );
  }
}
