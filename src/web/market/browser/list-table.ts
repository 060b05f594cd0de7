import { html, nothing } from "lit-html";
import { ranked } from "../../../client/find-items.ts";
import { dollars } from "../../../values/money/money-text.ts";
import { ageText } from "../../../values/time/time-text.ts";
import type { ListState } from "./list-address.ts";
import { type SortColumn, sorted } from "./list-order.ts";
import type { ListedItem } from "./types.ts";

/** Columns that show the greatest first when they are first pressed. */
const descendingFirst = new Set(["ask"]);

/** An offer that did not change may have been seen again since. */
const changed = "Changed: when the lowest ask was first seen at this amount, not the age of the offer.";

const columns: readonly { name: SortColumn; head: string; class: string }[] = [
  { name: "name", head: "Item", class: "" },
  { name: "type", head: "Type", class: "extra" },
  { name: "rarity", head: "Rarity", class: "extra" },
  { name: "ask", head: "Lowest ask", class: "number" },
  { name: "provider", head: "At", class: "extra" },
  { name: "age", head: "Changed", class: "number extra" },
];

/** The found items. `nearest`: the search that may be meant instead; null if none is near. */
export type Found = {
  items: readonly ListedItem[];
  list: ListState;
  generatedAt: string;
  hasMore: boolean;
  isFree: boolean;
  nearest: string | null;
};
type FoundListeners = {
  onSort: (sort: SortColumn | null, isDescending: boolean) => void;
  onNearest: (q: string) => void;
  onMore: () => void;
};

/** Returns the table of the found items, and what can be done with it. Its columns sort the loaded items. */
export function foundTable({ items, list, generatedAt, hasMore, isFree, nearest }: Found, listeners: FoundListeners) {
  const { q, sort, isDescending } = list;
  const order = sort === null ? ranked(items, q) : sorted(items, sort, isDescending);
  const heads = columns.map(({ name, head, class: className }) => {
    const first = descendingFirst.has(name);
    const press = () => {
      if (sort !== name) listeners.onSort(name, first);
      else if (isDescending === first) listeners.onSort(name, !first);
      else listeners.onSort(null, false);
    };
    const direction = sort !== name ? nothing : isDescending ? "descending" : "ascending";
    return html`<th scope="col" data-column=${name} class=${className} aria-sort=${direction}><button type="button" @click=${press}>${head}</button></th>`;
  });
  const meant = html`<button id="nearest-search" type="button" class="link" @click=${() => listeners.onNearest(nearest ?? "")}>${nearest}</button>`;
  return html`<h2 id="found-count" aria-live="polite">${countText(items.length, hasMore)}</h2>
<p id="found-note" class="muted note">${noteText(items.length, list, hasMore)}</p>
<p id="nearest" ?hidden=${nearest === null}>Perhaps you mean ${meant}?</p>
<div class="scroll wide-table" id="found-table" ?hidden=${items.length === 0}><table class="market-list">
<thead><tr>${heads}</tr></thead>
<tbody id="rows">${order.map((item) => rowOf(item, generatedAt, isFree))}</tbody></table></div>
<button id="more" type="button" class="quiet" ?hidden=${!hasMore} @click=${listeners.onMore}>Load 100 more<span class="muted"> (1 request)</span></button>`;
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
