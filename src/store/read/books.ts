import { type Book, type BookQuote, inOrder } from "../../wire/quotes.ts";
import type { Database } from "../database.ts";

/** Stored ask and bid of one provider for one item. Times are UTC ms. */
export type QuoteRow = {
  readonly askCents: number | null;
  readonly askQuantity: number | null;
  /** The source's own time of the ask, or the time that all quotes of its provider share. Null if the source gave none. */
  readonly askAsOf: number | null;
  readonly askSince: number | null;
  readonly bidCents: number | null;
  readonly bidQuantity: number | null;
  readonly bidAsOf: number | null;
  readonly askUrl: string | null;
  readonly bidUrl: string | null;
};

/** The rows of one item, by ascending provider slug. */
export type ItemRows = readonly (readonly [provider: string, row: QuoteRow])[];

/** Items from `after` (exclusive) to `upTo` (inclusive). */
type Range = { after: number; upTo: number };
type StoredRow = [
  key: number,
  askCents: number | null,
  askQuantity: number | null,
  askAsOf: number | null,
  askSince: number | null,
  bidCents: number | null,
  bidQuantity: number | null,
  bidAsOf: number | null,
];
type StoredUrl = [key: number, side: "ask" | "bid", url: string];
type Linked = { -readonly [Name in keyof QuoteRow]: QuoteRow[Name] };
type Provider = { provider: string; number: number; quotesAsOf: number | null; hasUrls: number };

/** Items per page of rows. */
const pageItems = 256;

const columns = "ask_cents, ask_quantity, ask_as_of, ask_since, bid_cents, bid_quantity, bid_as_of";

/** Reads the quotes of the published generation. Callers that read in several steps hold one transaction. */
export class BookReader {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#statements = prepare(database);
  }

  /** Returns the quotes of an item in order, or null without quotes. */
  ofItem(itemId: number): Book | null {
    const { ofItem, urlsOfItem } = this.#statements;
    const rows = new Map<number, [string, Linked]>();
    for (const [provider, quotesAsOf, ...row] of ofItem.all(itemId))
      rows.set(row[0], [provider, quoteRowOf(row, quotesAsOf)]);
    if (rows.size === 0) return null;
    for (const [number, side, url] of urlsOfItem.all(itemId)) addUrl(rows.get(number)?.[1], side, url);
    return bookOf([...rows.values()]);
  }

  /** Returns the ids of all items with quotes. */
  quotedIds(): Set<number> {
    return new Set(this.#statements.quotedIds.all());
  }

  /** Returns the source's own time that all quotes of a provider share, UTC ms, by provider. The time is null if they share none. */
  sharedTimes(): Map<string, number | null> {
    return new Map(this.#statements.providers.all().map(({ provider, quotesAsOf }) => [provider, quotesAsOf]));
  }

  /** Yields the items of a range that have rows, in ascending id. `only` restricts the rows to these providers. */
  *within({ after, upTo }: Range, only?: ReadonlySet<string>): Generator<readonly [itemId: number, rows: ItemRows]> {
    const providers = this.#statements.providers.all().filter(({ provider }) => only?.has(provider) ?? true);
    // Skips ids without quotes, which can be many in a damaged file.
    for (let first = after; first < upTo; first = this.#before(providers, first + pageItems)) {
      yield* this.#page(providers, { after: first, upTo: Math.min(upTo, first + pageItems) });
    }
  }

  /** Returns the id before the first one after `after` that has rows. */
  #before(providers: readonly Provider[], after: number): number {
    const next = providers.map(({ number }) => this.#statements.next.get(number, after) ?? Number.POSITIVE_INFINITY);
    return Math.max(after, Math.min(...next) - 1);
  }

  *#page(providers: readonly Provider[], range: Range): Generator<readonly [itemId: number, rows: ItemRows]> {
    const byItem = new Map<number, [string, Linked][]>();
    for (const { provider, number, quotesAsOf, hasUrls } of providers) {
      for (const row of this.#statements.rows.all(number, range.after, range.upTo)) {
        const made: [string, Linked] = [provider, quoteRowOf(row, quotesAsOf)];
        const known = byItem.get(row[0]);
        if (known === undefined) byItem.set(row[0], [made]);
        else known.push(made);
      }
      if (hasUrls === 0) continue;
      for (const [itemId, side, url] of this.#statements.urls.all(number, range.after, range.upTo)) {
        const last = byItem.get(itemId)?.at(-1);
        addUrl(last?.[0] === provider ? last[1] : undefined, side, url);
      }
    }
    for (const itemId of Uint32Array.from(byItem.keys()).sort()) yield [itemId, byItem.get(itemId)!];
  }
}

function quoteRowOf(row: StoredRow, quotesAsOf: number | null): Linked {
  const [, askCents, askQuantity, askAsOf, askSince, bidCents, bidQuantity, bidAsOf] = row;
  return {
    askCents,
    askQuantity,
    askAsOf: askCents === null ? askAsOf : (askAsOf ?? quotesAsOf),
    askSince,
    bidCents,
    bidQuantity,
    bidAsOf: bidCents === null ? bidAsOf : (bidAsOf ?? quotesAsOf),
    askUrl: null,
    bidUrl: null,
  };
}

/** Ignores a URL without a quote, which `db check` reports. */
function addUrl(row: Linked | undefined, side: "ask" | "bid", url: string): void {
  if (row === undefined) return;
  if (side === "ask") row.askUrl = url;
  else row.bidUrl = url;
}

/** Returns the quotes of rows in order, or null without rows. */
export function bookOf(rows: ItemRows): Book | null {
  if (rows.length === 0) return null;
  const asks: BookQuote[] = [];
  const bids: BookQuote[] = [];
  for (const [provider, row] of rows) {
    const { askCents, bidCents } = row;
    if (askCents !== null)
      asks.push({
        provider,
        amountCents: askCents,
        quantity: row.askQuantity,
        url: row.askUrl,
        observedAt: row.askAsOf,
      });
    if (bidCents !== null)
      bids.push({
        provider,
        amountCents: bidCents,
        quantity: row.bidQuantity,
        url: row.bidUrl,
        observedAt: row.bidAsOf,
      });
  }
  return inOrder({ asks, bids });
}

/** Not built by Drizzle: mapping tens of thousands of rows by name is slow. */
function prepare({ $client: client }: Database) {
  const inRange = "provider_id = (SELECT ?) AND item_id > (SELECT ?) AND item_id <= (SELECT ?)";
  type RangeOf = [number: number, after: number, upTo: number];
  return {
    providers: client.prepare<[], Provider>(
      `SELECT n.provider, n.number, p.quotes_as_of AS quotesAsOf,
         EXISTS (SELECT 1 FROM quote_urls u WHERE u.provider_id = n.number) AS hasUrls
       FROM frame_providers n JOIN providers p USING (provider) ORDER BY n.provider`,
    ),
    next: client
      .prepare<[number, number], number | null>(
        "SELECT min(item_id) FROM quotes WHERE provider_id = (SELECT ?) AND item_id > (SELECT ?)",
      )
      .pluck(),
    quotedIds: client.prepare<[], number>("SELECT item_id FROM best_asks").pluck(),
    rows: client.prepare<RangeOf, StoredRow>(`SELECT item_id, ${columns} FROM quotes WHERE ${inRange}`).raw(),
    urls: client.prepare<RangeOf, StoredUrl>(`SELECT item_id, side, url FROM quote_urls WHERE ${inRange}`).raw(),
    // URLs are read apart, because joining them to each row costs twice as much.
    ofItem: client
      .prepare<[number], [provider: string, quotesAsOf: number | null, ...StoredRow]>(
        `SELECT n.provider, p.quotes_as_of, q.provider_id, ${columns}
         FROM frame_providers n CROSS JOIN quotes q ON q.provider_id = n.number AND q.item_id = (SELECT ?)
           CROSS JOIN providers p ON p.provider = n.provider`,
      )
      .raw(),
    urlsOfItem: client
      .prepare<[number], StoredUrl>(
        `SELECT u.provider_id, u.side, u.url
         FROM frame_providers n CROSS JOIN quote_urls u ON u.provider_id = n.number AND u.item_id = (SELECT ?)`,
      )
      .raw(),
  };
}
