import { asc, eq, sql } from "drizzle-orm";
import { feedDrops, feeds } from "../../../db/schema/prices.ts";
import { marketState, nodeSecrets } from "../../../db/schema/reference.ts";
import type { Database } from "../database.ts";

/**
 * State of a feed, UTC ms: its last verification and publication, the source's save time, and when the source last changed. A time is null
 * if unknown. `isDropped` means that an operator dropped its quotes, and it has published none since.
 */
export type FeedState = Record<
  "checkedAt" | "ingestedAt" | "savedAt" | "unchangedSince" | "unconfirmedUntil",
  number | null
> & {
  feed: string;
  isDropped: boolean;
};

/** When a source last changed. Only a mirror writes `changed_at`; other imports do not. */
export const unchangedSince = sql<
  number | null
>`max(coalesce(${feeds.changedAt}, ${feeds.ingestedAt}), coalesce(${feeds.ingestedAt}, ${feeds.changedAt}))`;

/** Maximum number of feeds in the status. */
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

  /** Returns a number that changes with the catalog. */
  catalogVersion(): number {
    return this.#statements.catalogVersion.get()!.catalogVersion;
  }

  /**
   * Returns the published generation, or null without one. `checkedAt` is when any feed was last verified, or null if none was.
   * `knownSince` is the first instant that can be read back. Both are UTC ms.
   */
  availability(): { generationId: number | null; checkedAt: number | null; knownSince: number } {
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
    cursorKey: database.select().from(nodeSecrets).where(eq(nodeSecrets.one, 1)).prepare(),
    catalogVersion: database
      .select({ catalogVersion: marketState.catalogVersion })
      .from(marketState)
      .where(theOne)
      .prepare(),
    availability: database
      .select({
        generationId: marketState.currentGenerationId,
        knownSince: marketState.knownSince,
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
        // The time distinguishes a drop from a publication that leaves the feed without quotes.
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
