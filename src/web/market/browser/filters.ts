import { html, render } from "lit-html";
import { byId } from "../../browser/dom.ts";
import { centsOf, dollarsOf, filterNames, type ListState, paidFilters } from "./list-address.ts";
import type { Provider } from "./types.ts";

const amounts = new Set(["ask_min", "ask_max"]);

/** The search field and the filters. A choice from a list applies immediately. */
export class Filters {
  #form = byId("search", HTMLFormElement);
  #q = byId("q", HTMLInputElement);

  constructor(onChange: () => void) {
    this.#form.addEventListener("change", ({ target }) => {
      if (target !== this.#q) onChange();
    });
    const filters = byId("filters", HTMLDetailsElement);
    // The browser shows messages beside their fields, so the filters must be open.
    this.#form.addEventListener("invalid", () => filters.toggleAttribute("open", true), true);
  }

  /** Fills in the providers, and disables filters that the plan excludes. */
  offer(providers: readonly Provider[], plan: string) {
    this.#offer(providers.filter(({ active }) => active));
    const isFree = plan === "free";
    for (const name of paidFilters) this.#field(name).disabled = isFree;
    byId("filter-note", HTMLElement).textContent = isFree ? "Filters of prices and markets need a paid plan." : "";
  }

  /** Reverts `offer`, because without an access neither providers nor plan are known. */
  forget() {
    this.#offer([]);
    for (const name of paidFilters) this.#field(name).disabled = false;
    byId("filter-note", HTMLElement).textContent = "";
  }

  /** Shows a state. Opens the filters if some are in use, except on narrow pages, on which they would hide the items. */
  show({ q, filters }: Pick<ListState, "q" | "filters">) {
    this.#q.value = q;
    let count = 0;
    for (const name of filterNames) {
      const value = filters[name];
      if (value !== undefined) count += 1;
      this.#field(name).value = value !== undefined && amounts.has(name) ? dollarsOf(value) : (value ?? "");
    }
    byId("filter-count", HTMLElement).textContent = count === 0 ? "" : `(${count} in use)`;
    if (count > 0 && !matchMedia("(max-width: 44rem)").matches) byId("filters", HTMLDetailsElement).open = true;
  }

  /** Reads the fields. Invalid amounts are cleared. */
  read(): Pick<ListState, "q" | "filters"> {
    const filters: ListState["filters"] = {};
    for (const name of filterNames) {
      const field = this.#field(name);
      const text = field.disabled ? "" : field.value.trim();
      const value = amounts.has(name) ? centsOf(text) : spelled(field, text);
      if (value !== null && value !== "") filters[name] = value;
    }
    const state = { q: this.#q.value.trim(), filters };
    this.show(state);
    return state;
  }

  #offer(providers: readonly Provider[]) {
    const options = providers.map(({ provider, name }) => html`<option value=${provider}>${name}</option>`);
    // Added after the page's own entry for any provider.
    render(options, this.#field("provider"));
  }

  #field(name: string) {
    const field = this.#form.elements.namedItem(name);
    if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) return field;
    throw new Error(`the page has no field ${name}`);
  }
}

/** Returns the completion that differs only in case, because the filter needs exact names. */
function spelled(field: HTMLInputElement | HTMLSelectElement, text: string) {
  const options = field instanceof HTMLInputElement ? [...(field.list?.options ?? [])] : [];
  return options.find(({ value }) => value.toLowerCase() === text.toLowerCase())?.value ?? text;
}
