import { inShortTransactions } from "../../src/ingest/short-transactions.ts";
import type { Database } from "../../src/store/database.ts";
import { systemClock } from "../../src/values/clock.ts";
import type { Layout, WindowRow } from "./layout.ts";
import { type HourlyQuote, type Market, slots } from "./market.ts";

const itemsPerTransaction = 20;
const columns = "amount INTEGER NOT NULL, quantity INTEGER, observed_at INTEGER";

type StoredRow = [hour: number, provider: number, amount: number, quantity: number | null, observedAt: number | null];

/** A row for each quote and hour, in the order in which a window reads them. */
export function rowPerHour(writer: Database, reader: Database): Layout {
  createTable(
    writer,
    `item_id INTEGER, side TEXT, hour INTEGER, provider INTEGER, ${columns}`,
    "item_id, side, hour, provider",
  );
  const select = reader.$client
    .prepare<[number, number, number], StoredRow>(
      `SELECT hour, provider, amount, quantity, observed_at FROM quotes
       WHERE item_id = ? AND side = 'ask' AND hour BETWEEN ? AND ? ORDER BY hour, provider`,
    )
    .raw(true);
  return {
    ...rowLayout("a row per quote and hour", writer, (market, item, hour) => market.quotes(item, hour)),
    window: (item, from, to) => select.all(item, from, to).map(rowOf),
  };
}

/** A row only where a quote changed; a reader fills the hours between, and begins with the last row before its window. */
export function rowPerChange(writer: Database, reader: Database): Layout {
  createTable(
    writer,
    `item_id INTEGER, side TEXT, provider INTEGER, hour INTEGER, ${columns}`,
    "item_id, side, provider, hour",
  );
  const from =
    "SELECT hour, provider, amount, quantity, observed_at FROM quotes WHERE item_id = ? AND side = 'ask' AND provider = ?";
  const { $client: client } = reader;
  const before = client
    .prepare<[number, number, number], StoredRow>(`${from} AND hour <= ? ORDER BY hour DESC LIMIT 1`)
    .raw(true);
  const within = client.prepare<number[], StoredRow>(`${from} AND hour > ? AND hour <= ? ORDER BY hour`).raw(true);
  const providers = slots.filter(({ side }) => side === "ask").map(({ provider }) => provider);
  return {
    ...rowLayout("a row per change of a quote", writer, (market, item, hour) => market.changes(item, hour)),
    window: (item, first, last) => {
      const changes = providers.map((provider) => [
        ...before.all(item, provider, first),
        ...within.all(item, provider, first, last),
      ]);
      return filled(changes, first, last);
    },
  };
}

function filled(changes: readonly StoredRow[][], first: number, last: number): WindowRow[] {
  const rows: WindowRow[] = [];
  const places = changes.map(() => 0);
  for (let hour = first; hour <= last; hour += 1) {
    for (const [index, ofProvider] of changes.entries()) {
      while ((ofProvider[places[index]! + 1]?.[0] ?? Number.POSITIVE_INFINITY) <= hour) places[index]! += 1;
      const stored = ofProvider[places[index]!];
      if (stored !== undefined) rows.push({ ...rowOf(stored), hour });
    }
  }
  return rows;
}

type Selected = (market: Market, item: number, hour: number) => HourlyQuote[];

function rowLayout(name: string, writer: Database, selected: Selected): Omit<Layout, "window"> {
  const { $client: client } = writer;
  const insert = client.prepare(
    "INSERT INTO quotes(item_id, side, provider, hour, amount, quantity, observed_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
  );
  const put = (market: Market, item: number, hour: number) => {
    for (const { slot, amount, quantity, observedAt } of selected(market, item, hour)) {
      insert.run(item, slots[slot]!.side, slots[slot]!.provider, hour, amount, quantity, observedAt);
    }
  };
  return {
    name,
    *build(market, hours, progress) {
      progress.phase(`${name}: items`, market.items);
      // Item by item, so that the pages come out full: better than hour by hour could leave them.
      for (let first = 0; first < market.items; first += itemsPerTransaction) {
        const end = Math.min(market.items, first + itemsPerTransaction);
        client.transaction(() => {
          for (let item = first; item < end; item += 1) {
            for (let hour = 0; hour < hours; hour += 1) put(market, item, hour);
          }
        })();
        progress.advance(end - first);
        yield;
      }
    },
    *writeFrame(market, hour) {
      const items = Array.from({ length: market.items }, (_, item) => item);
      yield* inShortTransactions(writer, systemClock, items, (item) => put(market, item, hour));
    },
  };
}

function createTable({ $client: client }: Database, definition: string, key: string): void {
  client.exec(`CREATE TABLE quotes(${definition}, PRIMARY KEY (${key})) STRICT, WITHOUT ROWID`);
}

function rowOf([hour, provider, amount, quantity, observedAt]: StoredRow): WindowRow {
  return { hour, provider, amount, quantity, observedAt };
}
