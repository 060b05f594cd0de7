/** @import { ListState } from "./list-address.mjs" */
/** @import { SortColumn } from "./list-order.mjs" */
/** @import { Item } from "./types.mjs" */

import { dollars } from "../../../values/money/money-text.mjs";
import { ageText } from "../../../values/time/time-text.mjs";
import { byId, element } from "../../browser/dom.mjs";
import { ranked, sortColumns, sorted } from "./list-order.mjs";

/** Columns that show the greatest first when they are first pressed. */
const descendingFirst = new Set(["ask"]);

/** An offer that did not change may have been seen again since. */
const changed = "Changed: since when the lowest ask is this one, not the age of the offer.";

/** The table of the found items. Its columns sort what was loaded. */
export class ListTable {
  #root = byId("found", HTMLElement);
  #body = byId("rows", HTMLElement);
  /** @type {{ sort: SortColumn | null, isDescending: boolean }} */
  #order = { sort: null, isDescending: false };

  /** @param {(sort: SortColumn | null, isDescending: boolean) => void} onSort */
  constructor(onSort) {
    for (const head of this.#heads()) {
      const column = sortColumns.find((name) => name === head.dataset.column) ?? null;
      head.firstElementChild?.addEventListener("click", () => {
        const { sort, isDescending } = this.#order;
        const first = descendingFirst.has(column ?? "");
        if (sort !== column) onSort(column, first);
        else if (isDescending === first) onSort(column, !first);
        else onSort(null, false);
      });
    }
  }

  hide() {
    this.#root.hidden = true;
  }

  /** @param {{ items: readonly Item[], list: ListState, generatedAt: string, hasMore: boolean, isFree: boolean }} shown */
  show({ items, list, generatedAt, hasMore, isFree }) {
    const { q, sort, isDescending } = list;
    this.#order = { sort, isDescending };
    this.#root.hidden = false;
    byId("found-table", HTMLElement).hidden = items.length === 0;
    byId("found-count", HTMLElement).textContent = countText(items.length, hasMore);
    byId("found-note", HTMLElement).textContent = noteText(items.length, list, hasMore);
    for (const head of this.#heads()) {
      if (head.dataset.column === sort) head.setAttribute("aria-sort", isDescending ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    }
    const order = sort === null ? ranked(items, q) : sorted(items, sort, isDescending);
    this.#body.replaceChildren(...order.map((item) => rowOf(item, generatedAt, isFree)));
  }

  /** @returns {NodeListOf<HTMLElement>} */
  #heads() {
    return this.#root.querySelectorAll("th[data-column]");
  }
}

/** @param {number} count @param {boolean} hasMore */
function countText(count, hasMore) {
  if (count === 0) return "No item has all of that";
  return hasMore ? `The first ${count} items, more follow` : `${count} ${count === 1 ? "item" : "items"}`;
}

/** @param {number} count @param {ListState} list @param {boolean} hasMore */
function noteText(count, { q, filters, sort }, hasMore) {
  if (count === 0) {
    return Object.keys(filters).length > 0
      ? "Take a filter away, or fewer words."
      : "Try fewer words, or parts of them: each must be in one of its names, English or Russian.";
  }
  const order =
    sort !== null
      ? `Sorted by ${sort === "ask" ? "lowest ask" : sort === "age" ? "last change" : sort}`
      : `Ranked: ${q === "" ? "" : "the exact name, then "}known prices, then shorter names`;
  return hasMore
    ? `${order}, within the ${count} loaded (the lowest ids). More words or filters find the others. ${changed}`
    : `${order}. ${changed}`;
}

/** @param {Item} item @param {string} generatedAt @param {boolean} isFree */
function rowOf(item, generatedAt, isFree) {
  const { item_id, market_hash_name, phase, type, rarity, best_ask_cents, best_ask_provider, price_updated_at } = item;
  const unknown = isFree ? "paid plans" : "no ask";
  const ask = best_ask_cents === null ? element("span", { class: "muted" }, unknown) : dollars(best_ask_cents);
  return element(
    "tr",
    { "data-item": String(item_id) },
    element(
      "th",
      { scope: "row" },
      element("a", { href: `/items/${item_id}` }, market_hash_name),
      ...(phase === null ? [] : [element("span", { class: "tag" }, phase)]),
    ),
    element("td", { class: "extra" }, type ?? "–"),
    element("td", { class: "extra" }, rarity ?? "–"),
    element("td", { class: "number" }, ask),
    element("td", { class: "extra" }, best_ask_provider ?? "–"),
    element(
      "td",
      { class: "number extra" },
      price_updated_at === null ? "–" : `${ageText(price_updated_at, generatedAt)} ago`,
    ),
  );
}
