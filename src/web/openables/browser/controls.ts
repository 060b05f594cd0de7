import { byId } from "../../browser/dom.ts";
import type { Mode, Selection } from "./types.ts";

/** The fields that choose the list, its mode and the history that is drawn. */
export class Controls {
  #fields = byId("controls", HTMLFieldSetElement);
  #ofList = byId("list-controls", HTMLElement);
  #text = byId("text", HTMLInputElement);
  #selects = (["type", "state", "sort", "order"] as const).map((name) => ({
    name,
    field: byId(name, HTMLSelectElement),
  }));
  #days = byId("days", HTMLSelectElement);
  #methodology = byId("methodology", HTMLInputElement);
  #sort = "return";
  #order = "desc";

  constructor({
    onList,
    onMode,
    onHistory,
  }: {
    onList: (change: Partial<Selection>) => void;
    onMode: (mode: Mode) => void;
    onHistory: (change: Partial<Selection>) => void;
  }) {
    this.#text.addEventListener("input", () => onList({ text: this.#text.value }));
    for (const { name, field } of this.#selects)
      field.addEventListener("change", () => onList({ [name]: field.value }));
    for (const input of inputs("mode"))
      input.addEventListener("change", () => input.checked && onMode(input.value as Mode));
    for (const button of document.querySelectorAll("button[data-sort]"))
      button.addEventListener("click", () => onList(this.#turned(button.getAttribute("data-sort") ?? "return")));
    byId("controls-form", HTMLFormElement).addEventListener("submit", (event) => event.preventDefault());
    byId("history-form", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      onHistory(this.#history());
    });
    byId("history-form", HTMLFormElement).addEventListener("change", () => onHistory(this.#history()));
  }

  enable(isEnabled: boolean) {
    this.#fields.disabled = !isEnabled;
  }

  show(selection: Selection) {
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

  /** Returns the selection after a press on a heading; the same heading again turns the order. */
  #turned(sort: string): Partial<Selection> {
    if (sort === this.#sort) return { order: this.#order === "desc" ? "asc" : "desc" };
    return { sort, order: sort === "name" ? "asc" : "desc" };
  }

  #history(): Partial<Selection> {
    return {
      granularity: inputs("granularity").some(({ checked, value }) => checked && value === "hour") ? "hour" : "day",
      days: Number(this.#days.value),
      methodology: this.#methodology.value.trim(),
    };
  }
}

function inputs(name: string): HTMLInputElement[] {
  return [...document.querySelectorAll(`input[name="${name}"]`)].filter((input) => input instanceof HTMLInputElement);
}
