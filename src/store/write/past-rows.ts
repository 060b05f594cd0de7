import { crc32 } from "node:zlib";
import { getTableColumns, getTableName } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { itemsPast } from "../../../db/schema/catalog.ts";
import { exchangeRatesPast } from "../../../db/schema/exchange-rates.ts";
import { dailyPricesPast } from "../../../db/schema/history.ts";
import { roiHistoryPast } from "../../../db/schema/openables.ts";
import type { Database } from "../database.ts";

/**
 * Tables of replaced rows by their current table or view, with the columns of its key. `recorded` is SQL for the instant of a version;
 * the first version of an item is always known.
 */
export const pastTables = {
  daily_prices: { past: dailyPricesPast, key: ["item_id", "side", "day", "provider"], recorded: "recorded_at" },
  exchange_rates: { past: exchangeRatesPast, key: ["currency", "source", "day"], recorded: "recorded_at" },
  items: { past: itemsPast, key: ["item_id"], recorded: "coalesce(updated_at, 0)" },
  roi_history: {
    past: roiHistoryPast,
    key: ["slug", "valuation_mode", "methodology_version", "granularity", "ts"],
    recorded: "recorded_at",
  },
} as const satisfies Readonly<Record<string, { past: SQLiteTable; key: readonly string[]; recorded: string }>>;

export type WithPast = keyof typeof pastTables;
export const tablesWithPast = Object.keys(pastTables) as WithPast[];

/** Returns the columns of a past row that its checksum covers, in table order. `superseded_at` is the last. */
export function pastColumns(table: WithPast): string[] {
  return Object.values(getTableColumns<SQLiteTable>(pastTables[table].past))
    .map(({ name }) => name)
    .filter((name) => name !== "seal");
}

/** Returns the CRC-32 of the values of `pastColumns`. */
export function pastChecksum(values: readonly unknown[]): number {
  return crc32(JSON.stringify(values));
}

/**
 * Returns a function that copies the row with a key to its past table. Call it before the row changes, in the same transaction. `at` is the
 * time of the change, UTC ms. The function returns the instant of the change. It is later than `at` if a clock that was set back would date
 * the new row before the old one, except for items. Of several versions with one instant, only the first was ever in force. Pass
 * `isDerived` for a row of frames: a day may have sealed its predecessor of the same instant, and an import that it precedes was never in
 * force. Not built by Drizzle: the checksum uses stored values. `current` is the table that holds the row.
 */
export function pastKeeper({ $client: client }: Database, table: WithPast, current: string = table) {
  const { past, key } = pastTables[table];
  const columns = pastColumns(table);
  const place = key.map((name) => `${name} = ?`).join(" AND ");
  const find = client.prepare<unknown[], unknown[]>(
    `SELECT ${columns.slice(0, -1).join()} FROM ${current} WHERE ${place}`,
  );
  const add = client.prepare<unknown[]>(
    `INSERT OR IGNORE INTO ${getTableName(past)} (${columns.join()}, seal) VALUES (?${", ?".repeat(columns.length)})`,
  );
  const [recorded, imported] = [columns.indexOf("recorded_at"), columns.indexOf("import_id")];
  return (keyValues: readonly unknown[], at: number, { isDerived = false } = {}): number => {
    const row = find.raw(true).get(...keyValues);
    if (row === undefined) return at;
    const before = (row[recorded] as number | undefined) ?? 0;
    const isBack = isDerived ? before >= at && row[imported] === null : before > at;
    const values = [...row, isBack ? before + 1 : at];
    add.run(...values, pastChecksum(values));
    return values.at(-1) as number;
  };
}
