import type { ChangedItem } from "../../store/codec/changed-items.ts";
import type { Database } from "../../store/database.ts";
import { BookReader, bookOf, type ItemRows, type QuoteRow } from "../../store/read/books.ts";
import { encodedBook, type IdentityTotals, MarketCount, type Totals } from "../../store/read/market-count.ts";
import { type MarketItem, MarketItems } from "../../store/read/market-items.ts";
import type { BestAskChange, QuoteChange } from "../../store/write/quotes.ts";
import type { Book, BookQuote } from "../../wire/quotes.ts";

/** Offer or buy order of a feed. `observedAt` is the source's own time in UTC ms; null: it gave none. */
export type FeedQuote = BookQuote;

/** All quotes of one feed for one item. */
export type ItemQuotes = Book;

/** What the fresh quotes of a publication are asked for: the items, and then the quotes of each in ascending order. */
export type QuotesByItem = Pick<ReadonlyMap<number, ItemQuotes>, "keys" | "get">;

/** Keeps an export record, its identity part included, within 256 KiB. */
const quotesBytesMax = 250_000;

/** Fresh quotes, and the providers of which they replace all that is published. */
export type FreshQuotes = { quotes: QuotesByItem; providers: ReadonlySet<string> };

/** What a publication changes, and the whole of it. */
export type ComparedMarket = {
  /** False: the published generation has exactly these quotes and times already. */
  isChanged: boolean;
  quotes: QuoteChange[];
  bestAsks: BestAskChange[];
  /** The source's own time that all quotes of a provider share, UTC ms; null: they share none. Of each provider that fresh quotes replace. */
  sharedTimes: ReadonlyMap<string, number | null>;
  /** What changed of exports, in ascending item id. */
  items: ChangedItem[];
  totals: Totals & IdentityTotals;
  /** Items of the fresh quotes in the market, and those whose record would have been too large. */
  feedItems: number;
  tooLarge: number[];
};

const noRows: ItemRows = [];

/**
 * Compares the published market with fresh quotes in the place of some providers'. `moved`: the items that are about to enter or leave the
 * catalog. Writes nothing; the caller holds the import lock, so that nobody else changes a quote meanwhile.
 */
export function compareMarket(
  database: Database,
  { quotes: fresh, providers }: FreshQuotes,
  moved: ReadonlySet<number> = new Set(),
): ComparedMarket {
  return compareAtMost(database, { quotes: fresh, providers }, { moved })!;
}

/** Does the same. Returns null as soon as more than `rowsMax` rows change: hundreds of thousands take hundreds of megabytes. */
export function compareAtMost(
  database: Database,
  { quotes: fresh, providers }: FreshQuotes,
  { rowsMax = Number.POSITIVE_INFINITY, moved = new Set<number>() }: { rowsMax?: number; moved?: ReadonlySet<number> },
): ComparedMarket | null {
  const items = new MarketItems(database);
  const times = new RowTimes(database, fresh);
  const count = new MarketCount();
  const compared: Omit<ComparedMarket, "isChanged" | "totals"> = {
    quotes: [],
    bestAsks: [],
    sharedTimes: new Map(Array.from(providers, (provider) => [provider, times.shared(provider)])),
    items: [],
    feedItems: 0,
    tooLarge: [],
  };
  const stored = new BookReader(database).within({ after: 0, upTo: items.maxItemId() });
  let next = stored.next();
  for (const item of items.all()) {
    const { itemId, inCatalog } = item;
    const isStored = next.done !== true && next.value[0] === itemId;
    const before = isStored ? next.value[1] : noRows;
    if (isStored) next = stored.next();
    const quotes = fresh.get(itemId);
    let rows = rowsAfter(before, quotes, providers);
    let quoted = encodedBook(bookOf(rows));
    if (quotes !== undefined && quoted !== null) {
      if (Buffer.byteLength(quoted.text) <= quotesBytesMax) compared.feedItems += 1;
      else {
        compared.tooLarge.push(itemId);
        rows = rowsAfter(before, undefined, providers);
        quoted = encodedBook(bookOf(rows));
      }
    }
    const isMoved = moved.has(itemId);
    const isExported = inCatalog !== isMoved;
    const { quoteBytes, recordBytes } = count.add(item, isExported, quoted);
    const isSame = rows === before || !addChanges(compared.quotes, itemId, { before, after: rows, providers, times });
    if (compared.quotes.length > rowsMax) return null;
    const was = isSame ? quoted : encodedBook(bookOf(before));
    if (!isSame) addBestAsk(compared.bestAsks, item, { before: was?.book, after: quoted?.book, quoteBytes });
    if (isMoved || (inCatalog && !isSame && was?.text !== quoted?.text))
      compared.items.push({ itemId, isNew: !inCatalog, bytes: isExported ? recordBytes : 0 });
  }
  const isChanged = compared.quotes.length > 0 || times.haveChanged(providers);
  return { ...compared, isChanged, totals: count.end() };
}

/** Returns whether the published market has exactly these quotes and times. Reads the rows of their providers alone. */
export function isPublishedAlready(database: Database, { quotes: fresh, providers }: FreshQuotes): boolean {
  const times = new RowTimes(database, fresh);
  if (times.haveChanged(providers)) return false;
  const freshIds = idsOf(fresh);
  const upTo = new MarketItems(database).maxItemId();
  const changes: QuoteChange[] = [];
  let seen = 0;
  for (const [itemId, before] of new BookReader(database).within({ after: 0, upTo }, providers)) {
    if (freshIds[seen] !== itemId) return false;
    seen += 1;
    const after = rowsAfter([], fresh.get(itemId), providers);
    if (addChanges(changes, itemId, { before, after, providers, times })) return false;
  }
  return seen === freshIds.length;
}

/** Returns the rows of an item with fresh quotes in the place of those of `providers`, in ascending slug; the same where none is replaced. */
function rowsAfter(before: ItemRows, fresh: ItemQuotes | undefined, providers: ReadonlySet<string>): ItemRows {
  if (fresh === undefined && !before.some(([provider]) => providers.has(provider))) return before;
  const kept = before.filter(([provider]) => !providers.has(provider));
  if (fresh === undefined) return kept;
  return [...kept, ...rowsOf(fresh)].sort(([one], [other]) => (one < other ? -1 : 1));
}

function rowsOf({ asks, bids }: ItemQuotes): [provider: string, row: QuoteRow][] {
  const rows = new Map<string, QuoteRow>();
  for (const { provider, amountCents, quantity, url, observedAt } of asks) {
    const ask = { askCents: amountCents, askQuantity: quantity, askUrl: url, askAsOf: observedAt };
    rows.set(provider, { ...noSides, ...ask });
  }
  for (const { provider, amountCents, quantity, url, observedAt } of bids) {
    const bid = { bidCents: amountCents, bidQuantity: quantity, bidUrl: url, bidAsOf: observedAt };
    rows.set(provider, { ...(rows.get(provider) ?? noSides), ...bid });
  }
  return [...rows];
}

const noSides: QuoteRow = {
  askCents: null,
  askQuantity: null,
  askAsOf: null,
  askSince: null,
  bidCents: null,
  bidQuantity: null,
  bidAsOf: null,
  askUrl: null,
  bidUrl: null,
};

type Comparison = { before: ItemRows; after: ItemRows; providers: ReadonlySet<string>; times: RowTimes };

/** Adds the rows of an item that came, changed or went. Returns whether there is one. */
function addChanges(changes: QuoteChange[], itemId: number, { before, after, providers, times }: Comparison): boolean {
  const count = changes.length;
  const stored = new Map(before.filter(([provider]) => providers.has(provider)));
  for (const [provider, row] of after) {
    if (!providers.has(provider)) continue;
    const old = stored.get(provider) ?? null;
    stored.delete(provider);
    const now = times.toStore(provider, row);
    const was = old === null ? null : times.asStored(provider, old);
    if (was !== null && isSameRow(was, now)) continue;
    const since = was !== null && was.askCents === now.askCents ? was.askSince : undefined;
    changes.push({ provider, itemId, before: was, after: now, askSince: since });
  }
  for (const [provider, old] of stored)
    changes.push({ provider, itemId, before: times.asStored(provider, old), after: null, askSince: null });
  return changes.length > count;
}

function isSameRow(one: QuoteRow, other: QuoteRow): boolean {
  return (
    one.askCents === other.askCents &&
    one.askQuantity === other.askQuantity &&
    one.askAsOf === other.askAsOf &&
    one.bidCents === other.bidCents &&
    one.bidQuantity === other.bidQuantity &&
    one.bidAsOf === other.bidAsOf &&
    one.askUrl === other.askUrl &&
    one.bidUrl === other.bidUrl
  );
}

function addBestAsk(
  changes: BestAskChange[],
  item: MarketItem,
  { before, after, quoteBytes }: { before: Book | undefined; after: Book | undefined; quoteBytes: number | null },
): void {
  const { itemId, changedAt } = item;
  const [was, now] = [before?.asks[0], after?.asks[0]];
  const isSame = was?.amountCents === now?.amountCents && was?.provider === now?.provider;
  if (isSame && item.quoteBytes === quoteBytes) return;
  const best = now === undefined ? null : { cents: now.amountCents, provider: now.provider };
  // An item of bids alone that came has no row yet.
  changes.push({ itemId, best, isSame: isSame && before !== undefined, changedAt, quoteBytes });
}

/** Source times as rows hold them: a time that all quotes of a provider share is that of the provider, and no row has it. */
class RowTimes {
  readonly #before: ReadonlyMap<string, number | null>;
  /** Undefined: no quote of the provider came yet. */
  readonly #shared = new Map<string, number | null>();

  constructor(database: Database, fresh: QuotesByItem) {
    this.#before = new BookReader(database).sharedTimes();
    for (const itemId of idsOf(fresh)) {
      const { asks, bids } = fresh.get(itemId)!;
      for (const { provider, observedAt } of asks) this.#see(provider, observedAt);
      for (const { provider, observedAt } of bids) this.#see(provider, observedAt);
    }
  }

  shared(provider: string): number | null {
    return this.#shared.get(provider) ?? null;
  }

  haveChanged(providers: Iterable<string>): boolean {
    return [...providers].some((provider) => this.shared(provider) !== (this.#before.get(provider) ?? null));
  }

  toStore(provider: string, row: QuoteRow): QuoteRow {
    return this.shared(provider) === null ? row : withoutTimes(row);
  }

  asStored(provider: string, row: QuoteRow): QuoteRow {
    return (this.#before.get(provider) ?? null) === null ? row : withoutTimes(row);
  }

  #see(provider: string, observedAt: number | null): void {
    const known = this.#shared.get(provider);
    if (known === undefined) this.#shared.set(provider, observedAt);
    else if (known !== observedAt) this.#shared.set(provider, null);
  }
}

function idsOf(fresh: QuotesByItem): Uint32Array {
  return Uint32Array.from(fresh.keys()).sort();
}

function withoutTimes(row: QuoteRow): QuoteRow {
  return { ...row, askAsOf: null, bidAsOf: null };
}
