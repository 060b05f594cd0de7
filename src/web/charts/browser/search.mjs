/** @import { Api } from "../../browser/api.mjs" */
/** @import { Item } from "./types.mjs" */
import { element } from "../../browser/dom.mjs";

/** A search costs a request: not each letter sends one. */
const pauseMs = 350;
const lettersMin = 2;
const shownMax = 20;

/** A field that finds an item by part of its name: a combobox with a list, for pointer and keyboard alike. */
export class ItemSearch {
  #input;
  #list;
  #hint;
  #parts;
  /** @type {readonly Item[]} */
  #found = [];
  #active = -1;
  #timer = 0;
  #abort = new AbortController();

  /**
   * @param {{ input: HTMLInputElement, list: HTMLElement, hint: HTMLElement }} places
   * @param {{ api: () => Api | null, onItem: (item: Item) => void, onError: (error: unknown) => void }} parts
   */
  constructor({ input, list, hint }, parts) {
    this.#input = input;
    this.#list = list;
    this.#hint = hint;
    this.#parts = parts;
    input.addEventListener("input", () => this.#soon());
    input.addEventListener("keydown", (event) => this.#key(event));
    input.addEventListener("blur", () => this.#close());
  }

  /** Shows an item that is chosen; a search still on its way would open its list over it. @param {Item} item */
  show(item) {
    this.#stop();
    this.#input.value = itemText(item);
    this.#hint.textContent = `item_id ${item.item_id}`;
    this.#close();
  }

  #soon() {
    this.#stop();
    this.#timer = window.setTimeout(() => this.#search(), pauseMs);
  }

  #stop() {
    clearTimeout(this.#timer);
    this.#abort.abort();
  }

  async #search() {
    const q = this.#input.value.trim();
    const api = this.#parts.api();
    if (api === null || q.length < lettersMin) return this.#close();
    this.#abort = new AbortController();
    try {
      const { data, meta } = await api.get("/v1/items", { q, limit: shownMax }, this.#abort.signal);
      this.#open(data);
      const many = meta.next_cursor === null ? "" : ": the first of more, type more of the name";
      this.#hint.textContent =
        data.length === 0 ? "No item of the catalog has that in its name." : `${data.length} found${many}`;
    } catch (error) {
      if (!(error instanceof DOMException && error.name === "AbortError")) this.#parts.onError(error);
    }
  }

  /** @param {readonly Item[]} items */
  #open(items) {
    this.#found = items;
    this.#list.replaceChildren(
      ...items.map((item, index) =>
        element(
          "li",
          // Before the field loses the focus, which closes the list.
          {
            role: "option",
            id: `option-${index}`,
            "aria-selected": "false",
            pointerdown: (event) => this.#choose(index, event),
          },
          item.market_hash_name,
          ...tagsOf(item).map((tag) => element("span", { class: "tag" }, tag)),
        ),
      ),
    );
    this.#list.hidden = items.length === 0;
    this.#input.setAttribute("aria-expanded", String(items.length > 0));
    this.#activate(-1);
  }

  #close() {
    this.#open([]);
  }

  /** @param {number} index */
  #activate(index) {
    this.#active = index;
    [...this.#list.children].forEach((option, position) => {
      option.setAttribute("aria-selected", String(position === index));
      if (position === index) option.scrollIntoView({ block: "nearest" });
    });
    if (index < 0) this.#input.removeAttribute("aria-activedescendant");
    else this.#input.setAttribute("aria-activedescendant", `option-${index}`);
  }

  /** @param {number} index @param {Event} event */
  #choose(index, event) {
    const item = this.#found[index];
    if (item === undefined) return;
    event.preventDefault();
    this.show(item);
    this.#parts.onItem(item);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const count = this.#found.length;
    if (event.key === "Escape") this.#close();
    else if (event.key === "Enter" && count > 0) this.#choose(Math.max(0, this.#active), event);
    else if (event.key === "ArrowDown" && count > 0) this.#activate((this.#active + 1) % count);
    else if (event.key === "ArrowUp" && count > 0) this.#activate((this.#active - 1 + count) % count);
    else return;
    event.preventDefault();
  }
}

/** @param {Item} item */
export function itemText(item) {
  return [item.market_hash_name, ...(item.phase === null ? [] : [item.phase])].join(" · ");
}

/** Returns what distinguishes items of one name. @param {Item} item */
function tagsOf({ phase, wear, type }) {
  return [phase, wear, type].filter((tag) => tag !== null);
}
