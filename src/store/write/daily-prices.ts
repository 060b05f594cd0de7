import { and, asc, between, eq, getTableColumns, sql } from "drizzle-orm";
import { dailyImportRates, dailyImports, dailyPrices } from "../../../db/schema/history.ts";
import { type DailyWithoutChecksum, dailyChecksum, pushDailyValues } from "../codec/daily-checksum.ts";
import type { Database } from "../database.ts";
import type { DayRate } from "../read/exchange-rates.ts";
import type { ProviderFacts } from "./feeds.ts";

/** The one provider that an import is of, and the feed that it belongs to. `feedAdapter`: for a feed that is not there yet. */
export type DailyFacts = ProviderFacts & { feed: string; feedAdapter: string };
export type DailyRow = typeof dailyPrices.$inferSelect;
/** Rows of one item, side and provider from one day to another, both inclusive. */
type DailySpan = Pick<DailyRow, "itemId" | "side" | "provider"> & { from: number; to: number };

/** The rows of daily history, as an import and the finalizing of recorded days read and write them. Its caller holds the transactions. */
export class DailyPriceWriter {
  readonly #database: Database;
  readonly #statements: ReturnType<typeof prepare>;
  #addTogether: ReturnType<typeof addTogether> | undefined;

  constructor(database: Database) {
    this.#database = database;
    this.#statements = prepare(database);
  }

  /** Returns the rows of a span in ascending day. */
  within(span: DailySpan): DailyRow[] {
    return this.#statements.within.all(span);
  }

  /** Tells what keeps a recorded row from being written: the same row, or one of an import that replaces; else null. */
  blockerOf(row: DailyWithoutChecksum): "same" | "replaced" | null {
    const { itemId, side, day, provider } = row;
    const stored = this.#statements.existing.get(itemId, side, day, provider);
    if (stored === undefined) return null;
    const [importId, checksum, replaces] = stored;
    if (importId === null) return checksum === dailyChecksum(row) ? "same" : null;
    return replaces === 1 ? "replaced" : null;
  }

  /** Writes the row unless there is one of its key. */
  add(row: DailyWithoutChecksum): void {
    this.#statements.add.run(valuesOf(row));
  }

  /** Writes each of the rows unless there is one of its key: many at once, which costs less than one by one. */
  addAll(rows: readonly DailyWithoutChecksum[]): void {
    this.#addTogether ??= addTogether(this.#database);
    let next = 0;
    const values: (string | number | null)[] = [];
    while (next + addedTogether <= rows.length) {
      values.length = 0;
      for (const last = next + addedTogether; next < last; next += 1) pushDailyValues(values, rows[next]!);
      // Spread: the binding takes arguments in a fraction of the time of an array's elements.
      this.#addTogether.run(...values);
    }
    for (; next < rows.length; next += 1) this.add(rows[next]!);
  }

  /** Writes the row, in the place of another of its key. */
  put(row: DailyWithoutChecksum): void {
    this.#statements.put.run(valuesOf(row));
  }

  startImport(values: Omit<typeof dailyImports.$inferInsert, "importId">): number {
    return this.#database.insert(dailyImports).values(values).returning({ id: dailyImports.importId }).get().id;
  }

  addRate(rate: { importId: number; day: number; currency: string } & DayRate): void {
    this.#statements.addRate.run(rate);
  }
}

/**
 * Runs `add`, which adds daily rows, and marks their days, which it returns, as days to be sealed. A trigger does that otherwise with
 * a look at each row, a third of what adding it costs. The caller holds one transaction: the trigger is away while `add` runs.
 */
export function markingDaysOnce({ $client: client }: Database, add: () => Iterable<number>): void {
  const trigger = "unsealed_by_daily_added";
  const created = client
    .prepare<[string], string>("SELECT sql FROM sqlite_schema WHERE name = ?")
    .pluck()
    .get(trigger)!;
  client.exec(`DROP TRIGGER ${trigger}`);
  const mark = client.prepare<[number]>("INSERT OR IGNORE INTO unsealed_days VALUES (?)");
  for (const day of add()) mark.run(day);
  client.exec(created);
}

/** Rows that one statement adds. */
const addedTogether = 72;

type ExistingRow = [importId: number | null, checksum: number, replaces: number | null];

const columns = getTableColumns(dailyPrices);
const columnNames = Object.keys(columns) as (keyof DailyRow)[];

function prepare(database: Database) {
  const { $client: client } = database;
  const values = placeholders(columnNames);
  const keys = [dailyPrices.itemId, dailyPrices.side, dailyPrices.day, dailyPrices.provider];
  const set = Object.fromEntries(
    columnNames
      .filter((name) => !keys.some((key) => key === columns[name]))
      .map((name) => [name, sql`excluded.${sql.identifier(columns[name].name)}`]),
  );
  const ofItem = [
    eq(dailyPrices.itemId, sql.placeholder("itemId")),
    eq(dailyPrices.side, sql.placeholder("side")),
  ] as const;
  const existing = database
    .select({ importId: dailyPrices.importId, checksum: dailyPrices.checksum, replaces: dailyImports.replaces })
    .from(dailyPrices)
    .leftJoin(dailyImports, eq(dailyImports.importId, dailyPrices.importId))
    .where(
      and(
        ...ofItem,
        eq(dailyPrices.day, sql.placeholder("day")),
        eq(dailyPrices.provider, sql.placeholder("provider")),
      ),
    );
  const days = between(dailyPrices.day, sql.placeholder("from"), sql.placeholder("to"));
  return {
    within: database
      .select()
      .from(dailyPrices)
      .where(and(...ofItem, days, eq(dailyPrices.provider, sql.placeholder("provider"))))
      .orderBy(asc(dailyPrices.day))
      .prepare(),
    // Bare statements: they run for each of a few hundred thousand rows, most of them while the writer's lock is held.
    existing: client.prepare<unknown[], ExistingRow>(existing.toSQL().sql).raw(true),
    add: client.prepare(database.insert(dailyPrices).values(values).onConflictDoNothing().toSQL().sql),
    put: client.prepare(
      database.insert(dailyPrices).values(values).onConflictDoUpdate({ target: keys, set }).toSQL().sql,
    ),
    addRate: database
      .insert(dailyImportRates)
      .values(
        placeholders(Object.keys(getTableColumns(dailyImportRates)) as (keyof typeof dailyImportRates.$inferSelect)[]),
      )
      .prepare(),
  };
}

function valuesOf(row: DailyWithoutChecksum): (string | number | null)[] {
  const values: (string | number | null)[] = [];
  pushDailyValues(values, row);
  return values;
}

function addTogether(database: Database) {
  const values = Array.from({ length: addedTogether }, () => placeholders(columnNames));
  return database.$client.prepare(database.insert(dailyPrices).values(values).onConflictDoNothing().toSQL().sql);
}

function placeholders<Name extends string>(names: readonly Name[]) {
  const pairs = names.map((name): [Name, ReturnType<typeof sql.placeholder>] => [name, sql.placeholder(name)]);
  return Object.fromEntries(pairs) as Record<Name, ReturnType<typeof sql.placeholder>>;
}
