import { and, between, desc, eq, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import { dataEvents } from "../../../db/schema/events.ts";
import { providers } from "../../../db/schema/prices.ts";
import type { Database } from "../database.ts";
import type { SharedReadTransaction } from "./shared-read.ts";

/** A row of `data_events`. Days since 1970, times in UTC ms. */
export type DataEventRow = typeof dataEvents.$inferSelect;

/** The events to list: null for all kinds, feeds, providers or days. `provider` also finds the events of its whole feed. */
export type EventFilter = {
  kind: string | null;
  feed: string | null;
  provider: string | null;
  /** Days since 1970, both inclusive. */
  days: { from: number; to: number } | null;
};

/** The last event of the previous page. */
export type EventPosition = { at: number; eventId: number };

/** Reads the log of the data. */
export class DataEventsStore {
  readonly #database: Database;
  readonly #shared: SharedReadTransaction | undefined;
  readonly #pages = new Map<string, ReturnType<typeof preparePage>>();

  /** Without `shared`, each read is a transaction of its own. */
  constructor(database: Database, shared?: SharedReadTransaction) {
    this.#database = database;
    this.#shared = shared;
  }

  /** Returns at most `limit` events before `before`, newest first. */
  page({ kind, feed, provider, days }: EventFilter, before: EventPosition, limit: number): DataEventRow[] {
    this.#shared?.join();
    const isShort = days !== null && days.to - days.from < sortedDaysMax;
    const form = [kind, feed, provider, days, isShort || null].map((value) => Number(value !== null)).join("");
    let page = this.#pages.get(form);
    if (page === undefined) {
      page = preparePage(this.#database, { kind, feed, provider, days }, isShort);
      this.#pages.set(form, page);
    }
    return page.all({ kind, feed, provider, ...days, ...before, limit });
  }
}

/** Maximum number of days for which a page sorts the events. Pages of more days follow the index of time. */
const sortedDaysMax = 31;

/** Prepares the pages of one form of filter. A few days are found by the index of days, which needs a sort. */
function preparePage(database: Database, { kind, feed, provider, days }: EventFilter, isShort: boolean) {
  const value = sql.placeholder;
  const ofFeed = database
    .select({ feed: providers.feed })
    .from(providers)
    .where(eq(providers.provider, value("provider")));
  const conditions: (SQL | undefined)[] = [
    sql`(${dataEvents.at}, ${dataEvents.eventId}) < (${value("at")}, ${value("eventId")})`,
    kind === null ? undefined : eq(dataEvents.kind, value("kind")),
    feed === null ? undefined : eq(dataEvents.feed, value("feed")),
    provider === null
      ? undefined
      : or(
          eq(dataEvents.provider, value("provider")),
          and(isNull(dataEvents.provider), inArray(dataEvents.feed, ofFeed)),
        ),
    days === null
      ? undefined
      : between(isShort ? sql`${dataEvents.day}` : sql`+${dataEvents.day}`, value("from"), value("to")),
  ];
  return database
    .select()
    .from(dataEvents)
    .where(and(...conditions))
    .orderBy(desc(dataEvents.at), desc(dataEvents.eventId))
    .limit(value("limit"))
    .prepare();
}
