import {
  decodeFrameNames,
  encodeFrameNames,
  type HourNames,
  hasValidNamesChecksum,
} from "../../store/codec/frame-names.ts";
import {
  type Change,
  decodeSegment,
  encodeSegment,
  type FrameQuote,
  hasValidChecksum,
  type ItemState,
  isSameState,
  type SegmentKey,
} from "../../store/codec/frame-segment.ts";
import type { Database } from "../../store/database.ts";
import {
  type BatchStats,
  inLargeTransactions,
  inOneTransaction,
  inWrittenBackTransaction,
} from "../../store/write/batches.ts";
import { DataEvents } from "../../store/write/data-events.ts";
import { FeedWriter } from "../../store/write/feeds.ts";
import { type FeedDayKey, FrameWriter, type RefusedName, RefusedNameWriter } from "../../store/write/frames.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import { type Progress, silent } from "../../values/progress.ts";
import { dayOf, dayText, hourMs, hourOf } from "../../values/time/calendar.ts";
import type { Clock } from "../../values/time/clock.ts";
import type { Book, BookQuote } from "../../wire/quotes.ts";

/**
 * One verified state of a feed, such as an accepted body. `providers` are the covered providers. `itemsWithoutQuote` are items without a
 * usable price. `refusedNames` are distinct names that joined no item; null if they are too many.
 */
export type FrameContent = {
  facts: { feed: string; providers: readonly { provider: string }[] };
  items: ReadonlyMap<number, Book>;
  itemsWithoutQuote: ReadonlySet<number>;
  refusedNames: readonly RefusedName[] | null;
};

/**
 * Times of a frame, UTC ms. `ingestedAt` is the publication time of the content, or its acceptance if it is not published. `checkedAt`
 * determines the hour. `recordedAt` is when recording begins.
 */
export type FrameTimes = {
  verifiedBy: "body" | "not_modified";
  ingestedAt: number;
  checkedAt: number;
  recordedAt: number;
};

/** `hour_taken` means that nothing was written: the hour already has a verified frame, or its day was pruned. */
export type FrameOutcome = {
  outcome: "recorded" | "hour_taken";
  hour: number;
  items: number;
  quotes: number;
  segmentsWritten: number;
};

/** Approximate bytes of a segment's key in its row. */
const keyBytes = 16;

/**
 * `isSavedBody` means that the body was saved in its hour instead of polled now. It may then replace a retracted frame. `log` is the log of
 * a command with several frames.
 */
type FrameParts = { clock: Clock; progress?: Progress; isSavedBody?: boolean; log?: DataEvents };

/** A frame that is recorded this long after its check is late. */
const lateMs = hourMs;

/** `changes` is null if no frame names the item any more. */
type SegmentWrite = { itemId: number; changes: Buffer | null };
/** Hour of the day of a new frame, and a bit for each hour of the day with a frame. */
type HourOfDay = { hour: number; storedHours: number };

/**
 * Records the frame of one feed and UTC hour, unless the hour has one. Yields after each step, when the write lock is free. Readers ignore
 * segment entries for hours without a frame, so a crash leaves the recorded history unchanged. The feed and its providers must be known.
 * The caller holds the import lock.
 */
export function* recordFrameInBatches(
  database: Database,
  content: FrameContent,
  times: FrameTimes,
  parts: FrameParts,
): Generator<BatchStats, FrameOutcome> {
  const { clock, progress = silent, isSavedBody = false, log = new DataEvents(database) } = parts;
  const cause = isSavedBody ? "saved_body" : "delay";
  const rows = new FrameWriter(database);
  const hour = hourOf(times.checkedAt);
  const key = { day: dayOf(times.checkedAt), feed: content.facts.feed };
  const { slugs, ...counts } = countOf(content);
  const covered = refuseForeign(new FeedWriter(database), content.facts, slugs);
  const storedHours = rows.storedHours(key);
  const replaces = isStored(storedHours, hour % 24);
  const hasRows = replaces && !(isSavedBody && rows.isReplaceable({ hour, feed: key.feed }));
  if (hasRows || rows.isPruned(key)) return { outcome: "hour_taken", hour, ...counts, segmentsWritten: 0 };
  // Checked before any segment is written.
  for (const { itemId, changes } of rows.segments(key)) refuseDamaged({ ...key, itemId }, changes);
  if (replaces) yield* rows.keepRetractedInBatches({ ...key, hour }, clock);
  progress.phase("recording the frame");
  const writes = segmentWrites(rows, key, { hour: hour % 24, storedHours }, statesOf(content, rows.numbers()));
  let segmentsWritten = 0;
  const write = (segment: SegmentWrite) => writeSegment(rows, key, segment);
  for (const batch of inLargeTransactions(database, clock, writes, write, segmentBytes)) {
    segmentsWritten += batch.rows;
    yield batch;
  }
  yield* writeNamesInBatches(database, rows, key, { hour: hour % 24, storedHours }, content.refusedNames, clock);
  const { ingestedAt, checkedAt, recordedAt } = times;
  // A clock that was later set back may have given future times.
  const frame = {
    hour,
    feed: content.facts.feed,
    ...times,
    ...counts,
    providers: JSON.stringify(covered),
    refusedNames: content.refusedNames?.length ?? null,
    ingestedAt: ingestedAt > recordedAt ? checkedAt : ingestedAt,
  };
  yield inWrittenBackTransaction(database, clock, () => {
    if (rows.storedHours(key) !== storedHours) {
      throw new OperatorError("another frame of the day was recorded meanwhile; try again", exitCodes.temporary);
    }
    // Readers see the frame from this commit on.
    const recordedAt = Math.max(times.recordedAt, clock.now());
    if (replaces) rows.replaceFrame(key.day, { ...frame, recordedAt });
    else rows.addFrame(key.day, { ...frame, recordedAt });
    if (recordedAt - checkedAt > lateMs)
      log.add({ ...key, kind: "late_frame", cause, at: recordedAt, hours: 1 << (hour % 24), count: 1 });
  });
  return { outcome: "recorded", hour, ...counts, segmentsWritten };
}

/**
 * Returns the changes of an item's day with `state` at `hour`, or the same array if no write is needed. All stored frames keep their
 * content, even before the new frame is stored. Entries of other hours without a frame are remains of a crash and are removed.
 */
function changesWith(
  changes: readonly Change[],
  storedHours: number,
  { hour, state }: { hour: number; state: ItemState },
): readonly Change[] {
  const kept = changes.filter((change) => isStored(storedHours, change.hour));
  const before = kept.filter((change) => change.hour < hour);
  const after = kept.filter((change) => change.hour > hour);
  const stateBefore = before.at(-1)?.state ?? null;
  // The state of the hour itself if its frame was retracted.
  const carried = kept.findLast((change) => change.hour <= hour)?.state ?? null;
  const next = nextStored(storedHours, hour);
  if (next !== null && after[0]?.hour !== next && !isSameState(carried, state))
    after.unshift({ hour: next, state: carried });
  const own = isSameState(stateBefore, state) ? [] : [{ hour, state }];
  const made = [...before, ...own, ...after];
  const isSame = made.length === changes.length && made.every((change, index) => change === changes[index]);
  return isSame ? changes : made;
}

/**
 * Returns the quoted and covered providers of the frame, in ascending order.
 * @throws {OperatorError} when the feed is unknown or a provider belongs to another feed.
 */
function refuseForeign(
  feeds: FeedWriter,
  { feed, providers }: FrameContent["facts"],
  slugs: ReadonlySet<string>,
): string[] {
  if (!feeds.has(feed)) throw new OperatorError(`feed ${feed}: unknown feed; publish its quotes first`);
  const covered = Array.from(new Set([...slugs, ...providers.map(({ provider }) => provider)])).sort();
  const owners = feeds.ownersOf(covered);
  for (const slug of covered) {
    const owner = owners.get(slug);
    if (owner === feed) continue;
    const why = owner === undefined ? "is unknown; publish its quotes first" : `belongs to the feed ${owner}`;
    throw new OperatorError(`feed ${feed}: the provider ${slug} ${why}`);
  }
  return covered;
}

/** Counts items and quotes of a frame. `slugs` are the quoted providers. */
function countOf({ items, itemsWithoutQuote }: FrameContent): { items: number; quotes: number; slugs: Set<string> } {
  const slugs = new Set<string>();
  let quotes = 0;
  for (const { asks, bids } of items.values()) {
    quotes += asks.length + bids.length;
    for (const { provider } of asks) slugs.add(provider);
    for (const { provider } of bids) slugs.add(provider);
  }
  let unpriced = 0;
  for (const itemId of itemsWithoutQuote) if (!items.has(itemId)) unpriced += 1;
  return { items: items.size + unpriced, quotes, slugs };
}

/** Yields the states of a frame in ascending item id. */
function* statesOf(
  { items, itemsWithoutQuote }: FrameContent,
  numbers: ReadonlyMap<string, number>,
): Generator<{ itemId: number; state: ItemState }> {
  const toFrame = (side: FrameQuote["side"]) => (quote: BookQuote) => ({
    provider: numbers.get(quote.provider)!,
    side,
    amount: quote.amountCents,
    quantity: quote.quantity,
    observedAt: quote.observedAt,
  });
  for (const itemId of Uint32Array.from(new Set([...items.keys(), ...itemsWithoutQuote])).sort()) {
    const { asks, bids } = items.get(itemId) ?? { asks: [], bids: [] };
    yield { itemId, state: [...asks.map(toFrame("ask")), ...bids.map(toFrame("bid"))] };
  }
}

/**
 * Yields the segments to write, in ascending item id, during writing. Covers every segment of the feed and day, because an unnamed item is
 * absent now.
 */
function* segmentWrites(
  rows: FrameWriter,
  key: FeedDayKey,
  frame: HourOfDay,
  states: Generator<{ itemId: number; state: ItemState }>,
): Generator<SegmentWrite> {
  let next = states.next();
  for (const { itemId, changes: stored } of rows.segments(key)) {
    for (; !next.done && next.value.itemId < itemId; next = states.next())
      yield* segmentWrite(key, frame, next.value, []);
    const isNamed = !next.done && next.value.itemId === itemId;
    const state = isNamed ? next.value.state : null;
    yield* segmentWrite(key, frame, { itemId, state }, decodeSegment(stored));
    if (isNamed) next = states.next();
  }
  for (; !next.done; next = states.next()) yield* segmentWrite(key, frame, next.value, []);
}

/** Yields the segment of an item with its state in the frame. Yields nothing if it is unchanged. */
function* segmentWrite(
  key: FeedDayKey,
  { hour, storedHours }: HourOfDay,
  { itemId, state }: { itemId: number; state: ItemState },
  before: readonly Change[],
): Generator<SegmentWrite> {
  const changes = changesWith(before, storedHours, { hour, state });
  if (changes === before) return;
  yield { itemId, changes: changes.length === 0 ? null : encodeSegment({ ...key, itemId }, changes) };
}

/** Rejects damaged bytes: rewriting them with a valid checksum would hide the damage. */
function refuseDamaged(key: SegmentKey, stored: Buffer): void {
  if (hasValidChecksum(key, stored)) return;
  throw new OperatorError(
    `the frames of item ${key.itemId} on ${dayText(key.day)} (feed ${key.feed}) are damaged; run \`npx itemtape db check\` and restore a backup`,
  );
}

/** Adds the refused names of a frame to the names of its day. Readers ignore them until the frame has its row. */
function* writeNamesInBatches(
  database: Database,
  rows: FrameWriter,
  key: FeedDayKey,
  { hour, storedHours }: HourOfDay,
  refused: FrameContent["refusedNames"],
  clock: Clock,
): Generator<BatchStats> {
  if (refused === null) return;
  const names = new RefusedNameWriter(database, key.feed);
  const fresh = refused.filter((name) => names.idOf(name) === null);
  yield* inLargeTransactions(
    database,
    clock,
    fresh,
    (name) => names.add(name),
    ({ name }) => name.length,
  );
  const nameIds = refused.map((name) => names.idOf(name)!).sort((a, b) => a - b);
  const stored = rows.names(key);
  const others = stored === null ? [] : decodeWholeNames(key, stored);
  const kept = others.filter((other) => other.hour !== hour && isStored(storedHours, other.hour));
  const hours = [...kept, { hour, nameIds }];
  const changes = encodeFrameNames(
    key,
    hours.sort((a, b) => a.hour - b.hour),
  );
  yield inOneTransaction(database, clock, () => rows.putNames(key, changes));
}

/** Decodes the refused names of a day. Rejects damaged bytes, like `refuseDamaged`. */
function decodeWholeNames(key: FeedDayKey, stored: Buffer): HourNames[] {
  if (hasValidNamesChecksum(key, stored)) return decodeFrameNames(stored);
  throw new OperatorError(
    `the refused names of the frames on ${dayText(key.day)} (feed ${key.feed}) are damaged; run \`npx itemtape db check\` and restore a backup`,
  );
}

/** Returns the bytes of a segment's row. Removing a row costs about as much as a short row. */
function segmentBytes({ changes }: SegmentWrite): number {
  return keyBytes + (changes?.length ?? 0);
}

function writeSegment(rows: FrameWriter, key: FeedDayKey, { itemId, changes }: SegmentWrite): void {
  if (changes === null) rows.removeSegment(key, itemId);
  else rows.putSegment(key, { itemId, changes });
}

function isStored(storedHours: number, hour: number): boolean {
  return ((storedHours >> hour) & 1) === 1;
}

function nextStored(storedHours: number, hour: number): number | null {
  for (let next = hour + 1; next < 24; next += 1) if (isStored(storedHours, next)) return next;
  return null;
}
