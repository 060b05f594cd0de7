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
import { objectRows } from "../statement.ts";
import type { SharedReadTransaction } from "./shared-read.ts";

/** The number of a provider in segments, and its feed. */
type FrameProvider = { provider: string; number: number; feed: string };

/** `hours` has a bit for each hour of the day with a frame of the feed. */
export type FeedDay = { day: number; feed: string; hours: number };

/** `isPruned` means that the frames no longer have data of items. */
export type RecordedFeedDay = FeedDay & { isPruned: boolean };

/**
 * A stored frame, times in UTC ms. `providers` is a JSON array of the providers that the feed covered. `refusedNames` is the number of
 * names that matched no item. Both are null if they were not recorded.
 */
export type FrameRow = {
  hour: number;
  feed: string;
  ingestedAt: number;
  checkedAt: number;
  recordedAt: number;
  providers: string | null;
  refusedNames: number | null;
  /** When an operator retracted the frame, which makes its hour a gap. Null if the frame counts. */
  retractedAt: number | null;
  /** When another frame of the hour replaced a retracted one. Null if the frame is the first of its hour. */
  replacedAt: number | null;
};

/** An item's encoded states in the frames of one feed and day (see `frame-segment`). Entries of hours without a frame are ignored. */
type FeedSegment = { feed: string; changes: Buffer };

/** Reads recorded frames. Days and hours are counted since 1970, in UTC. */
export class FramesStore {
  readonly #statements: ReturnType<typeof prepare>;
  readonly #shared: SharedReadTransaction | undefined;

  /** Without `shared`, each read is a transaction of its own. */
  constructor(database: Database, shared?: SharedReadTransaction) {
    this.#shared = shared;
    this.#statements = prepare(database);
  }

  /** Returns every provider that any frame quoted. */
  providers(): FrameProvider[] {
    this.#shared?.join();
    return this.#statements.providers.all();
  }

  /** Returns feed days with a frame from `from` to `to` (inclusive), by day and feed. */
  feedDays(from: number, to: number): RecordedFeedDay[] {
    this.#shared?.join();
    return this.#statements.feedDays
      .all(from, to)
      .map(({ day, feed, hours, prunedAt }) => ({ day, feed, hours, isPruned: prunedAt !== null }));
  }

  /** Returns feed days without final daily rows from `from` to `to` (inclusive), by day and feed. */
  unfinalized(from: number, to: number): FeedDay[] {
    this.#shared?.join();
    return this.#statements.unfinalized.all({ from, to });
  }

  /** Returns frames from `fromHour` to `toHour` (inclusive), by hour and feed. */
  frames(fromHour: number, toHour: number): FrameRow[] {
    this.#shared?.join();
    return this.#statements.frames.all(fromHour, toHour);
  }

  /** Returns a number that grows with each retraction and each replacement of a retracted frame. */
  retractions(): number {
    this.#shared?.join();
    return this.#statements.retractions.get()!.count;
  }

  /** Returns the number of items in the last frame of a feed before `hour`, or null without one. */
  itemsBefore(feed: string, hour: number): number | null {
    return this.#statements.itemsBefore.get({ feed, hour })?.items ?? null;
  }

  /** Returns the id of a refused name by feed. Pass `name` normalized for comparison. */
  refusedNameIds(name: string, phase: string): Map<string, number> {
    this.#shared?.join();
    const rows = this.#statements.refusedNameIds.all(name, phase);
    return new Map(rows.map(({ feed, nameId }) => [feed, nameId]));
  }

  /** Returns the encoded refused names in the frames of a feed and day (see `frame-names`), or null without any. */
  names(day: number, feed: string): Buffer | null {
    this.#shared?.join();
    return this.#statements.names.get({ day, feed })?.changes ?? null;
  }

  /** Returns the segments of one item on one day, by feed. A feed without a segment did not name the item on that day. */
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
      replacedAt: sql`${frames.replacedAt}`.as("replacedAt"),
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
    // Executed directly: a page of history reads up to 744 frames of each feed, and a segment of each day.
    feedDays: objectRows<FeedDay & { prunedAt: number | null }, [number, number]>(database, feedDaysQuery),
    refusedNameIds: objectRows<{ feed: string; nameId: number }, [string, string]>(database, refusedNameQuery),
    frames: objectRows<FrameRow, [number, number]>(database, frameQuery),
    segments: objectRows<FeedSegment, [number, number]>(database, segmentQuery),
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
