/** An item of the catalog with the texts that it is found by. */
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
 * Loads the names of all items, once for a page; the browser asks again only whether they have changed. Empty for a visitor with a typed key,
 * and if the server does not answer.
 */
export function itemNames(): Promise<readonly ItemName[]> {
  names ??= load().catch(() => {
    names = null;
    return [];
  });
  return names;
}

/** Ids of at most 1,000 items, the most offered first; by `ask`: the dearest first, as the number of offers is unknown. */
type Offered = { readonly by: "offers" | "ask"; readonly item_ids: readonly number[] };

/** Loads the most offered items. No ids if nothing is quoted, or if the server does not answer. */
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
