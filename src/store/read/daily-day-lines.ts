import type { TimestampTexts } from "../../values/time/timestamp-texts.ts";
import { dayRowHeadSql, encodeDayTimes } from "../../wire/sealed-day.ts";
import type { Database } from "../database.ts";

/** `head` is the line up to its times. */
type StoredLine = [day: number, head: string, sourceObservedAt: number | null, recordedAt: number];
type StoredRow = [...StoredLine, itemId: number, side: string, provider: string];

const lineColumns = `d.day, ${dayRowHeadSql}, d.source_observed_at, d.recorded_at`;
const rowColumns = `${lineColumns}, d.item_id, d.side, d.provider`;
/**
 * Rows in item order, with one index seek for each side of an item. CROSS JOIN fixes the order of the loops, and with it the order of rows.
 * ORDER BY would sort them again.
 */
const inItemOrder = `FROM (SELECT item_id AS id FROM items) i CROSS JOIN (SELECT 'ask' AS of UNION ALL SELECT 'bid') s
  CROSS JOIN daily_by_item d ON d.item_id = i.id AND d.side = s.of AND d.day BETWEEN ? AND ?
  WHERE i.id > ? AND i.id <= ?`;
/** Rows in day order, with one index seek for each provider of a day. */
const inDayOrder = `FROM (SELECT day AS of_day, provider AS of_provider, moved_to FROM recent_days) r
  CROSS JOIN daily_by_day d ON d.day = r.of_day AND d.provider = r.of_provider AND d.item_id > r.moved_to
  WHERE r.of_day BETWEEN ? AND ? AND d.item_id > ? AND d.item_id <= ? ORDER BY d.item_id, d.side, d.provider`;

/** Replaced rows of a day that were in force at an instant. Few rows are replaced. */
const replacedLater = `FROM daily_prices_past d
  WHERE d.item_id > ? AND d.item_id <= ? AND d.day = ? AND d.recorded_at <= ? AND d.superseded_at > ?`;

/** Encodes the lines of daily rows: day by day, in ascending item, side and provider. Not built by Drizzle. */
export class DailyDayLines {
  readonly #rows;
  readonly #lines;
  readonly #replaced;
  readonly #timestamps: TimestampTexts;

  constructor({ $client: client }: Database, timestamps: TimestampTexts) {
    this.#timestamps = timestamps;
    // Reading a text column costs half as much as encoding the line, so unused columns are not read.
    const prepare = <Row>(columns: string) =>
      [inItemOrder, inDayOrder].map((from) =>
        client.prepare<[number, number, number, number], Row>(`SELECT ${columns} ${from}`).raw(true),
      );
    this.#rows = prepare<StoredRow>(rowColumns);
    this.#lines = prepare<StoredLine>(lineColumns);
    this.#replaced = client
      .prepare<[after: number, upTo: number, day: number, at: number, at: number], StoredRow>(
        `SELECT ${rowColumns} ${replacedLater}`,
      )
      .raw(true);
  }

  /**
   * Returns the lines of items from `after` (exclusive) to `upTo` (inclusive). `selection` restricts them to one provider and side; null
   * selects all. `at`: instant (UTC ms) of the rows, or null for the current rows.
   */
  page(
    day: number,
    after: number,
    upTo: number,
    selection: { provider: string; side: string } | null,
    at: number | null = null,
  ): { lines: string; rows: number } {
    let lines = "";
    let rows = 0;
    const stored = at === null ? this.#rowsOf(day, after, upTo) : this.#rowsAt(at, day, after, upTo);
    for (const [, head, sourceObservedAt, recordedAt, , side, provider] of stored) {
      if (selection !== null && (provider !== selection.provider || side !== selection.side)) continue;
      lines += head + encodeDayTimes(sourceObservedAt, recordedAt, this.#timestamps);
      rows += 1;
    }
    return { lines, rows };
  }

  /** Passes the lines of each day from `from` to `to` to `take`, for items from `after` (exclusive) to `upTo` (inclusive). */
  each(
    from: number,
    to: number,
    after: number,
    upTo: number,
    take: (day: number, lines: string, rows: number) => void,
  ): void {
    const [byItem, byDay] = this.#lines.map((lines) => this.#textsOf(lines.all(from, to, after, upTo))) as [
      Texts,
      Texts,
    ];
    for (const [day, { text, rows }] of byItem) if (!byDay.has(day)) take(day, text, rows);
    for (const [day, { text, rows }] of byDay) {
      if (!byItem.has(day)) take(day, text, rows);
      else {
        const merged = this.page(day, after, upTo, null);
        take(day, merged.lines, merged.rows);
      }
    }
  }

  #textsOf(stored: readonly StoredLine[]): Texts {
    const texts: Texts = new Map();
    for (const [day, head, sourceObservedAt, recordedAt] of stored) {
      const line = head + encodeDayTimes(sourceObservedAt, recordedAt, this.#timestamps);
      const ofDay = texts.get(day);
      if (ofDay === undefined) texts.set(day, { text: line, rows: 1 });
      else {
        ofDay.text += line;
        ofDay.rows += 1;
      }
    }
    return texts;
  }

  /** Returns the rows of a day that were in force at an instant. */
  #rowsAt(at: number, day: number, after: number, upTo: number): StoredRow[] {
    const current = this.#rowsOf(day, after, upTo).filter(([, , , recordedAt]) => recordedAt <= at);
    return [...current, ...this.#replaced.all(after, upTo, day, at, at)].sort(compareKeys);
  }

  /** Returns the rows of a day from both tables in ascending item, side and provider. */
  #rowsOf(day: number, after: number, upTo: number): StoredRow[] {
    const [byItem, byDay] = this.#rows.map((rows) => rows.all(day, day, after, upTo)) as [StoredRow[], StoredRow[]];
    if (byItem.length === 0 || byDay.length === 0) return byItem.length === 0 ? byDay : byItem;
    // A day has rows in both tables while it is moved, or if an earlier release wrote some of them.
    return [...byItem, ...byDay].sort(compareKeys);
  }
}

type Texts = Map<number, { text: string; rows: number }>;

/** Sides and providers are ASCII, so JavaScript's string order equals SQLite's. */
function compareKeys([, , , , item, side, provider]: StoredRow, other: StoredRow): number {
  return item - other[4] || compareText(side, other[5]) || compareText(provider, other[6]);
}

function compareText(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
