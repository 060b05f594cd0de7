import { and, asc, eq, inArray, isNotNull, notInArray, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { feedDrops, feeds, frameProviders, providers } from "../../../db/schema/prices.ts";
import type { Database } from "../database.ts";

type ProviderKind = "main_platform" | "cash" | "trade";
/** A provider as a feed states it. `price_ceiling_cents`: the dearest ask that it lists; left out: unchanged, at first that of its kind. */
export type ProviderFacts = {
  provider: string;
  name: string;
  kind: ProviderKind;
  price_ceiling_cents?: number | null;
};
/** A provider and the sides of the market that it quotes. */
export type ProviderSides = ProviderFacts & { hasAsks: boolean; hasBids: boolean };

/** One source and the providers that are its own: a provider belongs to one feed. */
export type FeedFacts = { feed: string; adapter: string; providers: readonly ProviderFacts[] };

/** Times of a feed in UTC milliseconds: its last check, publication, save by the source and change; null: none yet. */
export type FeedTimes = Record<"checkedAt" | "ingestedAt" | "savedAt" | "changedAt", number | null>;

/** A feed whose quotes an operator dropped, and what was dropped. `checkedAt`: its last verification, UTC ms; null: none. */
export type FeedDrop = { feed: string; checkedAt: number | null; quotes: number; items: number };

/** Reads and writes feeds and their providers. Callers hold the transactions. */
export class FeedWriter {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns whether a feed is known. */
  has(feed: string): boolean {
    return this.#database.select({ feed: feeds.feed }).from(feeds).where(eq(feeds.feed, feed)).get() !== undefined;
  }

  /** Returns all feeds and their last verification (UTC ms; null: none), in ascending name. */
  checks(): { feed: string; checkedAt: number | null }[] {
    const { feed, checkedAt } = feeds;
    return this.#database.select({ feed, checkedAt }).from(feeds).orderBy(asc(feed)).all();
  }

  /** Counts the items that the feed's last published body quoted; null: it never published. */
  itemCount(feed: string): number | null {
    const row = this.#database.select({ count: feeds.itemCount }).from(feeds).where(eq(feeds.feed, feed)).get();
    return row?.count ?? null;
  }

  /** Returns the joined prices of a million of the last accepted body; null: unknown. */
  joinedPpm(feed: string): number | null {
    const row = this.#database.select({ ppm: feeds.joinedPpm }).from(feeds).where(eq(feeds.feed, feed)).get();
    return row?.ppm ?? null;
  }

  /** Records the joined prices of a million of an accepted body of a known feed. */
  recordJoined(feed: string, joinedPpm: number): void {
    this.#database.update(feeds).set({ joinedPpm }).where(eq(feeds.feed, feed)).run();
  }

  /** Returns the feeds that no other source confirms, and until when they count as unconfirmed, UTC ms. */
  unconfirmed(): { feed: string; until: number }[] {
    const until = sql<number>`${feeds.unconfirmedUntil}`;
    return this.#database
      .select({ feed: feeds.feed, until })
      .from(feeds)
      .where(isNotNull(feeds.unconfirmedUntil))
      .all();
  }

  /** Returns ids of published items of a feed that other feeds quote, too, which were checked at `since` (UTC ms) or later; at most `max`. */
  sharedItems(feed: string, since: number, max: number): number[] {
    // Found in SQL: the quotes of large feeds together would take too much memory beside a publication.
    // CROSS JOIN keeps the order: SQLite would scan all quotes for each.
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

  /** Records until when a known feed counts as unconfirmed, UTC ms; null: it is confirmed. */
  recordUnconfirmed(feed: string, unconfirmedUntil: number | null): void {
    this.#database.update(feeds).set({ unconfirmedUntil }).where(eq(feeds.feed, feed)).run();
  }

  times(feed: string): FeedTimes {
    const { checkedAt, ingestedAt, savedAt, changedAt } = feeds;
    const columns = { checkedAt, ingestedAt, savedAt, changedAt };
    const row = this.#database.select(columns).from(feeds).where(eq(feeds.feed, feed)).get();
    return row ?? { checkedAt: null, ingestedAt: null, savedAt: null, changedAt: null };
  }

  /** Records when a known feed was verified, and with `heard` the source's own times: these only rise. */
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

  /** Returns the providers that are read, with their feed and its last verification (UTC ms; null: none). */
  activeProviders(): { provider: string; kind: ProviderKind; feed: string; checkedAt: number | null }[] {
    const { provider, kind, feed } = providers;
    return this.#database
      .select({ provider, kind, feed, checkedAt: feeds.checkedAt })
      .from(providers)
      .innerJoin(feeds, eq(feeds.feed, feed))
      .where(eq(providers.active, true))
      .all();
  }

  /** Returns the feed of each of these providers, for those that are known. */
  ownersOf(slugs: readonly string[]): Map<string, string> {
    const rows = this.#database
      .select({ provider: providers.provider, feed: providers.feed })
      .from(providers)
      .where(inArray(providers.provider, [...slugs]));
    return new Map(rows.all().map(({ provider, feed }) => [provider, feed]));
  }

  /** Adds a feed and its providers where they are not known yet: never verified, without quotes. */
  introduce({ feed, adapter, providers: covered }: FeedFacts): void {
    this.#database.insert(feeds).values({ feed, adapter }).onConflictDoNothing().run();
    const rows = covered.map((facts) => ({ ...firstFacts(facts), feed, hasAsks: false, hasBids: false, active: true }));
    if (rows.length > 0) this.#database.insert(providers).values(rows).onConflictDoNothing().run();
    this.#addNumbers();
  }

  /** Records a verified feed and its providers; one that it no longer covers becomes inactive. */
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

  /** Records that the quotes of a feed were dropped: none of its providers is read any more, until it publishes again. */
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

  /** Adds the feed and the provider of an import of daily history where they are not known: never verified, without quotes, not read. */
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

  /** Gives each provider that has none the next free number. */
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

/** Dearest ask of the Steam Community Market, USD cents: its wallets hold no more. */
const mainPlatformCeilingCents = 180_000;

function firstFacts({ provider, name, kind, price_ceiling_cents }: ProviderFacts) {
  const ofKind = kind === "main_platform" ? mainPlatformCeilingCents : null;
  return { provider, name, kind, priceCeilingCents: price_ceiling_cents === undefined ? ofKind : price_ceiling_cents };
}

function raised(column: SQLiteColumn, to: number): SQL<number> {
  return sql<number>`max(coalesce(${column}, ${to}), ${to})`;
}
