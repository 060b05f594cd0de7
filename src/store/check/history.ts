import { crc32 } from "node:zlib";
import { dayText } from "../../values/calendar.ts";
import { dailyColumns } from "../codec/daily-checksum.ts";
import { type Change, decodeSegment, hasValidChecksum } from "../codec/frame-segment.ts";
import type { Database } from "../database.ts";
import { type Finding, fact, faultOfMany } from "./finding.ts";
import { checkFrameMemory, wholeFrames } from "./frame-memory.ts";

type SegmentRow = { day: number; itemId: number; feed: string; changes: Buffer };
type FrameRow = { hour: number; feed: string; items: number; quotes: number };

/** Checks recorded frames, daily rows and indexes: no byte changed since the write, and values stored twice agree. */
export function checkHistory(database: Database): Finding[] {
  return [...checkFrames(database), ...checkDaily(database), ...checkIndexes(database)];
}

function checkFrames(database: Database): Finding[] {
  const differing = differingDays(database);
  const scan = new SegmentScan(database);
  const rows = database.$client
    .prepare("SELECT day, item_id AS itemId, feed, changes FROM frame_segments ORDER BY day, item_id, feed")
    .iterate() as Iterable<SegmentRow>;
  for (const row of rows) scan.take(row);
  const faults = [
    ...faultOfMany(differing, "days of feeds whose hours are not those of their frames"),
    ...faultOfMany(scan.damaged, "segments of frames that are not as they were written"),
    ...faultOfMany(scan.itemless, "segments of frames of no item"),
    ...faultOfMany(scan.foreign, "segments of frames that quote a provider that is not the feed's"),
    // A damaged segment is missing in the sums of all its frames.
    ...(scan.damaged.length > 0 ? [] : faultOfMany(scan.differingFrames(), "frames that do not hold what they state")),
  ];
  faults.push(...checkFrameMemory(database));
  const more = [
    ...(scan.orphans.length === 0 ? [] : [fact(orphansText(scan.orphans))]),
    ...(scan.leftOfPruned === 0 ? [] : [fact(leftText(scan.leftOfPruned))]),
  ];
  if (faults.length > 0) return [...faults, ...more];
  return [fact(`${scan.frameCount} frames in ${scan.segmentCount} segments hold what they state`), ...more];
}

function orphansText(orphans: readonly string[]): string {
  return `${orphans.length} segments have entries of a frame that was not finished, such as ${orphans[0]}; no reader sees them`;
}

function leftText(count: number): string {
  return `${count} segments of pruned days are left, because a pruning was cut off; no reader sees them, and the next pruning removes them`;
}

/** Finds days of feeds whose bits are not the hours of `frames`, also where one of both is missing. */
function differingDays({ $client: client }: Database): string[] {
  const rows = client.prepare(
    `SELECT day, feed FROM (
       SELECT day, feed, hours, 0 AS stored FROM feed_days
       UNION ALL SELECT hour / 24, feed, 0, sum(1 << (hour % 24)) FROM frames GROUP BY hour / 24, feed
     ) GROUP BY day, feed HAVING sum(hours) <> sum(stored) ORDER BY day, feed`,
  );
  return (rows.all() as { day: number; feed: string }[]).map(({ day, feed }) => `${dayText(day)} of ${feed}`);
}

/** Goes over all segments and subtracts the items and quotes of each from the sums that are stored with the frames. */
class SegmentScan {
  readonly damaged: string[] = [];
  readonly itemless: string[] = [];
  readonly foreign: string[] = [];
  readonly orphans: string[] = [];
  readonly frameCount: number;
  segmentCount = 0;
  leftOfPruned = 0;
  /** Frames by day and feed, then by hour of the day. */
  readonly #left = new Map<string, FrameRow[]>();
  readonly #pruned: ReadonlySet<string>;
  readonly #items: ReadonlySet<number>;
  readonly #feeds: ReadonlyMap<number, string>;

  constructor({ $client: client }: Database) {
    const frames = client.prepare(`SELECT hour, feed, items, quotes FROM ${wholeFrames}`).all() as FrameRow[];
    for (const frame of frames) {
      const key = `${Math.floor(frame.hour / 24)} ${frame.feed}`;
      if (!this.#left.has(key)) this.#left.set(key, []);
      this.#left.get(key)![frame.hour % 24] = frame;
    }
    this.frameCount = frames.length;
    const pruned = client.prepare("SELECT day || ' ' || feed FROM feed_days WHERE pruned_at IS NOT NULL");
    this.#pruned = new Set(pruned.pluck().all() as string[]);
    this.#items = new Set(client.prepare("SELECT item_id FROM items").pluck().all() as number[]);
    const numbers = client.prepare("SELECT number, feed FROM frame_providers JOIN providers USING (provider)").raw();
    this.#feeds = new Map(numbers.all() as [number, string][]);
  }

  take({ day, itemId, feed, changes: segment }: SegmentRow): void {
    const key = `${day} ${feed}`;
    if (this.#pruned.has(key)) {
      this.leftOfPruned += 1;
      return;
    }
    this.segmentCount += 1;
    const name = () => `${dayText(day)} item ${itemId} of ${feed}`;
    const changes = hasValidChecksum({ day, itemId, feed }, segment) ? decodedOrNull(segment) : null;
    if (changes === null) {
      this.damaged.push(name());
      return;
    }
    if (!this.#items.has(itemId)) this.itemless.push(name());
    if (changes.some(({ state }) => state?.some(({ provider }) => this.#feeds.get(provider) !== feed) === true))
      this.foreign.push(name());
    if (countFrames(this.#left.get(key) ?? [], changes) < changes.length) this.orphans.push(name());
  }

  /** Returns the frames whose stored sums are not those of the segments. */
  differingFrames(): string[] {
    return Array.from(this.#left.values())
      .flatMap((frames) => Object.values(frames))
      .filter(({ items, quotes }) => items !== 0 || quotes !== 0)
      .map(({ hour, feed }) => `${dayText(Math.floor(hour / 24))} hour ${hour % 24} of ${feed}`);
  }
}

/** Subtracts an item's states of a day from the sums of its frames; returns the number of the changes that are of a stored frame. */
function countFrames(frames: readonly FrameRow[], changes: readonly Change[]): number {
  let state: Change["state"] = null;
  let counting = 0;
  for (let hour = changes[0]?.hour ?? 24, next = 0; hour < 24; hour += 1) {
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

function checkDaily({ $client: client }: Database): Finding[] {
  // SQLite writes the text that the checksum is of: to read each column of each row takes three times as long.
  const rows = client.prepare(`SELECT json_array(${dailyColumns}), seal FROM daily_prices`).raw().iterate() as Iterable<
    [values: string, checksum: number]
  >;
  const damaged: string[] = [];
  let count = 0;
  for (const [values, checksum] of rows) {
    count += 1;
    if (crc32(values) === checksum) continue;
    const [itemId, , day, provider] = JSON.parse(values) as [number, string, number, string];
    damaged.push(`${dayText(day)} item ${itemId} at ${provider}`);
  }
  const lost = client
    .prepare(
      `SELECT item_id || ' at ' || provider FROM daily_prices
       WHERE item_id NOT IN (SELECT item_id FROM items) OR provider NOT IN (SELECT provider FROM providers)
         OR (import_id IS NOT NULL AND import_id NOT IN (SELECT import_id FROM daily_imports))`,
    )
    .pluck()
    .all() as string[];
  const faults = [
    ...faultOfMany(damaged, "daily rows that are not as they were written"),
    ...faultOfMany(lost, "daily rows of no item, provider or import"),
    ...faultOfMany(emptyDays(client), "days of feeds that are finalized and have no daily row"),
  ];
  return faults.length > 0 ? faults : [fact(`${count} daily rows are as they were written`)];
}

/** Returns finalized days with quotes in frames and no daily row. */
function emptyDays(client: Database["$client"]): string[] {
  const pairs = client.prepare("SELECT DISTINCT day || ' ' || provider FROM daily_prices").pluck().all() as string[];
  const daysWithRows = new Set(pairs);
  const rows = client
    .prepare(
      `SELECT day, feed, provider FROM feed_days JOIN providers USING (feed) WHERE settled_at IS NOT NULL
         AND EXISTS (SELECT 1 FROM frames WHERE hour BETWEEN day * 24 AND day * 24 + 23 AND feed = feed_days.feed AND quotes > 0)`,
    )
    .all() as { day: number; feed: string; provider: string }[];
  const finalized = new Map<string, boolean>();
  for (const { day, feed, provider } of rows) {
    const name = `${dayText(day)} of ${feed}`;
    finalized.set(name, finalized.get(name) === true || daysWithRows.has(`${day} ${provider}`));
  }
  return Array.from(finalized).flatMap(([name, hasRow]) => (hasRow ? [] : [name]));
}

/** Finds versions without members. A version is activated after its members, so there should be none. */
function checkIndexes({ $client: client }: Database): Finding[] {
  const empty = client
    .prepare(
      `SELECT index_id || ' version ' || membership_version FROM index_memberships AS version
       WHERE NOT EXISTS (SELECT 1 FROM index_members AS member
         WHERE member.index_id = version.index_id AND member.membership_version = version.membership_version)`,
    )
    .pluck()
    .all() as string[];
  return faultOfMany(empty, "versions of an index without members");
}
