import type { TimestampTexts } from "../values/timestamp-texts.ts";
import { type DayRow, encodeDayRow } from "../wire/sealed-day.ts";
import type { Database } from "./database.ts";

type StoredRow = DayRow & { day: number };

/**
 * Makes the lines of daily rows: of one day after another in ascending item, side and provider. Not built by Drizzle: the rows are
 * clustered by item, so that a day is read item by item, with one step into the table for each side. Rows come in the order of the
 * loops, which CROSS JOIN fixes; an ORDER BY would sort them once more.
 */
export class DailyDayLines {
  readonly #rows;
  readonly #timestamps: TimestampTexts;

  constructor({ $client: client }: Database, timestamps: TimestampTexts) {
    this.#timestamps = timestamps;
    this.#rows = client.prepare<[number, number, number, number], StoredRow>(
      `SELECT d.item_id AS itemId, d.side, d.day, d.provider, d.amount, d.low_amount AS lowAmount, d.high_amount AS highAmount,
         d.observations, d.quantity, d.source_observed_at AS sourceObservedAt, d.recorded_at AS recordedAt
       FROM items i CROSS JOIN (SELECT 'ask' AS side UNION ALL SELECT 'bid') s
       CROSS JOIN daily_prices d ON d.item_id = i.item_id AND d.side = s.side AND d.day BETWEEN ? AND ?
       WHERE i.item_id > ? AND i.item_id <= ?`,
    );
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
    for (const row of this.#rows.iterate(day, day, after, upTo)) {
      if (selection !== null && (row.provider !== selection.provider || row.side !== selection.side)) continue;
      lines += encodeDayRow(row, this.#timestamps);
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
    for (const row of this.#rows.all(from, to, after, upTo)) {
      const ofDay = lines.get(row.day);
      if (ofDay === undefined) lines.set(row.day, { text: encodeDayRow(row, this.#timestamps), rows: 1 });
      else {
        ofDay.text += encodeDayRow(row, this.#timestamps);
        ofDay.rows += 1;
      }
    }
    for (const [day, { text, rows }] of lines) take(day, text, rows);
  }
}
