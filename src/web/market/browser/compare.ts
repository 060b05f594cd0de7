import { html, nothing, render } from "lit-html";
import { ranked, searchPage } from "../../../client/find-items.ts";
import { dollars } from "../../../values/money/money-text.ts";
import type { Api } from "../../browser/api.ts";
import { byId } from "../../browser/dom.ts";
import { itemText } from "./load.ts";
import type { ListedItem } from "./types.ts";

const shownMax = 12;

/** A field that finds a further item by words: a combobox with a list, for pointer and keyboard alike. Enter searches, for one request. */
export class Compare {
  #input = byId("compare", HTMLInputElement);
  #list = byId("compare-found", HTMLElement);
  #hint = byId("compare-hint", HTMLElement);
  #parts;
  #found: readonly ListedItem[] = [];
  #active = -1;
  #abort = new AbortController();

  constructor(parts: { api: () => Api | null; onItem: (item: ListedItem) => void; onError: (error: unknown) => void }) {
    this.#parts = parts;
    this.#input.addEventListener("keydown", (event) => this.#key(event));
    this.#input.addEventListener("input", () => this.#close());
    this.#input.addEventListener("blur", () => this.#close());
  }

  async #search() {
    const q = this.#input.value.trim();
    const api = this.#parts.api();
    if (api === null || q === "") return;
    this.#abort.abort();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    try {
      const { items, nextCursor } = await searchPage(api, { text: q, filters: {} }, undefined, { signal });
      if (signal.aborted) return;
      const best = ranked(items, q);
      this.#open(best.slice(0, shownMax));
      const more =
        best.length > shownMax || nextCursor !== null ? `, the best ${shownMax} of those loaded are shown` : "";
      this.#hint.textContent = items.length === 0 ? "No item has all of these words." : `${items.length} found${more}.`;
    } catch (error) {
      if (!signal.aborted) this.#parts.onError(error);
    }
  }

  #open(items: readonly ListedItem[]) {
    this.#found = items;
    // A press comes before the field loses the focus, which closes the list.
    const option = (item: ListedItem, index: number) =>
      html`<li role="option" id="compare-${index}" aria-selected="false" @pointerdown=${(event: Event) => this.#choose(index, event)}>${itemText(item)}${
        item.best_ask_cents === null ? nothing : html`<span class="muted"> ${dollars(item.best_ask_cents)}</span>`
      }</li>`;
    render(items.map(option), this.#list);
    this.#list.hidden = items.length === 0;
    this.#input.setAttribute("aria-expanded", String(items.length > 0));
    this.#activate(items.length > 0 ? 0 : -1);
  }

  #close() {
    this.#abort.abort();
    this.#open([]);
    this.#hint.textContent = "";
  }

  #activate(index: number) {
    this.#active = index;
    [...this.#list.children].forEach((option, position) => {
      option.setAttribute("aria-selected", String(position === index));
      if (position === index) option.scrollIntoView({ block: "nearest" });
    });
    if (index < 0) this.#input.removeAttribute("aria-activedescendant");
    else this.#input.setAttribute("aria-activedescendant", `compare-${index}`);
  }

  #choose(index: number, event: Event) {
    const item = this.#found[index];
    if (item === undefined) return;
    event.preventDefault();
    this.#input.value = "";
    this.#close();
    this.#parts.onItem(item);
  }

  #key(event: KeyboardEvent) {
    const count = this.#found.length;
    if (event.key === "Escape") this.#close();
    else if (event.key === "Enter" && count > 0) this.#choose(this.#active, event);
    else if (event.key === "Enter") void this.#search();
    else if (event.key === "ArrowDown" && count > 0) this.#activate((this.#active + 1) % count);
    else if (event.key === "ArrowUp" && count > 0) this.#activate((this.#active - 1 + count) % count);
    else return;
    event.preventDefault();
  }
}
