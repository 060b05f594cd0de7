import { html, nothing } from "lit-html";
import { ranked } from "../../../client/find-items.ts";
import { dollars } from "../../../values/money/money-text.ts";
import { ageText } from "../../../values/time/time-text.ts";
import { byId, fill } from "../../browser/dom.ts";
import type { ListState } from "./list-address.ts";
import type { SortColumn } from "./list-order.ts";
import { sortColumns, sorted } from "./list-order.ts";
import type { ListedItem } from "./types.ts";

/** Columns that show the greatest first when they are first pressed. */
const descendingFirst = new Set(["ask"]);

/** An offer that did not change may have been seen again since. */
const changed = "Changed: since when the lowest ask is this one, not the age of the offer.";

/** The table of the found items. Its columns sort what was loaded. */
export class ListTable {
  #root = byId("found", HTMLElement);
  #order: { sort: SortColumn | null; isDescending: boolean } = { sort: null, isDescending: false };

  constructor(onSort: (sort: SortColumn | null, isDescending: boolean) => void) {
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

  show({
    items,
    list,
    generatedAt,
    hasMore,
    isFree,
  }: {
    items: readonly ListedItem[];
    list: ListState;
    generatedAt: string;
    hasMore: boolean;
    isFree: boolean;
  }) {
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
    fill(
      "rows",
      order.map((item) => rowOf(item, generatedAt, isFree)),
    );
  }

  #heads(): NodeListOf<HTMLElement> {
    return this.#root.querySelectorAll("th[data-column]");
  }
}

function countText(count: number, hasMore: boolean) {
  if (count === 0) return "No item has all of that";
  return hasMore ? `The first ${count} items, more follow` : `${count} ${count === 1 ? "item" : "items"}`;
}

function noteText(count: number, { q, filters, sort }: ListState, hasMore: boolean) {
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

function rowOf(item: ListedItem, generatedAt: string, isFree: boolean) {
  const { item_id, market_hash_name, phase, type, rarity, best_ask_cents, best_ask_provider, price_updated_at } = item;
  const unknown = isFree ? "paid plans" : "no ask";
  const ask = best_ask_cents === null ? html`<span class="muted">${unknown}</span>` : dollars(best_ask_cents);
  const tag = phase === null ? nothing : html`<span class="tag">${phase}</span>`;
  const age = price_updated_at === null ? "–" : `${ageText(price_updated_at, generatedAt)} ago`;
  return html`<tr data-item=${item_id}><th scope="row"><a href="/items/${item_id}">${market_hash_name}</a>${tag}</th
><td class="extra">${type ?? "–"}</td><td class="extra">${rarity ?? "–"}</td><td class="number">${ask}</td
><td class="extra">${best_ask_provider ?? "–"}</td><td class="number extra">${age}</td></tr>`;
}
