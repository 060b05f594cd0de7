import { requestIdFloor } from "../../values/ids.ts";
import { hourMs, minuteMs } from "../../values/time/calendar.ts";
import { toTimestamp } from "../../values/time/clock.ts";
import { addChecksum, type ChargedUnit, unitChecksum } from "../codec/access-checksum.ts";
import type { Database } from "../database.ts";
import { type Chunks, type Finding, fact, fault, faultOfMany } from "./finding.ts";
import { pagesOf } from "./key-ranges.ts";

/** Charged units per chunk. */
const chunkUnits = 20_000;
/** New units may have request ids with an instant that is this much older than the ledger's clock. */
const laterIdsMs = hourMs + minuteMs;

/** Compares the charged units with the sums of months and of checksums. Also compares export leases with the units that paid for them. */
export function checkLedger(database: Database, chunks: Chunks): Finding[] {
  const { $client: client } = database;
  const units = new UnitCount();
  const cutId = requestIdFloor(chunks(() => highWater(database)) - laterIdsMs);
  countEarlier(database, chunks, cutId, units);
  const stated = chunks(() => {
    for (const unit of unitsFrom(database, cutId)) units.add(unit);
    return statedSums(database);
  });
  const faults = [
    ...faultOfMany(differingMonths(stated, units), "months of accounts with another sum than their charged units"),
    ...(stated.clock !== undefined && stated.clock.checksum !== units.checksum
      ? [fault("charged units were changed: the sum of their checksums differs")]
      : []),
    ...chunks(() => [
      ...faultOfMany(unpaidLeases(database), "export leases without the unit that paid for them"),
      ...faultOfMany(oddLeases(database), "export leases with a state that contradicts their end"),
      ...faultOfMany(accountless(database), "charged units of unknown accounts"),
    ]),
    ...(stated.clock === undefined ? [fault("the row of the ledger's clock is missing")] : []),
  ];
  if (faults.length > 0) return faults;
  const { highWaterAt } = stated.clock ?? { highWaterAt: 0 };
  const seen = highWaterAt === 0 ? "" : `, the last at ${toTimestamp(highWaterAt)}`;
  const reserved = client.prepare("SELECT count(*) FROM snapshot_leases WHERE state = 'reserved'").pluck().get();
  return [
    fact(`${units.count} charged units agree with the sums of their months${seen}`),
    fact(`${reserved} export leases are reserved`),
  ];
}

/** Stored sums over all units. */
type Stated = { clock: { highWaterAt: number; checksum: number } | undefined; months: Map<string, number> };

function statedSums({ $client: client }: Database): Stated {
  const clock = client
    .prepare("SELECT high_water_at AS highWaterAt, units_checksum AS checksum FROM ledger_clock")
    .get();
  const months = client
    .prepare<[], [string, number]>("SELECT account_id || ' ' || month, used FROM usage_months")
    .raw(true)
    .all();
  return { clock: clock as Stated["clock"], months: new Map(months) };
}

function highWater({ $client: client }: Database): number {
  return client.prepare<[], number>("SELECT high_water_at FROM ledger_clock").pluck().get() ?? 0;
}

/** Counts the stored charged units. */
class UnitCount {
  count = 0;
  checksum = 0;
  readonly months = new Map<string, number>();

  add(unit: ChargedUnit): void {
    const { accountId, month } = unit;
    this.count += 1;
    this.checksum = addChecksum(this.checksum, unitChecksum(unit));
    this.months.set(`${accountId} ${month}`, (this.months.get(`${accountId} ${month}`) ?? 0) + 1);
  }
}

const unitColumns = "request_id AS requestId, account_id AS accountId, key_id AS keyId, operation, month, at";

/** Adds the units with ids below `cutId`. No new units get such ids. */
function countEarlier(database: Database, chunks: Chunks, cutId: string, units: UnitCount): void {
  const page = database.$client.prepare<[string, string], ChargedUnit>(
    `SELECT ${unitColumns} FROM usage_events WHERE request_id > ? AND request_id < ? ORDER BY request_id LIMIT ${chunkUnits}`,
  );
  const paging = {
    after: "",
    read: (after: string) => page.all(after, cutId),
    keyOf: ({ requestId }: ChargedUnit) => requestId,
  };
  for (const found of pagesOf(database, chunks, "usage_events", paging)) for (const unit of found) units.add(unit);
}

function unitsFrom({ $client: client }: Database, cutId: string): Iterable<ChargedUnit> {
  return client
    .prepare<[string], ChargedUnit>(`SELECT ${unitColumns} FROM usage_events WHERE request_id >= ?`)
    .iterate(cutId);
}

function differingMonths({ months }: Stated, { months: counted }: UnitCount): string[] {
  return [...new Set([...months.keys(), ...counted.keys()])]
    .toSorted()
    .filter((month) => (months.get(month) ?? 0) !== (counted.get(month) ?? 0))
    .map((month) => `${month} (${months.get(month) ?? 0} stated, ${counted.get(month) ?? 0} charged)`);
}

function unpaidLeases({ $client: client }: Database): string[] {
  const rows = client.prepare(
    `SELECT lease_id FROM snapshot_leases l LEFT JOIN usage_events e ON e.request_id = l.lease_id
     WHERE e.account_id IS NOT l.account_id OR e.at IS NOT l.admitted_at`,
  );
  return rows.pluck().all() as string[];
}

function oddLeases({ $client: client }: Database): string[] {
  const rows = client.prepare(
    "SELECT lease_id FROM snapshot_leases WHERE (state = 'reserved') <> (ended_at IS NULL) OR ended_at < admitted_at",
  );
  return rows.pluck().all() as string[];
}

function accountless({ $client: client }: Database): string[] {
  const rows = client.prepare(
    "SELECT DISTINCT account_id FROM usage_months WHERE account_id NOT IN (SELECT account_id FROM accounts)",
  );
  return rows.pluck().all() as string[];
}
