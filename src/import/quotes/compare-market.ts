import type { ChangedItem } from "../../store/codec/changed-items.ts";
import { TimesChecksum } from "../../store/codec/times-checksum.ts";
import type { Database } from "../../store/database.ts";
import { BookReader, bookOf, type ItemRows, type QuoteRow } from "../../store/read/books.ts";
import {
  type EncodedBook,
  encodedBook,
  type IdentityTotals,
  MarketCount,
  type Totals,
} from "../../store/read/market-count.ts";
import { type MarketItem, MarketItems } from "../../store/read/market-items.ts";
import type { BestAskChange, QuoteChange } from "../../store/write/quotes.ts";
import type { Book, BookQuote } from "../../wire/quotes.ts";

/** The quotes of a feed by item. They may be compressed, so items must be read in ascending order. */
type QuotesByItem = Pick<ReadonlyMap<number, Book>, "keys" | "get">;

/** Keeps an export record, including its identity part, within 256 KiB. */
const quotesBytesMax = 250_000;

/** Fresh quotes of a feed, and the providers with published quotes to be replaced. */
export type FreshQuotes = { quotes: QuotesByItem; providers: ReadonlySet<string> };

/** The changes of a publication, and the resulting totals. */
export type ComparedMarket = {
  /** False if the published generation already has exactly these quotes and times. */
  isChanged: boolean;
  changes: QuoteChanges;
  bestAsks: BestAskChange[];
  /** Changed export records, in ascending item id. */
  items: ChangedItem[];
  totals: Totals & IdentityTotals;
};

const noRows: ItemRows = [];

/**
 * Compares the published market with fresh quotes of feeds. `moved` are the items that will enter or leave the catalog. Writes nothing. The
 * caller holds the import lock, so that quotes do not change meanwhile.
 */
export function compareMarket(
  database: Database,
  fresh: readonly FreshQuotes[],
  moved: ReadonlySet<number> = new Set(),
): ComparedMarket {
  return compareAtMost(database, fresh, { moved })!;
}

/** Like `compareMarket`, but returns null as soon as more than `rowsMax` rows change. */
export function compareAtMost(
  database: Database,
  fresh: readonly FreshQuotes[],
  { rowsMax = Number.POSITIVE_INFINITY, moved = new Set<number>() }: { rowsMax?: number; moved?: ReadonlySet<number> },
): ComparedMarket | null {
  const reader = new MarketItems(database);
  const changes = new QuoteChanges(database, fresh);
  const count = new MarketCount();
  const bestAsks: BestAskChange[] = [];
  const items: ChangedItem[] = [];
  const stored = new BookReader(database).within({ after: 0, upTo: reader.maxItemId() });
  let next = stored.next();
  for (const item of reader.all()) {
    const { itemId, inCatalog } = item;
    const isStored = next.done !== true && next.value[0] === itemId;
    const before = isStored ? next.value[1] : noRows;
    if (isStored) next = stored.next();
    const changed = changes.add(itemId, before);
    if (changes.rows.length > rowsMax) return null;
    const was = encodedBook(bookOf(before));
    const now = changed === null ? was : changed.now;
    const isMoved = moved.has(itemId);
    const isExported = inCatalog !== isMoved;
    const { quoteBytes, recordBytes } = count.add(item, isExported, now);
    if (changed !== null) addBestAsk(bestAsks, item, { before: was?.book, after: now?.book, quoteBytes });
    if (isMoved || (inCatalog && was?.text !== now?.text))
      items.push({ itemId, isNew: !inCatalog, bytes: isExported ? recordBytes : 0 });
  }
  const isChanged = changes.rows.length > 0 || changes.haveTimesMoved();
  return { isChanged, changes, bestAsks, items, totals: count.end() };
}

/**
 * Returns whether the published market has exactly these quotes and times. Only reads the rows of their providers, unless an item is too
 * large.
 */
export function isPublishedAlready(database: Database, fresh: FreshQuotes): boolean {
  const changes = new QuoteChanges(database, [fresh]);
  if (changes.haveTimesMoved()) return false;
  const books = new BookReader(database);
  const freshIds = idsOf(fresh.quotes);
  const upTo = new MarketItems(database).maxItemId();
  const isLeftOut = (itemId: number) => {
    const [rows = [itemId, noRows] as const] = books.within({ after: itemId - 1, upTo: itemId });
    return changes.add(...rows) === null;
  };
  let seen = 0;
  for (const [itemId, before] of books.within({ after: 0, upTo }, fresh.providers)) {
    for (; freshIds[seen]! < itemId; seen += 1) if (!isLeftOut(freshIds[seen]!)) return false;
    if (changes.add(itemId, before) !== null) return false;
    if (freshIds[seen] === itemId) seen += 1;
  }
  return freshIds.subarray(seen).every(isLeftOut);
}

/** The row changes of fresh quotes. Items must be added one by one in ascending id. */
export class QuoteChanges {
  readonly rows: QuoteChange[] = [];
  /** Items with a record that would be too large, by feed. Their quotes from this feed are left out. */
  readonly tooLarge: readonly number[][];
  /**
   * The source's time that all quotes of a provider share, UTC ms; null if their times differ. It covers each provider of the fresh quotes.
   */
  readonly sharedTimes: ReadonlyMap<string, number | null>;
  /** Checksum of the times in the replaced rows. */
  readonly timesBefore = new TimesChecksum();
  readonly #fresh: readonly FreshQuotes[];
  readonly #providers: ReadonlySet<string>;
  readonly #sharedBefore: ReadonlyMap<string, number | null>;
  #last: { itemId: number; rows: ReadonlyMap<string, QuoteRow> } = { itemId: 0, rows: new Map() };

  constructor(database: Database, fresh: readonly FreshQuotes[]) {
    this.#fresh = fresh;
    this.tooLarge = fresh.map(() => []);
    this.#providers = new Set(fresh.flatMap(({ providers }) => [...providers]));
    this.#sharedBefore = new BookReader(database).sharedTimes();
    const shared = sharedTimesOf(fresh);
    this.sharedTimes = new Map(Array.from(this.#providers, (provider) => [provider, shared.get(provider) ?? null]));
  }

  haveTimesMoved(): boolean {
    return [...this.sharedTimes].some(([provider, time]) => time !== (this.#sharedBefore.get(provider) ?? null));
  }

  /** Adds the changes of an item's rows. Returns its new quotes, or null without a change. */
  add(itemId: number, before: ItemRows): { now: EncodedBook | null } | null {
    const own = this.#ownRows(itemId);
    if (this.#areSame(before, own)) return null;
    let after = replaced(before, own, this.#providers);
    let now = encodedBook(bookOf(after));
    if (isTooLarge(now)) {
      after = this.#fitting(itemId, before);
      now = encodedBook(bookOf(after));
    }
    const count = this.rows.length;
    this.#addRows(itemId, before, after);
    return this.rows.length === count ? null : { now };
  }

  /**
   * Returns the row that a change stores. Null if the quotes were removed. Rows are rebuilt from the fresh quotes, because all rows
   * together are large. Call it in the order of the changes.
   */
  rowOf({ itemId, provider, isGone }: QuoteChange): QuoteRow | null {
    if (isGone) return null;
    if (this.#last.itemId !== itemId) this.#last = { itemId, rows: new Map(this.#ownRows(itemId)) };
    const row = this.#last.rows.get(provider)!;
    return this.#isShared(provider) ? withoutTimes(row) : row;
  }

  #isShared(provider: string): boolean {
    return this.sharedTimes.get(provider) !== null;
  }

  #wasShared(provider: string): boolean {
    return (this.#sharedBefore.get(provider) ?? null) !== null;
  }

  /** Returns the rows of an item's fresh quotes, in ascending slug. */
  #ownRows(itemId: number): ItemRows {
    let rows = noRows;
    for (const { quotes } of this.#fresh) {
      const book = quotes.get(itemId);
      if (book !== undefined) rows = rows.length === 0 ? rowsOf(book) : inSlugOrder([...rows, ...rowsOf(book)]);
    }
    return rows;
  }

  #areSame(before: ItemRows, own: ItemRows): boolean {
    let place = 0;
    for (const [provider, was] of before) {
      if (!this.#providers.has(provider)) continue;
      const now = own[place];
      if (now === undefined || now[0] !== provider || !this.#isSame(provider, was, now[1])) return false;
      place += 1;
    }
    return place === own.length;
  }

  #isSame(provider: string, was: QuoteRow, now: QuoteRow): boolean {
    const [wasShared, isShared] = [this.#wasShared(provider), this.#isShared(provider)];
    return (
      was.askCents === now.askCents &&
      was.bidCents === now.bidCents &&
      was.askQuantity === now.askQuantity &&
      was.bidQuantity === now.bidQuantity &&
      was.askUrl === now.askUrl &&
      was.bidUrl === now.bidUrl &&
      (wasShared ? null : was.askAsOf) === (isShared ? null : now.askAsOf) &&
      (wasShared ? null : was.bidAsOf) === (isShared ? null : now.bidAsOf)
    );
  }

  /** Returns the rows of an item with the fitting quotes of each feed. The result equals publishing the feeds one after another. */
  #fitting(itemId: number, before: ItemRows): ItemRows {
    let rows = before;
    for (const [feed, { quotes, providers }] of this.#fresh.entries()) {
      const book = quotes.get(itemId);
      const without = replaced(rows, noRows, providers);
      const fresh = book === undefined ? without : replaced(rows, rowsOf(book), providers);
      const isLeftOut = book !== undefined && isTooLarge(encodedBook(bookOf(fresh)));
      if (isLeftOut) this.tooLarge[feed]!.push(itemId);
      rows = isLeftOut ? without : fresh;
    }
    return rows;
  }

  #addRows(itemId: number, before: ItemRows, after: ItemRows): void {
    const stored = new Map(before);
    for (const [provider, now] of after) {
      if (!this.#providers.has(provider)) continue;
      const was = stored.get(provider) ?? null;
      stored.delete(provider);
      if (was !== null && this.#isSame(provider, was, now)) continue;
      const askSince = was !== null && was.askCents === now.askCents ? was.askSince : undefined;
      const isAskUrlNew = (was?.askUrl ?? null) !== now.askUrl;
      const isBidUrlNew = (was?.bidUrl ?? null) !== now.bidUrl;
      this.#push({ itemId, provider, isGone: false, askSince, isAskUrlNew, isBidUrlNew }, was);
    }
    for (const [provider, was] of stored) {
      if (!this.#providers.has(provider)) continue;
      const urls = { isAskUrlNew: was.askUrl !== null, isBidUrlNew: was.bidUrl !== null };
      this.#push({ itemId, provider, isGone: true, askSince: null, ...urls }, was);
    }
  }

  #push(change: QuoteChange, was: QuoteRow | null): void {
    const { provider, itemId } = change;
    this.rows.push(change);
    if (was === null) return;
    this.timesBefore.addQuote(provider, itemId, this.#wasShared(provider) ? withoutTimes(was) : was);
  }
}

function isTooLarge(quoted: EncodedBook | null): boolean {
  return quoted !== null && Buffer.byteLength(quoted.text) > quotesBytesMax;
}

/** Returns the rows of an item after replacing the rows of `providers` by `own`, in ascending slug. */
function replaced(rows: ItemRows, own: ItemRows, providers: ReadonlySet<string>): ItemRows {
  const kept = rows.filter(([provider]) => !providers.has(provider));
  return own.length === 0 ? kept : inSlugOrder([...kept, ...own]);
}

function rowsOf({ asks, bids }: Book): ItemRows {
  const rows = asks.map((ask) => rowOf(ask.provider, ask, of(bids, ask.provider)));
  for (const bid of bids) if (of(asks, bid.provider) === undefined) rows.push(rowOf(bid.provider, undefined, bid));
  return inSlugOrder(rows);
}

function of(quotes: readonly BookQuote[], provider: string): BookQuote | undefined {
  return quotes.find((quote) => quote.provider === provider);
}

function rowOf(provider: string, ask?: BookQuote, bid?: BookQuote): ItemRows[number] {
  const row = {
    askCents: ask?.amountCents ?? null,
    askQuantity: ask?.quantity ?? null,
    askAsOf: ask?.observedAt ?? null,
    askSince: null,
    bidCents: bid?.amountCents ?? null,
    bidQuantity: bid?.quantity ?? null,
    bidAsOf: bid?.observedAt ?? null,
    askUrl: ask?.url ?? null,
    bidUrl: bid?.url ?? null,
  };
  return [provider, row];
}

function inSlugOrder(rows: ItemRows[number][]): ItemRows {
  return rows.length < 2 ? rows : rows.sort(([one], [other]) => (one < other ? -1 : 1));
}

function withoutTimes(row: QuoteRow): QuoteRow {
  return { ...row, askAsOf: null, bidAsOf: null };
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
  // A new item with only bids has no row yet.
  changes.push({ itemId, best, isSame: isSame && before !== undefined, changedAt, quoteBytes });
}

/** Returns the source's time that all fresh quotes of a provider share, UTC ms, by provider. Null if their times differ. */
function sharedTimesOf(fresh: readonly FreshQuotes[]): Map<string, number | null> {
  const shared = new Map<string, number | null>();
  const see = ({ provider, observedAt }: BookQuote) => {
    const known = shared.get(provider);
    if (known === undefined) shared.set(provider, observedAt);
    else if (known !== observedAt) shared.set(provider, null);
  };
  for (const { quotes } of fresh) {
    for (const itemId of idsOf(quotes)) {
      const { asks, bids } = quotes.get(itemId)!;
      asks.forEach(see);
      bids.forEach(see);
    }
  }
  return shared;
}

function idsOf(fresh: QuotesByItem): Uint32Array {
  return Uint32Array.from(fresh.keys()).sort();
}
