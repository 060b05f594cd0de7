import { and, asc, between, desc, eq, isNull, lte, notExists, sql } from "drizzle-orm";
import { dailyImports, sealedDays, unsealedDays } from "../../../db/schema/history.ts";
import { hoursOfDay } from "../../values/time/calendar.ts";
import type { Database } from "../database.ts";
import { bound } from "../statement.ts";
import type { NamedHours } from "./hourly-day-lines.ts";
import { KnownFramesStore } from "./known-frames.ts";
import { KnownMoments } from "./known-moments.ts";
import type { SharedReadTransaction } from "./shared-read.ts";

/** A row of `sealed_days`. Days since 1970, times in UTC ms. */
export type SealedDayRow = typeof sealedDays.$inferSelect;

/** A feed with a bit for each hour of the day that has a frame. */
export type FeedHours = readonly [feed: string, bits: number];

/** Reads sealed days. Each revision is a row. */
export class SealedDaysStore {
  readonly #statements: ReturnType<typeof prepare>;
  readonly #frames: KnownFramesStore;
  readonly #moments: KnownMoments;
  readonly #shared: SharedReadTransaction | undefined;

  /** Without `shared`, each read is a transaction of its own. */
  constructor(database: Database, shared?: SharedReadTransaction) {
    this.#shared = shared;
    this.#statements = prepare(database);
    this.#frames = new KnownFramesStore(database, shared);
    this.#moments = new KnownMoments(database, shared);
  }

  /** Returns the revision in force. Returns null if the day is not sealed, or has changed since. */
  current(day: number): SealedDayRow | null {
    return this.#statements.current.get({ day }) ?? null;
  }

  /** Returns a revision, in force or superseded, or null if the day has none of this number. */
  revision(day: number, revision: number): SealedDayRow | null {
    return this.#statements.revision.get({ day, revision }) ?? null;
  }

  /** Returns the day and revision of all revisions in force, ascending. */
  daysInForce(): Pick<SealedDayRow, "day" | "revision">[] {
    return this.#statements.inForce.all();
  }

  /** Returns at most `limit` revisions before the given `day` and `revision`, newest day first, then newest revision. */
  page({ day, revision }: { day: number; revision: number }, limit: number): SealedDayRow[] {
    this.#shared?.join();
    return this.#statements.page.all({ day, revision, limit });
  }

  /**
   * Returns an instant (UTC ms) at which the day had the rows of this revision. Returns null if they are not kept. Returns null also if the
   * day may have changed after its sealing and before `known_since`, or in its millisecond. An import counts as a change of every day.
   */
  keptAt(row: SealedDayRow): number | null {
    const since = this.#moments.since();
    const at = Math.max(row.sealedAt, since);
    if (this.current(row.day)?.revision === row.revision) return at;
    if (row.supersededAt !== null && row.supersededAt <= since) return null;
    const isImported = this.#statements.imported.get({ from: row.sealedAt, to: at }) !== undefined;
    return isImported || !this.#hasFramesOf(row, at) ? null : at;
  }

  /** Returns whether the frames that counted at `at` are the frames of the revision. */
  #hasFramesOf(row: SealedDayRow, at: number): boolean {
    const first = row.day * hoursOfDay;
    const left = new Map(feedHoursOf(row));
    for (const { hour, feed, retractedAt, replacedAt } of this.#frames.frames(first, first + hoursOfDay - 1, at)) {
      if (replacedAt !== null && replacedAt >= row.sealedAt) return false;
      if (retractedAt === null) left.set(feed, (left.get(feed) ?? 0) ^ (1 << (hour - first)));
    }
    return [...left.values()].every((bits) => bits === 0);
  }
}

/** Returns the feeds of a revision with the bits of their hours, ascending. */
export function feedHoursOf({ feeds }: Pick<SealedDayRow, "feeds">): FeedHours[] {
  return JSON.parse(feeds) as FeedHours[];
}

/** Returns the unmatched names for the hourly export of a revision. */
export function namedOf({ named }: Pick<SealedDayRow, "named">): NamedHours[] {
  return JSON.parse(named) as NamedHours[];
}

function prepare(database: Database) {
  const day = sql.placeholder("day");
  const isUnsealed = database
    .select({ day: unsealedDays.day })
    .from(unsealedDays)
    .where(eq(unsealedDays.day, sealedDays.day));
  const inForce = and(isNull(sealedDays.supersededAt), notExists(isUnsealed));
  return {
    current: database
      .select()
      .from(sealedDays)
      .where(and(eq(sealedDays.day, day), inForce))
      .prepare(),
    revision: database
      .select()
      .from(sealedDays)
      .where(and(eq(sealedDays.day, day), eq(sealedDays.revision, sql.placeholder("revision"))))
      .prepare(),
    inForce: database
      .select({ day: sealedDays.day, revision: sealedDays.revision })
      .from(sealedDays)
      .where(inForce)
      .orderBy(asc(sealedDays.day))
      .prepare(),
    imported: database
      .select({ importId: dailyImports.importId })
      .from(dailyImports)
      .where(between(dailyImports.importedAt, bound("from"), bound("to")))
      .limit(1)
      .prepare(),
    page: database
      .select()
      .from(sealedDays)
      .where(
        and(
          lte(sealedDays.day, day),
          sql`(${sealedDays.day}, ${sealedDays.revision}) < (${day}, ${sql.placeholder("revision")})`,
        ),
      )
      .orderBy(desc(sealedDays.day), desc(sealedDays.revision))
      .limit(sql.placeholder("limit"))
      .prepare(),
  };
}
