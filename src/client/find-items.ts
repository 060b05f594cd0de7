import { wears } from "../values/text/item-names.ts";
import { attemptsOf, wordsOfNames, wordsOfSearch } from "../values/text/nearest-word.ts";
import { phaseIn } from "../values/text/phases.ts";
import { nearestOf } from "../values/text/suggestion.ts";
import type { Caller } from "./calls.ts";
import { ItemtapeError, TransportError } from "./errors.ts";
import type { Answer, CallOptions, Params, Row } from "./types.ts";

type CatalogItem = Row<"listItems">;
type Ranked = Pick<CatalogItem, "item_id" | "market_hash_name" | "best_ask_cents">;
/** Filters of a search besides its words. */
export type ItemFilters = Omit<Params<"listItems">, "q" | "cursor" | "limit">;
/** An item with what tells it apart. */
export type FoundItem = Pick<CatalogItem, "item_id" | "market_hash_name" | "phase">;

/** Words and filters of a search; `text` is null for every item that the filters let through. */
export type Wanted = { text: string | null; filters: ItemFilters };
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
const exteriorWords = new Set([...wears.map(({ code }) => code.toLowerCase()), "st"]);

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
  return orByPhase({ text, filters: options.filters ?? {} }, ({ text: words, filters }) =>
    searchNames(client, words, { ...options, filters }),
  );
}

/** Searches, and again with the phase of a word as a filter if nothing was found. */
async function orByPhase<Result extends { items: readonly unknown[] }>(
  wanted: Wanted,
  search: (wanted: Wanted) => Promise<Result>,
): Promise<Result> {
  const found = await search(wanted);
  const split = wanted.text === null || wanted.filters.phase !== undefined ? null : phaseIn(wanted.text);
  if (found.items.length > 0 || split === null) return found;
  return search({ text: split.rest || null, filters: { ...wanted.filters, phase: split.phase } });
}

/**
 * Returns a page of a search: the first one, or the one after `cursor`. An item that has exactly the name may be behind the first page: if no
 * loaded item has it, it is asked for by itself (one request, two if it exists). `wanted` is the search that found the items.
 */
export async function searchPage(
  client: Caller,
  wanted: Wanted,
  cursor: number | undefined,
  call: CallOptions = {},
): Promise<{ items: CatalogItem[]; nextCursor: number | null; generatedAt: string; wanted: Wanted }> {
  const load = async (searched: Wanted) => {
    const asked = { ...searched.filters, q: searched.text ?? undefined, limit: pageRows, cursor };
    const { data, meta } = await client.call("listItems", asked, call);
    return { items: data, nextCursor: meta.next_cursor, generatedAt: meta.generated_at, wanted: searched };
  };
  if (cursor !== undefined) return load(wanted);
  const found = await orByPhase(wanted, load);
  const { text, filters } = found.wanted;
  const isNamed = found.items.some(({ market_hash_name }) => market_hash_name.toLowerCase() === text?.toLowerCase());
  if (text === null || isNamed || found.nextCursor === null || Object.keys(filters).length > 0) return found;
  return { ...found, items: [...(await itemsNamed(client, text, call)), ...found.items] };
}

async function itemsNamed(client: Caller, name: string, call: CallOptions): Promise<CatalogItem[]> {
  const { data } = await client.call("resolveItemNames", { names: [name] }, call);
  const ids = (data[0]?.candidates ?? []).flatMap(({ item_id, in_catalog }) => (in_catalog ? [item_id] : []));
  if (ids.length === 0) return [];
  const asked = { item_ids: ids.slice(0, pageRows).join(","), limit: pageRows };
  return (await client.call("listItems", asked, call)).data;
}

/**
 * Finds the search that one without rows most likely means: its words without quotes, or with the nearest word of the names that the other
 * words find in the place of a mistyped one. Makes at most two requests. Null if no search is near.
 */
export async function nearestSearch(client: Caller, text: string, call: CallOptions = {}): Promise<string | null> {
  const load = (q: string) => searchNames(client, q, { call });
  const isQuoted = text.includes('"');
  const plain = isQuoted ? wordsOfSearch(text).join(" ") : text;
  if (isQuoted && plain !== "" && (await load(plain)).items.length > 0) return plain;
  for await (const { word, nearest } of nearestWords(wordsOfSearch(plain), isQuoted ? 1 : 2, load)) {
    const parts = plain.split(/([\s"]+)/);
    if (nearest !== null) return parts.map((part) => (part === word ? nearest : part)).join("");
  }
  return null;
}

type Attempted = ReturnType<typeof attemptsOf>[number] & {
  rest: string;
  found: Found<CatalogItem>;
  /** Of the names that were found; null if none is near. */
  nearest: string | null;
};

/** Yields searches for all but one of the words that find something, except for a word that is well typed. Makes `requests` at most. */
async function* nearestWords(
  words: readonly string[],
  requests: number,
  load: (q: string) => Promise<Found<CatalogItem>>,
): AsyncGenerator<Attempted, void, undefined> {
  for (const attempt of attemptsOf(words).slice(0, requests)) {
    const others = [...attempt.before, ...attempt.after];
    const rest = others.join(" ");
    const found = await load(rest);
    if (found.items.length === 0) continue;
    const nearest = nearestOf(attempt.word, wordsOf(found, others));
    // The word itself is well typed: the phase or the filters leave no item.
    if (nearest !== attempt.word.toLowerCase()) yield { ...attempt, rest, found, nearest };
  }
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

function priceOf({ best_ask_cents }: Ranked): number {
  return best_ask_cents ?? Number.POSITIVE_INFINITY;
}

/** Sorts items: an exact name first, then known prices, then shorter names; or the lowest ask first. */
export function ranked<Item extends Ranked>(
  rows: readonly Item[],
  text: string | null,
  sort: "best" | "cheapest" = "best",
): Item[] {
  const exact = text?.toLowerCase();
  const rank = ({ market_hash_name, best_ask_cents }: Ranked) =>
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
    for await (const { before, after, word, isPart, rest, found, nearest } of nearestWords(words, left, load)) {
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
