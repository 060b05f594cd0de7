import { type Book, type BookQuote, inOrder } from "../../wire/quotes.ts";
import type { Database } from "../database.ts";

/** What one provider offers and asks for of one item, as it is stored; times in UTC ms. */
export type QuoteRow = {
  readonly askCents: number | null;
  readonly askQuantity: number | null;
  /** The source's own time, whether it is the quote's own or that of all quotes of its provider; null: it gave none. */
  readonly askAsOf: number | null;
  readonly askSince: number | null;
  readonly bidCents: number | null;
  readonly bidQuantity: number | null;
  readonly bidAsOf: number | null;
  readonly askUrl: string | null;
  readonly bidUrl: string | null;
};

/** The rows of one item, in ascending slug of their providers. */
export type ItemRows = readonly (readonly [provider: string, row: QuoteRow])[];

/** Items `after` (exclusive) to `upTo` (inclusive). */
type Range = { after: number; upTo: number };
type StoredRow = QuoteRow & { itemId: number };
type Provider = { provider: string; number: number; quotesAsOf: number | null; hasUrls: number };

/** Items whose rows are read at once. */
const pageItems = 2048;

const columns = `q.ask_cents AS askCents, q.ask_quantity AS askQuantity, coalesce(q.ask_as_of, iif(q.ask_cents IS NULL, NULL, p.quotes_as_of)) AS askAsOf,
  q.ask_since AS askSince, q.bid_cents AS bidCents, q.bid_quantity AS bidQuantity,
  coalesce(q.bid_as_of, iif(q.bid_cents IS NULL, NULL, p.quotes_as_of)) AS bidAsOf`;
const urls = `
  LEFT JOIN quote_urls a ON a.provider_id = q.provider_id AND a.item_id = q.item_id AND a.side = 'ask'
  LEFT JOIN quote_urls b ON b.provider_id = q.provider_id AND b.item_id = q.item_id AND b.side = 'bid'`;

/** Reads the quotes of the published generation. Callers hold one state of the file where they read in several steps. */
export class BookReader {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#statements = prepare(database);
  }

  /** Returns the quotes of an item in order; null: it has none. */
  ofItem(itemId: number): Book | null {
    return bookOf(this.#statements.ofItem.all(itemId).map((row) => [row.provider, row] as const));
  }

  /** Returns the ids of all items that have quotes. */
  quotedIds(): Set<number> {
    return new Set(this.#statements.quotedIds.all());
  }

  /** Returns the source's own time that all quotes of a provider share, UTC ms; null: they share none. */
  sharedTimes(): Map<string, number | null> {
    return new Map(this.#statements.providers.all().map(({ provider, quotesAsOf }) => [provider, quotesAsOf]));
  }

  /** Yields the items of a range that have rows, in ascending id. `only`: rows of these providers; left out: of all. */
  *within({ after, upTo }: Range, only?: ReadonlySet<string>): Generator<readonly [itemId: number, rows: ItemRows]> {
    const providers = this.#statements.providers.all().filter(({ provider }) => only?.has(provider) ?? true);
    // Ids that no quote has are jumped over: in a damaged file they can be many.
    for (let first = after; first < upTo; first = this.#before(providers, first + pageItems)) {
      yield* this.#page(providers, { after: first, upTo: Math.min(upTo, first + pageItems) });
    }
  }

  /** Returns the id before the first one behind `after` that has rows. */
  #before(providers: readonly Provider[], after: number): number {
    const next = providers.map(({ number }) => this.#statements.next.get(number, after) ?? Number.POSITIVE_INFINITY);
    return Math.max(after, Math.min(...next) - 1);
  }

  *#page(providers: readonly Provider[], range: Range): Generator<readonly [itemId: number, rows: ItemRows]> {
    const byItem = new Map<number, [string, QuoteRow][]>();
    for (const { provider, number, quotesAsOf, hasUrls } of providers) {
      const statement = hasUrls === 1 ? this.#statements.linked : this.#statements.unlinked;
      for (const row of statement.all({ ...range, number, quotesAsOf })) {
        const known = byItem.get(row.itemId);
        if (known === undefined) byItem.set(row.itemId, [[provider, row]]);
        else known.push([provider, row]);
      }
    }
    for (const itemId of Uint32Array.from(byItem.keys()).sort()) yield [itemId, byItem.get(itemId)!];
  }
}

/** Returns the quotes of rows in order; null: there is no row. */
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

/** Not built by Drizzle: tens of thousands of rows need no mapping by name, and the statements differ by a join. */
function prepare({ $client: client }: Database) {
  const ofProvider = (urlColumns: string, joins: string) =>
    client.prepare<[Range & { number: number; quotesAsOf: number | null }], StoredRow>(
      `SELECT q.item_id AS itemId, ${columns}, ${urlColumns}
       FROM (SELECT @quotesAsOf AS quotes_as_of) p CROSS JOIN quotes q ${joins}
       WHERE q.provider_id = (SELECT @number) AND q.item_id > (SELECT @after) AND q.item_id <= (SELECT @upTo)`,
    );
  const linkedColumns = "a.url AS askUrl, b.url AS bidUrl";
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
    linked: ofProvider(linkedColumns, urls),
    unlinked: ofProvider("NULL AS askUrl, NULL AS bidUrl", ""),
    ofItem: client.prepare<[number], QuoteRow & { provider: string }>(
      `SELECT n.provider, ${columns}, ${linkedColumns}
       FROM frame_providers n CROSS JOIN quotes q ON q.provider_id = n.number AND q.item_id = ?
       JOIN providers p ON p.provider = n.provider ${urls} ORDER BY n.provider`,
    ),
  };
}
