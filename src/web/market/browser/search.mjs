/** @import { Api } from "../../browser/api.mjs" */
/** @import { Item } from "./types.mjs" */
import { phaseIn } from "../../../values/text/phases.mjs";

/** Most items of one answer of `listItems`. */
export const loadedMax = 100;

/** @typedef {{ q: string, filters: Record<string, string | undefined> }} Wanted */

/**
 * Finds items by words and filters. A name that is meant exactly may lie behind the first page: where there are more pages and no loaded item
 * has the name, it is asked for by itself (one request, or two where it exists). Where nothing has all words, and one of them is a phase, it is
 * sought as one (a further request): `wanted` is what the items were found by.
 * @throws {ProblemError | TypeError} when `Api.get` does.
 * @param {Api} api
 * @param {Wanted} wanted
 * @param {AbortSignal} signal
 * @param {number} [cursor] That of the page before.
 * @returns {Promise<{ items: Item[], nextCursor: number | null, generatedAt: string, wanted: Wanted }>}
 */
export async function findItems(api, wanted, signal, cursor) {
  const { q, filters } = wanted;
  const { data, meta } = await api.get(
    "/v1/items",
    { ...filters, q: q === "" ? undefined : q, limit: loadedMax, cursor },
    signal,
  );
  /** @type {Item[]} */
  const items = data;
  const split = cursor === undefined && items.length === 0 && filters.phase === undefined ? phaseIn(q) : null;
  if (split !== null) {
    return findItems(api, { q: split.rest, filters: { ...filters, phase: split.phase } }, signal);
  }
  const isNamed = items.some(({ market_hash_name }) => market_hash_name.toLowerCase() === q.toLowerCase());
  const mayHide = cursor === undefined && meta.next_cursor !== null && q !== "" && Object.keys(filters).length === 0;
  if (mayHide && !isNamed) items.unshift(...(await itemsNamed(api, q, signal)));
  return { items, nextCursor: meta.next_cursor, generatedAt: meta.generated_at, wanted };
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
