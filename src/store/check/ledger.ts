// Each part of the check has a file of its own, named after its tables.
import { toTimestamp } from "../../values/clock.ts";
import type { Database } from "../database.ts";
import { type Finding, fact, fault, faultOfMany } from "./finding.ts";

/** Compares the sums of the months with the charged units, and the export leases with the units that paid for them. */
export function checkLedger(database: Database): Finding[] {
  const { $client: client } = database;
  const months = differingMonths(database);
  const highWaterAt = client.prepare("SELECT high_water_at FROM ledger_clock").pluck().get() as number | undefined;
  const faults = [
    ...faultOfMany(months, "months of accounts whose sum is not the number of their charged units"),
    ...faultOfMany(unpaidLeases(database), "export leases without the unit that paid for them"),
    ...faultOfMany(oddLeases(database), "export leases whose state and end do not fit"),
    ...faultOfMany(accountless(database), "charged units of unknown accounts"),
    ...(highWaterAt === undefined ? [fault("the row of the ledger's clock is missing")] : []),
  ];
  if (faults.length > 0) return faults;
  const count = (query: string) => client.prepare(query).pluck().get() as number;
  const seen = highWaterAt ? `, the last at ${toTimestamp(highWaterAt)}` : "";
  return [
    fact(`${count("SELECT count(*) FROM usage_events")} charged units agree with the sums of their months${seen}`),
    fact(`${count("SELECT count(*) FROM snapshot_leases WHERE state = 'reserved'")} export leases are reserved`),
  ];
}

function differingMonths({ $client: client }: Database): string[] {
  const rows = client.prepare(
    `SELECT account_id || ' ' || month || ' (' || sum(used) || ' stated, ' || sum(units) || ' charged)' FROM (
       SELECT account_id, month, used, 0 AS units FROM usage_months
       UNION ALL SELECT account_id, month, 0, count(*) FROM usage_events GROUP BY account_id, month
     ) GROUP BY account_id, month HAVING sum(used) <> sum(units)`,
  );
  return rows.pluck().all() as string[];
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
