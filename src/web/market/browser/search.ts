import type { Params } from "../../../client/types.ts";
import { phaseIn } from "../../../values/text/phases.ts";
import type { Api } from "../../browser/api.ts";
import type { ListedItem } from "./types.ts";

/** Most items of one answer of `listItems`. */
export const loadedMax = 100;

export type Wanted = { q: string; filters: Record<string, string | undefined> };

/**
 * Finds items by words and filters. A name that is meant exactly may lie behind the first page: where there are more pages and no loaded item
 * has the name, it is asked for by itself (one request, or two where it exists). Where nothing has all words, and one of them is a phase, it is
 * sought as one (a further request): `wanted` is what the items were found by.
 * @throws {ItemtapeError | TransportError} when the API does not answer.
 * @param cursor That of the page before.
 */
export async function findItems(
  api: Api,
  wanted: Wanted,
  signal: AbortSignal,
  cursor?: number,
): Promise<{ items: ListedItem[]; nextCursor: number | null; generatedAt: string; wanted: Wanted }> {
  const { q, filters } = wanted;
  const { data, meta } = await api.call(
    "listItems",
    { ...filtersOf(filters), q: q === "" ? undefined : q, limit: loadedMax, cursor },
    { signal },
  );
  const items: ListedItem[] = data;
  const split = cursor === undefined && items.length === 0 && filters.phase === undefined ? phaseIn(q) : null;
  if (split !== null) {
    return findItems(api, { q: split.rest, filters: { ...filters, phase: split.phase } }, signal);
  }
  const isNamed = items.some(({ market_hash_name }) => market_hash_name.toLowerCase() === q.toLowerCase());
  const mayHide = cursor === undefined && meta.next_cursor !== null && q !== "" && Object.keys(filters).length === 0;
  if (mayHide && !isNamed) items.unshift(...(await itemsNamed(api, q, signal)));
  return { items, nextCursor: meta.next_cursor, generatedAt: meta.generated_at, wanted };
}

function filtersOf({ ask_min, ask_max, ...others }: Wanted["filters"]): Params<"listItems"> {
  const number = (text: string | undefined) => (text === undefined ? undefined : Number(text));
  return { ...others, ask_min: number(ask_min), ask_max: number(ask_max) } as Params<"listItems">;
}

/**
 * Returns the items of the catalog that have exactly this name.
 * @throws {ItemtapeError | TransportError} when the API does not answer.
 */
async function itemsNamed(api: Api, name: string, signal: AbortSignal): Promise<ListedItem[]> {
  const { data } = await api.call("resolveItemNames", { names: [name] }, { signal });
  const candidates: { item_id: number; in_catalog: boolean }[] = data[0]?.candidates ?? [];
  const ids = candidates.flatMap(({ item_id, in_catalog }) => (in_catalog ? [item_id] : []));
  if (ids.length === 0) return [];
  const found = await api.call(
    "listItems",
    { item_ids: ids.slice(0, loadedMax).join(","), limit: loadedMax },
    { signal },
  );
  return found.data;
}
