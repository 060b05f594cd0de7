import { hoursOfDay } from "../../values/time/calendar.ts";
import { TimestampTexts } from "../../values/time/timestamp-texts.ts";
import { type Database, readTransaction } from "../database.ts";
import { DailyDayLines } from "./daily-day-lines.ts";
import { type FrameRow, FramesStore } from "./frames.ts";
import { HourlyDayLines } from "./hourly-day-lines.ts";
import { KnownFramesStore } from "./known-frames.ts";
import { namedOf, type SealedDayRow, SealedDaysStore } from "./sealed-days.ts";

export type DayResolution = "daily" | "hourly";
/** Restricts an export to one provider and side. */
export type DaySelection = { provider: string; side: "ask" | "bid" };
/** Complete lines of a page (ASCII), and their number. */
export type DayPage = { lines: string; rows: number };

/** Reads sealed days for exports. No transaction stays open between two pages. */
export class DayExports {
  readonly #database: Database;
  readonly #days: SealedDaysStore;
  readonly #frames: FramesStore;
  readonly #past: KnownFramesStore;
  readonly #timestamps = new TimestampTexts();

  constructor(database: Database) {
    this.#database = database;
    this.#days = new SealedDaysStore(database);
    this.#frames = new FramesStore(database);
    this.#past = new KnownFramesStore(database);
  }

  /** Returns the revision in force. Returns null without one, or if `resolution` is hourly and the hours were removed. */
  current(day: number, resolution: DayResolution): SealedDayRow | null {
    const row = this.#days.current(day);
    return row === null || (resolution === "hourly" && row.hourly === "pruned") ? null : row;
  }

  /**
   * Returns a revision that was asked by its number, with the instant of its rows. Returns null if the day has no such revision, or `at: null`
   * if its rows are no longer kept.
   */
  revision(day: number, revision: number, resolution: DayResolution): { row: SealedDayRow; at: number | null } | null {
    const row = this.#days.revision(day, revision);
    if (row === null) return null;
    return { row, at: resolution === "hourly" && row.hourly === "pruned" ? null : this.#days.keptAt(row) };
  }

  /** Returns the frames of a day that counted at `at` (UTC ms), or that count now, by hour and feed. */
  frames(day: number, at: number | null): FrameRow[] {
    const [from, to] = [day * hoursOfDay, (day + 1) * hoursOfDay - 1];
    const frames = at === null ? this.#frames.frames(from, to) : this.#past.frames(from, to, at);
    return frames.filter(({ retractedAt }) => retractedAt === null);
  }

  /**
   * Returns a function that reads a revision's lines for items from `after` (exclusive) to `upTo` (inclusive). Pass null as `at` for the
   * revision in force; the function returns null after another one is. Otherwise `at` is the instant of the rows; the function returns null
   * after they were removed.
   */
  pages(
    row: SealedDayRow,
    resolution: DayResolution,
    selection: DaySelection | null,
    at: number | null,
  ): (after: number, upTo: number) => DayPage | null {
    const { day, revision } = row;
    const read = this.lines(row, resolution, selection, at);
    const isThere = () =>
      at === null
        ? this.current(day, resolution)?.revision === revision
        : this.revision(day, revision, resolution)?.at === at;
    return (after, upTo) => readTransaction(this.#database, () => (isThere() ? read(after, upTo) : null));
  }

  /** Returns a function that reads a day's lines like `pages`. The caller ensures that the rows are there. */
  lines(
    row: SealedDayRow,
    resolution: DayResolution,
    selection: DaySelection | null,
    at: number | null = null,
  ): (after: number, upTo: number) => DayPage {
    if (resolution === "hourly") {
      const lines = new HourlyDayLines(this.#database, row.day, namedOf(row), this.#timestamps, this.#frames, at);
      return (after: number, upTo: number) => lines.page(after, upTo);
    }
    const lines = new DailyDayLines(this.#database, this.#timestamps);
    return (after: number, upTo: number) => lines.page(row.day, after, upTo, selection, at);
  }
}
