import { and, asc, eq, gt, isNull, sql } from "drizzle-orm";
import { feedDays, frameSegments } from "../../../db/schema/history.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import { type Progress, silent } from "../../values/progress.ts";
import { dayText, hoursOfDay } from "../../values/time/calendar.ts";
import type { Clock } from "../../values/time/clock.ts";
import type { DailyWithoutChecksum } from "../codec/daily-checksum.ts";
import { type DayFrame, deriveDaily } from "../codec/daily-derivation.ts";
import { type Change, decodeSegment, hasValidChecksum, type SegmentKey } from "../codec/frame-segment.ts";
import { MalformedBytes } from "../codec/varint.ts";
import type { Database } from "../database.ts";
import { type FeedDay, FramesStore } from "../read/frames.ts";
import { type BatchStats, inLargeTransactions, inOneTransaction } from "./batches.ts";
import { DailyPriceWriter, dailyRowBytes } from "./daily-prices.ts";

/** Number of finalized feed days, of written rows, and of retained rows from replacing imports. */
export type Finalized = { days: number; rows: number; kept: number };

/** Thrown when recorded frames of some days are damaged. These days remain unfinalized. `finalized` counts the other days. */
export class DamagedDays extends OperatorError {
  readonly finalized: Finalized;

  constructor(damages: readonly string[], finalized: Finalized) {
    const more = damages.length > damagesShownMax ? ` and ${damages.length - damagesShownMax} more` : "";
    const places = `${damages.slice(0, damagesShownMax).join(", ")}${more}`;
    const fix =
      "`npx itemtape db check` shows more, `npx itemtape db restore` restores a backup; all other days are finalized";
    super(`damaged recorded frames: ${places}; ${fix}`, exitCodes.unexpected);
    this.name = "DamagedDays";
    this.finalized = finalized;
  }
}

const damagesShownMax = 10;
/** Limits memory. A segment results in up to two rows for each provider of its feed. */
const batchSegments = 500;

/**
 * Stores the missing daily rows of all recorded days before `today` (days since 1970). Recorded history replaces imported rows with the
 * same key, except rows of replacing imports. The last transaction of a day marks it as finalized, unless a frame was added meanwhile.
 * After an interruption the next call completes the work and writes no row twice. The caller holds the import lock.
 * @throws {DamagedDays} after all other days are finalized, when days are damaged.
 */
export function* finalizeDaysInBatches(
  database: Database,
  today: number,
  clock: Clock,
  { progress = silent }: { progress?: Progress } = {},
): Generator<BatchStats, Finalized> {
  const frames = new FramesStore(database);
  const store = new DailyPriceWriter(database, today);
  const finalized: Finalized = { days: 0, rows: 0, kept: 0 };
  const damages: string[] = [];
  for (const feedDay of frames.unfinalized(0, today - 1)) {
    const { day, feed } = feedDay;
    progress.phase(`finalizing ${dayText(day)} of ${feed}`);
    try {
      const writes = rowsToWrite(derivedRows(database, frames, feedDay), store, finalized);
      for (const batch of inLargeTransactions(
        database,
        clock,
        writes,
        (row) => (row.observations === 0 ? store.remove(row) : store.put(row)),
        () => dailyRowBytes,
      )) {
        finalized.rows += batch.rows;
        yield batch;
      }
    } catch (error) {
      if (!(error instanceof Damage)) throw error;
      damages.push(error.message);
      continue;
    }
    yield markFinalized(database, feedDay, clock, finalized);
  }
  if (damages.length > 0) throw new DamagedDays(damages, finalized);
  return finalized;
}

/** Yields the rows to write, and counts the rows of replacing imports. */
function* rowsToWrite(
  batches: Iterable<readonly DailyWithoutChecksum[]>,
  store: DailyPriceWriter,
  finalized: Finalized,
): Generator<DailyWithoutChecksum> {
  for (const batch of batches) {
    for (const row of batch) {
      const found = store.toWrite(row);
      if (found === "replaced") finalized.kept += 1;
      else if (found === "write") yield row;
    }
  }
}

function markFinalized(
  database: Database,
  { day, feed, hours }: FeedDay,
  clock: Clock,
  finalized: Finalized,
): BatchStats {
  return inOneTransaction(database, clock, () => {
    const unchanged = and(
      eq(feedDays.day, day),
      eq(feedDays.feed, feed),
      eq(feedDays.hours, hours),
      isNull(feedDays.finalizedAt),
    );
    finalized.days += database.update(feedDays).set({ finalizedAt: clock.now() }).where(unchanged).run().changes;
  });
}

/** Returns the rows of one feed day, one batch of segments at a time. */
function* derivedRows(
  database: Database,
  frames: FramesStore,
  { day, feed }: FeedDay,
): Generator<DailyWithoutChecksum[]> {
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
  if (!hasValidChecksum(key, changes)) throw damage(`item ${key.itemId}`, key);
  try {
    return decodeSegment(changes);
  } catch (error) {
    if (error instanceof MalformedBytes) throw damage(`item ${key.itemId}`, key);
    throw error;
  }
}

/** Thrown when one feed day cannot be finalized. */
class Damage extends Error {}

function damage(what: string, { day, feed }: Pick<SegmentKey, "day" | "feed">): Damage {
  return new Damage(`${feed} on ${dayText(day)} at ${what}`);
}
