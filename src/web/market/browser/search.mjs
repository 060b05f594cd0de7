/** @import { Api } from "../../browser/api.mjs" */
/** @import { Item } from "./types.mjs" */

/** Most items of one answer of `listItems`. */
export const loadedMax = 100;

/**
 * Finds items by words and filters. A name that is meant exactly may lie behind the first page: where there are more pages and no loaded item
 * has the name, it is asked for by itself (one request, or two where it exists).
 * @throws {ProblemError | TypeError} when `Api.get` does.
 * @param {Api} api
 * @param {{ q: string, filters: Record<string, string | undefined> }} wanted
 * @param {AbortSignal} signal
 * @param {number} [cursor] That of the page before.
 * @returns {Promise<{ items: Item[], nextCursor: number | null, generatedAt: string }>}
 */
export async function findItems(api, { q, filters }, signal, cursor) {
  const { data, meta } = await api.get(
    "/v1/items",
    { ...filters, q: q === "" ? undefined : q, limit: loadedMax, cursor },
    signal,
  );
  /** @type {Item[]} */
  const items = data;
  const isNamed = items.some(({ market_hash_name }) => market_hash_name.toLowerCase() === q.toLowerCase());
  const mayHide = cursor === undefined && meta.next_cursor !== null && q !== "" && Object.keys(filters).length === 0;
  if (mayHide && !isNamed) items.unshift(...(await itemsNamed(api, q, signal)));
  return { items, nextCursor: meta.next_cursor, generatedAt: meta.generated_at };
}

/**
 * Returns the items of the catalog that have exactly this name.
 * @throws {ProblemError | TypeError} when `Api.get` does.
 * @param {Api} api
 * @param {string} name
 * @param {AbortSignal} signal
 * @returns {Promise<Item[]>}
 */
async function itemsNamed(api, name, signal) {
  const { data } = await api.post("/v1/items/resolve", { names: [name] }, signal);
  /** @type {{ item_id: number, in_catalog: boolean }[]} */
  const candidates = data[0]?.candidates ?? [];
  const ids = candidates.flatMap(({ item_id, in_catalog }) => (in_catalog ? [item_id] : []));
  if (ids.length === 0) return [];
  const found = await api.get("/v1/items", { item_ids: ids.slice(0, loadedMax).join(","), limit: loadedMax }, signal);
  return found.data;
}
