import { getTableName } from "drizzle-orm";
import { type Progress, silent } from "../../values/progress.ts";
import type { Clock } from "../../values/time/clock.ts";
import type { Database } from "../database.ts";
import { type BatchStats, inOneTransaction, inShortTransactions } from "./batches.ts";
import { DataEvents } from "./data-events.ts";
import { setKnownSince } from "./known-since.ts";
import { pastTables, tablesWithPast, type WithPast } from "./past-rows.ts";

/** First instant that can be read back, UTC ms, and past rows that end by a later first instant, by table. */
export type PrunablePast = { knownSince: number; rows: Record<WithPast, number> };

/** Reads the number of past rows that no instant from `before` (UTC ms) on needs. */
export function readPrunablePast({ $client: client }: Database, before: number): PrunablePast {
  const count = (table: WithPast) => {
    const query = `SELECT count(*) FROM ${getTableName(pastTables[table].past)} WHERE superseded_at <= ?`;
    return [table, client.prepare<[number], number>(query).pluck().get(before)!] as const;
  };
  const knownSince = client.prepare<[], number>("SELECT known_since FROM market_state").pluck().get()!;
  return { knownSince, rows: Object.fromEntries(tablesWithPast.map(count)) as Record<WithPast, number> };
}

/**
 * Makes `before` (UTC ms) the first instant that can be read back, then removes the events before it and the past rows that end by then. Triggers refuse the removal
 * of later ones. An interrupted removal leaves rows that no reader sees. The caller holds the import lock.
 */
export function* prunePastInBatches(
  database: Database,
  before: number,
  clock: Clock,
  progress: Progress = silent,
): Generator<BatchStats> {
  const { $client: client } = database;
  const { knownSince } = readPrunablePast(database, before);
  if (before > knownSince) yield inOneTransaction(database, clock, () => setKnownSince(database, before));
  yield* new DataEvents(database).removeBeforeInBatches(before, clock);
  for (const table of tablesWithPast) {
    const { past, key } = pastTables[table];
    const columns = [...key, "superseded_at"];
    const keys = client
      .prepare<[number], unknown[]>(`SELECT ${columns.join()} FROM ${getTableName(past)} WHERE superseded_at <= ?`)
      .raw(true)
      .all(before);
    if (keys.length === 0) continue;
    const remove = client.prepare<unknown[]>(
      `DELETE FROM ${getTableName(past)} WHERE ${columns.map((column) => `${column} = ?`).join(" AND ")}`,
    );
    progress.phase(`pruning past rows of ${table}`, keys.length);
    for (const batch of inShortTransactions(database, clock, keys, (values) => remove.run(...values))) {
      progress.advance(batch.rows);
      yield batch;
    }
  }
}
