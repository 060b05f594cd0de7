import { crc32 } from "node:zlib";
import { getTableColumns, getTableName } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { itemsPast } from "../../../db/schema/catalog.ts";
import { exchangeRatesPast } from "../../../db/schema/exchange-rates.ts";
import { dailyPricesPast } from "../../../db/schema/history.ts";
import { roiHistoryPast } from "../../../db/schema/openables.ts";
import type { Database } from "../database.ts";

/** Tables of replaced rows, with the columns of their key without `superseded_at`. */
export const pastTables = {
  daily_prices_past: { table: dailyPricesPast, key: ["item_id", "side", "day", "provider"] },
  exchange_rates_past: { table: exchangeRatesPast, key: ["currency", "source", "day"] },
  items_past: { table: itemsPast, key: ["item_id"] },
  roi_history_past: {
    table: roiHistoryPast,
    key: ["slug", "valuation_mode", "methodology_version", "granularity", "ts"],
  },
} as const satisfies Readonly<Record<string, { table: SQLiteTable; key: readonly string[] }>>;

export type PastTable = keyof typeof pastTables;

/** Returns the columns of a past row that its checksum covers, in table order. `superseded_at` is the last. */
export function pastColumns(past: PastTable): string[] {
  return Object.values(getTableColumns(pastTables[past].table))
    .map(({ name }) => name)
    .filter((name) => name !== "seal");
}

/** Returns the CRC-32 of the values of `pastColumns`. */
export function pastChecksum(values: readonly unknown[]): number {
  return crc32(JSON.stringify(values));
}

/**
 * Returns a function that copies the row with a key to its past table. Call it before the row changes, in the same transaction.
 * `supersededAt` is the instant of the change, UTC ms. Of several versions with one instant, only the first was ever in force. Not built by
 * Drizzle: the checksum uses stored values.
 */
export function pastKeeper({ $client: client }: Database, current: string, past: PastTable) {
  const { table, key } = pastTables[past];
  const columns = pastColumns(past);
  const place = key.map((name) => `${name} = ?`).join(" AND ");
  const find = client.prepare<unknown[], unknown[]>(
    `SELECT ${columns.slice(0, -1).join()} FROM ${current} WHERE ${place}`,
  );
  const add = client.prepare<unknown[]>(
    `INSERT OR IGNORE INTO ${getTableName(table)} (${columns.join()}, seal) VALUES (?${", ?".repeat(columns.length)})`,
  );
  return (keyValues: readonly unknown[], supersededAt: number): void => {
    const row = find.raw(true).get(...keyValues);
    if (row === undefined) return;
    const values = [...row, supersededAt];
    add.run(...values, pastChecksum(values));
  };
}
