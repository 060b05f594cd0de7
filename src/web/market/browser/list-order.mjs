/** @import { Item } from "./types.mjs" */

/** Columns by which the loaded items can be sorted. */
export const sortColumns = /** @type {const} */ (["name", "type", "rarity", "ask", "provider", "age"]);

/** @typedef {typeof sortColumns[number]} SortColumn */

/** @type {Record<SortColumn, (item: Item) => string | number | null>} */
const values = {
  name: ({ market_hash_name }) => market_hash_name.replace(/^★ /, ""),
  type: ({ type }) => type,
  rarity: ({ rarity }) => rarity,
  ask: ({ best_ask_cents }) => best_ask_cents,
  provider: ({ best_ask_provider }) => best_ask_provider,
  // The youngest first: its time is the greatest.
  age: ({ price_updated_at }) => (price_updated_at === null ? null : -Date.parse(price_updated_at)),
};

/**
 * Returns the items by relevance: those whose name is `q` first, then those with a known price, then the shorter names.
 * @param {readonly Item[]} items
 * @param {string} q
 * @returns {Item[]}
 */
export function ranked(items, q) {
  const wanted = q.trim().toLowerCase();
  const rank = (/** @type {Item} */ { market_hash_name, best_ask_cents }) => {
    if (market_hash_name.toLowerCase() === wanted) return 0;
    return best_ask_cents === null ? 2 : 1;
  };
  return items.toSorted(
    (a, b) => rank(a) - rank(b) || a.market_hash_name.length - b.market_hash_name.length || a.item_id - b.item_id,
  );
}

/**
 * Returns the items by a column; what is unknown stands last in either direction.
 * @param {readonly Item[]} items
 * @param {SortColumn} column
 * @param {boolean} isDescending
 * @returns {Item[]}
 */
export function sorted(items, column, isDescending) {
  const keyOf = values[column];
  return items.toSorted((a, b) => {
    const [first, second] = [keyOf(a), keyOf(b)];
    if (first === null || second === null) return Number(first === null) - Number(second === null) || byId(a, b);
    const order =
      typeof first === "number" ? first - Number(second) : first < String(second) ? -1 : Number(first > String(second));
    return (isDescending ? -order : order) || byId(a, b);
  });
}

/** @param {Item} a @param {Item} b */
function byId(a, b) {
  return a.item_id - b.item_id;
}
