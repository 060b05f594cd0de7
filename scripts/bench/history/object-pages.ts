import type { Schema } from "../../../src/contract/types.ts";
import type { HistoryQuery } from "../../../src/domain/history-request.ts";
import { type Change, decodeSegment, type ItemState } from "../../../src/store/codec/frame-segment.ts";
import type { Database } from "../../../src/store/database.ts";
import type { FramesStore } from "../../../src/store/frames.ts";
import SqliteDatabase from "../../../src/store/sqlite.mjs";
import { dayOf, dayText, hourMs } from "../../../src/values/calendar.ts";
import { toTimestamp, toTimestampOrNull } from "../../../src/values/clock.ts";

type HourlyRow = Schema<"HourlyPrice">;
type StoredHour = {
  hour: number;
  provider: string;
  amount: number;
  quantity: number | null;
  observedAt: number | null;
  ingestedAt: number;
  checkedAt: number;
};
type StoredDay = {
  day: number;
  provider: string;
  amount: number;
  lowAmount: number;
  highAmount: number;
  observations: number;
  quantity: number | null;
  sourceObservedAt: number | null;
  recordedAt: number;
};

/** An hourly page of the same segments the plain way: objects, `map` and `JSON.stringify`. */
export function hourlyOfSegments(frames: FramesStore): (query: HistoryQuery) => string {
  const names = new Map(frames.providers().map(({ number, provider }) => [number, provider]));
  return ({ itemId, side, window, limit }) => {
    const rows: StoredHour[] = [];
    let day = -1;
    const changes = new Map<string, Change[]>();
    for (const { hour, feed, ingestedAt, checkedAt } of frames.frames(window.from * 24, window.to * 24 + 23)) {
      if (rows.length >= limit) break;
      if (day !== Math.floor(hour / 24)) {
        day = Math.floor(hour / 24);
        changes.clear();
        for (const segment of frames.segments(day, itemId)) changes.set(segment.feed, decodeSegment(segment.changes));
      }
      for (const quote of stateAt(changes.get(feed) ?? [], hour % 24) ?? []) {
        const { amount, quantity, observedAt } = quote;
        if (quote.side !== side) continue;
        rows.push({ hour, provider: names.get(quote.provider)!, amount, quantity, observedAt, ingestedAt, checkedAt });
      }
    }
    rows.sort((a, b) => a.hour - b.hour || (a.provider < b.provider ? -1 : 1));
    return JSON.stringify(rows.slice(0, limit).map((row) => hourlyObject(row, side)));
  };
}

/** The same page out of a table with a row for each quote and hour; `close` lets go of the file. */
export function hourlyOfRows(path: string): { page(query: HistoryQuery): string; close(): void } {
  const client = new SqliteDatabase(path, { readonly: true });
  const select = client.prepare<unknown[], StoredHour>(
    `SELECT hour, provider, amount, quantity, observed_at AS observedAt, ingested_at AS ingestedAt, checked_at AS checkedAt
     FROM quotes JOIN frames USING (hour) WHERE item_id = ? AND side = ? AND hour BETWEEN ? AND ?
     ORDER BY hour, provider LIMIT ?`,
  );
  return {
    page({ itemId, side, window, limit }) {
      const rows = select.all(itemId, side, window.from * 24, window.to * 24 + 23, limit);
      return JSON.stringify(rows.map((row) => hourlyObject(row, side)));
    },
    close: () => void client.close(),
  };
}

/** Makes that table for some items out of pages of them. */
export function writeHourlyRows(path: string, pages: Iterable<{ itemId: number; rows: readonly HourlyRow[] }>): void {
  const client = new SqliteDatabase(path);
  client.exec(`
    CREATE TABLE frames(hour INTEGER PRIMARY KEY, ingested_at INTEGER NOT NULL, checked_at INTEGER NOT NULL) STRICT;
    CREATE TABLE quotes(item_id INTEGER, side TEXT, hour INTEGER, provider TEXT, amount INTEGER NOT NULL, quantity INTEGER,
      observed_at INTEGER, PRIMARY KEY (item_id, side, hour, provider)) STRICT, WITHOUT ROWID;`);
  const addFrame = client.prepare("INSERT OR IGNORE INTO frames VALUES (?, ?, ?)");
  const addQuote = client.prepare("INSERT INTO quotes VALUES (?, ?, ?, ?, ?, ?, ?)");
  client.transaction(() => {
    for (const { itemId, rows } of pages) {
      for (const { ts, side, provider, amount, quantity, source_observed_at, ingested_at, checked_at } of rows) {
        const hour = Date.parse(ts) / hourMs;
        addFrame.run(hour, Date.parse(ingested_at), Date.parse(checked_at));
        const observedAt = source_observed_at === null ? null : Date.parse(source_observed_at);
        addQuote.run(itemId, side, hour, provider, amount, quantity, observedAt);
      }
    }
  })();
  client.close();
}

/** A daily window the plain way, out of the table that the service itself reads. */
export function dailyOfRows({ $client: client }: Database): (query: HistoryQuery, at: number) => string {
  const select = client.prepare<unknown[], StoredDay>(
    `SELECT day, provider, amount, low_amount AS lowAmount, high_amount AS highAmount, observations, quantity,
       source_observed_at AS sourceObservedAt, recorded_at AS recordedAt
     FROM daily_prices WHERE item_id = ? AND side = ? AND day BETWEEN ? AND ? AND provider = ? ORDER BY day LIMIT ?`,
  );
  return ({ itemId, side, window, provider, limit }, at) => {
    const rows = select.all(itemId, side, window.from, window.to, provider, limit);
    return JSON.stringify(rows.map((row) => dailyObject(row, side, dayOf(at))));
  };
}

function hourlyObject(row: StoredHour, side: HourlyRow["side"]): HourlyRow {
  return {
    ts: toTimestamp(row.hour * hourMs),
    provider: row.provider,
    side,
    amount: row.amount,
    quantity: row.quantity,
    currency: "USD",
    minor_units: 2,
    kind: "hourly_cached_quote",
    availability: "quoted",
    ingested_at: toTimestamp(row.ingestedAt),
    checked_at: toTimestamp(row.checkedAt),
    source_observed_at: toTimestampOrNull(row.observedAt),
  };
}

function dailyObject(row: StoredDay, side: HourlyRow["side"], today: number): Schema<"DailyPrice"> {
  return {
    date: dayText(row.day),
    provider: row.provider,
    side,
    amount: row.amount,
    low_amount: row.lowAmount,
    high_amount: row.highAmount,
    observations: row.observations,
    quantity: row.quantity,
    currency: "USD",
    minor_units: 2,
    kind: "daily_cached_quote",
    complete: row.day < today,
    source_observed_at: toTimestampOrNull(row.sourceObservedAt),
    recorded_at: toTimestamp(row.recordedAt),
  };
}

function stateAt(changes: readonly Change[], hour: number): ItemState {
  return changes.findLast((change) => change.hour <= hour)?.state ?? null;
}
