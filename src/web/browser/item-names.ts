/** A catalog item with its searchable texts. */
type ItemName = {
  readonly item_id: number;
  readonly market_hash_name: string;
  readonly name_ru: string | null;
  readonly phase: string | null;
  readonly type: string | null;
};

type Row = readonly [number, string, string | null, string | null, string | null];

let names: Promise<readonly ItemName[]> | null = null;

/**
 * Loads the names of all items once per page; the browser only revalidates its cached copy. Returns an empty list for a visitor with a
 * typed key, and if the server does not answer.
 */
export function itemNames(): Promise<readonly ItemName[]> {
  names ??= load().catch(() => {
    names = null;
    return [];
  });
  return names;
}

/**
 * Ids of at most 1,000 items, ordered by number of offers. `by` is `ask` if this number is unknown; the order is then by descending price.
 */
type Offered = { readonly by: "offers" | "ask"; readonly item_ids: readonly number[] };

/** Loads the ids of the most offered items. Returns no ids without quotes, or if the server does not answer. */
export function mostOffered(): Promise<Offered> {
  return get<Offered>("/dashboard/most-offered").catch(() => ({ by: "ask", item_ids: [] }));
}

async function get<Of>(address: string): Promise<Of> {
  const answer = await fetch(address, { cache: "no-cache", redirect: "error" });
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
  return answer.json();
}

async function load(): Promise<ItemName[]> {
  const { names: rows } = await get<{ names: Row[] }>("/dashboard/names");
  return rows.map(([item_id, market_hash_name, name_ru, phase, type]) => ({
    item_id,
    market_hash_name,
    name_ru,
    phase,
    type,
  }));
}
