import { createHash } from "node:crypto";
import { existsSync, renameSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { dayFramesOf } from "../../domain/history-days.ts";
import type { Database } from "../../store/database.ts";
import { DayExports, type DayResolution } from "../../store/read/day-exports.ts";
import { feedHoursOf, type SealedDayRow, SealedDaysStore } from "../../store/read/sealed-days.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import { dayText } from "../../values/time/calendar.ts";
import { DayRows, dayColumns } from "../export/day-rows.ts";
import type { DatasetFile, MissingDay } from "./index-file.ts";
import { type AddRow, makeFolder, writeTable } from "./table-file.ts";

/** The columns of day files, by their position in the rows of an export. Hourly files have quotes only, without source times. */
const positions = {
  daily: dayColumns.daily.map((_, index) => index),
  hourly: ["item_id", "side", "ts", "provider", "amount", "quantity", "recorded_at"].map((name) =>
    dayColumns.hourly.findIndex((column) => column.name === name),
  ),
} as const;
const idsPerPage = { daily: 4096, hourly: 256 } as const;
const resolutions = ["daily", "hourly"] as const satisfies readonly DayResolution[];

type DayParts = {
  folder: string;
  /** First day (since 1970) to build. */
  since: number;
  left: ReadonlySet<string>;
  /** Day files of the last index that can stay, by path. */
  before: ReadonlyMap<string, DatasetFile>;
  note: (text: string) => void;
};

/** The day files of a dataset, ascending, and the revisions that it lacks. */
type DayFiles = { files: DatasetFile[]; missing: MissingDay[]; written: number };

/**
 * Writes the days in force that the folder lacks, and moves files of superseded revisions to `superseded/`.
 * @throws {OperatorError} when the rows of a day differ from its sealed digest.
 */
export function writeDays(database: Database, parts: DayParts): DayFiles {
  const exports = new DayExports(database);
  const days = new SealedDaysStore(database);
  const files = new Map<string, DatasetFile>();
  const missing: MissingDay[] = [];
  let written = 0;
  for (const row of revisionsOf(days)) {
    for (const resolution of resolutions) {
      // A day without frames has no hours.
      if (resolution === "hourly" && feedHoursOf(row).length === 0) continue;
      const isInForce = row.supersededAt === null && exports.current(row.day, resolution)?.revision === row.revision;
      const path = pathOf(row, resolution);
      const kept = parts.before.get(path) ?? parts.before.get(`superseded/${path}`);
      if (row.supersededAt !== null) {
        const moved = kept === undefined ? null : moveAway(parts.folder, path, kept);
        const at = moved === null ? exports.revision(row.day, row.revision, resolution)?.at : null;
        const made =
          moved ?? (row.day < parts.since || at == null ? null : writeDay(exports, row, resolution, at, parts));
        if (made !== null) files.set(made.path, made);
        else if (row.day >= parts.since) missing.push(missingOf(row, resolution, "its rows are no longer kept"));
        written += Number(made !== null && made !== moved);
        continue;
      }
      if (kept !== undefined && isThere(parts.folder, kept)) {
        files.set(kept.path, kept);
        continue;
      }
      if (row.day < parts.since) continue;
      const made = isInForce ? writeDay(exports, row, resolution, null, parts) : null;
      if (made === null) missing.push(missingOf(row, resolution, whyMissing(row, resolution)));
      else {
        written += 1;
        files.set(made.path, made);
      }
    }
  }
  return { files: [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1)), missing, written };
}

/** Yields all revisions, superseded ones first, so that they are moved before their successors are written. */
function* revisionsOf(days: SealedDaysStore): Generator<SealedDayRow> {
  const inForce: SealedDayRow[] = [];
  let last = { day: Number.MAX_SAFE_INTEGER, revision: 0 };
  for (;;) {
    const page = days.page(last, 100);
    for (const row of page) {
      if (row.supersededAt === null) inForce.push(row);
      else yield row;
    }
    if (page.length === 0) break;
    last = page.at(-1)!;
  }
  yield* inForce;
}

/** Writes a revision. `at` is the instant of the rows of a superseded one (UTC ms), null for the revision in force. */
function writeDay(
  exports: DayExports,
  row: SealedDayRow,
  resolution: DayResolution,
  at: number | null,
  { folder, left, note }: DayParts,
): DatasetFile | null {
  const columns = positions[resolution].map((index) => dayColumns[resolution][index]!);
  const providers = new Set<string>();
  const superseded = at !== null;
  const path = `${superseded ? "superseded/" : ""}${pathOf(row, resolution)}`;
  const fill = (add: AddRow) =>
    readDay(exports, row, resolution, at, (values) => {
      const provider = values[providerAt(resolution)] as string | null;
      // Hours without a quote are made of the frames of all feeds.
      if (provider === null || left.has(provider)) return;
      providers.add(provider);
      add(positions[resolution].map((index) => values[index] ?? null));
    });
  const made = writeTable(folder, path, columns, fill, { byItem: resolution === "daily" });
  if (made === null) {
    note(`${dayText(row.day)}: changed meanwhile; run it again after its next seal`);
    return null;
  }
  const { day, revision, condition } = row;
  const source = digestFor(row, resolution)!.toString("hex");
  const of = { date: dayText(day), resolution, revision, condition, source };
  const feeds = feedHoursOf(row).filter(() => resolution === "hourly");
  return { ...made, providers: [...providers].sort(), day: { ...of, feeds, superseded } };
}

/** Passes the rows of a day to `add`. Returns false if another revision is in force meanwhile. */
function readDay(
  exports: DayExports,
  row: SealedDayRow,
  resolution: DayResolution,
  at: number | null,
  add: AddRow,
): boolean {
  const pages = exports.pages(row, resolution, null, at);
  const frames = resolution === "hourly" ? dayFramesOf(exports.frames(row.day, at)) : [];
  const rows = new DayRows({ date: dayText(row.day), frames });
  const hash = createHash("sha256");
  for (let after = 0; after < row.itemIdMax; after += idsPerPage[resolution]) {
    const page = pages(after, Math.min(after + idsPerPage[resolution], row.itemIdMax));
    if (page === null) return false;
    hash.update(page.lines, "latin1");
    for (const line of page.lines.split("\n")) {
      if (line !== "") for (const values of rows.of(JSON.parse(line))) add(values);
    }
  }
  if (digestFor(row, resolution)?.equals(hash.digest()) === true) return true;
  const what = `${dayText(row.day)}: its ${resolution} rows differ from its sealed digest`;
  throw new OperatorError(`${what}; \`npx itemtape db check\` finds the damage`, exitCodes.badData);
}

function providerAt(resolution: DayResolution): number {
  return dayColumns[resolution].findIndex(({ name }) => name === "provider");
}

function digestFor({ digest, hourlyDigest }: SealedDayRow, resolution: DayResolution): Buffer | null {
  return resolution === "daily" ? digest : hourlyDigest;
}

function pathOf({ day, revision }: SealedDayRow, resolution: DayResolution): string {
  return `${resolution}/date=${dayText(day)}/revision=${revision}.parquet`;
}

function missingOf({ day, revision }: SealedDayRow, resolution: DayResolution, why: string): MissingDay {
  return { date: dayText(day), resolution, revision, why };
}

function whyMissing({ hourly }: SealedDayRow, resolution: DayResolution): string {
  return resolution === "hourly" && hourly === "pruned" ? "its hours were removed" : "changed since it was sealed";
}

/** Moves a file of a superseded revision, unless it was moved before. Returns null if the file is lost. */
function moveAway(folder: string, path: string, kept: DatasetFile): DatasetFile | null {
  const to = `superseded/${path}`;
  if (existsSync(join(folder, path))) {
    makeFolder(dirname(resolve(folder, to)));
    renameSync(join(folder, path), join(folder, to));
  }
  const moved = { ...kept, path: to, day: { ...kept.day!, superseded: true } };
  return isThere(folder, moved) ? moved : null;
}

function isThere(folder: string, { path, bytes }: DatasetFile): boolean {
  return statSync(join(folder, path), { throwIfNoEntry: false })?.size === bytes;
}
