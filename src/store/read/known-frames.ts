import type SqliteDatabase from "better-sqlite3";
import { hoursOfDay } from "../../values/time/calendar.ts";
import type { Database } from "../database.ts";
import { refusedNamesItem } from "../write/frames.ts";
import type { FrameRow } from "./frames.ts";
import type { SharedReadTransaction } from "./shared-read.ts";

/** A retracted frame: its hour since 1970, and when it was retracted and replaced, UTC ms. */
type Correction = { hour: number; feed: string; retractedAt: number; replacedAt: number | null };

/** A feed day without its hours, which were removed. `changedAt` is the last recording or correction of its frames. Instants are UTC ms. */
type RemovedDay = { day: number; prunedAt: number; changedAt: number };

/** Reads recorded frames as they were known at an earlier instant, UTC ms. Days and hours are counted since 1970, in UTC. */
export class KnownFramesStore {
  readonly #statements: ReturnType<typeof prepare>;
  readonly #shared: SharedReadTransaction | undefined;

  /** Without `shared`, each read is a transaction of its own. */
  constructor(database: Database, shared?: SharedReadTransaction) {
    this.#shared = shared;
    this.#statements = prepare(database);
  }

  /** Returns the frames from `fromHour` to `toHour` (inclusive) that were recorded by `at`, with their facts of then, by hour and feed. */
  frames(fromHour: number, toHour: number, at: number): FrameRow[] {
    this.#shared?.join();
    return this.#statements.frames.all({ fromHour, toHour, at });
  }

  /** Returns the frames that were retracted or replaced after `at`. */
  correctionsAfter(at: number): Correction[] {
    this.#shared?.join();
    return this.#statements.corrections.all({ at });
  }

  /** Returns the hour of the first replacement after `at` of each feed with a replaced frame of the day. */
  firstReplacedAfter(day: number, at: number): Map<string, number> {
    const first = day * hoursOfDay;
    const ofDay = this.correctionsAfter(at).filter(({ hour }) => hour >= first && hour < first + hoursOfDay);
    const replaced = ofDay.filter(({ replacedAt }) => replacedAt !== null && replacedAt > at);
    // Of several hours of a feed, the last entry counts.
    return new Map(replaced.sort((a, b) => b.replacedAt! - a.replacedAt!).map(({ feed, hour }) => [feed, hour]));
  }

  /** Returns the segment of an item on the day of a replaced frame, just before the replacement. Null if the item had none. */
  segmentBefore(hour: number, feed: string, itemId: number): Buffer | null {
    this.#shared?.join();
    return this.#statements.segmentBefore.get({ hour, feed, itemId }) ?? null;
  }

  /** Returns the encoded refused names of the day of a replaced frame, just before the replacement, or null without any. */
  namesBefore(hour: number, feed: string): Buffer | null {
    return this.segmentBefore(hour, feed, refusedNamesItem);
  }

  /** Returns the rows with a frame of their feed and day that was recorded or corrected after the row, by `at`. */
  outdated<Row extends { day: number; provider: string; recordedAt: number }>(rows: readonly Row[], at: number): Row[] {
    if (rows.length === 0) return [];
    this.#shared?.join();
    const asked = rows.map(({ day, provider, recordedAt }) => [day, provider, recordedAt]);
    return this.#statements.outdated.all({ asked: JSON.stringify(asked), at }).map((index) => rows[index]!);
  }

  /** Returns the feed days from `from` to `to` (inclusive) with frames recorded by `at` and hours that were removed after it. */
  removedDays(from: number, to: number, at: number): RemovedDay[] {
    this.#shared?.join();
    return this.#statements.removed.all({ from, to, at });
  }
}

/** Not built by Drizzle: conditions on the instant choose between a frame and its replacement. */
function prepare({ $client: client }: Database) {
  type At = { at: number };
  const prepared = <Bound, Row>(text: string): SqliteDatabase.Statement<[Bound], Row> =>
    client.prepare<[Bound], Row>(text.replace(/@\w+/g, "(SELECT $&)"));
  return {
    frames: prepared<At & { fromHour: number; toHour: number }, FrameRow>(
      `SELECT f.hour, f.feed,
         coalesce(iif(r.replaced_at <= @at, r.ingested_at, NULL), f.ingested_at) AS ingestedAt,
         iif(r.replaced_at <= @at, r.checked_at, f.checked_at) AS checkedAt,
         iif(r.replaced_at <= @at, r.replaced_at, f.recorded_at) AS recordedAt,
         iif(r.replaced_at <= @at, r.providers, f.providers) AS providers,
         iif(r.replaced_at <= @at, r.refused_names, f.refused_names) AS refusedNames,
         iif(r.replaced_at <= @at, NULL, r.retracted_at) AS retractedAt,
         iif(r.replaced_at <= @at, r.replaced_at, NULL) AS replacedAt
       FROM frames f LEFT JOIN frame_retractions r ON r.hour = f.hour AND r.feed = f.feed AND r.retracted_at <= @at
       WHERE f.hour BETWEEN @fromHour AND @toHour AND f.recorded_at <= @at ORDER BY f.hour, f.feed`,
    ),
    corrections: prepared<At, Correction>(
      `SELECT hour, feed, retracted_at AS retractedAt, replaced_at AS replacedAt FROM frame_retractions
       WHERE retracted_at > @at OR replaced_at > @at`,
    ),
    segmentBefore: client
      .prepare<[{ hour: number; feed: string; itemId: number }], Buffer>(
        "SELECT changes FROM retracted_segments WHERE hour = @hour AND feed = @feed AND item_id = @itemId",
      )
      .pluck(true),
    outdated: client
      .prepare<[At & { asked: string }], number>(
        `SELECT asked.key FROM json_each(@asked) AS asked CROSS JOIN providers p ON p.provider = asked.value ->> 1
         WHERE EXISTS (SELECT 1 FROM frames f
             WHERE f.hour BETWEEN (asked.value ->> 0) * 24 AND (asked.value ->> 0) * 24 + 23 AND f.feed = p.feed
               AND f.recorded_at > asked.value ->> 2 AND f.recorded_at <= @at)
           OR EXISTS (SELECT 1 FROM frame_retractions r
             WHERE r.hour BETWEEN (asked.value ->> 0) * 24 AND (asked.value ->> 0) * 24 + 23 AND r.feed = p.feed
               AND (r.retracted_at > asked.value ->> 2 AND r.retracted_at <= @at
                 OR r.replaced_at > asked.value ->> 2 AND r.replaced_at <= @at))`,
      )
      .pluck(true),
    removed: prepared<At & { from: number; to: number }, RemovedDay>(
      `SELECT d.day, d.pruned_at AS prunedAt,
         (SELECT max(max(f.recorded_at), coalesce(max(r.retracted_at), 0), coalesce(max(r.replaced_at), 0))
          FROM frames f LEFT JOIN frame_retractions r ON r.hour = f.hour AND r.feed = f.feed
          WHERE f.hour BETWEEN d.day * 24 AND d.day * 24 + 23 AND f.feed = d.feed) AS changedAt
       FROM feed_days d
       WHERE d.day BETWEEN @from AND @to AND d.pruned_at > @at
         AND EXISTS (SELECT 1 FROM frames f
           WHERE f.hour BETWEEN d.day * 24 AND d.day * 24 + 23 AND f.feed = d.feed AND f.recorded_at <= @at)`,
    ),
  };
}
