import { and, asc, eq } from "drizzle-orm";
import { itemSources, items, itemsPast } from "../../../db/schema/catalog.ts";
import { currencies, exchangeRates, exchangeRatesPast } from "../../../db/schema/exchange-rates.ts";
import { dailyImportRates, dailyImports } from "../../../db/schema/history.ts";
import { indexes, indexMemberships } from "../../../db/schema/indexes.ts";
import { openables, poolRevisions } from "../../../db/schema/openables.ts";
import { feeds, providers } from "../../../db/schema/prices.ts";
import { searchTextOf } from "../../values/text/search-text.ts";
import { type DailyWithoutChecksum, dailyColumns } from "../codec/daily-checksum.ts";
import type { Database } from "../database.ts";
import type { ItemRow } from "../write/catalog.ts";
import type { DailyFacts } from "../write/daily-prices.ts";
import type { NewRate } from "../write/exchange-rates.ts";
import type { RateSeries } from "./exchange-rates.ts";

/** An import of daily rows with its provider and the rates that it used. */
type ReplayedImport = {
  facts: DailyFacts;
  values: typeof dailyImports.$inferSelect;
  rates: (typeof dailyImportRates.$inferSelect)[];
};

/** Reads rows of a file in the version in force at an instant (UTC ms), for a replay. */
export class ReplayRows {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the items that were added or changed at `at`. */
  itemsOf(at: number): ItemRow[] {
    const { $client: client } = this.#database;
    const query = `SELECT item_id FROM items WHERE first_seen_at = @at OR updated_at = @at
      UNION SELECT item_id FROM items_past WHERE superseded_at = @at OR updated_at = @at ORDER BY 1`;
    const ids = client.prepare<unknown[], number>(query).pluck().all({ at });
    return ids.map((itemId) => this.itemAt(itemId, at));
  }

  /** Returns an item in its version of `at`. */
  itemAt(itemId: number, at: number): ItemRow {
    const { checksum: _, ...row } = this.#database.select().from(items).where(eq(items.itemId, itemId)).get()!;
    const versions = this.#database
      .select()
      .from(itemsPast)
      .where(eq(itemsPast.itemId, itemId))
      .orderBy(asc(itemsPast.supersededAt))
      .all();
    const version = versions.find(({ supersededAt }) => supersededAt > at);
    if (version === undefined) return row;
    const { supersededAt: _at, checksum: _checksum, ...past } = version;
    return { ...row, ...past, searchText: searchTextOf(past.marketHashName, past.nameRu) };
  }

  sourcesOf(itemId: number): string[] {
    const rows = this.#database.select().from(itemSources).where(eq(itemSources.itemId, itemId)).all();
    return rows.map(({ sourceKey }) => sourceKey);
  }

  /** Returns the rates that were recorded at `at`, by series. */
  ratesOf(at: number): (RateSeries & { rates: NewRate[] })[] {
    const both = [exchangeRates, exchangeRatesPast].flatMap((table) =>
      this.#database
        .select({
          currency: table.currency,
          minorUnits: currencies.minorUnits,
          source: table.source,
          methodologyVersion: table.methodologyVersion,
          day: table.day,
          ratePerUsd: table.ratePerUsd,
        })
        .from(table)
        .innerJoin(currencies, eq(currencies.currency, table.currency))
        .where(eq(table.recordedAt, at))
        .all(),
    );
    const series = Object.groupBy(both, ({ source, methodologyVersion }) => `${source} ${methodologyVersion}`);
    return Object.values(series).map((rates) => {
      const { source, methodologyVersion } = rates![0]!;
      return { source, methodologyVersion, rates: rates! };
    });
  }

  importOf(importId: number): ReplayedImport {
    const values = this.#database.select().from(dailyImports).where(eq(dailyImports.importId, importId)).get()!;
    const facts = this.#database
      .select({
        provider: providers.provider,
        name: providers.name,
        kind: providers.kind,
        price_ceiling_cents: providers.priceCeilingCents,
        feed: providers.feed,
        feedAdapter: feeds.adapter,
      })
      .from(providers)
      .innerJoin(feeds, eq(feeds.feed, providers.feed))
      .where(eq(providers.provider, values.provider))
      .get()!;
    const rates = this.#database.select().from(dailyImportRates).where(eq(dailyImportRates.importId, importId)).all();
    return { facts, values, rates };
  }

  /** Yields the daily rows that an import wrote, also rows replaced since. Not built by Drizzle: both tables have the same columns. */
  *importedRows(importId: number): Generator<DailyWithoutChecksum> {
    const { $client: client } = this.#database;
    for (const table of ["daily_prices", "daily_prices_past"]) {
      const query = `SELECT ${dailyColumns} FROM ${table} WHERE import_id = ?`;
      for (const row of client.prepare<[number], Columns>(query).raw().iterate(importId)) yield dailyRowOf(row);
    }
  }

  indexesOf(at: number) {
    return this.#database.select().from(indexes).where(eq(indexes.definedAt, at)).all();
  }

  membershipsOf(at: number) {
    return this.#database.select().from(indexMemberships).where(eq(indexMemberships.recordedAt, at)).all();
  }

  /** Returns the pools that were published or changed at `at`, with their revision of that instant. */
  poolsOf(at: number) {
    const published = this.#database.select().from(poolRevisions).where(eq(poolRevisions.publishedAt, at)).all();
    return { published, changed: this.#database.select().from(openables).where(eq(openables.changedAt, at)).all() };
  }

  openable(slug: string): typeof openables.$inferSelect {
    return this.#database
      .select()
      .from(openables)
      .where(and(eq(openables.slug, slug)))
      .get()!;
  }
}

/** Returns the ids of items that the file lacks. Not built by Drizzle: the ids are one JSON array. */
export function missingItems({ $client: client }: Database, itemIds: readonly number[]): number[] {
  const query = "SELECT value FROM json_each(?) WHERE value NOT IN (SELECT item_id FROM items) ORDER BY value";
  return client.prepare<[string], number>(query).pluck().all(JSON.stringify(itemIds));
}

type Columns = [
  number,
  "ask" | "bid",
  number,
  string,
  number,
  number,
  number,
  number,
  number | null,
  number | null,
  number,
  number | null,
];

function dailyRowOf(columns: Columns): DailyWithoutChecksum {
  const [itemId, side, day, provider, amount, lowAmount, highAmount, observations, ...rest] = columns;
  const [quantity, sourceObservedAt, recordedAt, importId] = rest;
  const figures = { amount, lowAmount, highAmount, observations, quantity, sourceObservedAt };
  return { itemId, side, day, provider, ...figures, recordedAt, importId };
}
