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

async function load(): Promise<ItemName[]> {
  const answer = await fetch("/dashboard/names", { cache: "no-cache", redirect: "error" });
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
  const { names: rows }: { names: Row[] } = await answer.json();
  return rows.map(([item_id, market_hash_name, name_ru, phase, type]) => ({
    item_id,
    market_hash_name,
    name_ru,
    phase,
    type,
  }));
}
