import { and, asc, eq, inArray, notInArray, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { feeds, generationQuotes, generations, providers } from "../../../db/schema/prices.ts";
import { marketState } from "../../../db/schema/reference.ts";
import type { FeedFacts, ProviderFacts } from "../../import/quotes/observation.ts";
import type { Database } from "../database.ts";
import type { Totals } from "../generation-totals.ts";

/** One item of a generation as it is stored; `quotes` and `observed` are texts of `wire/quotes`, without and with source times. */
export type QuoteRow = {
  itemId: number;
  quotes: string;
  observed: string | null;
  bestAskCents: number | null;
  bestAskProvider: string | null;
  bestAskChangedAt: number | null;
};
/** `isSettled`: its digest is that of its exports, as every release since digests are public publishes it. */
export type CurrentGeneration = { generationId: number; ingestedAt: number; isSettled: boolean };
/** What the file knows of a feed's past, UTC milliseconds; null: nothing yet. */
export type FeedTimes = Record<"checkedAt" | "ingestedAt" | "savedAt" | "changedAt", number | null>;
/** `bytes`: what the removal of the row overwrites. */
export type StrayKey = { generationId: number; itemId: number; bytes: number };
export type ProviderSides = ProviderFacts & { hasAsks: boolean; hasBids: boolean };

const generationMax = 2_147_483_647;
const pageRows = 2000;
const strayKeysMax = 50_000;
const itemIdOfKey = sql<number>`${generationQuotes.quoteKey} & 2147483647`;
const bytesOfRow = sql<number>`octet_length(${generationQuotes.quotes}) + coalesce(octet_length(${generationQuotes.observed}), 0)`;
const generationOfKey = sql<number>`${generationQuotes.quoteKey} >> 31`;

/** The rows of generations and feeds, as an import reads and writes them. Its caller holds the transactions. */
export class GenerationRows {
  readonly #database: Database;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#database = database;
    this.#statements = prepare(database);
  }

  current(): CurrentGeneration | null {
    const row = this.#statements.current.get();
    return row === undefined ? null : { ...row, ingestedAt: row.ingestedAt ?? 0 };
  }

  /** The items of a generation in ascending id, read page by page. */
  *rows(generationId: number): Generator<QuoteRow> {
    let after = 0;
    for (;;) {
      const page = this.#statements.page.all({ generationId, after });
      yield* page;
      if (page.length < pageRows) return;
      after = page.at(-1)!.itemId;
    }
  }

  isQuoted(key: { generationId: number; itemId: number }): boolean {
    return this.#statements.isQuoted.get(key) !== undefined;
  }

  /** Keys of quotes that belong to no published generation: what a crash or a publication left behind. */
  strayKeys(current: number | null): StrayKey[] {
    const below = this.#statements.keys.all({ from: 0, to: current ?? generationMax });
    if (below.length > 0 || current === null) return below;
    return this.#statements.keys.all({ from: current + 1, to: generationMax });
  }

  removeQuotes(key: StrayKey): void {
    this.#statements.remove.run(key);
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
    this.#statements.insert.run({ generationId, ...row });
  }

  /** The flip: makes `generationId` the published one. */
  publish(generationId: number, totals: Totals, ingestedAt: number): void {
    this.#database.update(generations).set({ state: "superseded" }).where(eq(generations.state, "published")).run();
    this.#database
      .update(generations)
      .set({ state: "published", ingestedAt, ...totals })
      .where(eq(generations.generationId, generationId))
      .run();
    this.#database.update(marketState).set({ currentGenerationId: generationId }).where(eq(marketState.one, 1)).run();
  }

  /** Items that the feed's last published body quoted; null for a feed that never published. */
  feedItemCount(feed: string): number | null {
    const row = this.#database.select({ count: feeds.itemCount }).from(feeds).where(eq(feeds.feed, feed)).get();
    return row?.count ?? null;
  }

  feedTimes(feed: string): FeedTimes {
    const { checkedAt, ingestedAt, savedAt, changedAt } = feeds;
    const columns = { checkedAt, ingestedAt, savedAt, changedAt };
    const row = this.#database.select(columns).from(feeds).where(eq(feeds.feed, feed)).get();
    return row ?? { checkedAt: null, ingestedAt: null, savedAt: null, changedAt: null };
  }

  /** Records when a known feed was verified, and with `heard` what its source says of its own times: these only rise. */
  recordCheck(feed: string, checkedAt: number, heard: Pick<FeedTimes, "savedAt" | "changedAt"> | null): void {
    const values = {
      checkedAt,
      ...(heard?.savedAt == null ? {} : { savedAt: raised(feeds.savedAt, heard.savedAt) }),
      ...(heard?.changedAt == null ? {} : { changedAt: raised(feeds.changedAt, heard.changedAt) }),
    };
    this.#database.update(feeds).set(values).where(eq(feeds.feed, feed)).run();
  }

  providersOf(feed: string): string[] {
    const rows = this.#database
      .select({ provider: providers.provider })
      .from(providers)
      .where(eq(providers.feed, feed));
    return rows.all().map((row) => row.provider);
  }

  /** Which feeds already own one of these providers. */
  ownersOf(slugs: readonly string[]): { provider: string; feed: string }[] {
    return this.#database
      .select({ provider: providers.provider, feed: providers.feed })
      .from(providers)
      .where(inArray(providers.provider, [...slugs]))
      .all();
  }

  /** Adds a feed and its providers where they are not known yet: never verified, without quotes. */
  introduceFeed({ feed, adapter, providers: covered }: FeedFacts): void {
    this.#database.insert(feeds).values({ feed, adapter }).onConflictDoNothing().run();
    const rows = covered.map((facts) => ({ ...facts, feed, hasAsks: false, hasBids: false, active: true }));
    if (rows.length > 0) this.#database.insert(providers).values(rows).onConflictDoNothing().run();
  }

  /** Records a verified feed and its providers; one that it no longer covers becomes inactive. */
  recordFeed(facts: FeedFacts, sides: readonly ProviderSides[], state: Partial<typeof feeds.$inferInsert>): void {
    const values = { adapter: facts.adapter, ...state };
    this.#database
      .insert(feeds)
      .values({ feed: facts.feed, ...values })
      .onConflictDoUpdate({ target: feeds.feed, set: values })
      .run();
    for (const { provider, ...known } of sides) {
      const row = { ...known, feed: facts.feed, active: true };
      this.#database
        .insert(providers)
        .values({ provider, ...row })
        .onConflictDoUpdate({ target: providers.provider, set: row })
        .run();
    }
    const covered = sides.map(({ provider }) => provider);
    this.#database
      .update(providers)
      .set({ active: false, hasAsks: false, hasBids: false })
      .where(and(eq(providers.feed, facts.feed), notInArray(providers.provider, covered)))
      .run();
  }
}

function raised(column: SQLiteColumn, to: number): SQL<number> {
  return sql<number>`max(coalesce(${column}, ${to}), ${to})`;
}

function prepare(database: Database) {
  const generationId = sql.placeholder("generationId");
  const key = sql<number>`(${generationId} << 31) + ${sql.placeholder("itemId")}`;
  const { quoteKey } = generationQuotes;
  return {
    current: database
      .select({
        generationId: generations.generationId,
        ingestedAt: generations.ingestedAt,
        isSettled: sql<boolean>`${generations.restDigest} IS NOT NULL`.mapWith(Boolean),
      })
      .from(marketState)
      .innerJoin(generations, eq(generations.generationId, marketState.currentGenerationId))
      .prepare(),
    page: database
      .select({
        itemId: itemIdOfKey,
        quotes: generationQuotes.quotes,
        observed: generationQuotes.observed,
        bestAskCents: generationQuotes.bestAskCents,
        bestAskProvider: generationQuotes.bestAskProvider,
        bestAskChangedAt: generationQuotes.bestAskChangedAt,
      })
      .from(generationQuotes)
      .where(
        sql`${quoteKey} > (${generationId} << 31) + ${sql.placeholder("after")} AND ${quoteKey} < ((${generationId} + 1) << 31)`,
      )
      .orderBy(asc(quoteKey))
      .limit(pageRows)
      .prepare(),
    isQuoted: database.select({ one: sql`1` }).from(generationQuotes).where(sql`${quoteKey} = ${key}`).prepare(),
    keys: database
      .select({ generationId: generationOfKey, itemId: itemIdOfKey, bytes: bytesOfRow })
      .from(generationQuotes)
      .where(sql`${quoteKey} >= (${sql.placeholder("from")} << 31) AND ${quoteKey} < (${sql.placeholder("to")} << 31)`)
      .orderBy(asc(quoteKey))
      .limit(strayKeysMax)
      .prepare(),
    remove: database.delete(generationQuotes).where(sql`${quoteKey} = ${key}`).prepare(),
    insert: database
      .insert(generationQuotes)
      .values({
        quoteKey: key,
        quotes: sql.placeholder("quotes"),
        observed: sql.placeholder("observed"),
        bestAskCents: sql.placeholder("bestAskCents"),
        bestAskProvider: sql.placeholder("bestAskProvider"),
        bestAskChangedAt: sql.placeholder("bestAskChangedAt"),
      })
      .prepare(),
  };
}
