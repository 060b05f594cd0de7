import { and, asc, eq, gt, isNull, sql } from "drizzle-orm";
import { feedDays, frameSegments } from "../../../db/schema/history.ts";
import { dayText, hoursOfDay } from "../../values/calendar.ts";
import type { Clock } from "../../values/clock.ts";
import { exitCodes, OperatorError } from "../../values/operator-error.ts";
import { type Progress, silent } from "../../values/progress.ts";
import type { UnsealedDaily } from "../codec/daily-checksum.ts";
import { type DayFrame, deriveDaily } from "../codec/daily-derivation.ts";
import { type Change, decodeSegment, isSealed, type SegmentKey } from "../codec/frame-segment.ts";
import { MalformedBytes } from "../codec/varint.ts";
import { type Database, writeTransaction } from "../database.ts";
import { type FeedDay, FramesStore } from "../frames.ts";
import { type Held, inShortTransactions } from "./batches.ts";
import { DailyRows } from "./daily-prices.ts";

/** Days of feeds that were settled, rows that were written for them, and rows of replacing imports that were kept. */
export type Settled = { days: number; rows: number; kept: number };

/** Recorded frames of some days are damaged, and the days stay unsettled. `settled`: what was done of the others. */
export class DamagedDays extends OperatorError {
  readonly settled: Settled;

  constructor(damages: readonly string[], settled: Settled) {
    const more = damages.length > damagesTold ? ` and ${damages.length - damagesTold} more` : "";
    const places = `${damages.slice(0, damagesTold).join(", ")}${more}`;
    const fix =
      "`itemtape db check` tells more, `itemtape db restore` puts a backup in the place of the file; all other days are settled";
    super(`the recorded frames are damaged of ${places}; ${fix}`, exitCodes.unexpected);
    this.name = "DamagedDays";
    this.settled = settled;
  }
}

const damagesTold = 10;
/** Bounds what is in memory: a segment makes up to two rows for each provider of its feed. */
const batchSegments = 500;

/**
 * Stores the daily rows of every recorded day before `today` (days since 1970) that are not stored yet. Recorded history is put in the
 * place of imported rows of the same key, except those of imports that were told to replace. A day is marked as settled in its last
 * transaction, and only if no frame joined it meanwhile: broken off anywhere, the next call does the rest and writes no row twice.
 * The caller holds the import lock. Throws `DamagedDays` once every other day is settled; the damaged ones stay unsettled.
 */
export function* settleDaysSteps(
  database: Database,
  today: number,
  clock: Clock,
  { progress = silent }: { progress?: Progress } = {},
): Generator<Held, Settled> {
  const frames = new FramesStore(database);
  const store = new DailyRows(database);
  const settled: Settled = { days: 0, rows: 0, kept: 0 };
  const damages: string[] = [];
  for (const feedDay of frames.unsettled(0, today - 1)) {
    const { day, feed } = feedDay;
    progress.phase(`settling ${dayText(day)} of ${feed}`);
    try {
      for (const batch of derivedRows(database, frames, feedDay)) {
        const writes = batch.filter((row) => {
          const standing = store.standing(row);
          if (standing === "replaced") settled.kept += 1;
          return standing === null;
        });
        yield* inShortTransactions(database, clock, writes, (row) => store.put(row));
        settled.rows += writes.length;
      }
    } catch (error) {
      if (!(error instanceof Damage)) throw error;
      damages.push(error.message);
      continue;
    }
    yield markSettled(database, feedDay, clock, settled);
  }
  if (damages.length > 0) throw new DamagedDays(damages, settled);
  return settled;
}

function markSettled(database: Database, { day, feed, hours }: FeedDay, clock: Clock, settled: Settled): Held {
  let startedMs = 0;
  writeTransaction(database, () => {
    startedMs = clock.monotonicMs();
    const unchanged = and(
      eq(feedDays.day, day),
      eq(feedDays.feed, feed),
      eq(feedDays.hours, hours),
      isNull(feedDays.settledAt),
    );
    settled.days += database.update(feedDays).set({ settledAt: clock.now() }).where(unchanged).run().changes;
  });
  return { rows: 1, heldMs: clock.monotonicMs() - startedMs };
}

/** The rows of one day of a feed, a batch of segments at a time. */
function* derivedRows(database: Database, frames: FramesStore, { day, feed }: FeedDay): Generator<UnsealedDaily[]> {
  const slugs = new Map(frames.providers().map(({ number, provider }) => [number, provider]));
  const ofDay: DayFrame[] = frames
    .frames(day * hoursOfDay, (day + 1) * hoursOfDay - 1)
    .filter((frame) => frame.feed === feed);
  const page = database
    .select({ itemId: frameSegments.itemId, changes: frameSegments.changes })
    .from(frameSegments)
    .where(
      and(eq(frameSegments.day, day), gt(frameSegments.itemId, sql.placeholder("after")), eq(frameSegments.feed, feed)),
    )
    .orderBy(asc(frameSegments.itemId))
    .limit(batchSegments)
    .prepare();
  for (let after = 0; ; ) {
    const segments = page.all({ after });
    yield segments.flatMap(({ itemId, changes }) => {
      return deriveDaily(ofDay, decodeWhole({ day, itemId, feed }, changes)).map(({ provider: number, ...figures }) => {
        const provider = slugs.get(number);
        if (provider === undefined) throw damage(`provider ${number}`, { day, feed });
        return { itemId, day, provider, importId: null, ...figures };
      });
    });
    if (segments.length < batchSegments) return;
    after = segments.at(-1)!.itemId;
  }
}

function decodeWhole(key: SegmentKey, changes: Buffer): Change[] {
  if (!isSealed(key, changes)) throw damage(`item ${key.itemId}`, key);
  try {
    return decodeSegment(changes);
  } catch (error) {
    if (error instanceof MalformedBytes) throw damage(`item ${key.itemId}`, key);
    throw error;
  }
}

/** Why one day of a feed cannot be settled. */
class Damage extends Error {}

function damage(what: string, { day, feed }: Pick<SegmentKey, "day" | "feed">): Damage {
  return new Damage(`${feed} on ${dayText(day)} at ${what}`);
}
