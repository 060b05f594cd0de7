import { and, asc, eq, getTableColumns, gt, sql } from "drizzle-orm";
import { feedDays, frameNames, frameSegments, frames, refusedNames } from "../../../db/schema/history.ts";
import { frameProviders } from "../../../db/schema/prices.ts";
import type { Database } from "../database.ts";

type SegmentRow = { itemId: number; changes: Buffer };
export type FeedDayKey = { day: number; feed: string };

/** A name that joined no item, in the form in which names are compared. `phase` is "" where the source gave none. */
export type RefusedName = { name: string; phase: string };

/** Few enough for a page to be over before V8 counts it as something that lasts. */
const pageRows = 256;

/** The rows of frames, as recording reads and writes them. Its caller holds the transactions. */
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

  /** Returns a bit for each hour of the day that has a frame. */
  storedHours(key: FeedDayKey): number {
    return this.#statements.storedHours.get(key)?.hours ?? 0;
  }

  /** Returns whether the hours of the day were removed: a frame of it would be the only one that anything is derived from. */
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

  /** Returns the refused names in the frames of a feed and day, encoded (see `frame-names`); null: none is stored. */
  names({ day, feed }: FeedDayKey): Buffer | null {
    return this.#statements.names.get({ day, feed })?.changes ?? null;
  }

  /** Stores the refused names in the frames of a feed and day in place of those that are stored. */
  putNames({ day, feed }: FeedDayKey, changes: Buffer): void {
    this.#database
      .insert(frameNames)
      .values({ day, feed, changes })
      .onConflictDoUpdate({ target: [frameNames.day, frameNames.feed], set: { changes } })
      .run();
  }

  /** Adds a frame, whose segments are stored: readers see it from now on, and its day is to be finalized again. */
  addFrame(day: number, frame: typeof frames.$inferInsert): void {
    const hours = 1 << (frame.hour % 24);
    this.#statements.addFrame.run({ providers: null, refusedNames: null, ...frame });
    this.#statements.addHours.run({ day, feed: frame.feed, hours });
  }

  /** Marks a day of a feed as one whose daily rows are stored, at `finalizedAt` (UTC ms). */
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

  /** Returns the id of a name; null: the feed never had it. */
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

function placeholders<Columns extends object>(
  columns: Columns,
): Record<keyof Columns, ReturnType<typeof sql.placeholder>> {
  const pairs = Object.keys(columns).map((name) => [name, sql.placeholder(name)]);
  return Object.fromEntries(pairs) as Record<keyof Columns, ReturnType<typeof sql.placeholder>>;
}
