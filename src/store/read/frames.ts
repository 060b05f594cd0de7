import { and, asc, between, desc, eq, isNull, lt, sql } from "drizzle-orm";
import {
  feedDays,
  frameNames,
  frameRetractions,
  frameSegments,
  framesNow as frames,
  refusedNames,
} from "../../../db/schema/history.ts";
import { frameProviders, providers } from "../../../db/schema/prices.ts";
import type { Database } from "../database.ts";
import { bareRecords } from "../statement.ts";
import type { SharedReadTransaction } from "./shared-read.ts";

/** The number of a provider inside of segments, and the feed that it belongs to. */
type FrameProvider = { provider: string; number: number; feed: string };

/** `hours` has a bit for each hour of the day that has a frame of the feed. */
export type FeedDay = { day: number; feed: string; hours: number };

/** `isPruned`: the frames tell nothing of items any more. */
export type RecordedFeedDay = FeedDay & { isPruned: boolean };

/**
 * A stored frame, times in UTC ms. `providers`: JSON array of those that the feed covered. `refusedNames`: number of names that
 * joined no item. Null: the frame does not remember them.
 */
export type FrameRow = {
  hour: number;
  feed: string;
  ingestedAt: number;
  checkedAt: number;
  recordedAt: number;
  providers: string | null;
  refusedNames: number | null;
  /** Since then the hour is a gap, because an operator took the frame back. Null: the frame counts. */
  retractedAt: number | null;
};

/**
 * An item's states in the frames of one feed and day, encoded (see `frame-segment`). Entries of hours without a frame
 * do not count.
 */
type FeedSegment = { feed: string; changes: Buffer };

/** Recorded frames. Days and hours are counted since 1970, in UTC. */
export class FramesStore {
  readonly #statements: ReturnType<typeof prepare>;
  readonly #shared: SharedReadTransaction | undefined;

  /** Without `shared` every read is a transaction of its own. */
  constructor(database: Database, shared?: SharedReadTransaction) {
    this.#shared = shared;
    this.#statements = prepare(database);
  }

  /** Returns every provider that a frame ever quoted. */
  providers(): FrameProvider[] {
    this.#shared?.join();
    return this.#statements.providers.all();
  }

  /** Returns the days of feeds that have a frame, both bounds inclusive, by day and feed. */
  feedDays(from: number, to: number): RecordedFeedDay[] {
    this.#shared?.join();
    return this.#statements.feedDays
      .all(from, to)
      .map(({ day, feed, hours, prunedAt }) => ({ day, feed, hours, isPruned: prunedAt !== null }));
  }

  /** Returns the days of feeds whose daily rows are not those of their frames yet. */
  unfinalized(from: number, to: number): FeedDay[] {
    this.#shared?.join();
    return this.#statements.unfinalized.all({ from, to });
  }

  /** Frames of the hours from `fromHour` to `toHour`, both inclusive, by hour and feed. */
  frames(fromHour: number, toHour: number): FrameRow[] {
    this.#shared?.join();
    return this.#statements.frames.all(fromHour, toHour);
  }

  /** Returns a number that grows with each retraction and each frame that took the place of a retracted one. */
  retractions(): number {
    this.#shared?.join();
    return this.#statements.retractions.get()!.count;
  }

  /** Counts the items in the last frame of a feed before `hour`; null: there is none. */
  itemsBefore(feed: string, hour: number): number | null {
    return this.#statements.itemsBefore.get({ feed, hour })?.items ?? null;
  }

  /** Returns the id that a name has among the refused names of each feed, by feed. `name` in the form in which names are compared. */
  refusedNameIds(name: string, phase: string): Map<string, number> {
    this.#shared?.join();
    const rows = this.#statements.refusedNameIds.all(name, phase);
    return new Map(rows.map(({ feed, nameId }) => [feed, nameId]));
  }

  /** Returns the refused names in the frames of a feed and day, encoded (see `frame-names`); null: none is stored. */
  names(day: number, feed: string): Buffer | null {
    this.#shared?.join();
    return this.#statements.names.get({ day, feed })?.changes ?? null;
  }

  /** Returns the segments of one item on one day, by feed; a feed without one did not name the item on that day. */
  segments(day: number, itemId: number): FeedSegment[] {
    this.#shared?.join();
    return this.#statements.segments.all(day, itemId);
  }
}

function prepare(database: Database) {
  const { day, feed, hours } = feedDays;
  const ofDays = between(day, sql.placeholder("from"), sql.placeholder("to"));
  const frameQuery = database
    .select({
      hour: sql`${frames.hour}`.as("hour"),
      feed: sql`${frames.feed}`.as("feed"),
      ingestedAt: sql`${frames.ingestedAt}`.as("ingestedAt"),
      checkedAt: sql`${frames.checkedAt}`.as("checkedAt"),
      recordedAt: sql`${frames.recordedAt}`.as("recordedAt"),
      providers: sql`${frames.providers}`.as("providers"),
      refusedNames: sql`${frames.refusedNames}`.as("refusedNames"),
      retractedAt: sql`${frames.retractedAt}`.as("retractedAt"),
    })
    .from(frames)
    .where(between(frames.hour, sql.placeholder("from"), sql.placeholder("to")))
    .orderBy(asc(frames.hour), asc(frames.feed));
  const segmentQuery = database
    .select({ feed: frameSegments.feed, changes: frameSegments.changes })
    .from(feedDays)
    .crossJoin(frameSegments)
    .where(
      and(
        eq(day, sql.placeholder("day")),
        eq(frameSegments.day, day),
        eq(frameSegments.feed, feed),
        eq(frameSegments.itemId, sql.placeholder("itemId")),
      ),
    )
    .orderBy(asc(feed));
  const feedDaysQuery = database
    .select({ day, feed, hours, prunedAt: sql`${feedDays.prunedAt}`.as("prunedAt") })
    .from(feedDays)
    .where(ofDays)
    .orderBy(asc(day), asc(feed));
  const refusedNameQuery = database
    .select({ feed: refusedNames.feed, nameId: sql`${refusedNames.nameId}`.as("nameId") })
    .from(refusedNames)
    .where(and(eq(refusedNames.name, sql.placeholder("name")), eq(refusedNames.phase, sql.placeholder("phase"))));
  return {
    ...prepareFrames(database),
    providers: database
      .select({ provider: frameProviders.provider, number: frameProviders.number, feed: providers.feed })
      .from(frameProviders)
      .innerJoin(providers, eq(providers.provider, frameProviders.provider))
      .prepare(),
    unfinalized: database
      .select({ day, feed, hours })
      .from(feedDays)
      .where(and(isNull(feedDays.finalizedAt), ofDays))
      .orderBy(asc(day), asc(feed))
      .prepare(),
    names: database
      .select({ changes: frameNames.changes })
      .from(frameNames)
      .where(and(eq(frameNames.day, sql.placeholder("day")), eq(frameNames.feed, sql.placeholder("feed"))))
      .prepare(),
    // Bare statements: a page of history reads up to 744 frames of each feed and a segment of each day.
    feedDays: bareRecords<FeedDay & { prunedAt: number | null }, [number, number]>(database, feedDaysQuery),
    refusedNameIds: bareRecords<{ feed: string; nameId: number }, [string, string]>(database, refusedNameQuery),
    frames: bareRecords<FrameRow, [number, number]>(database, frameQuery),
    segments: bareRecords<FeedSegment, [number, number]>(database, segmentQuery),
  };
}

function prepareFrames(database: Database) {
  return {
    retractions: database
      .select({ count: sql<number>`count(*) + count(${frameRetractions.replacedAt})` })
      .from(frameRetractions)
      .prepare(),
    itemsBefore: database
      .select({ items: frames.items })
      .from(frames)
      .where(
        and(
          eq(frames.feed, sql.placeholder("feed")),
          lt(frames.hour, sql.placeholder("hour")),
          isNull(frames.retractedAt),
        ),
      )
      .orderBy(desc(frames.hour))
      .limit(1)
      .prepare(),
  };
}
