import { and, asc, eq, inArray, isNotNull, notInArray, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { feedDrops, feeds, frameProviders, providers } from "../../../db/schema/prices.ts";
import type { Database } from "../database.ts";

type ProviderKind = "main_platform" | "cash" | "trade";
/**
 * A provider as its feed describes it. `price_ceiling_cents` is the highest ask that it lists. If omitted, it is unchanged, or the default
 * of its kind for a new provider.
 */
export type ProviderFacts = {
  provider: string;
  name: string;
  kind: ProviderKind;
  price_ceiling_cents?: number | null;
};
/** A provider and the sides of the market that it quotes. */
export type ProviderSides = ProviderFacts & { hasAsks: boolean; hasBids: boolean };

/** One source and its providers. Each provider belongs to one feed. */
export type FeedFacts = { feed: string; adapter: string; providers: readonly ProviderFacts[] };

/** Times of a feed in UTC ms: its last check, publication, save by the source, and change. Null if unknown. */
export type FeedTimes = Record<"checkedAt" | "ingestedAt" | "savedAt" | "changedAt", number | null>;

/** A feed with dropped quotes, and their counts. `checkedAt` is its last verification, UTC ms, or null if it never was verified. */
export type FeedDrop = { feed: string; checkedAt: number | null; quotes: number; items: number };

/** Reads and writes feeds and their providers. Callers hold the transactions. */
export class FeedWriter {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns whether a feed exists. */
  has(feed: string): boolean {
    return this.#database.select({ feed: feeds.feed }).from(feeds).where(eq(feeds.feed, feed)).get() !== undefined;
  }

  /** Returns all feeds in ascending name, with their last verification (UTC ms, null if never). */
  checks(): { feed: string; checkedAt: number | null }[] {
    const { feed, checkedAt } = feeds;
    return this.#database.select({ feed, checkedAt }).from(feeds).orderBy(asc(feed)).all();
  }

  /** Returns the feeds that a mapping reads. */
  mapped(): string[] {
    const rows = this.#database.select({ feed: feeds.feed }).from(feeds).where(eq(feeds.adapter, "mapped"));
    return rows.all().map(({ feed }) => feed);
  }

  /** Returns the number of items with quotes in the feed's last published body, or null if it never published. */
  itemCount(feed: string): number | null {
    const row = this.#database.select({ count: feeds.itemCount }).from(feeds).where(eq(feeds.feed, feed)).get();
    return row?.count ?? null;
  }

  /** Returns the matched prices per million of the last accepted body, or null if unknown. */
  joinedPpm(feed: string): number | null {
    const row = this.#database.select({ ppm: feeds.joinedPpm }).from(feeds).where(eq(feeds.feed, feed)).get();
    return row?.ppm ?? null;
  }

  /** Records the matched prices per million of an accepted body of an existing feed. */
  recordJoined(feed: string, joinedPpm: number): void {
    this.#database.update(feeds).set({ joinedPpm }).where(eq(feeds.feed, feed)).run();
  }

  /** Returns the unconfirmed feeds, with the end of that period (UTC ms). */
  unconfirmed(): { feed: string; until: number }[] {
    const until = sql<number>`${feeds.unconfirmedUntil}`;
    return this.#database
      .select({ feed: feeds.feed, until })
      .from(feeds)
      .where(isNotNull(feeds.unconfirmedUntil))
      .all();
  }

  /**
   * Returns the ids of published items that the feed shares with other feeds, at most `max`. The other feeds must have been checked at
   * `since` (UTC ms) or later.
   */
  sharedItems(feed: string, since: number, max: number): number[] {
    // Computed in SQL, because loading all quotes of large feeds during a publication would use too much memory. CROSS JOIN fixes the join
    // order; otherwise SQLite would scan all quotes for each row.
    const others = sql`SELECT 1 FROM feeds
      CROSS JOIN providers AS other ON other.feed = feeds.feed
      CROSS JOIN frame_providers AS numbers ON numbers.provider = other.provider
      CROSS JOIN quotes AS theirs ON theirs.provider_id = numbers.number AND theirs.item_id = own.item_id
      WHERE feeds.feed <> ${feed} AND feeds.checked_at >= ${since}`;
    const shared = sql`SELECT DISTINCT own.item_id AS itemId FROM providers
      CROSS JOIN frame_providers ON frame_providers.provider = providers.provider
      CROSS JOIN quotes AS own ON own.provider_id = frame_providers.number
      WHERE providers.feed = ${feed} AND EXISTS (${others}) LIMIT ${max}`;
    return this.#database.all<{ itemId: number }>(shared).map(({ itemId }) => itemId);
  }

  /** Records the end of an existing feed's unconfirmed period, UTC ms. Pass null if it is confirmed. */
  recordUnconfirmed(feed: string, unconfirmedUntil: number | null): void {
    this.#database.update(feeds).set({ unconfirmedUntil }).where(eq(feeds.feed, feed)).run();
  }

  times(feed: string): FeedTimes {
    const { checkedAt, ingestedAt, savedAt, changedAt } = feeds;
    const columns = { checkedAt, ingestedAt, savedAt, changedAt };
    const row = this.#database.select(columns).from(feeds).where(eq(feeds.feed, feed)).get();
    return row ?? { checkedAt: null, ingestedAt: null, savedAt: null, changedAt: null };
  }

  /** Records the verification of an existing feed, and the source's own times in `heard`. Those times never decrease. */
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

  /** Returns the active providers, with their feed and its last verification (UTC ms, null if never). */
  activeProviders(): { provider: string; kind: ProviderKind; feed: string; checkedAt: number | null }[] {
    const { provider, kind, feed } = providers;
    return this.#database
      .select({ provider, kind, feed, checkedAt: feeds.checkedAt })
      .from(providers)
      .innerJoin(feeds, eq(feeds.feed, feed))
      .where(eq(providers.active, true))
      .all();
  }

  /** Returns the feed of each existing provider in `slugs`. */
  ownersOf(slugs: readonly string[]): Map<string, string> {
    const rows = this.#database
      .select({ provider: providers.provider, feed: providers.feed })
      .from(providers)
      .where(inArray(providers.provider, [...slugs]));
    return new Map(rows.all().map(({ provider, feed }) => [provider, feed]));
  }

  /** Adds a missing feed and its missing providers, unverified and without quotes. */
  introduce({ feed, adapter, providers: covered }: FeedFacts): void {
    this.#database.insert(feeds).values({ feed, adapter }).onConflictDoNothing().run();
    const rows = covered.map((facts) => ({ ...firstFacts(facts), feed, hasAsks: false, hasBids: false, active: true }));
    if (rows.length > 0) this.#database.insert(providers).values(rows).onConflictDoNothing().run();
    this.#addNumbers();
  }

  /** Records a verified feed and its providers. Providers that it no longer covers become inactive. */
  record(facts: FeedFacts, sides: readonly ProviderSides[], state: Partial<typeof feeds.$inferInsert>): void {
    const values = { adapter: facts.adapter, ...state };
    this.#database
      .insert(feeds)
      .values({ feed: facts.feed, ...values })
      .onConflictDoUpdate({ target: feeds.feed, set: values })
      .run();
    for (const stated of sides) {
      const { price_ceiling_cents: priceCeilingCents, ...known } = stated;
      const row = { ...known, feed: facts.feed, active: true };
      const set = priceCeilingCents === undefined ? row : { ...row, priceCeilingCents };
      this.#database
        .insert(providers)
        .values({ ...firstFacts(stated), ...row })
        .onConflictDoUpdate({ target: providers.provider, set })
        .run();
    }
    this.#addNumbers();
    const covered = sides.map(({ provider }) => provider);
    this.#database
      .update(providers)
      .set({ active: false, hasAsks: false, hasBids: false })
      .where(and(eq(providers.feed, facts.feed), notInArray(providers.provider, covered)))
      .run();
  }

  /** Records that the quotes of a feed were dropped. Its providers are inactive until it publishes again. */
  recordDrop(drop: FeedDrop, droppedAt: number): void {
    const { feed } = drop;
    this.#database
      .insert(feedDrops)
      .values({ ...drop, droppedAt })
      .run();
    this.#database
      .update(feeds)
      .set({ itemCount: 0, joinedPpm: null, unconfirmedUntil: null })
      .where(eq(feeds.feed, feed))
      .run();
    this.#database
      .update(providers)
      .set({ active: false, hasAsks: false, hasBids: false })
      .where(eq(providers.feed, feed))
      .run();
  }

  /** Adds the missing feed and provider of an import of daily history, unverified, inactive and without quotes. */
  addInactive({ feed, feedAdapter, ...facts }: ProviderFacts & { feed: string; feedAdapter: string }): void {
    this.#database.insert(feeds).values({ feed, adapter: feedAdapter }).onConflictDoNothing().run();
    const unquoted = { hasAsks: false, hasBids: false, active: false };
    this.#database
      .insert(providers)
      .values({ ...firstFacts(facts), feed, ...unquoted })
      .onConflictDoNothing()
      .run();
    this.#addNumbers();
  }

  /** Assigns the next free number to each provider without one. */
  #addNumbers(): void {
    this.#database
      .insert(frameProviders)
      .select(
        sql`SELECT provider, coalesce((SELECT max(number) FROM frame_providers), -1) + row_number() OVER (ORDER BY provider)
          FROM providers WHERE provider NOT IN (SELECT provider FROM frame_providers)`,
      )
      .run();
  }
}

/** Highest ask of the Steam Community Market in USD cents, which is the limit of its wallets. */
const mainPlatformCeilingCents = 180_000;

function firstFacts({ provider, name, kind, price_ceiling_cents }: ProviderFacts) {
  const ofKind = kind === "main_platform" ? mainPlatformCeilingCents : null;
  return { provider, name, kind, priceCeilingCents: price_ceiling_cents === undefined ? ofKind : price_ceiling_cents };
}

function raised(column: SQLiteColumn, to: number): SQL<number> {
  return sql<number>`max(coalesce(${column}, ${to}), ${to})`;
}
