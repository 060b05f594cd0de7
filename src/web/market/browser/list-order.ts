import type { ListedItem } from "./types.ts";

/** Columns by which the loaded items can be sorted. */
export const sortColumns = ["name", "type", "rarity", "ask", "provider", "age"] as const;

export type SortColumn = (typeof sortColumns)[number];

const values: Record<SortColumn, (item: ListedItem) => string | number | null> = {
  name: ({ market_hash_name }) => market_hash_name.replace(/^★ /, ""),
  type: ({ type }) => type,
  rarity: ({ rarity }) => rarity,
  ask: ({ best_ask_cents }) => best_ask_cents,
  provider: ({ best_ask_provider }) => best_ask_provider,
  // The youngest first: its time is the greatest.
  age: ({ price_updated_at }) => (price_updated_at === null ? null : -Date.parse(price_updated_at)),
};

/** Returns the items by a column; what is unknown stands last in either direction. */
export function sorted(items: readonly ListedItem[], column: SortColumn, isDescending: boolean): ListedItem[] {
  const keyOf = values[column];
  return items.toSorted((a, b) => {
    const [first, second] = [keyOf(a), keyOf(b)];
    if (first === null || second === null) return Number(first === null) - Number(second === null) || byId(a, b);
    const order =
      typeof first === "number" ? first - Number(second) : first < String(second) ? -1 : Number(first > String(second));
    return (isDescending ? -order : order) || byId(a, b);
  });
}

function byId(a: ListedItem, b: ListedItem) {
  return a.item_id - b.item_id;
}
