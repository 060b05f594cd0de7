import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Database, openReader, openWriter } from "../../src/store/database.ts";
import { GenerationsStore } from "../../src/store/read/generations.ts";
import { runAtOnce } from "../../src/store/write/batches.ts";
import { sealExportInBatches } from "../../src/store/write/export-pages.ts";
import { searchTexts } from "../../src/values/text/search-text.ts";
import { systemClock } from "../../src/values/time/clock.ts";
import { type Quote, quoteFacts } from "../../src/wire/quotes.ts";
import { newDatabase, temporaryFolder } from "./files.ts";

export type QuoteFacts = { provider: string; amount: number; quantity?: number | null; as_of?: string | null };
export type ItemFacts = {
  name?: string;
  nameRu?: string | null;
  phase?: string | null;
  inCatalog?: boolean;
  /** UTC ms. */
  firstSeenAt?: number;
  asks?: QuoteFacts[];
  bids?: QuoteFacts[];
  bestAskChangedAt?: number | null;
  /** False: published by a release that stored no facts of quotes. */
  hasFacts?: boolean;
};

/** A real database file in a folder of its own, filled by plain SQL, with a reader and a writer on it. */
export class MarketFile {
  readonly #folder = temporaryFolder();
  readonly path = join(this.#folder, "market.db");
  readonly reader: Database;
  readonly writer: Database;
  /** Made for the first item, and kept: a file has thousands of them. */
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
    for (const provider of providers) {
      $client
        .prepare("INSERT INTO providers VALUES (?, ?, 'cash', ?, 1, 0, ?)")
        .run(provider, provider.toUpperCase(), feed, Number(active));
    }
  }

  item(itemId: number, { name, nameRu = null, phase = null, inCatalog = true, firstSeenAt = 1 }: ItemFacts = {}): void {
    const marketHashName = name ?? `Item ${itemId}`;
    const texts = searchTexts(marketHashName, nameRu);
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
      texts.searchText,
      texts.words,
      texts.wordsRu,
    );
  }

  /** Publishes a generation that holds exactly these quotes. */
  publish(generationId: number, ingestedAt: number, quoted: Readonly<Record<number, ItemFacts>>): void {
    const { $client } = this.writer;
    $client.transaction(() => {
      $client.prepare("UPDATE generations SET state = 'superseded' WHERE state = 'published'").run();
      const insert = $client.prepare("INSERT INTO generation_quotes VALUES ((? << 31) + ?, ?, ?, ?, ?, ?, ?, ?)");
      let bytes = 0;
      for (const [itemId, { asks = [], bids = [], bestAskChangedAt = null, hasFacts = true }] of Object.entries(
        quoted,
      )) {
        const exported = sidesText(asks.map(unobserved), bids.map(unobserved));
        const observed = [...asks, ...bids].some(({ as_of }) => as_of != null)
          ? sidesText(asks.map(whole), bids.map(whole))
          : null;
        const facts = quoteFacts([...asks, ...bids].map(whole));
        const best = asks.toSorted((a, b) => a.amount - b.amount)[0];
        insert.run(
          generationId,
          Number(itemId),
          exported,
          observed,
          best?.amount ?? null,
          best?.provider ?? null,
          bestAskChangedAt,
          hasFacts ? facts.observedAt : null,
          hasFacts ? facts.providers : null,
        );
        bytes += exported.length;
      }
      $client
        .prepare("INSERT INTO generations VALUES (?, 'published', ?, ?, ?, ?, zeroblob(32), zeroblob(32))")
        .run(generationId, ingestedAt, ingestedAt, Object.keys(quoted).length, bytes);
      $client.prepare("UPDATE market_state SET current_generation_id = ?").run(generationId);
    })();
  }

  /** Publishes a bid of four in five of the first `items` items, priced by item and generation, with so many asks like it. */
  publishMost(generationId: number, ingestedAt: number, items: number, asksOf: (itemId: number) => number): void {
    const quoted = Array.from({ length: items }, (_, index) => index + 1)
      .filter((id) => id % 5 !== 1)
      .map((id): [number, ItemFacts] => {
        const quote = { provider: "steam", amount: id * 10 + generationId, as_of: "2026-01-15T11:00:00.000Z" };
        return [id, { asks: Array.from({ length: asksOf(id) }, () => quote), bids: [quote] }];
      });
    this.publish(generationId, ingestedAt, Object.fromEntries(quoted));
  }

  /** Seals the export of the current generation, or what is not sealed of it. */
  seal(): void {
    const current = new GenerationsStore(this.writer).current()!;
    runAtOnce(sealExportInBatches(this.writer, current.generationId, systemClock));
  }

  /** First and last item ids of the sealed pages, ascending. */
  sealed(): [number, number][] {
    const { $client } = this.writer;
    const rows = $client
      .prepare("SELECT page_key & 2147483647, last_item_id FROM export_pages ORDER BY page_key")
      .raw();
    return rows.all() as [number, number][];
  }

  remove(): void {
    this.reader.$client.close();
    this.writer.$client.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Returns what adds an item by its id and the other columns of its row. */
function itemInserter({ $client: client }: Database): (itemId: number, ...columns: unknown[]) => void {
  const item = client.prepare(
    `INSERT INTO items(item_id, identity_key, market_hash_name, slug, phase, name_ru, identity, origin, in_catalog, first_seen_at,
       search_text, words, words_ru)
     VALUES (?, ?, ?, ?, ?, ?, 'exact', 'catalog', ?, ?, ?, ?, ?)`,
  );
  const version = client.prepare("UPDATE market_state SET catalog_version = catalog_version + 1");
  return client.transaction((itemId: number, ...columns: unknown[]) => {
    item.run(itemId, ...columns);
    version.run();
  });
}

function whole({ provider, amount, quantity = null, as_of = null }: QuoteFacts): Quote {
  return { provider, amount, currency: "USD", minor_units: 2, quantity, url: null, as_of };
}

function unobserved(facts: QuoteFacts) {
  return whole({ ...facts, as_of: null });
}

function sidesText(asks: readonly object[], bids: readonly object[]): string {
  return `"asks":${JSON.stringify(asks)},"bids":${JSON.stringify(bids)}`;
}
