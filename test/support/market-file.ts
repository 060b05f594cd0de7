import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Database, openReader, openWriter } from "../../src/store/database.ts";
import { searchTextOf } from "../../src/values/text/search-text.ts";
import { type BookQuote, encodeUntimedBook, inOrder } from "../../src/wire/quotes.ts";
import { newDatabase, temporaryFolder } from "./files.ts";
import { insertProvider } from "./providers.ts";

export type QuoteFacts = {
  provider: string;
  amount: number;
  quantity?: number | null;
  url?: string | null;
  as_of?: string | null;
};
export type ItemFacts = {
  name?: string;
  nameRu?: string | null;
  phase?: string | null;
  inCatalog?: boolean;
  /** UTC ms. */
  firstSeenAt?: number;
  /** At most one of a provider on each side. */
  asks?: QuoteFacts[];
  bids?: QuoteFacts[];
  /** UTC ms, or null if the publication changed it. */
  bestAskChangedAt?: number | null;
};

/** A real database file in a new folder, filled by plain SQL, with a reader and a writer on it. */
export class MarketFile {
  readonly #folder = temporaryFolder();
  readonly path = join(this.#folder, "market.db");
  readonly reader: Database;
  readonly writer: Database;
  /** Made for the first item, and cached because a file has thousands of them. */
  #addItem: ReturnType<typeof itemInserter> | null = null;

  constructor() {
    newDatabase(this.path);
    this.reader = openReader(this.path);
    this.writer = openWriter(this.path, 1000);
    this.writer.$client.pragma("synchronous = OFF");
  }

  feed(feed: string, providers: readonly string[], checkedAt: number | null, active = true): void {
    const { $client } = this.writer;
    $client
      .prepare("INSERT INTO feeds(feed, adapter, checked_at, ingested_at) VALUES (?, 'canonical', ?, ?)")
      .run(feed, checkedAt, checkedAt);
    for (const provider of providers)
      insertProvider(this.writer, { provider, feed, name: provider.toUpperCase(), active });
  }

  item(itemId: number, { name, nameRu = null, phase = null, inCatalog = true, firstSeenAt = 1 }: ItemFacts = {}): void {
    const marketHashName = name ?? `Item ${itemId}`;
    this.#addItem ??= itemInserter(this.writer);
    this.#addItem(
      itemId,
      `key ${itemId}`,
      marketHashName,
      `item-${itemId}`,
      phase,
      nameRu,
      Number(inCatalog),
      firstSeenAt,
      searchTextOf(marketHashName, nameRu),
    );
  }

  /** Publishes a generation with exactly these quotes. Adds unknown providers as feeds without a reader. */
  publish(generationId: number, ingestedAt: number, quoted: Readonly<Record<number, ItemFacts>>): void {
    const { $client } = this.writer;
    const entries = Object.entries(quoted)
      .map(([itemId, facts]): [number, ItemFacts] => [Number(itemId), facts])
      .filter(([, facts]) => quotesOf(facts).length > 0);
    const all = entries.flatMap(([, facts]) => quotesOf(facts));
    $client.transaction(() => {
      $client.exec("DELETE FROM quotes; DELETE FROM quote_urls; DELETE FROM best_asks");
      $client.prepare("UPDATE generations SET state = 'superseded' WHERE state = 'published'").run();
      const put = quoteInserter(this.writer, this.#numbersOf(all), sharedTimes(all));
      const bytes = entries.map(([itemId, facts]) => put(itemId, facts, ingestedAt));
      $client
        .prepare(
          `INSERT INTO generations(generation_id, state, created_at, ingested_at, items, bytes, quotes, digest, rest_digest)
           VALUES (?, 'published', ?, ?, ?, ?, ?, zeroblob(32), zeroblob(32))`,
        )
        .run(
          generationId,
          ingestedAt,
          ingestedAt,
          entries.length,
          bytes.reduce((sum, of) => sum + of, 0),
          all.length,
        );
      $client.prepare("UPDATE market_state SET current_generation_id = ?").run(generationId);
    })();
  }

  /** Returns the numbers of all providers. */
  #numbersOf(quotes: readonly QuoteFacts[]): ReadonlyMap<string, number> {
    const numbers = this.writer.$client.prepare("SELECT provider, number FROM frame_providers").raw();
    const known = () => new Map(numbers.all() as [string, number][]);
    const before = known();
    for (const provider of new Set(quotes.map(({ provider }) => provider)))
      if (!before.has(provider)) this.feed(provider, [provider], null, false);
    return known();
  }

  /** Publishes a bid for four in five of the first `items` items, priced by item and generation. Adds `asksOf` equal asks from other providers. */
  publishMost(generationId: number, ingestedAt: number, items: number, asksOf: (itemId: number) => number): void {
    const quoted = Array.from({ length: items }, (_, index) => index + 1)
      .filter((id) => id % 5 !== 1)
      .map((id): [number, ItemFacts] => {
        const quote = { provider: "steam", amount: id * 10 + generationId, as_of: "2026-01-15T11:00:00.000Z" };
        const asks = Array.from({ length: asksOf(id) }, (_, at) => ({ ...quote, provider: `steam-${at}` }));
        return [id, { asks, bids: [quote] }];
      });
    this.publish(generationId, ingestedAt, Object.fromEntries(quoted));
  }

  remove(): void {
    this.reader.$client.close();
    this.writer.$client.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Returns a function that adds an item by its id and the other columns of its row. */
function itemInserter({ $client: client }: Database): (itemId: number, ...columns: unknown[]) => void {
  const item = client.prepare(
    `INSERT INTO items(item_id, identity_key, market_hash_name, slug, phase, name_ru, identity, origin, in_catalog, first_seen_at,
       search_text)
     VALUES (?, ?, ?, ?, ?, ?, 'exact', 'catalog', ?, ?, ?)`,
  );
  const version = client.prepare("UPDATE market_state SET catalog_version = catalog_version + 1");
  return client.transaction((itemId: number, ...columns: unknown[]) => {
    item.run(itemId, ...columns);
    version.run();
  });
}

/** Returns a function that adds the quotes of an item and returns their size in an export in bytes. */
function quoteInserter(
  { $client: client }: Database,
  numberOf: ReadonlyMap<string, number>,
  shared: ReadonlyMap<string, string | null>,
): (itemId: number, facts: ItemFacts, ingestedAt: number) => number {
  const quote = client.prepare(
    `INSERT INTO quotes(provider_id, item_id, ask_cents, ask_quantity, ask_as_of, bid_cents, bid_quantity, bid_as_of)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const url = client.prepare("INSERT INTO quote_urls VALUES (?, ?, ?, ?)");
  const best = client.prepare("INSERT INTO best_asks VALUES (?, ?, ?, ?, ?)");
  const setShared = client.prepare("UPDATE providers SET quotes_as_of = ? WHERE provider = ?");
  for (const provider of numberOf.keys()) setShared.run(timeOf(shared.get(provider)), provider);
  return (itemId, facts, ingestedAt) => {
    const { asks = [], bids = [], bestAskChangedAt = null } = facts;
    for (const provider of new Set(quotesOf(facts).map(({ provider }) => provider))) {
      const columns = [asks, bids].flatMap((side) => {
        const { amount, quantity, as_of } = side.find((one) => one.provider === provider) ?? {};
        return [amount ?? null, quantity ?? null, shared.get(provider) == null ? timeOf(as_of) : null];
      });
      quote.run(numberOf.get(provider), itemId, ...columns);
    }
    for (const [side, quotes] of Object.entries({ ask: asks, bid: bids }))
      for (const one of quotes) if (one.url != null) url.run(numberOf.get(one.provider), itemId, side, one.url);
    const book = inOrder({ asks: asks.map(bookQuote), bids: bids.map(bookQuote) });
    const bytes = Buffer.byteLength(encodeUntimedBook(book));
    const [lowest] = book.asks;
    const ask = lowest && [lowest.amountCents, numberOf.get(lowest.provider), bestAskChangedAt ?? ingestedAt];
    best.run(itemId, ...(ask ?? [null, null, null]), bytes);
    return bytes;
  };
}

function quotesOf({ asks = [], bids = [] }: ItemFacts): QuoteFacts[] {
  return [...asks, ...bids];
}

/** Returns the time shared by all quotes of a provider, by provider. Null if they differ. */
function sharedTimes(quotes: readonly QuoteFacts[]): Map<string, string | null> {
  const shared = new Map<string, string | null>();
  for (const { provider, as_of = null } of quotes) {
    const known = shared.get(provider);
    shared.set(provider, known === undefined || known === as_of ? as_of : null);
  }
  return shared;
}

function timeOf(text: string | null | undefined): number | null {
  return text == null ? null : Date.parse(text);
}

function bookQuote({ provider, amount, quantity = null, url = null, as_of = null }: QuoteFacts): BookQuote {
  return { provider, amountCents: amount, quantity, url, observedAt: timeOf(as_of) };
}
