import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { dayFramesOf } from "../../domain/history-days.ts";
import type { Database } from "../../store/database.ts";
import { DayExports, type DayResolution } from "../../store/read/day-exports.ts";
import { feedHoursOf, type SealedDayRow, SealedDaysStore } from "../../store/read/sealed-days.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import { dayText } from "../../values/time/calendar.ts";
import { DayRows, dayColumns } from "../export/day-rows.ts";
import { type BuildParts, type DatasetDraft, isThere } from "./draft.ts";
import type { DatasetFile, MissingDay } from "./index-file.ts";
import { type AddRow, writeTable } from "./table-file.ts";

/** The columns of day files, by their position in the rows of an export. Hourly files have quotes only, without source times. */
const positions = {
  daily: dayColumns.daily.map((_, index) => index),
  hourly: ["item_id", "side", "ts", "provider", "amount", "quantity", "recorded_at"].map((name) =>
    dayColumns.hourly.findIndex((column) => column.name === name),
  ),
} as const;
const idsPerPage = { daily: 4096, hourly: 256 } as const;
/** Folder of superseded revisions. */
const movedTo = "superseded/";
const resolutions = ["daily", "hourly"] as const satisfies readonly DayResolution[];

/** The day files of a dataset, ascending, and the revisions that it lacks. */
type DayFiles = { files: DatasetFile[]; missing: MissingDay[]; written: number };

/**
 * Writes the days that the folder lacks, and moves files of superseded revisions to `superseded/`. Days before `since` are written again if
 * the folder has them.
 * @throws {OperatorError} when the rows of a day differ from its sealed digest.
 */
export function writeDays(database: Database, parts: BuildParts): DayFiles {
  const { before, since, left, draft, isWhole } = parts;
  const exports = new DayExports(database);
  const files: DatasetFile[] = [];
  const missing: MissingDay[] = [];
  let written = 0;
  const had = new Set([...before.keys()].map((path) => dirname(path.replace(movedTo, ""))));
  for (const row of revisionsOf(new SealedDaysStore(database))) {
    for (const resolution of resolutions) {
      // A day without frames has no hours.
      if (resolution === "hourly" && feedHoursOf(row).length === 0) continue;
      const path = pathOf(row, resolution);
      if (row.day < since && !had.has(dirname(path))) continue;
      const kept = keptFile(path, sourceOf(row, resolution), parts);
      const isDone = kept !== null && isWhole(kept);
      const made = isDone ? null : makeDay(exports, row, resolution, parts);
      if (made !== null) files.push(made);
      else if (kept !== null) files.push(movedFile(kept, placeOf(row, resolution), draft));
      written += Number(made !== null);
      if (made !== null || isDone) continue;
      const lost = kept?.without.filter((provider) => !left.has(provider)) ?? [];
      const why = `${lost.length === 0 ? "" : `without ${lost.join(", ")}: `}${whyMissing(row, resolution)}`;
      missing.push({ date: dayText(row.day), resolution, revision: row.revision, why });
    }
  }
  return { files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), missing, written };
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

/** Writes a revision. Returns null if its rows are not kept, or changed after the seal. */
function makeDay(
  exports: DayExports,
  row: SealedDayRow,
  resolution: DayResolution,
  parts: BuildParts,
): DatasetFile | null {
  const { day, revision, supersededAt } = row;
  if (supersededAt === null)
    return exports.current(day, resolution)?.revision === revision
      ? writeDay(exports, row, resolution, null, parts)
      : null;
  const at = exports.revision(day, revision, resolution)?.at ?? null;
  return at === null ? null : writeDay(exports, row, resolution, at, parts);
}

/** Writes a revision. `at` is the instant of the rows of a superseded one (UTC ms), null for the revision in force. */
function writeDay(
  exports: DayExports,
  row: SealedDayRow,
  resolution: DayResolution,
  at: number | null,
  { draft, left, note }: BuildParts,
): DatasetFile | null {
  const columns = positions[resolution].map((index) => dayColumns[resolution][index]!);
  const [providers, without] = [new Set<string>(), new Set<string>()];
  const fill = (add: AddRow) =>
    readDay(exports, row, resolution, at, (values) => {
      const provider = values[providerAt(resolution)] as string | null;
      // Hours without a quote are made of the frames of all feeds.
      if (provider === null) return;
      if (left.has(provider)) without.add(provider);
      else {
        providers.add(provider);
        add(positions[resolution].map((index) => values[index] ?? null));
      }
    });
  const made = writeTable(draft, placeOf(row, resolution), columns, fill, { byItem: resolution === "daily" });
  if (made === null) {
    note(`${dayText(row.day)}: changed meanwhile; run it again after its next seal`);
    return null;
  }
  const feeds = feedHoursOf(row).filter(() => resolution === "hourly");
  const day = { condition: row.condition, feeds };
  const source = sourceOf(row, resolution);
  return { ...made, source, providers: [...providers].sort(), without: [...without].sort(), day };
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

/** Returns the place of a revision in the dataset now. */
function placeOf(row: SealedDayRow, resolution: DayResolution): string {
  return `${row.supersededAt === null ? "" : movedTo}${pathOf(row, resolution)}`;
}

function whyMissing({ hourly, supersededAt }: SealedDayRow, resolution: DayResolution): string {
  if (supersededAt !== null) return "its rows are no longer kept";
  return resolution === "hourly" && hourly === "pruned" ? "its hours were removed" : "changed since it was sealed";
}

/** Returns the digest of a day's lines as in the index. Another market's file of the same path has another. */
function sourceOf(row: SealedDayRow, resolution: DayResolution): string {
  return digestFor(row, resolution)!.toString("hex").slice(0, 16);
}

/** Returns the file of a revision, with its path of now: a killed build may have moved it. Null if it is lost or not allowed. */
function keptFile(path: string, source: string, { folder, before, isAllowed }: BuildParts): DatasetFile | null {
  const old = before.get(path) ?? before.get(movedTo + path);
  if (old?.source !== source || !isAllowed(old)) return null;
  const places = [path, movedTo + path].map((place) => ({ ...old, path: place }));
  return places.find((file) => isThere(folder, file)) ?? null;
}

function movedFile(file: DatasetFile, path: string, draft: DatasetDraft): DatasetFile {
  if (file.path !== path) draft.move(file.path, path);
  return { ...file, path };
}
