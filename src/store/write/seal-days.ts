import { createHash, type Hash } from "node:crypto";
import { type Progress, silent } from "../../values/progress.ts";
import { dayText, hourMs, hoursOfDay } from "../../values/time/calendar.ts";
import type { Clock } from "../../values/time/clock.ts";
import { TimestampTexts } from "../../values/time/timestamp-texts.ts";
import { encodeDayRow } from "../../wire/sealed-day.ts";
import type { DailyWithoutChecksum } from "../codec/daily-checksum.ts";
import { type Database, readTransaction } from "../database.ts";
import { DailyDayLines } from "../read/daily-day-lines.ts";
import { FramesStore } from "../read/frames.ts";
import { HourlyDayLines, namedHoursOf } from "../read/hourly-day-lines.ts";
import { type FeedHours, feedHoursOf, type SealedDayRow, SealedDaysStore } from "../read/sealed-days.ts";
import { type BatchStats, inOneTransaction } from "./batches.ts";
import { DataEvents, type EventRevision } from "./data-events.ts";
import { type Finalized, finalizeDaysInBatches } from "./finalize-days.ts";
import { moveDaysInBatches } from "./move-days.ts";

/** `sealed` counts days with a new revision. `left` counts days that still must be sealed. */
type Sealed = { sealed: number; left: number };

/** Lines of one resolution of a day. */
type Content = { rows: number; bytes: number; digest: Buffer };
/** Content of a day: the fields of a revision that depend on its data. */
type DayContent = Pick<SealedDayRow, "condition" | "feeds" | "hourly"> & { daily: Content; hours: Content | null };

/** `written` has the daily rows of all days, if the caller has just written every one. */
type SealingOptions = { progress?: Progress; daysMax?: number; written?: WrittenDailyRows };

/** Days with daily rows that are read together, to share one index seek for each item and side. */
const daysPerBatch = 16;
/** Items per read of the daily rows of all these days, and items per read of hourly lines. */
const dailyItemsOfPage = 200;
const itemsOfPage = 500;
/** A feed belongs to a day if it has a frame on that day or within this many days before. */
const feedSilentDaysMax = 30;
/** Bytes of lines to hash together, because one call per line is much slower. */
const gatheredBytesMax = 8 * 1024;
const allHours = 2 ** hoursOfDay - 1;

/**
 * Seals the days before `today` (days since 1970) that changed or were never sealed, newest first, at most about `daysMax`. Skips days with
 * unfinalized frames. One transaction writes a whole revision. The caller holds the import lock, so the data does not change meanwhile. Not
 * built by Drizzle: sums over ranges of days.
 */
export function* sealDaysInBatches(
  database: Database,
  today: number,
  clock: Clock,
  { progress = silent, daysMax = Number.POSITIVE_INFINITY, written }: SealingOptions = {},
): Generator<BatchStats, Sealed> {
  const days = daysToSeal(database, today);
  if (days.length === 0) return { sealed: 0, left: 0 };
  const sealer = new DaySealer(database, clock);
  progress.phase("sealing days", Math.min(days.length, daysMax));
  let sealed = 0;
  let done = 0;
  while (done < days.length && done < daysMax) {
    const together = consecutive(days, done, Math.min(daysPerBatch, daysMax - done));
    const daily = written?.contents(together) ?? (yield* sealer.daily(together.at(-1)!, together[0]!));
    for (const day of together) {
      const hours = yield* sealer.hourly(day);
      let isNew = false;
      yield inOneTransaction(database, clock, () => {
        isNew = sealer.put(day, { daily: daily.get(day)!, ...hours });
      });
      if (isNew) sealed += 1;
      progress.advance(1, dayText(day));
    }
    done += together.length;
  }
  return { sealed, left: days.length - done };
}

/**
 * Finalizes the recorded days before `today`, seals them, and moves the rows of past months.
 * @throws {DamagedDays} when days are damaged. No day is sealed then.
 */
export function* finishDaysInBatches(
  database: Database,
  today: number,
  clock: Clock,
  options: { progress?: Progress } = {},
): Generator<BatchStats, Finalized> {
  const finalized = yield* finalizeDaysInBatches(database, today, clock, options);
  yield* sealDaysInBatches(database, today, clock, options);
  yield* moveDaysInBatches(database, today, clock, options);
  return finalized;
}

/** The hours of a row of `feed_days f` with a frame that counts: not retracted, or replaced after its retraction. */
const hoursNow = `(f.hours & ~coalesce((SELECT sum(1 << (r.hour % 24)) FROM frame_retractions r
  WHERE r.hour BETWEEN f.day * 24 AND f.day * 24 + 23 AND r.feed = f.feed AND r.replaced_at IS NULL), 0))`;

/** The feeds of the day `s.day`, in the format of sealed days. */
const feedsOfDay = `(SELECT json_group_array(json_array(feed, hours)) FROM (
  SELECT feed, sum(CASE WHEN f.day = s.day THEN ${hoursNow} ELSE 0 END) AS hours FROM feed_days f
  WHERE f.day BETWEEN s.day - ${feedSilentDaysMax} AND s.day GROUP BY feed ORDER BY feed))`;

/**
 * Returns the days before `today` to seal, newest first. These are changed days, and days without frames after a day with frames. A late
 * frame of an earlier day may add a feed, which counts as a change. Days with unfinalized feeds are excluded.
 */
export function daysToSeal({ $client: client }: Database, today: number): number[] {
  const column = (query: string) => client.prepare<[{ today: number }], number>(query).pluck().all({ today });
  const changed = column(
    `SELECT day FROM (
       SELECT day FROM unsealed_days WHERE day < @today
       UNION SELECT day FROM sealed_days s WHERE day < @today AND superseded_at IS NULL AND feeds <> ${feedsOfDay}
     ) d WHERE NOT EXISTS (SELECT 1 FROM feed_days f WHERE f.day = d.day AND f.settled_at IS NULL)`,
  );
  const days = new Set(changed);
  const known = new Set(column("SELECT day FROM sealed_days WHERE day < @today UNION SELECT day FROM feed_days"));
  for (const recorded of column("SELECT DISTINCT day FROM feed_days WHERE day < @today")) {
    for (let day = recorded + 1; day <= recorded + feedSilentDaysMax && day < today && !known.has(day); day += 1)
      days.add(day);
  }
  return [...days].sort((a, b) => b - a);
}

/** Returns consecutive days from index `start` on, at most `max`. */
function consecutive(days: readonly number[], start: number, max: number): number[] {
  let end = start + 1;
  while (end < days.length && end - start < max && days[end] === days[end - 1]! - 1) end += 1;
  return days.slice(start, end);
}

class LineSum {
  rows = 0;
  bytes = 0;
  readonly #hash: Hash = createHash("sha256");
  #gathered: Buffer | null = null;
  #gatheredBytes = 0;

  /** Adds lines. They are ASCII, because they contain no item names. */
  add(lines: string, rows: number): void {
    this.rows += rows;
    this.bytes += lines.length;
    this.#hash.update(lines, "latin1");
  }

  /** Adds a single line. Such lines are hashed together. */
  gather(line: string): void {
    if (this.#gatheredBytes + line.length > gatheredBytesMax) this.#flush();
    if (line.length > gatheredBytesMax) {
      this.add(line, 1);
      return;
    }
    this.#gathered ??= Buffer.allocUnsafeSlow(gatheredBytesMax);
    this.#gatheredBytes += this.#gathered.write(line, this.#gatheredBytes, "latin1");
    this.rows += 1;
    this.bytes += line.length;
  }

  content(): Content {
    this.#flush();
    return { rows: this.rows, bytes: this.bytes, digest: this.#hash.digest() };
  }

  #flush(): void {
    if (this.#gathered !== null) this.#hash.update(this.#gathered.subarray(0, this.#gatheredBytes));
    this.#gatheredBytes = 0;
  }
}

/** Encodes the lines of daily rows while they are written. A writer of a whole file can then seal its days without reading them again. */
export class WrittenDailyRows {
  readonly #sums = new Map<number, LineSum>();
  readonly #timestamps = new TimestampTexts();

  /** Adds a row. Pass the rows of a day in ascending item, side and provider. */
  add(row: DailyWithoutChecksum): void {
    let sum = this.#sums.get(row.day);
    if (sum === undefined) {
      sum = new LineSum();
      this.#sums.set(row.day, sum);
    }
    sum.gather(encodeDayRow(row, this.#timestamps));
  }

  /** Returns the days with rows. */
  days(): Iterable<number> {
    return this.#sums.keys();
  }

  /** Returns the content of these days. No further row may be added to them. */
  contents(days: readonly number[]): Map<number, Content> {
    return new Map(days.map((day) => [day, (this.#sums.get(day) ?? new LineSum()).content()]));
  }
}

class DaySealer {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #store: SealedDaysStore;
  readonly #timestamps = new TimestampTexts();
  readonly #dailyLines: DailyDayLines;
  readonly #frames: FramesStore;
  readonly #itemIdMax: number;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
    this.#store = new SealedDaysStore(database);
    this.#dailyLines = new DailyDayLines(database, this.#timestamps);
    this.#frames = new FramesStore(database);
    this.#statements = prepare(database);
    this.#itemIdMax = this.#statements.itemIdMax.get() ?? 0;
  }

  /** Reads the daily rows of the days `from` to `to`. */
  *daily(from: number, to: number): Generator<BatchStats, Map<number, Content>> {
    const sums = new Map<number, LineSum>();
    for (let day = from; day <= to; day += 1) sums.set(day, new LineSum());
    for (let after = 0; after < this.#itemIdMax; after += dailyItemsOfPage) {
      this.#dailyLines.each(from, to, after, after + dailyItemsOfPage, (day, lines, rows) =>
        sums.get(day)!.add(lines, rows),
      );
      yield { rows: 0, lockHeldMs: 0 };
    }
    return new Map(Array.from(sums, ([day, sum]) => [day, sum.content()]));
  }

  /** Reads the frames of a day. */
  *hourly(day: number): Generator<BatchStats, Omit<DayContent, "daily"> & { named: string }> {
    const feeds = this.#feedsOf(day);
    const condition = conditionOf(feeds);
    const facts = { feeds: JSON.stringify(feeds), condition };
    const hourly = this.#statements.pruned.get(day) === undefined ? "available" : "pruned";
    if (hourly === "pruned") return { ...facts, hourly, hours: null, named: "[]" };
    const sum = new LineSum();
    if (feeds.length === 0) return { ...facts, hourly, hours: sum.content(), named: "[]" };
    const named = readTransaction(this.#database, () =>
      namedHoursOf(this.#database, day, this.#itemIdMax, this.#frames),
    );
    const lines = new HourlyDayLines(this.#database, day, named, this.#timestamps, this.#frames);
    for (let after = 0; condition !== "empty" && after < this.#itemIdMax; after += itemsOfPage) {
      const page = lines.page(after, Math.min(after + itemsOfPage, this.#itemIdMax));
      sum.add(page.lines, page.rows);
      yield { rows: 0, lockHeldMs: 0 };
    }
    return { ...facts, hourly, hours: sum.content(), named: JSON.stringify(named) };
  }

  /** Writes a revision unless the previous one has the same content, which is then in force again. Returns whether it wrote one. */
  put(day: number, content: DayContent & { named: string }): boolean {
    const { daily, hours, condition, feeds, hourly, named } = content;
    this.#statements.settle.run(day);
    const last = this.#store.page({ day, revision: Number.MAX_SAFE_INTEGER }, 1).find((row) => row.day === day);
    if (last === undefined && daily.rows === 0 && feeds === "[]") return false;
    if (last !== undefined && isSame(last, content)) {
      this.#statements.confirm.run(this.#itemIdMax, named, day, last.revision);
      return false;
    }
    const now = this.#clock.now();
    this.#statements.supersede.run(now, day);
    const revision = (last?.revision ?? 0) + 1;
    const counts = [daily.rows, daily.bytes, daily.digest, hourly, hours?.rows ?? null, hours?.bytes ?? null];
    const facts = [condition, feeds, ...counts, hours?.digest ?? null, this.#itemIdMax, named];
    this.#statements.add.run(day, revision, now, ...facts);
    this.#log(day, { revision, digest: daily.digest, hourlyDigest: hours?.digest ?? null }, feeds, last);
    return true;
  }

  /** Adds the gaps that the revision shows for the first time, and the revision itself unless it is the first. */
  #log(day: number, after: EventRevision, feeds: string, last: SealedDayRow | undefined): void {
    const events = new DataEvents(this.#database);
    const at = this.#clock.now();
    const before = new Map(last === undefined ? [] : feedHoursOf(last));
    for (const [feed, bits] of feedHoursOf({ feeds })) {
      const expected = this.#expectedHours(feed, day, events.since) & (before.get(feed) ?? allHours);
      const hours = expected & ~bits;
      if (hours === 0) continue;
      events.add({
        kind: "gap",
        cause: events.causeOfGap(feed, day, hours),
        at,
        feed,
        day,
        hours,
        count: bitsIn(hours),
      });
    }
    if (last === undefined) return;
    const cause = events.causeOfRevision(day, last.sealedAt);
    events.add({ kind: "day_revised", cause, at, day, count: 1, before: last, after });
  }

  /** Returns a bit for each hour of the day from the feed's first frame and from `since` (UTC ms) on. */
  #expectedHours(feed: string, day: number, since: number): number {
    const [firstDay, bits] = this.#statements.firstDay.get(feed)!;
    const first = Math.max(firstDay * hoursOfDay + 31 - Math.clz32(bits & -bits), Math.ceil(since / hourMs));
    return allHours & ~(2 ** Math.min(Math.max(first - day * hoursOfDay, 0), hoursOfDay) - 1);
  }

  #feedsOf(day: number): FeedHours[] {
    return this.#statements.feeds.all(day, day - feedSilentDaysMax, day);
  }
}

function bitsIn(hours: number): number {
  return hours.toString(2).replaceAll("0", "").length;
}

function isSame(row: SealedDayRow, { daily, hours, condition, feeds, hourly }: DayContent): boolean {
  if (row.condition !== condition || row.feeds !== feeds) return false;
  if (!row.digest.equals(daily.digest)) return false;
  // Pruned hours keep their digest.
  if (hourly === "pruned") return row.hourly === "pruned";
  return hours !== null && row.hourlyDigest?.equals(hours.digest) === true;
}

function conditionOf(feeds: readonly FeedHours[]): SealedDayRow["condition"] {
  if (feeds.every(([, bits]) => bits === 0)) return "empty";
  return feeds.every(([, bits]) => bits === allHours) ? "complete" : "partial";
}

function prepare({ $client: client }: Database) {
  return {
    itemIdMax: client.prepare<[], number | null>("SELECT max(item_id) FROM items").pluck(),
    pruned: client.prepare<[number], number>("SELECT 1 FROM feed_days WHERE day = ? AND pruned_at IS NOT NULL").pluck(),
    feeds: client
      .prepare<[number, number, number], FeedHours>(
        `SELECT feed, sum(CASE WHEN day = ? THEN ${hoursNow} ELSE 0 END) FROM feed_days f
         WHERE day BETWEEN ? AND ? GROUP BY feed ORDER BY feed`,
      )
      .raw(true),
    firstDay: client
      .prepare<[string], [day: number, hours: number]>(
        "SELECT day, hours FROM feed_days WHERE feed = ? ORDER BY day LIMIT 1",
      )
      .raw(true),
    supersede: client.prepare<[number, number]>(
      "UPDATE sealed_days SET superseded_at = ? WHERE day = ? AND superseded_at IS NULL",
    ),
    confirm: client.prepare<[number, string, number, number]>(
      "UPDATE sealed_days SET item_id_max = ?, named = ? WHERE day = ? AND revision = ?",
    ),
    settle: client.prepare<[number]>("DELETE FROM unsealed_days WHERE day = ?"),
    add: client.prepare<unknown[]>(
      `INSERT INTO sealed_days (day, revision, sealed_at, condition, feeds, rows, bytes, digest, hourly, hourly_rows,
         hourly_bytes, hourly_digest, item_id_max, named) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
  };
}
