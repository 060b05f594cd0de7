import { html, nothing, render } from "lit-html";
import { byId } from "../../browser/dom.ts";
import { loadNames } from "./names.ts";

/** An item that the field suggests. */
export type Offered = { item_id: number; market_hash_name: string; phase: string | null };

const shownMax = 10;
/** Minimum length of a text, because shorter texts match thousands of names. */
const lettersMin = 2;
const typingMs = 60;

/**
 * A text field that suggests items: a combobox with a list, for pointer and keyboard. With `isFirstActive`, Enter chooses the best
 * suggestion. `onEnter` is called if Enter chooses none.
 */
export class Combobox {
  #input: HTMLInputElement;
  #list: HTMLElement;
  #parts;
  #offered: readonly Offered[] = [];
  #active = -1;
  #timer = 0;

  constructor(parts: {
    id: string;
    isFirstActive: boolean;
    onItem: (item: Offered) => void;
    onEnter?: (text: string) => void;
  }) {
    this.#parts = parts;
    this.#input = byId(parts.id, HTMLInputElement);
    this.#list = byId(`${parts.id}-found`, HTMLElement);
    this.#input.addEventListener("keydown", (event) => this.#key(event));
    this.#input.addEventListener("focus", () => void loadNames());
    this.#input.addEventListener("blur", () => this.close());
    this.#input.addEventListener("input", () => {
      clearTimeout(this.#timer);
      // Enter must not choose a suggestion for an earlier text.
      this.#activate(-1);
      this.#timer = window.setTimeout(() => void this.#suggest(this.#timer), typingMs);
    });
  }

  close() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#open([]);
  }

  async #suggest(timer: number) {
    const text = this.#input.value;
    const names = await loadNames();
    if (names === null || timer !== this.#timer || document.activeElement !== this.#input) return;
    this.#open(text.trim().length < lettersMin ? [] : names.find(text, true).items.slice(0, shownMax));
  }

  #open(items: readonly Offered[]) {
    this.#offered = items;
    const { id, isFirstActive } = this.#parts;
    // Uses `pointerdown`, because it occurs before the field loses the focus and closes the list.
    const option = ({ market_hash_name, phase }: Offered, index: number) =>
      html`<li role="option" id="${id}-${index}" aria-selected="false" @pointerdown=${(event: Event) => this.#choose(index, event)}>${market_hash_name}${
        phase === null ? nothing : html`<span class="tag">${phase}</span>`
      }</li>`;
    render(items.map(option), this.#list);
    this.#list.hidden = items.length === 0;
    this.#input.setAttribute("aria-expanded", String(items.length > 0));
    this.#activate(isFirstActive && items.length > 0 ? 0 : -1);
  }

  #activate(index: number) {
    this.#active = index;
    [...this.#list.children].forEach((option, position) => {
      option.setAttribute("aria-selected", String(position === index));
      if (position === index) option.scrollIntoView({ block: "nearest" });
    });
    if (index < 0) this.#input.removeAttribute("aria-activedescendant");
    else this.#input.setAttribute("aria-activedescendant", `${this.#parts.id}-${index}`);
  }

  #choose(index: number, event: Event) {
    const item = this.#offered[index];
    if (item === undefined) return;
    event.preventDefault();
    this.close();
    this.#parts.onItem(item);
  }

  #key(event: KeyboardEvent) {
    const count = this.#offered.length;
    const { onEnter } = this.#parts;
    if (event.key === "Escape" && count > 0) this.close();
    else if (event.key === "Enter" && this.#active >= 0) return this.#choose(this.#active, event);
    else if (event.key === "Enter") {
      this.close();
      if (onEnter === undefined) return;
      onEnter(this.#input.value.trim());
    } else if (event.key === "ArrowDown" && count > 0) this.#activate((this.#active + 1) % count);
    else if (event.key === "ArrowUp" && count > 0) this.#activate(this.#active <= 0 ? count - 1 : this.#active - 1);
    else return;
    event.preventDefault();
  }
}
