import { hoursOfDay } from "../../values/time/calendar.ts";
import { TimestampTexts } from "../../values/time/timestamp-texts.ts";
import { type Database, readTransaction } from "../database.ts";
import { DailyDayLines } from "./daily-day-lines.ts";
import { type FrameRow, FramesStore } from "./frames.ts";
import { HourlyDayLines } from "./hourly-day-lines.ts";
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
  readonly #timestamps = new TimestampTexts();

  constructor(database: Database) {
    this.#database = database;
    this.#days = new SealedDaysStore(database);
    this.#frames = new FramesStore(database);
  }

  /** Returns the revision in force. Returns null without one, or if `resolution` is hourly and the hours were removed. */
  current(day: number, resolution: DayResolution): SealedDayRow | null {
    const row = this.#days.current(day);
    return row === null || (resolution === "hourly" && row.hourly === "pruned") ? null : row;
  }

  /** Returns the frames of a day that were not retracted, by hour and feed. */
  frames(day: number): FrameRow[] {
    const frames = this.#frames.frames(day * hoursOfDay, (day + 1) * hoursOfDay - 1);
    return frames.filter(({ retractedAt }) => retractedAt === null);
  }

  /**
   * Returns a function that reads a revision's lines for items from `after` (exclusive) to `upTo` (inclusive). It returns null after
   * another revision is in force.
   */
  pages(
    row: SealedDayRow,
    resolution: DayResolution,
    selection: DaySelection | null,
  ): (after: number, upTo: number) => DayPage | null {
    const { day, revision } = row;
    const read = this.lines(row, resolution, selection);
    return (after, upTo) =>
      readTransaction(this.#database, () =>
        this.current(day, resolution)?.revision === revision ? read(after, upTo) : null,
      );
  }

  /** Returns a function that reads a day's lines like `pages`. The caller ensures that the revision is in force. */
  lines(
    row: SealedDayRow,
    resolution: DayResolution,
    selection: DaySelection | null,
  ): (after: number, upTo: number) => DayPage {
    if (resolution === "hourly") {
      const lines = new HourlyDayLines(this.#database, row.day, namedOf(row), this.#timestamps);
      return (after: number, upTo: number) => lines.page(after, upTo);
    }
    const lines = new DailyDayLines(this.#database, this.#timestamps);
    return (after: number, upTo: number) => lines.page(row.day, after, upTo, selection);
  }
}
