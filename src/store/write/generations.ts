import { asc, eq, type SQLWrapper, sql } from "drizzle-orm";
import { generationQuotes, generations } from "../../../db/schema/prices.ts";
import { marketState } from "../../../db/schema/reference.ts";
import type { Database } from "../database.ts";
import { exportedItems } from "../read/catalog.ts";
import { GenerationsStore, type Totals, totalsOf } from "../read/generations.ts";
import { bareRecords } from "../statement.ts";

/** One item of a generation as it is stored; `quotes` and `observed` are texts of `wire/quotes`, without and with source times, and the rest is told by them. */
export type QuoteRow = {
  itemId: number;
  quotes: string;
  observed: string | null;
  bestAskCents: number | null;
  bestAskProvider: string | null;
  bestAskChangedAt: number | null;
  observedAt: number | null;
  providers: string | null;
};
/** `bytes`: what the removal of the row overwrites. */
export type OrphanKey = { generationId: number; itemId: number; bytes: number };

const generationMax = 2_147_483_647;
/** Few enough for a page to be over before V8 counts it as something that lasts. */
const pageRows = 256;
const orphanKeysMax = 50_000;
const itemIdOfKey = sql<number>`${generationQuotes.quoteKey} & 2147483647`;
const bytesOfRow = sql<number>`octet_length(${generationQuotes.quotes}) + coalesce(octet_length(${generationQuotes.observed}), 0)`;
const generationOfKey = sql<number>`${generationQuotes.quoteKey} >> 31`;

/** Reads and writes generations and their quotes. Callers hold the transactions. */
export class GenerationWriter extends GenerationsStore {
  readonly #database: Database;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    super(database);
    this.#database = database;
    this.#statements = prepare(database);
  }

  /** Yields the items of a generation in ascending id, read page by page. */
  *rows(generationId: number): Generator<QuoteRow> {
    let after = 0;
    for (;;) {
      const page = this.#statements.page.all(generationId, after, generationId, pageRows);
      yield* page;
      if (page.length < pageRows) return;
      after = page.at(-1)!.itemId;
    }
  }

  isQuoted(key: { generationId: number; itemId: number }): boolean {
    return this.#statements.isQuoted.get(key) !== undefined;
  }

  /** Returns the keys of quotes that belong to no published generation: what a crash or a publication left behind. */
  orphanKeys(current: number | null): OrphanKey[] {
    const below = this.#statements.keys.all({ from: 0, to: current ?? generationMax });
    if (below.length > 0 || current === null) return below;
    return this.#statements.keys.all({ from: current + 1, to: generationMax });
  }

  removeQuotes(key: OrphanKey): void {
    this.#statements.remove.run(key.generationId, key.itemId);
  }

  removeStaging(): void {
    this.#database.delete(generations).where(eq(generations.state, "staging")).run();
  }

  startStaging(at: number): number {
    const row = this.#database
      .insert(generations)
      .values({ state: "staging", createdAt: at })
      .returning({ generationId: generations.generationId })
      .get();
    return row.generationId;
  }

  stage(generationId: number, row: QuoteRow): void {
    const { itemId, quotes, observed, bestAskCents, bestAskProvider, bestAskChangedAt, observedAt, providers } = row;
    const ofAsk = [bestAskCents, bestAskProvider, bestAskChangedAt];
    this.#statements.insert.run(generationId, itemId, quotes, observed, ...ofAsk, observedAt, providers);
  }

  /** Activates a generation: makes it the published one, at `ingestedAt` (UTC ms). */
  activate(generationId: number, totals: Totals, ingestedAt: number): void {
    this.#database.update(generations).set({ state: "superseded" }).where(eq(generations.state, "published")).run();
    this.#database
      .update(generations)
      .set({ state: "published", ingestedAt, ...totals })
      .where(eq(generations.generationId, generationId))
      .run();
    this.#database.update(marketState).set({ currentGenerationId: generationId }).where(eq(marketState.one, 1)).run();
  }
}

/**
 * Makes totals and digest of the published generation those of its exports, where an older release published it and counted the
 * quotes of items outside of the catalog too. Changes no other generation.
 */
export function backfillDigest(database: Database): void {
  const { $client: client } = database;
  const generationId = client
    .prepare("SELECT generation_id FROM generations WHERE state = 'published' AND rest_digest IS NULL")
    .pluck()
    .get();
  if (generationId === undefined) return;
  const rows = client
    .prepare<unknown[], { itemId: number; quotes: string }>(
      `SELECT quote_key & 2147483647 AS itemId, quotes FROM generation_quotes
       WHERE quote_key >= (@generationId << 31) AND quote_key < ((@generationId + 1) << 31) ORDER BY quote_key`,
    )
    .iterate({ generationId });
  const totals = totalsOf(rows, exportedItems(database));
  client
    .prepare(
      `UPDATE generations SET items = @items, bytes = @bytes, digest = @digest, rest_digest = @delistedDigest
       WHERE generation_id = @generationId`,
    )
    .run({ ...totals, generationId });
}

function prepare(database: Database) {
  const generationId = sql.placeholder("generationId");
  const key = sql<number>`(${generationId} << 31) + ${sql.placeholder("itemId")}`;
  const { $client: client } = database;
  const { quoteKey } = generationQuotes;
  const named = <Value>(column: SQLWrapper, name: keyof QuoteRow) => sql<Value>`${column}`.as(name);
  const page = database
    .select({
      itemId: itemIdOfKey.as("itemId"),
      quotes: generationQuotes.quotes,
      observed: generationQuotes.observed,
      bestAskCents: named(generationQuotes.bestAskCents, "bestAskCents"),
      bestAskProvider: named(generationQuotes.bestAskProvider, "bestAskProvider"),
      bestAskChangedAt: named(generationQuotes.bestAskChangedAt, "bestAskChangedAt"),
      observedAt: named(generationQuotes.observedAt, "observedAt"),
      providers: generationQuotes.providers,
    })
    .from(generationQuotes)
    .where(
      sql`${quoteKey} > (${generationId} << 31) + ${sql.placeholder("after")} AND ${quoteKey} < ((${generationId} + 1) << 31)`,
    )
    .orderBy(asc(quoteKey))
    .limit(sql.placeholder("limit"));
  const remove = database.delete(generationQuotes).where(sql`${quoteKey} = ${key}`);
  const insert = database.insert(generationQuotes).values({
    quoteKey: key,
    quotes: sql.placeholder("quotes"),
    observed: sql.placeholder("observed"),
    bestAskCents: sql.placeholder("bestAskCents"),
    bestAskProvider: sql.placeholder("bestAskProvider"),
    bestAskChangedAt: sql.placeholder("bestAskChangedAt"),
    observedAt: sql.placeholder("observedAt"),
    providers: sql.placeholder("providers"),
  });
  return {
    // Bare statements: they run for each item of each generation, or read it.
    page: bareRecords<QuoteRow, [id: number, after: number, id: number, limit: number]>(database, page),
    isQuoted: database.select({ one: sql`1` }).from(generationQuotes).where(sql`${quoteKey} = ${key}`).prepare(),
    keys: database
      .select({ generationId: generationOfKey, itemId: itemIdOfKey, bytes: bytesOfRow })
      .from(generationQuotes)
      .where(sql`${quoteKey} >= (${sql.placeholder("from")} << 31) AND ${quoteKey} < (${sql.placeholder("to")} << 31)`)
      .orderBy(asc(quoteKey))
      .limit(orphanKeysMax)
      .prepare(),
    remove: client.prepare<[generationId: number, itemId: number]>(remove.toSQL().sql),
    insert: client.prepare<unknown[]>(insert.toSQL().sql),
  };
}
