import type { TimestampTexts } from "../../values/time/timestamp-texts.ts";
import { dayRowHeadSql, encodeDayTimes } from "../../wire/sealed-day.ts";
import type { Database } from "../database.ts";

/** `head`: the line up to its times. */
type StoredLine = [day: number, head: string, sourceObservedAt: number | null, recordedAt: number];
type StoredRow = [...StoredLine, side: string, provider: string];

/**
 * Makes the lines of daily rows: of one day after another in ascending item, side and provider. Not built by Drizzle: the rows are
 * clustered by item, so that a day is read item by item, with one step into the table for each side. Rows come in the order of the
 * loops, which CROSS JOIN fixes; an ORDER BY would sort them once more.
 */
export class DailyDayLines {
  readonly #rows;
  readonly #lines;
  readonly #timestamps: TimestampTexts;

  constructor({ $client: client }: Database, timestamps: TimestampTexts) {
    this.#timestamps = timestamps;
    // A text that is read costs half as much as making the line, so what nobody looks at is not read.
    const rowsOf = <Row>(columns: string) =>
      client
        .prepare<[number, number, number, number], Row>(
          `SELECT d.day, ${dayRowHeadSql}, d.source_observed_at, d.recorded_at${columns}
           FROM (SELECT item_id AS id FROM items) i CROSS JOIN (SELECT 'ask' AS of UNION ALL SELECT 'bid') s
           CROSS JOIN daily_prices d ON d.item_id = i.id AND d.side = s.of AND d.day BETWEEN ? AND ?
           WHERE i.id > ? AND i.id <= ?`,
        )
        .raw(true);
    this.#rows = rowsOf<StoredRow>(", d.side, d.provider");
    this.#lines = rowsOf<StoredLine>("");
  }

  /** Returns the lines of the items from `after`, exclusive, to `upTo`, inclusive. `selection`: those of one provider and side only. */
  page(
    day: number,
    after: number,
    upTo: number,
    selection: { provider: string; side: string } | null,
  ): { lines: string; rows: number } {
    let lines = "";
    let rows = 0;
    for (const [, head, sourceObservedAt, recordedAt, side, provider] of this.#rows.all(day, day, after, upTo)) {
      if (selection !== null && (provider !== selection.provider || side !== selection.side)) continue;
      lines += head + encodeDayTimes(sourceObservedAt, recordedAt, this.#timestamps);
      rows += 1;
    }
    return { lines, rows };
  }

  /** Hands the lines of each of the days `from` to `to` to `take`, of the items from `after`, exclusive, to `upTo`, inclusive. */
  each(
    from: number,
    to: number,
    after: number,
    upTo: number,
    take: (day: number, lines: string, rows: number) => void,
  ): void {
    const lines = new Map<number, { text: string; rows: number }>();
    for (const [day, head, sourceObservedAt, recordedAt] of this.#lines.all(from, to, after, upTo)) {
      const line = head + encodeDayTimes(sourceObservedAt, recordedAt, this.#timestamps);
      const ofDay = lines.get(day);
      if (ofDay === undefined) lines.set(day, { text: line, rows: 1 });
      else {
        ofDay.text += line;
        ofDay.rows += 1;
      }
    }
    for (const [day, { text, rows }] of lines) take(day, text, rows);
  }
}
