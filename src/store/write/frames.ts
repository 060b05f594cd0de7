import { and, asc, eq, getTableColumns, gt, isNull, sql } from "drizzle-orm";
import {
  feedDays,
  frameNames,
  frameRetractions,
  frameSegments,
  frames,
  refusedNames,
  retractedSegments,
} from "../../../db/schema/history.ts";
import { frameProviders } from "../../../db/schema/prices.ts";
import type { Clock } from "../../values/time/clock.ts";
import type { Database } from "../database.ts";
import { type BatchStats, inLargeTransactions } from "./batches.ts";

type SegmentRow = { itemId: number; changes: Buffer };
export type FeedDayKey = { day: number; feed: string };
type FrameKey = { hour: number; feed: string };
type RecordedFrame = Pick<typeof frames.$inferSelect, "ingestedAt" | "checkedAt" | "items" | "quotes"> & {
  reason: string | null;
};

/** A name without a matching item, normalized for comparison. `phase` is "" if the source gave none. */
export type RefusedName = { name: string; phase: string };

/** Item id under which `retracted_segments` has refused names. No item has it. */
export const refusedNamesItem = 0;

/** Small enough that V8 does not promote a page's objects to the old generation. */
const pageRows = 256;

/** Reads and writes the rows of frames for recording. The caller holds the transactions. */
export class FrameWriter {
  readonly #database: Database;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#database = database;
    this.#statements = prepare(database);
  }

  numbers(): Map<string, number> {
    const rows = this.#database.select().from(frameProviders).all();
    return new Map(rows.map(({ provider, number }) => [provider, number]));
  }

  /** Returns a bit for each hour of the day with a frame. */
  storedHours(key: FeedDayKey): number {
    return this.#statements.storedHours.get(key)?.hours ?? 0;
  }

  /** Returns whether the hours of the day were removed. A new frame would then be the day's only source of daily rows. */
  isPruned(key: FeedDayKey): boolean {
    return (this.#statements.storedHours.get(key)?.prunedAt ?? null) !== null;
  }

  /** Yields the segments of a feed and day in ascending item id, read page by page. */
  *segments(key: FeedDayKey): Generator<SegmentRow> {
    let after = -1;
    for (;;) {
      const page = this.#statements.page.all(key.day, after, key.feed, pageRows) as SegmentRow[];
      yield* page;
      if (page.length < pageRows) return;
      after = page.at(-1)!.itemId;
    }
  }

  putSegment({ day, feed }: FeedDayKey, { itemId, changes }: SegmentRow): void {
    this.#statements.put.run(day, itemId, feed, changes);
  }

  removeSegment(key: FeedDayKey, itemId: number): void {
    this.#statements.remove.run({ ...key, itemId });
  }

  /** Returns the encoded refused names in the frames of a feed and day (see `frame-names`), or null without any. */
  names({ day, feed }: FeedDayKey): Buffer | null {
    return this.#statements.names.get({ day, feed })?.changes ?? null;
  }

  /** Stores the encoded refused names of a feed and day, replacing stored ones. */
  putNames({ day, feed }: FeedDayKey, changes: Buffer): void {
    this.#database
      .insert(frameNames)
      .values({ day, feed, changes })
      .onConflictDoUpdate({ target: [frameNames.day, frameNames.feed], set: { changes } })
      .run();
  }

  /** Adds a frame with stored segments. Readers see it from now on, and its day must be finalized again. */
  addFrame(day: number, frame: typeof frames.$inferInsert): void {
    const hours = 1 << (frame.hour % 24);
    this.#statements.addFrame.run({ providers: null, refusedNames: null, ...frame });
    this.#statements.addHours.run({ day, feed: frame.feed, hours });
  }

  /** Returns the recorded frame and the reason of its retraction, or null if the hour has no frame. */
  recorded(frame: FrameKey): RecordedFrame | null {
    return this.#statements.recorded.get(frame) ?? null;
  }

  /** Returns whether the frame was retracted and not replaced. */
  isReplaceable(frame: FrameKey): boolean {
    return this.#statements.replaceable.get(frame) !== undefined;
  }

  /** Retracts a frame. Readers no longer see its hour, and its day must be finalized again. */
  retract({ day, ...frame }: FrameKey & { day: number }, reason: string, retractedAt: number): void {
    this.#database
      .insert(frameRetractions)
      .values({ ...frame, reason, retractedAt })
      .run();
    this.#statements.reopen.run({ day, feed: frame.feed });
  }

  /** Saves segments and refused names of the day of a retracted frame before a replacement changes them. */
  *keepRetractedInBatches({ hour, ...key }: FeedDayKey & { hour: number }, clock: Clock): Generator<BatchStats> {
    const keep = (row: SegmentRow) => this.#statements.keep.run({ ...row, hour, feed: key.feed });
    yield* inLargeTransactions(this.#database, clock, this.#replaceable(key), keep, ({ changes }) => changes.length);
  }

  *#replaceable(key: FeedDayKey): Generator<SegmentRow> {
    const changes = this.names(key);
    if (changes !== null) yield { itemId: refusedNamesItem, changes };
    yield* this.segments(key);
  }

  /** Replaces the facts of a retracted frame with the facts of another frame with stored segments. */
  replaceFrame(day: number, frame: typeof frames.$inferInsert): void {
    const { hour, feed, ingestedAt, checkedAt, recordedAt: replacedAt, items, quotes, providers, refusedNames } = frame;
    this.#database
      .update(frameRetractions)
      .set({ ingestedAt, checkedAt, replacedAt, items, quotes, providers, refusedNames })
      .where(and(eq(frameRetractions.hour, hour), eq(frameRetractions.feed, feed)))
      .run();
    this.#statements.reopen.run({ day, feed });
  }

  /** Marks a feed day as finalized at `finalizedAt` (UTC ms), which means that its daily rows are stored. */
  markFinalized({ day, feed }: FeedDayKey, finalizedAt: number): void {
    this.#statements.finalized.run({ day, feed, finalizedAt });
  }
}

/** Reads and writes the refused names of one feed. Callers hold the transactions. */
export class RefusedNameWriter {
  readonly #feed: string;
  readonly #find;
  readonly #add;

  constructor(database: Database, feed: string) {
    const values = { feed: sql.placeholder("feed"), name: sql.placeholder("name"), phase: sql.placeholder("phase") };
    this.#feed = feed;
    this.#find = database
      .select({ nameId: refusedNames.nameId })
      .from(refusedNames)
      .where(
        and(
          eq(refusedNames.name, values.name),
          eq(refusedNames.phase, values.phase),
          eq(refusedNames.feed, values.feed),
        ),
      )
      .prepare();
    this.#add = database.insert(refusedNames).values(values).onConflictDoNothing().prepare();
  }

  /** Returns the id of a name, or null if the feed never had it. */
  idOf({ name, phase }: RefusedName): number | null {
    return this.#find.get({ feed: this.#feed, name, phase })?.nameId ?? null;
  }

  /** Adds a name unless the feed has it. */
  add({ name, phase }: RefusedName): void {
    this.#add.run({ feed: this.#feed, name, phase });
  }
}

function prepare(database: Database) {
  const { $client: client } = database;
  const day = sql.placeholder("day");
  const feed = sql.placeholder("feed");
  const itemId = sql.placeholder("itemId");
  const changes = sql.placeholder("changes");
  const page = database
    .select({ itemId: sql`${frameSegments.itemId}`.as("itemId"), changes: frameSegments.changes })
    .from(frameSegments)
    .where(and(eq(frameSegments.day, day), gt(frameSegments.itemId, itemId), eq(frameSegments.feed, feed)))
    .orderBy(asc(frameSegments.itemId))
    .limit(sql.placeholder("limit"));
  const put = database
    .insert(frameSegments)
    .values({ day, itemId, feed, changes })
    .onConflictDoUpdate({
      target: [frameSegments.day, frameSegments.feed, frameSegments.itemId],
      set: { changes: sql`excluded.changes` },
    });
  return {
    ...prepareRetracted(database),
    storedHours: database
      .select({ hours: feedDays.hours, prunedAt: feedDays.prunedAt })
      .from(feedDays)
      .where(and(eq(feedDays.day, day), eq(feedDays.feed, feed)))
      .prepare(),
    addFrame: database
      .insert(frames)
      .values(placeholders(getTableColumns(frames)))
      .prepare(),
    addHours: database
      .insert(feedDays)
      .values({ day, feed, hours: sql.placeholder("hours"), finalizedAt: null })
      .onConflictDoUpdate({
        target: [feedDays.day, feedDays.feed],
        set: { hours: sql`${feedDays.hours} | excluded.hours`, finalizedAt: null },
      })
      .prepare(),
    names: database
      .select({ changes: frameNames.changes })
      .from(frameNames)
      .where(and(eq(frameNames.day, day), eq(frameNames.feed, feed)))
      .prepare(),
    reopen: database
      .update(feedDays)
      .set({ finalizedAt: null })
      .where(and(eq(feedDays.day, day), eq(feedDays.feed, feed)))
      .prepare(),
    finalized: database
      .update(feedDays)
      .set({ finalizedAt: sql`${sql.placeholder("finalizedAt")}` })
      .where(and(eq(feedDays.day, day), eq(feedDays.feed, feed)))
      .prepare(),
    page: client.prepare(page.toSQL().sql),
    put: client.prepare(put.toSQL().sql),
    remove: database
      .delete(frameSegments)
      .where(and(eq(frameSegments.day, day), eq(frameSegments.itemId, itemId), eq(frameSegments.feed, feed)))
      .prepare(),
  };
}

function prepareRetracted(database: Database) {
  const hour = sql.placeholder("hour");
  const feed = sql.placeholder("feed");
  const itemId = sql.placeholder("itemId");
  const changes = sql.placeholder("changes");
  return {
    recorded: database
      .select({
        ingestedAt: frames.ingestedAt,
        checkedAt: frames.checkedAt,
        items: frames.items,
        quotes: frames.quotes,
        reason: frameRetractions.reason,
      })
      .from(frames)
      .leftJoin(frameRetractions, and(eq(frameRetractions.hour, frames.hour), eq(frameRetractions.feed, frames.feed)))
      .where(and(eq(frames.hour, hour), eq(frames.feed, feed)))
      .prepare(),
    replaceable: database
      .select({ hour: frameRetractions.hour })
      .from(frameRetractions)
      .where(and(eq(frameRetractions.hour, hour), eq(frameRetractions.feed, feed), isNull(frameRetractions.replacedAt)))
      .prepare(),
    keep: database.insert(retractedSegments).values({ hour, feed, itemId, changes }).onConflictDoNothing().prepare(),
  };
}

function placeholders<Columns extends object>(
  columns: Columns,
): Record<keyof Columns, ReturnType<typeof sql.placeholder>> {
  const pairs = Object.keys(columns).map((name) => [name, sql.placeholder(name)]);
  return Object.fromEntries(pairs) as Record<keyof Columns, ReturnType<typeof sql.placeholder>>;
}
