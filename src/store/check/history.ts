import { plural } from "../../values/text/counted.ts";
import { dayText, hoursOfDay } from "../../values/time/calendar.ts";
import { type Change, decodeSegment, hasValidChecksum } from "../codec/frame-segment.ts";
import type { Database } from "../database.ts";
import { checkDaily } from "./daily.ts";
import { type CheckOptions, type Chunks, type Finding, fact, faultOfMany } from "./finding.ts";
import { RefusedNamesCheck, wholeFramesOfDay } from "./frame-memory.ts";
import { SealedDaysCheck } from "./sealed-days.ts";

type SegmentRow = { itemId: number; feed: string; changes: Buffer };
/** `isOpen` is 1 if recording a replacement of this frame was interrupted. Its segments may contain parts of both frames. */
type FrameRow = { hour: number; feed: string; items: number; quotes: number; isOpen: number };

/**
 * Checks that recorded frames, daily rows and indexes match their checksums and each other. A chunk is one day of frames, or the daily rows
 * of some items. With `hours`, encodes the hourly lines of sealed days again, which costs as much time as sealing them.
 */
export function checkHistory(
  database: Database,
  chunks: Chunks = (read) => read(),
  { hours = false }: CheckOptions = {},
): Finding[] {
  const sealed = new SealedDaysCheck(database, chunks);
  return [
    ...checkFrames(database, chunks),
    ...checkDaily(database, chunks, sealed),
    ...(hours ? sealed.hourly() : []),
    ...chunks(() => checkIndexes(database)),
  ];
}

function checkFrames(database: Database, chunks: Chunks): Finding[] {
  const scan = new FrameScan(database);
  const memory = new RefusedNamesCheck(database);
  for (let day = -1; ; ) {
    const checked = chunks(() => {
      const next = scan.dayAfter(day);
      if (next === null) return null;
      scan.take(next);
      memory.take(next);
      return next;
    });
    if (checked === null) break;
    day = checked;
  }
  const faults = [
    ...faultOfMany(scan.differingDays, "days of feeds with hours that differ from their frames"),
    ...faultOfMany(scan.damaged, "segments of frames that were changed"),
    ...faultOfMany(scan.itemless, "segments of frames without an item"),
    ...faultOfMany(scan.foreign, "segments of frames that quote a provider that is not the feed's"),
    ...faultOfMany(scan.differingFrames, "frames that differ from their stated content"),
    ...memory.faults(),
  ];
  const more = [
    ...(scan.orphans.length === 0 ? [] : [fact(orphansText(scan.orphans))]),
    ...(scan.leftOfPruned === 0 ? [] : [fact(leftText(scan.leftOfPruned))]),
  ];
  if (faults.length > 0) return [...faults, ...more];
  return [
    fact(`${plural(scan.frameCount, "frame")} in ${plural(scan.segmentCount, "segment")} match their stated content`),
    ...more,
  ];
}

function orphansText(orphans: readonly string[]): string {
  return `${plural(orphans.length, "segment")} have entries of a frame that was not finished, such as ${orphans[0]}; no reader sees them`;
}

function leftText(count: number): string {
  return `${plural(count, "segment")} of pruned days are left, because a pruning was cut off; no reader sees them, and the next pruning removes them`;
}

/** Reads frames by day, and compares the items and quotes of a day's segments with the counts of its frames. */
class FrameScan {
  readonly differingDays: string[] = [];
  readonly damaged: string[] = [];
  readonly itemless: string[] = [];
  readonly foreign: string[] = [];
  readonly differingFrames: string[] = [];
  readonly orphans: string[] = [];
  frameCount = 0;
  segmentCount = 0;
  leftOfPruned = 0;
  readonly #statements: ReturnType<typeof prepareScan>;

  constructor({ $client: client }: Database) {
    this.#statements = prepareScan(client);
  }

  /** Returns the first stored day after `day`. Returns null after the last one. */
  dayAfter(day: number): number | null {
    return this.#statements.dayAfter.get({ day }) ?? null;
  }

  take(day: number): void {
    for (const feed of this.#statements.differing.all({ day })) this.differingDays.push(`${dayText(day)} of ${feed}`);
    /** Frames by feed, then by hour of the day. */
    const left = new Map<string, FrameRow[]>();
    for (const frame of this.#statements.frames.iterate({ day })) {
      this.frameCount += 1;
      if (!left.has(frame.feed)) left.set(frame.feed, []);
      left.get(frame.feed)![frame.hour % hoursOfDay] = frame;
    }
    const pruned = new Set(this.#statements.pruned.all({ day }));
    const feeds = new Map(this.#statements.feeds.all());
    const damagedBefore = this.damaged.length;
    for (const segment of this.#statements.segments.iterate({ day })) {
      if (pruned.has(segment.feed)) this.leftOfPruned += 1;
      else this.#compare(day, segment, left.get(segment.feed) ?? [], feeds);
    }
    // A damaged segment is missing from the counts of all frames of its day.
    if (this.damaged.length === damagedBefore) this.differingFrames.push(...differingFrames(left));
  }

  #compare(
    day: number,
    { itemId, feed, changes: segment }: SegmentRow,
    left: readonly FrameRow[],
    feeds: ReadonlyMap<number, string>,
  ): void {
    this.segmentCount += 1;
    const name = () => `${dayText(day)} item ${itemId} of ${feed}`;
    const changes = hasValidChecksum({ day, itemId, feed }, segment) ? decodedOrNull(segment) : null;
    if (changes === null) {
      this.damaged.push(name());
      return;
    }
    if (this.#statements.item.get(itemId) === undefined) this.itemless.push(name());
    if (changes.some(({ state }) => state?.some(({ provider }) => feeds.get(provider) !== feed) === true))
      this.foreign.push(name());
    if (countFrames(left, changes) < changes.length) this.orphans.push(name());
  }
}

function prepareScan(client: Database["$client"]) {
  type Day = { day: number };
  return {
    dayAfter: client
      .prepare<[Day], number | null>(
        `SELECT min(day) FROM (
           SELECT min(day) AS day FROM feed_days WHERE day > @day
           UNION ALL SELECT min(day) FROM frame_segments WHERE day > @day
           UNION ALL SELECT min(day) FROM frame_names WHERE day > @day
           UNION ALL SELECT min(hour) / 24 FROM frames WHERE hour >= (@day + 1) * 24)`,
      )
      .pluck(),
    /** Feeds with hour bits that differ from the hours in `frames`, even if one of both is missing. */
    differing: client
      .prepare<[Day], string>(
        `SELECT feed FROM (
           SELECT feed, hours, 0 AS stored FROM feed_days WHERE day = @day
           UNION ALL SELECT feed, 0, sum(1 << (hour % 24)) FROM frames WHERE hour BETWEEN @day * 24 AND @day * 24 + 23 GROUP BY feed
         ) GROUP BY feed HAVING sum(hours) <> sum(stored) ORDER BY feed`,
      )
      .pluck(),
    frames: client.prepare<[Day], FrameRow>(`SELECT hour, feed, items, quotes, retracted_at IS NOT NULL AND EXISTS (
         SELECT 1 FROM retracted_segments AS kept WHERE kept.hour = frames.hour AND kept.feed = frames.feed) AS isOpen
       FROM ${wholeFramesOfDay}`),
    pruned: client
      .prepare<[Day], string>("SELECT feed FROM feed_days WHERE day = @day AND pruned_at IS NOT NULL")
      .pluck(),
    feeds: client
      .prepare<[], [number, string]>("SELECT number, feed FROM frame_providers JOIN providers USING (provider)")
      .raw(),
    segments: client.prepare<[Day], SegmentRow>(
      "SELECT item_id AS itemId, feed, changes FROM frame_segments WHERE day = @day ORDER BY feed, item_id",
    ),
    item: client.prepare<[number], number>("SELECT 1 FROM items WHERE item_id = ?").pluck(),
  };
}

/** Returns the frames of a day that differ from its segments, by the remainders of their counts. */
function differingFrames(left: ReadonlyMap<string, readonly FrameRow[]>): string[] {
  return Array.from(left.values())
    .flatMap((frames) => Object.values(frames))
    .filter(({ items, quotes, isOpen }) => isOpen === 0 && (items !== 0 || quotes !== 0))
    .map(({ hour, feed }) => `${dayText(Math.floor(hour / hoursOfDay))} hour ${hour % hoursOfDay} of ${feed}`);
}

/** Subtracts an item's states of a day from the counts of its frames. Returns how many changes belong to a stored frame. */
function countFrames(frames: readonly FrameRow[], changes: readonly Change[]): number {
  let state: Change["state"] = null;
  let counting = 0;
  for (let hour = changes[0]?.hour ?? hoursOfDay, next = 0; hour < hoursOfDay; hour += 1) {
    const change = changes[next]?.hour === hour ? changes[next++] : undefined;
    const frame = frames[hour];
    if (frame === undefined) continue;
    if (change !== undefined) {
      state = change.state;
      counting += 1;
    }
    if (state === null) continue;
    frame.items -= 1;
    frame.quotes -= state.length;
  }
  return counting;
}

function decodedOrNull(segment: Buffer): Change[] | null {
  try {
    return decodeSegment(segment);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Finds versions without members, which every version gets before its activation, and corrected levels without their predecessor. */
function checkIndexes({ $client: client }: Database): Finding[] {
  const names = (query: string) => client.prepare<[], string>(query).pluck().all();
  const empty = names(
    `SELECT index_id || ' version ' || membership_version FROM index_memberships AS version
     WHERE NOT EXISTS (SELECT 1 FROM index_members AS member
       WHERE member.index_id = version.index_id AND member.membership_version = version.membership_version)`,
  );
  const unfounded = names(
    `SELECT index_id || ' on ' || date(day * 86400, 'unixepoch') FROM index_levels AS level
     WHERE revision > 1 AND NOT EXISTS (SELECT 1 FROM index_levels_past AS past
       WHERE past.index_id = level.index_id AND past.methodology_version = level.methodology_version
         AND past.day = level.day AND past.revision = level.revision - 1)`,
  );
  return [
    ...faultOfMany(empty, "versions of an index without members"),
    ...faultOfMany(unfounded, "corrected levels of an index without the level before"),
  ];
}
