import { byId } from "../../browser/dom.ts";
import type { Mode, Selection } from "./types.ts";

type Listeners = {
  onList: (change: Partial<Selection>) => void;
  onMode: (mode: Mode) => void;
  onHistory: (change: Partial<Selection>) => void;
};

/** The fields for the list, the valuation mode and the history. */
export class Controls {
  #form = byId("controls-form", HTMLFormElement);
  #history = byId("history-form", HTMLFormElement);
  #text = byId("text", HTMLInputElement);
  #selects = (["type", "state", "sort", "order"] as const).map((name) => ({
    name,
    field: byId(name, HTMLSelectElement),
  }));
  #days = byId("days", HTMLSelectElement);
  #methodology = byId("methodology", HTMLInputElement);
  #sort = "return";
  #order = "desc";

  constructor({ onList, onMode, onHistory }: Listeners) {
    const tellHistory = () =>
      onHistory({
        granularity: choice(this.#history, "granularity").value as Selection["granularity"],
        days: Number(this.#days.value),
        methodology: this.#methodology.value.trim(),
      });
    this.#text.addEventListener("input", () => onList({ text: this.#text.value }));
    for (const { name, field } of this.#selects)
      field.addEventListener("change", () => onList({ [name]: field.value }));
    for (const input of choice(this.#form, "mode"))
      input.addEventListener("change", () => onMode(choice(this.#form, "mode").value as Mode));
    for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-sort]"))
      button.addEventListener("click", () => onList(this.#turned(button.dataset.sort ?? "return")));
    this.#form.addEventListener("submit", (event) => event.preventDefault());
    this.#history.addEventListener("submit", (event) => {
      event.preventDefault();
      tellHistory();
    });
    this.#history.addEventListener("change", tellHistory);
  }

  enable(isEnabled: boolean): void {
    byId("controls", HTMLFieldSetElement).disabled = !isEnabled;
  }

  show(selection: Selection): void {
    choice(this.#form, "mode").value = selection.mode;
    choice(this.#history, "granularity").value = selection.granularity;
    for (const { name, field } of this.#selects) field.value = selection[name];
    if (this.#text.value !== selection.text) this.#text.value = selection.text;
    this.#days.value = String(selection.days);
    this.#methodology.value = selection.methodology;
    byId("list-controls", HTMLElement).hidden = selection.slug !== null;
    this.#sort = selection.sort;
    this.#order = selection.order;
  }

  /** Returns the new order after a press on a heading. A second press reverses the order. */
  #turned(sort: string): Partial<Selection> {
    if (sort === this.#sort) return { order: this.#order === "desc" ? "asc" : "desc" };
    return { sort, order: sort === "name" ? "asc" : "desc" };
  }
}

function choice(form: HTMLFormElement, name: string): RadioNodeList {
  return form.elements.namedItem(name) as RadioNodeList;
}
