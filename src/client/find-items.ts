import { meant, ranked as rankedBest } from "../values/search/rank.ts";
import type { Caller } from "./calls.ts";
import { ItemtapeError, TransportError } from "./errors.ts";
import type { Answer, CallOptions, Params, Row } from "./types.ts";

type CatalogItem = Row<"listItems">;
/** Filters of a search besides its words. */
export type ItemFilters = Omit<Params<"listItems">, "q" | "cursor" | "limit">;
/** An item with what tells it apart. */
export type FoundItem = Pick<CatalogItem, "item_id" | "market_hash_name" | "phase">;

/** Words and filters of a search; `text` is null for every item that the filters let through. */
export type Wanted = { text: string | null; filters: ItemFilters };
/**
 * Items that were found, best first. `hasMore`: the service has further ones. `generatedAt`: its time of the last answer. `readAs`: the search
 * that the service made in the place of a mistyped one, else null.
 */
type Found<Item> = { items: Item[]; hasMore: boolean; generatedAt: string; readAs: string | null };
export type SearchOptions = {
  filters?: ItemFilters;
  /** Best: an exact name, then a known price, then a shorter name. Cheapest: the lowest ask first. */
  sort?: "best" | "cheapest";
  /** Pages of 100 to load at most. */
  pagesMax?: number;
  /** Items that are wanted of the cheapest: dearer ones need not be loaded. */
  wanted?: number;
  call?: CallOptions;
};

const pageRows = 100;
/** Most units that `whatWouldMatch` costs. */
export const hintUnitsMax = 3;

/**
 * Searches by words, a unit for each page, and ranks the loaded items. Of the cheapest, each further page holds only what is not dearer than what
 * is wanted of those before, so that few pages are enough. `text` null: every item that the filters let through.
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

/** Returns the search that was made; null also of a service of an older release. */
function readAsOf({ read_as }: { read_as?: string | null }): string | null {
  return read_as ?? null;
}

/**
 * Returns a page of a search: the first one, or the one after `cursor`. An item that has exactly the name may be behind the first page: if no
 * loaded item has it, it is asked for by itself (one request, two if it exists).
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

/** Returns the bounds of asks that the next page is to have: no item without a price, none that is dearer than those that are wanted. */
function boundsOf(rows: readonly CatalogItem[], wanted: number, { ask_min, ask_max }: ItemFilters): ItemFilters {
  const least = { ask_min: ask_min ?? 1 };
  const enough = rows.map(priceOf).sort((a, b) => a - b)[wanted - 1];
  return enough === undefined ? least : { ...least, ask_max: Math.min(enough, ask_max ?? enough) };
}

function priceOf({ best_ask_cents }: Pick<CatalogItem, "best_ask_cents">): number {
  return best_ask_cents ?? Number.POSITIVE_INFINITY;
}

/** Sorts items as a search shows them, or the lowest ask first. */
export function ranked<Item extends Parameters<typeof rankedBest>[0][number] & Pick<CatalogItem, "best_ask_cents">>(
  rows: readonly Item[],
  text: string | null,
  sort: "best" | "cheapest" = "best",
): Item[] {
  const best = rankedBest(rows, text);
  return sort === "best" ? best : best.sort((a, b) => Math.sign(priceOf(a) - priceOf(b)) || 0);
}

/** Items that a name or words can mean. `one`: the item that is meant; null if it may be any of them. */
export type Meant = Found<FoundItem> & { one: FoundItem | null };

/**
 * Finds the items that `text` means: those of exactly this name that are in the catalog, else those that have all its words, best first. One
 * unit, two where no item has the name.
 */
export async function findItems(client: Caller, text: string, call: CallOptions = {}): Promise<Meant> {
  const { data, meta } = await client.call("resolveItemNames", { names: [text] }, call);
  // The name alone, without a phase, is that of the items of all its phases.
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
 * Looks for what a search without rows most likely meant: what its words find without the filters, without quotes, or without one of the words.
 * Makes `hintUnitsMax` requests at most; a refusal or a failure ends it. Returns sentences.
 */
export async function whatWouldMatch(
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
    // What it would have told is worth less than the answer that is there.
    if (!(error instanceof ItemtapeError || error instanceof TransportError)) throw error;
  }
  return hints;
}

/** A search that may be meant, and the sentence about it with what it finds. */
type Likely = { q: string; among: ItemFilters; says: (finds: string) => string };

/** Returns searches for the same words without the filters or the quotes, else without one of the words, the longest first. */
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
