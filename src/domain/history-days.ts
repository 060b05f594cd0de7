import { createHash } from "node:crypto";
import type { Caller } from "../access/credentials.ts";
import type { Params, Schema } from "../contract/types.ts";
import type { DayExports, DayPage, DayResolution, DaySelection } from "../store/read/day-exports.ts";
import type { FrameRow } from "../store/read/frames.ts";
import { feedHoursOf, type SealedDayRow, type SealedDaysStore } from "../store/read/sealed-days.ts";
import { Failure } from "../values/failure/failure.ts";
import { dayOf, dayText, hoursOfDay, parseDay } from "../values/time/calendar.ts";
import { toTimestamp, toTimestampOrNull } from "../values/time/clock.ts";
import { encodeDayRecord } from "../wire/sealed-day.ts";
import {
  pageBytesTarget,
  readOrBreak,
  SnapshotBroken,
  type SnapshotRequest,
  type SnapshotRun,
} from "./market-snapshot.ts";
import { pageOf, type Read } from "./paging.ts";
import type { Reference } from "./reference.ts";

type Asked = { readonly caller: Pick<Caller, "plan">; readonly at: number; readonly reference: Reference };
type Position = { day: number; revision: number };

/** A page of sealed days before a position, exclusive. */
type DaysQuery = { before: Position; limit: number };
/** An export of a day (since 1970). `revision` is null for the revision in force, `selection` for all items. */
type DayExportQuery = {
  day: number;
  revision: number | null;
  resolution: DayResolution;
  selection: DaySelection | null;
};
/** A revision to send. `at`: instant of its rows (UTC ms), null for the current rows. */
type Revision = { row: SealedDayRow; at: number | null };

const operation = "listHistoryDays";
const limitDefault = 31;
const newest: Position = { day: Number.MAX_SAFE_INTEGER, revision: 0 };
const freeDays = 30;
/** The hourly export decodes and aggregates each item, the daily export only looks it up. */
const pageIdsMax = { daily: 1024, hourly: 256 } as const;

/** Lists the sealed days of history and exports one of them. */
export class HistoryDays {
  readonly #list: SealedDaysStore;
  readonly #exports: DayExports;

  constructor(parts: { list: SealedDaysStore; exports: DayExports }) {
    this.#list = parts.list;
    this.#exports = parts.exports;
  }

  /** @throws {Failure} `invalid_cursor` or `cursor_mismatch`. */
  prepareList({ limit = limitDefault, after }: Params<"listHistoryDays">, { cursors }: Reference): DaysQuery {
    if (after === undefined) return { before: newest, limit };
    const [day, revision] = cursors.read(after, operation, {}).key as [number, number];
    return { before: { day, revision }, limit };
  }

  list({ before, limit }: DaysQuery, { cursors }: Reference): Read<"listHistoryDays"> {
    const { page, last } = pageOf(this.#list.page(before, limit + 1), limit);
    const next = last && cursors.write({ operation, key: [last.day, last.revision], filters: {} });
    const data = page.map((row) => entryOf(row, this.#list.keptAt(row) !== null));
    return { data, meta: { next_page: next } };
  }

  /**
   * Resolves the request of an export. The Free plan gets the asks of the main platform.
   *
   * @throws {Failure} `invalid_parameter`, or `invalid_range` for an unfinished day or a revision without rows. `plan_upgrade_required` for
   * a request beyond a Free plan.
   */
  prepareExport({ date, body }: Params<"streamHistoryDay">, { caller, at, reference }: Asked): DayExportQuery {
    const day = parseDay(date);
    if (day === null) {
      throw new Failure("invalid_parameter", { detail: "path parameter `date`: must be a date, YYYY-MM-DD" });
    }
    const today = dayOf(at);
    if (day >= today) {
      const detail = `path parameter \`date\`: must be before today, ${dayText(today)} in UTC`;
      throw new Failure("invalid_range", { detail });
    }
    const { resolution, revision = null } = body;
    if (caller.plan !== "free") {
      if (revision !== null && this.#exports.revision(day, revision, resolution)?.at === null)
        throw notKept(day, revision, resolution);
      return { day, revision, resolution, selection: null };
    }
    const refuse = (detail: string) => new Failure("plan_upgrade_required", { detail: `the Free plan ${detail}` });
    if (resolution === "hourly") throw refuse("shows daily asks only");
    if (revision !== null) throw refuse("shows the latest revision only");
    const first = today - freeDays;
    if (day < first) throw refuse(`shows the last ${freeDays} completed days only, from ${dayText(first)}`);
    return { day, revision, resolution, selection: { provider: reference.mainProvider() ?? "", side: "ask" } };
  }

  /**
   * Begins an export and reads its first page, so that errors are refused before anything is sent.
   *
   * @throws {Failure} `day_not_found`; a read error is rethrown unchanged.
   */
  open(query: DayExportQuery, request: SnapshotRequest): SnapshotRun {
    const found = this.#revisionOf(query);
    const run = found && new DayRun(this.#exports, found, query, request);
    if (!run?.prefetch()) throw dayNotFound(query);
    return run;
  }

  #revisionOf({ day, revision, resolution }: DayExportQuery): Revision | null {
    if (revision !== null) return this.#exports.revision(day, revision, resolution);
    const row = this.#exports.current(day, resolution);
    return row && { row, at: null };
  }
}

function dayNotFound({ day, revision, resolution }: DayExportQuery): Failure {
  const what = resolution === "daily" ? "is not sealed" : "is not sealed, or its hours were removed";
  const detail =
    revision === null
      ? `path parameter \`date\`: ${dayText(day)} ${what}`
      : `request body \`revision\`: ${dayText(day)} has no revision ${revision}`;
  return new Failure("day_not_found", { detail });
}

function notKept(day: number, revision: number, resolution: DayResolution): Failure {
  return new Failure("invalid_range", {
    detail: `request body \`revision\`: the ${resolution} rows of revision ${revision} of ${dayText(day)} are not kept; \`listHistoryDays\` shows the revisions that are`,
  });
}

class DayRun implements SnapshotRun {
  readonly requestId: string;
  readonly #row: SealedDayRow;
  readonly #query: DayExportQuery;
  readonly #page: (after: number, upTo: number) => DayPage | null;
  readonly #hash = createHash("sha256");
  #start: Buffer | null;
  #first: Buffer | null = null;
  #after = 0;
  #pageIds = 64;
  #rows = 0;
  #done = false;

  constructor(exports: DayExports, { row, at }: Revision, query: DayExportQuery, request: SnapshotRequest) {
    const { resolution, selection } = query;
    this.requestId = request.requestId;
    this.#row = row;
    this.#query = query;
    this.#page = exports.pages(row, resolution, selection, at);
    this.#start = encodeDayRecord({
      type: "start",
      request_id: request.requestId,
      date: dayText(row.day),
      revision: row.revision,
      resolution,
      generated_at: toTimestamp(request.at),
      sealed_at: toTimestamp(row.sealedAt),
      currency: "USD",
      minor_units: 2,
      selection,
      frames: resolution === "hourly" ? dayFramesOf(exports.frames(row.day, at)) : [],
    });
  }

  get itemsSent(): number {
    return this.#rows;
  }

  /** Reads the first page. Returns false if the revision is no longer current. A read error is thrown unchanged. */
  prefetch(): boolean {
    this.#first = this.#read();
    return this.#first !== null;
  }

  next(): Buffer | null {
    const first = this.#first;
    this.#first = null;
    if (first !== null) return first;
    if (this.#done) return null;
    const page = readOrBreak(() => this.#read());
    if (page === null) throw new SnapshotBroken("snapshot_changed");
    return page;
  }

  #read(): Buffer | null {
    const upTo = Math.min(this.#after + this.#pageIds, this.#row.itemIdMax);
    const page = this.#page(this.#after, upTo);
    if (page === null) return null;
    const lines = Buffer.from(page.lines, "latin1");
    this.#hash.update(lines);
    this.#rows += page.rows;
    const fitting = lines.length === 0 ? Number.POSITIVE_INFINITY : (this.#pageIds * pageBytesTarget) / lines.length;
    this.#pageIds = Math.max(1, Math.round(Math.min(fitting, this.#pageIds * 2, pageIdsMax[this.#query.resolution])));
    this.#after = upTo;
    this.#done = upTo >= this.#row.itemIdMax;
    const parts = [this.#start, lines, this.#done ? this.#end() : null].filter((part) => part !== null);
    this.#start = null;
    return Buffer.concat(parts);
  }

  /** Encodes the end, after checking that the rows match the sealed digest. */
  #end(): Buffer {
    const { day, revision, digest, hourlyDigest } = this.#row;
    const { resolution, selection } = this.#query;
    const read = this.#hash.digest();
    const sealed = resolution === "hourly" ? hourlyDigest : digest;
    if (selection === null && sealed?.equals(read) !== true) {
      const cause = new Error(`the ${resolution} lines of ${dayText(day)} differ from the sealed ones`);
      throw new SnapshotBroken("snapshot_interrupted", cause);
    }
    const facts = { request_id: this.requestId, date: dayText(day), revision, rows: this.#rows };
    return encodeDayRecord({ type: "end", ...facts, digest: read.toString("hex") });
  }
}

/** Returns the frames of a day by feed, as an hourly export begins with them. */
export function dayFramesOf(rows: readonly FrameRow[]): Schema<"DayFrames">[] {
  const feeds = new Map<string, Schema<"DayFrames">>();
  for (const { hour, feed, ingestedAt, checkedAt, recordedAt } of rows) {
    const frames = feeds.get(feed) ?? { feed, hours: [], ingested_at: [], checked_at: [], recorded_at: [] };
    feeds.set(feed, frames);
    frames.hours.push(hour % hoursOfDay);
    frames.ingested_at.push(toTimestamp(ingestedAt));
    frames.checked_at.push(toTimestamp(checkedAt));
    frames.recorded_at.push(toTimestamp(recordedAt));
  }
  return [...feeds.values()].sort((a, b) => (a.feed < b.feed ? -1 : 1));
}

function entryOf(row: SealedDayRow, kept: boolean): Schema<"HistoryDay"> {
  return {
    date: dayText(row.day),
    revision: row.revision,
    condition: row.condition,
    feeds: feedHoursOf(row).map(([feed, bits]) => ({ feed, hours: hoursIn(bits) })),
    rows: row.rows,
    bytes: row.bytes,
    digest: row.digest.toString("hex"),
    hourly: row.hourly,
    hourly_rows: row.hourlyRows,
    hourly_bytes: row.hourlyBytes,
    hourly_digest: row.hourlyDigest?.toString("hex") ?? null,
    sealed_at: toTimestamp(row.sealedAt),
    superseded_at: toTimestampOrNull(row.supersededAt),
    kept,
  };
}

function hoursIn(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left >>>= 1) count += left & 1;
  return count;
}
