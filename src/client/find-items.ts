import { attemptsOf, wordsOfNames, wordsOfSearch } from "../values/text/nearest-word.ts";
import { phaseIn } from "../values/text/phases.ts";
import { nearestOf } from "../values/text/suggestion.ts";
import type { Caller } from "./calls.ts";
import { ItemtapeError, TransportError } from "./errors.ts";
import type { Answer, CallOptions, Params, Row } from "./types.ts";

type CatalogItem = Row<"listItems">;
/** Filters of a search besides its words. */
export type ItemFilters = Omit<Params<"listItems">, "q" | "cursor" | "limit">;
/** An item with what tells it apart. */
export type FoundItem = Pick<CatalogItem, "item_id" | "market_hash_name" | "phase">;

/** Items that were found, best first. `hasMore`: the service has further ones. `generatedAt`: its time of the last answer. */
type Found<Item> = { items: Item[]; hasMore: boolean; generatedAt: string };
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
/** Words that stand for a wear or the stat counter and are no parts of names. */
const exteriorWords = new Set(["fn", "mw", "ft", "ww", "bs", "st"]);

/**
 * Searches by words, a unit for each page. Words that no name has, one of them a phase (`ruby`, `phase 2`), are searched for without it among
 * the items of the phase: all of those where it is the only word. Ranks what was loaded. Of the cheapest, each further page holds only what is not dearer than what
 * is wanted of those before, so that few pages are enough. `text` null: every item that the filters let through.
 */
export async function searchItems(
  client: Caller,
  text: string | null,
  options: SearchOptions = {},
): Promise<Found<CatalogItem>> {
  const found = await searchNames(client, text, options);
  const split = text === null || options.filters?.phase !== undefined ? null : phaseIn(text);
  if (found.items.length > 0 || split === null) return found;
  return searchNames(client, split.rest || null, { ...options, filters: { ...options.filters, phase: split.phase } });
}

/** Searches the names alone. */
async function searchNames(
  client: Caller,
  text: string | null,
  { filters = {}, sort = "best", pagesMax = 1, wanted = pageRows, call = {} }: SearchOptions,
): Promise<Found<CatalogItem>> {
  const rows: CatalogItem[] = [];
  let cursor: number | null = 0;
  let generatedAt = "";
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
  }
  return { items: ranked(rows, text, sort), hasMore: cursor !== null, generatedAt };
}

/** Returns the bounds of asks that the next page is to have: no item without a price, none that is dearer than those that are wanted. */
function boundsOf(rows: readonly CatalogItem[], wanted: number, { ask_min, ask_max }: ItemFilters): ItemFilters {
  const least = { ask_min: ask_min ?? 1 };
  const enough = rows.map(priceOf).sort((a, b) => a - b)[wanted - 1];
  return enough === undefined ? least : { ...least, ask_max: Math.min(enough, ask_max ?? enough) };
}

function priceOf({ best_ask_cents }: CatalogItem): number {
  return best_ask_cents ?? Number.POSITIVE_INFINITY;
}

function ranked(rows: readonly CatalogItem[], text: string | null, sort: "best" | "cheapest"): CatalogItem[] {
  const exact = text?.toLowerCase();
  const rank = ({ market_hash_name, best_ask_cents }: CatalogItem) =>
    market_hash_name.toLowerCase() === exact ? 0 : best_ask_cents === null ? 2 : 1;
  return rows.toSorted(
    (a, b) =>
      (sort === "cheapest" && priceOf(a) !== priceOf(b) ? priceOf(a) - priceOf(b) : rank(a) - rank(b)) ||
      a.market_hash_name.length - b.market_hash_name.length ||
      a.item_id - b.item_id,
  );
}

/**
 * Finds the items that `text` means: those of exactly this name that are in the catalog, else those that have all its words, best first. One
 * unit, two where no item has the name, three where one of the words is a phase.
 */
export async function findItems(client: Caller, text: string, call: CallOptions = {}): Promise<Found<FoundItem>> {
  const { data, meta } = await client.call("resolveItemNames", { names: [text] }, call);
  // The name alone, without a phase, is that of the items of all its phases.
  const exact = data[0]!.candidates.filter(({ identity, in_catalog }) => identity === "exact" && in_catalog);
  if (exact.length > 0) {
    const items = exact.map(({ item_id, phase }) => ({ item_id, phase, market_hash_name: text }));
    return { items, hasMore: false, generatedAt: meta.generated_at };
  }
  return searchItems(client, text, { call });
}

/**
 * Looks for what a search without rows most likely meant: what its words find without the filters, without quotes, or without one of the words, and the
 * nearest word of the names that are found so. Makes `hintUnitsMax` requests at most; a refusal or a failure ends it. Returns sentences.
 */
export async function whatWouldMatch(
  client: Caller,
  text: string,
  filters: ItemFilters = {},
  call: CallOptions = {},
): Promise<string[]> {
  const hints: string[] = [];
  let left = hintUnitsMax;
  const load = (q: string | null, among: ItemFilters = {}) => {
    left -= 1;
    return searchNames(client, q, { filters: among, call });
  };
  try {
    for (const { q, among, says } of likelySearches(text, filters).slice(0, left)) {
      const found = await load(q, among);
      if (found.items.length > 0) return [says(`finds ${countOf(found)}, such as ${nameOf(found)}`)];
    }
    const plain = wordsOfSearch(text);
    const words = wordsOfSearch(phaseIn(plain.join(" "))?.rest || text);
    const lifted = withoutText(Object.keys(filters));
    for (const { before, after, word, isPart } of attemptsOf(words).slice(0, left)) {
      const rest = [...before, ...after].join(" ");
      const found = await load(rest);
      if (found.items.length === 0) continue;
      const nearest = nearestOf(word, wordsOf(found, [...before, ...after]));
      // The word itself is well typed: the phase or the filters leave no item.
      if (nearest === word.toLowerCase()) continue;
      if (nearest !== null) {
        const meant = isPart ? nearest : [...before, nearest, ...after].join(" ");
        hints.push(`\`${meant}\` finds something, with \`${nearest}\` for \`${word}\`${lifted}.`);
        return hints;
      }
      if (!isPart) hints.push(`\`${rest}\` finds ${countOf(found)}, such as ${nameOf(found)}${lifted}.`);
    }
  } catch (error) {
    // What it would have told is worth less than the answer that is there.
    if (!(error instanceof ItemtapeError || error instanceof TransportError)) throw error;
  }
  return hints;
}

/** A search that may be meant, and the sentence about it with what it finds. */
type Likely = { q: string | null; among: ItemFilters; says: (finds: string) => string };

/** Returns searches for the same words without the filters or the quotes, one of the words a phase where it can be one; the likeliest first. */
function likelySearches(text: string, filters: ItemFilters): Likely[] {
  const names = Object.keys(filters);
  const besidesPhase = withoutText(names.filter((name) => name !== "phase"));
  const words = wordsOfSearch(text).join(" ");
  const plain = text.includes('"') && words !== "" ? words : null;
  const searches: Likely[] = [];
  const addPhase = (split: ReturnType<typeof phaseIn>, among: ItemFilters, start: string, end: string) => {
    if (split === null) return;
    const { rest, phase } = split;
    const what = `${rest === "" ? "No words" : `\`${rest}\``} with phase ${phase}`;
    searches.push({ q: rest || null, among: { ...among, phase }, says: (finds) => `${start}${what} ${finds}${end}.` });
  };
  addPhase(phaseIn(text), filters, "", "");
  if (besidesPhase !== "") addPhase(phaseIn(text), {}, "", besidesPhase);
  if (plain !== null) addPhase(phaseIn(plain), {}, "Without quotes, ", besidesPhase);
  if (names.length > 0) {
    searches.push({ q: text, among: {}, says: (finds) => `Without ${names.join(", ")} it ${finds}.` });
  }
  if (plain !== null) {
    const says = (finds: string) => `Without quotes, \`${plain}\` ${finds}${withoutText(names)}.`;
    searches.push({ q: plain, among: {}, says });
  }
  return searches;
}

/** Returns the end of a sentence about a search without these filters. */
function withoutText(names: readonly string[]): string {
  return names.length === 0 ? "" : `, without ${names.join(", ")}`;
}

/** Returns the words, lower case, of the names that have all of `among`: a search takes its words from one name, in one language. */
function wordsOf({ items }: Found<CatalogItem>, among: readonly string[]): string[] {
  const parts = among.filter((word) => !exteriorWords.has(word.toLowerCase())).map(lettersOf);
  const names = items
    .flatMap(({ market_hash_name, name_ru }) => [market_hash_name, name_ru ?? ""])
    .filter((name) => parts.every((part) => lettersOf(name).includes(part)));
  return wordsOfNames(names);
}

/** Returns a text without what has no weight in a search. */
function lettersOf(text: string): string {
  return text
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}

function countOf({ items, hasMore }: Found<CatalogItem>): string {
  if (hasMore) return `more than ${items.length} items`;
  return `${items.length} ${items.length === 1 ? "item" : "items"}`;
}

function nameOf({ items }: Found<CatalogItem>): string {
  return items[0]!.market_hash_name;
}
