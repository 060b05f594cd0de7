import { and, asc, between, eq, getTableColumns, sql } from "drizzle-orm";
import { dailyByDay, dailyByItem, dailyImportRates, dailyImports, dailyPrices } from "../../../db/schema/history.ts";
import { monthStart } from "../../values/time/calendar.ts";
import { type DailyWithoutChecksum, dailyChecksum, pushDailyValues } from "../codec/daily-checksum.ts";
import type { Database } from "../database.ts";
import type { DayRate } from "../read/exchange-rates.ts";
import type { ProviderFacts } from "./feeds.ts";
import { pastKeeper } from "./past-rows.ts";

/** The single provider of an import, and its feed. `feedAdapter` is used if the feed is new. */
export type DailyFacts = ProviderFacts & { feed: string; feedAdapter: string };
export type DailyRow = typeof dailyPrices.$inferSelect;
/** Rows of one item, side and provider from the day `from` to `to`, inclusive. */
type DailySpan = Pick<DailyRow, "itemId" | "side" | "provider"> & { from: number; to: number };

/** Tables of daily rows, by their row order. */
type Order = "day" | "item";
const tables = { day: dailyByDay, item: dailyByItem };
/**
 * Days after its end for which a month remains in day order, because late frames and final daily rows may arrive. More days would slow
 * reads of an item, which look up each recent day and provider.
 */
const lateDays = 7;

/** Approximate bytes of a row in the file. */
export const dailyRowBytes = 64;

/** Returns the first day of the oldest month in day order. `today` is in days since 1970. */
export function firstRecentDay(today: number): number {
  return monthStart(today - lateDays, 0);
}

/**
 * Reads and writes daily rows for imports and for the finalizing of recorded days. A new row goes to the table of its month. A stored row
 * remains in its table. The caller holds the import lock and the transactions.
 */
export class DailyPriceWriter {
  readonly #database: Database;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #addBatch: Partial<Record<Order, ReturnType<typeof addBatch>>> = {};
  readonly #firstRecent: number;
  readonly #lastByItem: number;

  /** `today` is in days since 1970. */
  constructor(database: Database, today: number) {
    this.#database = database;
    this.#statements = prepare(database);
    // After a clock went back, rows must not be added to days that are being moved.
    const moving = this.#statements.lastMoving.get() ?? null;
    this.#lastByItem = this.#statements.lastByItem.get()!;
    this.#firstRecent = Math.max(firstRecentDay(today), moving === null ? 0 : moving + 1);
  }

  /** Returns the rows of a span in ascending day. */
  within(span: DailySpan): DailyRow[] {
    return this.#statements.within.all(span);
  }

  /** Returns day and amount of the rows of a span in ascending day. */
  amountsWithin({ itemId, side, from, to, provider }: DailySpan): [day: number, amount: number][] {
    return this.#statements.amounts.all(itemId, side, from, to, provider);
  }

  /** Returns day, provider and amount of other providers' rows in a span, in ascending day. */
  amountsOfOthers({ itemId, side, from, to, provider }: DailySpan): [day: number, provider: string, amount: number][] {
    return this.#statements.amountsOfOthers.all(itemId, side, from, to, provider);
  }

  /**
   * Decides how to write a recorded row. Returns "write" for a row to put or, without observations, to remove. Returns "same" if
   * neither figures nor instant are new, and "replaced" if a replacing import has the row.
   */
  toWrite(row: DailyWithoutChecksum): "write" | "same" | "replaced" {
    const { itemId, side, day, provider } = row;
    const existing = day > this.#lastByItem ? this.#statements.existingByDay : this.#statements.existing;
    const stored = existing.get(itemId, side, day, provider);
    if (stored === undefined) return row.observations === 0 ? "same" : "write";
    const [importId, checksum, replaces, recordedAt] = stored;
    if (importId !== null && row.observations === 0) return "same";
    if (importId !== null) return replaces === 1 ? "replaced" : "write";
    return row.recordedAt <= recordedAt && checksum === dailyChecksum({ ...row, recordedAt }) ? "same" : "write";
  }

  /** Writes the row unless its key exists. */
  add(row: DailyWithoutChecksum): void {
    const order = this.#orderOf(row);
    if (!this.#isIn(other[order], row)) this.#statements[order].add.run(valuesOf(row));
  }

  /** Writes the rows with new keys. One call for many rows costs less than single writes. */
  addAll(rows: readonly DailyWithoutChecksum[]): void {
    for (const order of ["item", "day"] as const) {
      const ofTable = rows.filter((row) => this.#orderOf(row) === order && !this.#isIn(other[order], row));
      this.#addTo(order, ofTable);
    }
  }

  /** Writes the row and replaces an existing row with its key, which becomes a past row. */
  put(row: DailyWithoutChecksum): void {
    const { keep, add, put } = this.#statements[this.#holderOf(row)];
    if (add.run(valuesOf(row)).changes > 0) return;
    // A row derived from frames counts from its last frame, also before an earlier written import of the same row.
    const recordedAt = keep(keyOf(row), row.recordedAt, { isDerived: row.importId === null });
    put.run(valuesOf({ ...row, recordedAt }));
  }

  /** Removes the derived row with this key, which becomes a past row. `recordedAt` is the instant of the removal. */
  remove(row: DailyWithoutChecksum): void {
    const { keep, remove } = this.#statements[this.#holderOf(row)];
    keep(keyOf(row), row.recordedAt, { isDerived: true });
    remove.run(...keyOf(row));
  }

  /**
   * Groups rows by the order of their tables and sorts them in it. Writing them then changes the fewest pages. Pass rows in ascending item,
   * side and day.
   */
  byOrder<Row extends { day: number }>(rows: readonly Row[]): Record<Order, Row[]> {
    const { item = [], day = [] } = Object.groupBy(rows, (row) => this.#orderOf(row));
    return { item, day: day.sort((a, b) => a.day - b.day) };
  }

  startImport(values: Omit<typeof dailyImports.$inferInsert, "importId">): number {
    return this.#database.insert(dailyImports).values(values).returning({ id: dailyImports.importId }).get().id;
  }

  addRate(rate: { importId: number; day: number; currency: string } & DayRate): void {
    this.#statements.addRate.run(rate);
  }

  #orderOf({ day }: { day: number }): Order {
    return day >= this.#firstRecent ? "day" : "item";
  }

  /** Returns the order of the table that has the row, or will have it. */
  #holderOf(row: DailyWithoutChecksum): Order {
    const order = this.#orderOf(row);
    return this.#isIn(other[order], row) ? other[order] : order;
  }

  #isIn(order: Order, { itemId, side, day, provider }: DailyWithoutChecksum): boolean {
    if (order === "item" && day > this.#lastByItem) return false;
    return this.#statements[order].holds.get(itemId, side, day, provider) !== undefined;
  }

  #addTo(order: Order, rows: readonly DailyWithoutChecksum[]): void {
    this.#addBatch[order] ??= addBatch(this.#database, order);
    const together = this.#addBatch[order];
    let next = 0;
    const values: (string | number | null)[] = [];
    while (next + addedRowsMax <= rows.length) {
      values.length = 0;
      for (const last = next + addedRowsMax; next < last; next += 1) pushDailyValues(values, rows[next]!);
      // Spread arguments, because the binding reads them much faster than the elements of an array.
      together.run(...values);
    }
    for (; next < rows.length; next += 1) this.#statements[order].add.run(valuesOf(rows[next]!));
  }
}

const other = { day: "item", item: "day" } as const;

/**
 * Runs `add`, which adds daily rows and returns their days, and then marks these days as unsealed. Triggers would check each row, at a
 * third of the cost of adding it. The caller holds one transaction, because the triggers are dropped while `add` runs.
 */
export function markingDaysOnce({ $client: client }: Database, add: () => Iterable<number>): void {
  const triggers = client
    .prepare<[], { name: string; sql: string }>(
      "SELECT name, sql FROM sqlite_schema WHERE name IN ('unsealed_by_daily_added', 'unsealed_by_recent_added')",
    )
    .all();
  for (const { name } of triggers) client.exec(`DROP TRIGGER ${name}`);
  const mark = client.prepare<[number]>("INSERT OR IGNORE INTO unsealed_days VALUES (?)");
  for (const day of add()) mark.run(day);
  for (const { sql: created } of triggers) client.exec(created);
}

/** Rows per insert statement. */
const addedRowsMax = 72;

type ExistingRow = [importId: number | null, checksum: number, replaces: number | null, recordedAt: number];

const columns = getTableColumns(dailyByItem);
const columnNames = Object.keys(columns) as (keyof DailyRow)[];
const keyNames = ["itemId", "side", "day", "provider"] as const;

function prepare(database: Database) {
  const { $client: client } = database;
  const { itemId, side, day, provider } = dailyPrices;
  const ofItem = [eq(itemId, sql.placeholder("itemId")), eq(side, sql.placeholder("side"))] as const;
  const days = between(day, sql.placeholder("from"), sql.placeholder("to"));
  const key = "item_id = ? AND side = ? AND day = ? AND provider = ?";
  const span = "FROM daily_prices WHERE item_id = ? AND side = ? AND day BETWEEN ? AND ? AND provider";
  const live = "item_id > (SELECT moved_to FROM recent_days AS r WHERE r.day = d.day AND r.provider = d.provider)";
  const existing = (table: string) =>
    client
      .prepare<unknown[], ExistingRow>(
        `SELECT import_id, seal, (SELECT replaces FROM daily_imports AS i WHERE i.import_id = d.import_id), recorded_at
         FROM ${table} AS d WHERE ${key}`,
      )
      .raw(true);
  return {
    within: database
      .select()
      .from(dailyPrices)
      .where(and(...ofItem, days, eq(provider, sql.placeholder("provider"))))
      .orderBy(asc(day))
      .prepare(),
    amounts: client.prepare<unknown[], [number, number]>(`SELECT day, amount ${span} = ? ORDER BY day`).raw(true),
    amountsOfOthers: client
      .prepare<unknown[], [number, string, number]>(`SELECT day, provider, amount ${span} <> ? ORDER BY day`)
      .raw(true),
    // Executed directly, because they run for hundreds of thousands of rows, mostly while the writer's lock is held.
    existing: existing("daily_prices"),
    existingByDay: existing("daily_by_day"),
    lastByItem: client.prepare<[], number>("SELECT last_day FROM daily_item_order").pluck(),
    lastMoving: client.prepare<[], number | null>("SELECT max(day) FROM recent_days WHERE moved_to > 0").pluck(),
    item: {
      ...prepareTable(database, "item"),
      keep: pastKeeper(database, "daily_prices", "daily_by_item"),
      holds: client.prepare(`SELECT 1 FROM daily_by_item WHERE ${key}`),
      remove: client.prepare(`DELETE FROM daily_by_item WHERE ${key}`),
    },
    day: {
      ...prepareTable(database, "day"),
      keep: pastKeeper(database, "daily_prices", "daily_by_day"),
      holds: client.prepare(`SELECT 1 FROM daily_by_day AS d WHERE ${key} AND ${live}`),
      remove: client.prepare(`DELETE FROM daily_by_day WHERE ${key}`),
    },
    addRate: database
      .insert(dailyImportRates)
      .values(
        placeholders(Object.keys(getTableColumns(dailyImportRates)) as (keyof typeof dailyImportRates.$inferSelect)[]),
      )
      .prepare(),
  };
}

function prepareTable(database: Database, order: Order) {
  const table = tables[order];
  const values = placeholders(columnNames);
  const set = Object.fromEntries(
    columnNames
      .filter((name) => !keyNames.some((key) => key === name))
      .map((name) => [name, sql`excluded.${sql.identifier(columns[name].name)}`]),
  );
  const target = keyNames.map((name) => table[name]);
  const prepared = (query: { toSQL(): { sql: string } }) => database.$client.prepare(query.toSQL().sql);
  return {
    add: prepared(database.insert(table).values(values).onConflictDoNothing()),
    put: prepared(database.insert(table).values(values).onConflictDoUpdate({ target, set })),
  };
}

function keyOf({ itemId, side, day, provider }: DailyWithoutChecksum) {
  return [itemId, side, day, provider] as const;
}

function valuesOf(row: DailyWithoutChecksum): (string | number | null)[] {
  const values: (string | number | null)[] = [];
  pushDailyValues(values, row);
  return values;
}

function addBatch(database: Database, order: Order) {
  const values = Array.from({ length: addedRowsMax }, () => placeholders(columnNames));
  return database.$client.prepare(database.insert(tables[order]).values(values).onConflictDoNothing().toSQL().sql);
}

function placeholders<Name extends string>(names: readonly Name[]) {
  const pairs = names.map((name): [Name, ReturnType<typeof sql.placeholder>] => [name, sql.placeholder(name)]);
  return Object.fromEntries(pairs) as Record<Name, ReturnType<typeof sql.placeholder>>;
}
