/** @import { Mode, Selection } from "./types.mjs" */
import { byId } from "../../browser/dom.mjs";

/** The fields that choose the list, its mode and the history that is drawn. */
export class Controls {
  #fields = byId("controls", HTMLFieldSetElement);
  #ofList = byId("list-controls", HTMLElement);
  #text = byId("text", HTMLInputElement);
  #selects = /** @type {const} */ (["type", "state", "sort", "order"]).map((name) => ({
    name,
    field: byId(name, HTMLSelectElement),
  }));
  #days = byId("days", HTMLSelectElement);
  #methodology = byId("methodology", HTMLInputElement);
  #sort = "return";
  #order = "desc";

  /** @param {{ onList: (change: Partial<Selection>) => void, onMode: (mode: Mode) => void, onHistory: (change: Partial<Selection>) => void }} parts */
  constructor({ onList, onMode, onHistory }) {
    this.#text.addEventListener("input", () => onList({ text: this.#text.value }));
    for (const { name, field } of this.#selects)
      field.addEventListener("change", () => onList({ [name]: field.value }));
    for (const input of inputs("mode"))
      input.addEventListener("change", () => input.checked && onMode(/** @type {Mode} */ (input.value)));
    for (const button of document.querySelectorAll("button[data-sort]"))
      button.addEventListener("click", () => onList(this.#turned(button.getAttribute("data-sort") ?? "return")));
    byId("controls-form", HTMLFormElement).addEventListener("submit", (event) => event.preventDefault());
    byId("history-form", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      onHistory(this.#history());
    });
    byId("history-form", HTMLFormElement).addEventListener("change", () => onHistory(this.#history()));
  }

  /** @param {boolean} isEnabled */
  enable(isEnabled) {
    this.#fields.disabled = !isEnabled;
  }

  /** @param {Selection} selection */
  show(selection) {
    for (const input of inputs("mode")) input.checked = input.value === selection.mode;
    for (const input of inputs("granularity")) input.checked = input.value === selection.granularity;
    for (const { name, field } of this.#selects) field.value = selection[name];
    if (this.#text.value !== selection.text) this.#text.value = selection.text;
    this.#days.value = String(selection.days);
    this.#methodology.value = selection.methodology;
    this.#ofList.hidden = selection.slug !== null;
    this.#sort = selection.sort;
    this.#order = selection.order;
  }

  /**
   * Returns the selection after a press on a heading; the same heading again turns the order. @param {string} sort @returns
   * {Partial<Selection>}
   */
  #turned(sort) {
    if (sort === this.#sort) return { order: this.#order === "desc" ? "asc" : "desc" };
    return { sort, order: sort === "name" ? "asc" : "desc" };
  }

  /** @returns {Partial<Selection>} */
  #history() {
    return {
      granularity: inputs("granularity").some(({ checked, value }) => checked && value === "hour") ? "hour" : "day",
      days: Number(this.#days.value),
      methodology: this.#methodology.value.trim(),
    };
  }
}

/** @param {string} name @returns {HTMLInputElement[]} */
function inputs(name) {
  return [...document.querySelectorAll(`input[name="${name}"]`)].filter((input) => input instanceof HTMLInputElement);
}
