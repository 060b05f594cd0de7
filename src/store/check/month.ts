import { requestIdFloor } from "../../values/ids.ts";
import { hourMs, minuteMs } from "../../values/time/calendar.ts";
import type { Database } from "../database.ts";
import type { Chunks } from "./finding.ts";
import { pagesOf } from "./key-ranges.ts";

/** Charged units per chunk. */
const chunkUnits = 20_000;
/** A request may arrive this much earlier than the instant of its charge. */
const earlierIdsMs = hourMs + minuteMs;

/**
 * The charged units of one month. `differing` lists accounts with a stored sum that is not their number of units. `lastAt` is the instant
 * of the latest unit of any month, UTC ms. It is null if no unit was ever charged.
 */
type MonthUnits = { units: number; accounts: number; differing: string[]; lastAt: number | null };

/**
 * Counts the units of `month` (`YYYY-MM`, starting at `startsAt`) and compares them with the sums of its accounts. Skips units of earlier
 * months. Pass the current time as `atMs`: units charged between two chunks then have ids after the rows already read.
 */
export function countMonth(
  database: Database,
  chunks: Chunks,
  month: string,
  startsAt: number,
  atMs: number,
): MonthUnits {
  const { $client: client } = database;
  const counted = new Map<string, number>();
  const cutId = requestIdFloor(atMs - earlierIdsMs);
  const add = (accountId: string) => void counted.set(accountId, (counted.get(accountId) ?? 0) + 1);
  type Unit = { requestId: string; accountId: string; month: string };
  const page = client.prepare<[string, string, string], Unit>(
    `SELECT request_id AS requestId, account_id AS accountId, month FROM usage_events
     WHERE request_id > ? AND request_id < ? AND month >= ? ORDER BY request_id LIMIT ${chunkUnits}`,
  );
  const paging = {
    after: requestIdFloor(startsAt - earlierIdsMs),
    read: (after: string) => page.all(after, cutId, month),
    keyOf: ({ requestId }: Unit) => requestId,
  };
  for (const units of pagesOf(database, chunks, "usage_events", paging)) {
    for (const unit of units) if (unit.month === month) add(unit.accountId);
  }
  return chunks(() => {
    const rest = client.prepare<[string, string], string>(
      "SELECT account_id FROM usage_events WHERE request_id >= ? AND month = ?",
    );
    for (const accountId of rest.pluck().iterate(cutId, month) as Iterable<string>) add(accountId);
    const stated = new Map(
      client
        .prepare<[string], [string, number]>("SELECT account_id, used FROM usage_months WHERE month = ?")
        .raw(true)
        .all(month),
    );
    const differing = [...new Set([...stated.keys(), ...counted.keys()])].filter(
      (accountId) => (stated.get(accountId) ?? 0) !== (counted.get(accountId) ?? 0),
    );
    const lastAt = client
      .prepare<[], number>("SELECT at FROM usage_events ORDER BY request_id DESC LIMIT 1")
      .pluck()
      .get();
    const units = [...counted.values()].reduce((sum, count) => sum + count, 0);
    return { units, accounts: counted.size, differing: differing.toSorted(), lastAt: lastAt ?? null };
  });
}
