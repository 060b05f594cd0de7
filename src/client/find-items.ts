import { meant, ranked as rankedBest } from "../values/search/rank.ts";
import type { Caller } from "./calls.ts";
import { ItemtapeError, TransportError } from "./errors.ts";
import type { Answer, CallOptions, Params, Row } from "./types.ts";

type CatalogItem = Row<"listItems">;
/** Filters of a search apart from its words. */
export type ItemFilters = Omit<Params<"listItems">, "q" | "cursor" | "limit">;
/** Identity of an item. */
export type FoundItem = Pick<CatalogItem, "item_id" | "market_hash_name" | "phase">;

/** Words and filters of a search. `text` is null for all items that pass the filters. */
export type Wanted = { text: string | null; filters: ItemFilters };
/**
 * Found items, best first. `hasMore` reports that the service has further items. `generatedAt` is the service's time of the last response.
 * `readAs` is the corrected search if a word was mistyped, else null.
 */
type Found<Item> = { items: Item[]; hasMore: boolean; generatedAt: string; readAs: string | null };
export type SearchOptions = {
  filters?: ItemFilters;
  /** `best` sorts by relevance, `cheapest` by lowest ask. */
  sort?: "best" | "cheapest";
  /** Maximum number of pages to load, with 100 items each. */
  pagesMax?: number;
  /** Number of cheapest items to return. More expensive items need not be loaded. */
  wanted?: number;
  call?: CallOptions;
};

const pageRows = 100;
/** Maximum cost of `suggestSearches` in units. */
export const hintUnitsMax = 3;

/**
 * Searches by words and ranks the loaded items. Each page costs a unit. Pass null as `text` for all items that pass the filters. If sorted
 * by `cheapest`, each further page excludes items above the `wanted`-th lowest ask so far.
 */
export async function searchItems(
  client: Caller,
  text: string | null,
  { filters = {}, sort = "best", pagesMax = 1, wanted = pageRows, call = {} }: SearchOptions = {},
): Promise<Found<CatalogItem>> {
  const rows: CatalogItem[] = [];
  let cursor: number | null = 0;
  let generatedAt = "";
  let readAs: string | null = null;
  for (let page = 0; cursor !== null && page < pagesMax; page += 1) {
    const asked: Params<"listItems"> = {
      ...filters,
      ...(sort === "cheapest" && boundsOf(rows, wanted, filters)),
      ...(text !== null && { q: text }),
      limit: pageRows,
      ...(cursor > 0 && { cursor }),
    };
    const { data, meta }: Answer<"listItems"> = await client.call("listItems", asked, call);
    rows.push(...data);
    ({ next_cursor: cursor, generated_at: generatedAt } = meta);
    readAs = readAsOf(meta);
  }
  return { items: ranked(rows, readAs ?? text, sort), hasMore: cursor !== null, generatedAt, readAs };
}

/** Returns the corrected search; null if it was not corrected, or if an older service does not report it. */
function readAsOf({ read_as }: { read_as?: string | null }): string | null {
  return read_as ?? null;
}

/**
 * Returns one page of a search. An item with exactly this name may be after the first page. If it was not loaded, it is looked up
 * separately (one request, or two if it exists).
 */
export async function searchPage(
  client: Caller,
  { text, filters }: Wanted,
  cursor: number | undefined,
  call: CallOptions = {},
): Promise<{ items: CatalogItem[]; nextCursor: number | null; generatedAt: string; readAs: string | null }> {
  const asked = { ...filters, q: text ?? undefined, limit: pageRows, cursor };
  const { data, meta } = await client.call("listItems", asked, call);
  const found = { items: data, nextCursor: meta.next_cursor, generatedAt: meta.generated_at, readAs: readAsOf(meta) };
  const isNamed = data.some(({ market_hash_name }) => market_hash_name.toLowerCase() === text?.toLowerCase());
  const isComplete = isNamed || found.nextCursor === null || Object.keys(filters).length > 0;
  if (text === null || cursor !== undefined || isComplete) return found;
  return { ...found, items: [...(await itemsNamed(client, text, call)), ...data] };
}

async function itemsNamed(client: Caller, name: string, call: CallOptions): Promise<CatalogItem[]> {
  const { data } = await client.call("resolveItemNames", { names: [name] }, call);
  const ids = (data[0]?.candidates ?? []).flatMap(({ item_id, in_catalog }) => (in_catalog ? [item_id] : []));
  return ids.length === 0 ? [] : itemsOf(client, ids, call);
}

async function itemsOf(client: Caller, ids: readonly number[], call: CallOptions): Promise<CatalogItem[]> {
  const asked = { item_ids: ids.slice(0, pageRows), limit: pageRows };
  return (await client.call("listItems", asked, call)).data;
}

/** Returns bounds of asks for the next page: only items with a price, and not above the `wanted`-th lowest ask so far. */
function boundsOf(rows: readonly CatalogItem[], wanted: number, { ask_min, ask_max }: ItemFilters): ItemFilters {
  const least = { ask_min: ask_min ?? 1 };
  const enough = rows.map(priceOf).sort((a, b) => a - b)[wanted - 1];
  return enough === undefined ? least : { ...least, ask_max: Math.min(enough, ask_max ?? enough) };
}

function priceOf({ best_ask_cents }: Pick<CatalogItem, "best_ask_cents">): number {
  return best_ask_cents ?? Number.POSITIVE_INFINITY;
}

/** Sorts items by search rank, or by lowest ask. */
export function ranked<Item extends Parameters<typeof rankedBest>[0][number] & Pick<CatalogItem, "best_ask_cents">>(
  rows: readonly Item[],
  text: string | null,
  sort: "best" | "cheapest" = "best",
): Item[] {
  const best = rankedBest(rows, text);
  return sort === "best" ? best : best.sort((a, b) => Math.sign(priceOf(a) - priceOf(b)) || 0);
}

/** Items that a text can mean. `one` is the intended item; null if several are possible. */
export type Meant = Found<FoundItem> & { one: FoundItem | null };

/**
 * Finds the items that `text` means: catalog items with exactly this name, else items with all its words, best first. Costs one unit, or
 * two if no item has the name.
 */
export async function findItems(client: Caller, text: string, call: CallOptions = {}): Promise<Meant> {
  const { data, meta } = await client.call("resolveItemNames", { names: [text] }, call);
  // A name without a phase belongs to the items of all its phases.
  const exact = data[0]!.candidates.filter(({ identity, in_catalog }) => identity === "exact" && in_catalog);
  if (exact.length > 0) {
    const items = exact.map(({ item_id, phase }) => ({ item_id, phase, market_hash_name: text }));
    const one = items.length === 1 ? items[0]! : null;
    return { items, one, hasMore: false, generatedAt: meta.generated_at, readAs: null };
  }
  const found = await searchItems(client, text, { call });
  return { ...found, one: meant(found.items, found.readAs ?? text, found.hasMore) };
}

/**
 * Suggests corrections of a search without results: without the filters, without quotes, or without one of the words. Returns sentences.
 * Sends at most `hintUnitsMax` requests, and stops at the first failure.
 */
export async function suggestSearches(
  client: Caller,
  text: string,
  filters: ItemFilters = {},
  call: CallOptions = {},
): Promise<string[]> {
  const hints: string[] = [];
  try {
    for (const { q, among, says } of likelySearches(text, filters).slice(0, hintUnitsMax)) {
      const found = await searchItems(client, q, { filters: among, call });
      if (found.items.length === 0) continue;
      hints.push(says(`finds ${countOf(found)}, such as ${nameOf(found)}`));
      if (q === text || text.includes('"')) break;
    }
  } catch (error) {
    // Suggestions are optional, so the result is returned without them.
    if (!(error instanceof ItemtapeError || error instanceof TransportError)) throw error;
  }
  return hints;
}

/** A suggested search. `says` makes the sentence about it from its results. */
type Likely = { q: string; among: ItemFilters; says: (finds: string) => string };

/** Returns searches without the filters or the quotes, then without one word each, the longest first. */
function likelySearches(text: string, filters: ItemFilters): Likely[] {
  const names = Object.keys(filters);
  const lifted = names.length === 0 ? "" : `, without ${names.join(", ")}`;
  const words = text.replaceAll('"', " ").split(/\s+/).filter(Boolean);
  const plain = words.join(" ");
  const without = words.toSorted((a, b) => b.length - a.length).map((left) => words.filter((word) => word !== left));
  return [
    ...(names.length > 0
      ? [{ q: text, among: {}, says: (finds: string) => `Without ${names.join(", ")} it ${finds}.` }]
      : []),
    ...(text.includes('"') && plain !== ""
      ? [{ q: plain, among: {}, says: (finds: string) => `Without quotes, \`${plain}\` ${finds}${lifted}.` }]
      : []),
    ...without.flatMap((rest) => {
      const q = rest.join(" ");
      return q === "" ? [] : [{ q, among: {}, says: (finds: string) => `\`${q}\` ${finds}${lifted}.` }];
    }),
  ];
}

function countOf({ items, hasMore }: Found<CatalogItem>): string {
  if (hasMore) return `more than ${items.length} items`;
  return `${items.length} ${items.length === 1 ? "item" : "items"}`;
}

function nameOf({ items }: Found<CatalogItem>): string {
  return items[0]!.market_hash_name;
}
