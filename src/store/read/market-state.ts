import { asc, eq, sql } from "drizzle-orm";
import { feedDrops, feeds } from "../../../db/schema/prices.ts";
import { marketState } from "../../../db/schema/reference.ts";
import type { Database } from "../database.ts";

/**
 * A feed and its last verification and publication, UTC ms; null: none yet. `isDropped`: an operator dropped its quotes, and it has
 * published none since.
 */
/**
 * A feed's times, UTC ms: its last verification, its last publication, the source's own save time, and when the source last said
 * something new. Null: none.
 */
export type FeedState = Record<
  "checkedAt" | "ingestedAt" | "savedAt" | "unchangedSince" | "unconfirmedUntil",
  number | null
> & {
  feed: string;
  isDropped: boolean;
};

/** A mirror writes `changed_at`, other imports do not. */
export const unchangedSince = sql<
  number | null
>`max(coalesce(${feeds.changedAt}, ${feeds.ingestedAt}), coalesce(${feeds.ingestedAt}, ${feeds.changedAt}))`;

/** Maximum number of feeds that the status lists. */
export const feedsMax = 200;

/** Reads the state of the whole file. */
export class MarketStateStore {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#statements = prepare(database);
  }

  cursorKey(): Buffer {
    return this.#statements.cursorKey.get()!.cursorKey;
  }

  /** Differs whenever the catalog does. */
  catalogVersion(): number {
    return this.#statements.catalogVersion.get()!.catalogVersion;
  }

  /** Returns the published generation, and when any feed was last verified, UTC ms; null: none, never. */
  availability(): { generationId: number | null; checkedAt: number | null } {
    return this.#statements.availability.get()!;
  }

  /** Returns the feeds in ascending name, at most `feedsMax`. */
  feeds(): FeedState[] {
    return this.#statements.feeds.all();
  }
}

function prepare(database: Database) {
  const theOne = eq(marketState.one, 1);
  return {
    cursorKey: database.select({ cursorKey: marketState.cursorKey }).from(marketState).where(theOne).prepare(),
    catalogVersion: database
      .select({ catalogVersion: marketState.catalogVersion })
      .from(marketState)
      .where(theOne)
      .prepare(),
    availability: database
      .select({
        generationId: marketState.currentGenerationId,
        checkedAt: sql<number | null>`(SELECT max(${feeds.checkedAt}) FROM ${feeds})`,
      })
      .from(marketState)
      .where(theOne)
      .prepare(),
    feeds: database
      .select({
        feed: feeds.feed,
        checkedAt: feeds.checkedAt,
        ingestedAt: feeds.ingestedAt,
        savedAt: feeds.savedAt,
        unchangedSince,
        unconfirmedUntil: feeds.unconfirmedUntil,
        // A publication that leaves the feed without quotes is told from a drop by its time.
        isDropped:
          sql`${feeds.itemCount} = 0 AND max(${feedDrops.droppedAt}) >= coalesce(${feeds.ingestedAt}, 0)`.mapWith(
            Boolean,
          ),
      })
      .from(feeds)
      .leftJoin(feedDrops, eq(feedDrops.feed, feeds.feed))
      .groupBy(feeds.feed)
      .orderBy(asc(feeds.feed))
      .limit(feedsMax)
      .prepare(),
  };
}
