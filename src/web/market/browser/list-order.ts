import type { MarketRow } from "./details.ts";
import { rarityRank } from "./rarities.ts";

/** Sortable columns with fixed names. */
const sortColumns = ["name", "ask", "bid", "spread", "change", "markets", "type", "rarity", "age"] as const;
/** Matches the column of a provider: `at.` and its slug. */
const providerColumn = /^at\.([a-z0-9][a-z0-9-]{0,59})$/;

export type SortColumn = (typeof sortColumns)[number] | `at.${string}`;

/** Returns the sortable column with this name; null for any other text. */
export function sortColumnOf(text: string): SortColumn | null {
  return sortColumns.find((name) => name === text) ?? (providerColumn.test(text) ? (text as SortColumn) : null);
}

/** Returns the provider slug of a column; null for other columns. */
export function providerOf(column: string): string | null {
  return providerColumn.exec(column)?.[1] ?? null;
}

const values: Record<(typeof sortColumns)[number], (row: MarketRow) => string | number | null> = {
  name: ({ item }) => item.market_hash_name.replace(/^★ /, ""),
  ask: ({ details, item }) => details?.ask?.amount ?? item.best_ask_cents,
  bid: ({ details }) => details?.bid?.amount ?? null,
  spread: ({ details }) => details?.spread ?? null,
  change: ({ details }) => details?.change?.share ?? null,
  markets: ({ details }) => details?.markets ?? null,
  type: ({ item }) => item.type,
  rarity: ({ item }) => rarityRank(item.rarity),
  // Negated, so that the youngest has the smallest age.
  age: ({ item }) => (item.price_updated_at === null ? null : -Date.parse(item.price_updated_at)),
};

/** Returns the rows sorted by a column. Unknown values are last in both directions. */
export function sorted(rows: readonly MarketRow[], column: SortColumn, isDescending: boolean): MarketRow[] {
  const provider = providerOf(column);
  const keyOf =
    provider === null
      ? values[column as keyof typeof values]
      : ({ details }: MarketRow) => details?.asks.get(provider) ?? null;
  return rows.toSorted((a, b) => {
    const [first, second] = [keyOf(a), keyOf(b)];
    if (first === null || second === null) return Number(first === null) - Number(second === null) || byId(a, b);
    const order =
      typeof first === "number" ? first - Number(second) : first < String(second) ? -1 : Number(first > String(second));
    return (isDescending ? -order : order) || byId(a, b);
  });
}

function byId(a: MarketRow, b: MarketRow) {
  return a.item.item_id - b.item.item_id;
}
