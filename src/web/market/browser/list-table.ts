import { html, nothing } from "lit-html";
import { dollars } from "../../../values/money/money-text.ts";
import { ageText } from "../../../values/time/time-text.ts";
import { sparkline } from "../../browser/sparkline.ts";
import { percentText } from "./changes.ts";
import type { Best, MarketRow } from "./details.ts";
import type { ListState } from "./list-address.ts";
import { providerOf, type SortColumn, sorted } from "./list-order.ts";
import { pictureOf } from "./picture.ts";
import type { Provider } from "./types.ts";

/** A column of the table. `isOptional` columns are only shown if chosen. */
type Column = { name: SortColumn | "line"; head: string; class: string; isOptional?: boolean };

const fixed: readonly Column[] = [
  { name: "name", head: "Item", class: "" },
  { name: "ask", head: "Best ask", class: "number" },
  { name: "bid", head: "Bid", class: "number extra" },
  { name: "spread", head: "Spread", class: "number extra" },
  { name: "change", head: "7 days", class: "number" },
  { name: "line", head: "Trend", class: "extra" },
  { name: "markets", head: "Markets", class: "number extra" },
  { name: "type", head: "Type", class: "", isOptional: true },
  { name: "rarity", head: "Rarity", class: "", isOptional: true },
  { name: "age", head: "Changed", class: "number", isOptional: true },
];
/** Columns that are first sorted in ascending order. */
const ascendingFirst = new Set<string>(["name", "type", "age"]);

/**
 * Found items in order of relevance. `total` is the number of matches, null if unknown. `readAs` is the corrected search if a word was
 * mistyped, else null. `first` is the number of items at the start that are sorted by offers or asks.
 */
export type Found = {
  rows: readonly MarketRow[];
  list: ListState;
  providers: readonly Provider[];
  generatedAt: string;
  hasMore: boolean;
  total: number | null;
  isFree: boolean;
  /** Whether the last seven days were read. */
  hasDays: boolean;
  readAs: string | null;
  first: { count: number; by: "offers" | "ask" };
};
type FoundListeners = {
  onSort: (sort: SortColumn | null, isDescending: boolean) => void;
  onColumns: (columns: readonly SortColumn[]) => void;
  onMeant: (q: string) => void;
  onMore: () => void;
};

/** Renders the table of found items. Its columns sort the loaded items. */
export function foundTable(found: Found, listeners: FoundListeners) {
  const { rows, list, hasMore, readAs } = found;
  const { sort, isDescending } = list;
  const order = sort === null ? rows : sorted(rows, sort, isDescending);
  const columns = columnsOf(found);
  const meant = html`<button id="nearest-search" type="button" class="link" @click=${() => listeners.onMeant(readAs ?? "")}>${readAs}</button>`;
  return html`<div class="found-head"><h2 id="found-count" aria-live="polite">${countText(found)}</h2>
<p id="nearest" ?hidden=${readAs === null}>Results for ${meant}</p>
${chooserOf(found, listeners)}</div>
${nextStep(found)}
<div class="scroll wide-table" id="found-table" tabindex="0" role="region" aria-label="Items" ?hidden=${rows.length === 0}><table class="market-list">
<thead><tr>${columns.map((column) => headOf(column, list, listeners))}</tr></thead>
<tbody id="rows">${order.map((row) => rowOf(row, columns, found))}</tbody></table></div>
<button id="more" type="button" class="quiet" ?hidden=${!hasMore} @click=${listeners.onMore}>Load more</button>`;
}

/** Returns the columns with content, and the chosen ones. */
function columnsOf({ rows, list, providers, isFree, hasDays }: Found): Column[] {
  const own = list.columns.flatMap((name): Column[] => {
    const slug = providerOf(name);
    if (slug === null) return fixed.filter((column) => column.isOptional && column.name === name);
    const provider = providers.find((one) => one.provider === slug);
    return provider === undefined ? [] : [{ name, head: provider.name, class: "number", isOptional: true }];
  });
  const isLoading = rows.every(({ details }) => details === null);
  const hasLine =
    isLoading || rows.some(({ details }) => (details?.line.filter((amount) => amount !== null).length ?? 0) > 1);
  const hasBids = !isFree && providers.some(({ active, has_bids }) => active && has_bids);
  const hidden = [
    ...(hasBids ? [] : ["bid", "spread"]),
    ...(isFree ? ["markets"] : []),
    ...(isFree && !hasDays ? ["ask"] : []),
    ...(hasDays && hasLine ? [] : ["change", "line"]),
  ];
  const isRead = ({ name }: Column) => !hidden.includes(name);
  return [...fixed.filter((column) => column.isOptional !== true && isRead(column)), ...own];
}

function headOf(
  { name, head, class: className }: Column,
  { sort, isDescending }: ListState,
  listeners: FoundListeners,
) {
  if (name === "line") return html`<th scope="col" class=${className}><span class="head">${head}</span></th>`;
  const first = !ascendingFirst.has(name);
  const press = () => {
    if (sort !== name) listeners.onSort(name, first);
    else if (isDescending === first) listeners.onSort(name, !first);
    else listeners.onSort(null, false);
  };
  const direction = sort !== name ? nothing : isDescending ? "descending" : "ascending";
  return html`<th scope="col" data-column=${name} class=${className} aria-sort=${direction}><button type="button" @click=${press}>${head}</button></th>`;
}

/** Renders the choice of optional columns: facts, and the ask at each provider. */
function chooserOf({ list, providers, isFree, rows }: Found, { onColumns }: FoundListeners) {
  const offered = [
    ...fixed.flatMap(({ name, head, isOptional }) => (isOptional && name !== "line" ? [{ name, head }] : [])),
    ...(isFree ? [] : providers.filter(({ active }) => active)).map(({ provider, name }) => ({
      name: `at.${provider}` as const,
      head: name,
    })),
  ];
  const toggle = (name: SortColumn) =>
    onColumns(list.columns.includes(name) ? list.columns.filter((one) => one !== name) : [...list.columns, name]);
  const choices = offered.map(
    ({ name, head }) =>
      html`<label class="choice"><input type="checkbox" value=${name} .checked=${list.columns.includes(name)} @change=${() => toggle(name)}><span>${head}</span></label>`,
  );
  return html`<details id="columns" class="menu" ?hidden=${rows.length === 0}><summary>Columns</summary><fieldset><legend class="hidden">Columns</legend>${choices}</fieldset></details>`;
}

function isAll({ q, filters }: ListState) {
  return q === "" && Object.keys(filters).length === 0;
}

/** Renders the next step for a market without items or prices. */
function nextStep({ rows, list, providers, isFree }: Found) {
  const isEmpty = rows.length === 0 && isAll(list);
  if (isFree && rows.length > 0)
    return html`<p id="next-step" class="muted">Paid plans show current prices, bids and markets here.</p>`;
  if (!isEmpty && providers.some(({ active }) => active)) return nothing;
  return html`<p id="next-step">${isEmpty ? "Fill the market" : "Fill in prices"}: <code>npx itemtape start --live skinport</code></p>`;
}

function countText({ rows: { length: count }, list, total, hasMore, first }: Found) {
  if (count === 0) return isAll(list) ? "No items yet" : "No items match.";
  if (!hasMore) return `${count} ${count === 1 ? "item" : "items"}`;
  const name = first.by === "offers" ? "Most offered items" : "Highest asks";
  if (count <= first.count && total !== null) return `${name}: ${count} of ${total.toLocaleString("en-US")}`;
  return total === null ? `The first ${count} items` : `Showing ${count} of ${total.toLocaleString("en-US")} items`;
}

function rowOf(row: MarketRow, columns: readonly Column[], found: Found) {
  return html`<tr data-item=${row.item.item_id}>${columns.map((column) => cellOf(row, column, found))}</tr>`;
}

const dash = html`<span class="muted">–</span>`;
const price = (amount: number | null | undefined) => (amount === null || amount === undefined ? dash : dollars(amount));

function cellOf(row: MarketRow, { name, class: className }: Column, found: Found) {
  if (name === "name") return nameCell(row);
  return html`<td class=${className} data-cell=${name}>${contentOf(row, name, found)}</td>`;
}

function contentOf({ item, details }: MarketRow, name: Column["name"], { providers, generatedAt }: Found): unknown {
  const provider = providerOf(name);
  if (provider !== null) return price(details?.asks.get(provider));
  switch (name) {
    case "ask":
      return bestCell(details?.ask ?? listed(item), providers);
    case "bid":
      return bestCell(details?.bid ?? null, providers);
    case "spread":
      return price(details?.spread);
    case "change":
      return changeText(details?.change ?? null);
    case "line":
      return sparkline(details?.line ?? []) ?? dash;
    case "markets":
      return details?.markets ?? dash;
    case "age":
      return item.price_updated_at === null ? dash : `${ageText(item.price_updated_at, generatedAt)} ago`;
    default:
      return (name === "type" ? item.type : item.rarity) ?? dash;
  }
}

function listed({ best_ask_cents: amount, best_ask_provider: provider }: MarketRow["item"]): Best | null {
  return amount === null || provider === null ? null : { amount, provider };
}

function nameCell({ item }: MarketRow) {
  const { item_id, market_hash_name, phase, type, rarity } = item;
  const tag = phase === null ? nothing : html`<span class="tag">${phase}</span>`;
  const facts = [rarity, type].filter((fact) => fact !== null).join(" · ");
  return html`<th scope="row"><div class="item-name">${pictureOf(item)}<div><a href="/items/${item_id}">${market_hash_name}</a>${tag}<span class="facts">${facts}</span></div></div></th>`;
}

function bestCell(best: Best | null, providers: readonly Provider[]) {
  if (best === null) return dash;
  const name = providers.find(({ provider }) => provider === best.provider)?.name ?? best.provider;
  return html`${dollars(best.amount)}<span class="facts">${name}</span>`;
}

function changeText(change: NonNullable<MarketRow["details"]>["change"]) {
  if (change === null) return html`<span class="muted" title="Not enough history">–</span>`;
  const trend = change.to > change.from ? "rise" : change.to < change.from ? "fall" : "";
  return html`<span class=${trend}>${percentText(change.from, change.to)}</span>`;
}
