import { openReader } from "../../src/store/database.ts";
import { withClient } from "../../src/store/postgres/connection.ts";
import { importPrivate } from "../../src/store/postgres/copy.ts";
import { hasPostgres, PostgresServer } from "../support/postgres.ts";
import { type Requests, requests, type Servers, startServers } from "./servers.ts";
import { stopwatch } from "./statistics.ts";
import type { Bench, Closing, Measure } from "./table.ts";

const database = "bench";
const settings = ["shared_preload_libraries=pg_stat_statements", "pg_stat_statements.track_utility=on"];

/** `perSecond`: requests at which nobody is busy all the time. */
type Nodes = Servers<"file" | "PostgreSQL"> & { postgres: PostgresServer; perSecond: number };

/** Starts PostgreSQL with the accounts of the data set, which syncs each commit. Resolves to null where it is not installed. */
export async function openAccounts({ data }: Bench, closing: Closing) {
  if (!hasPostgres()) return null;
  const postgres = await PostgresServer.start(settings);
  closing.push(() => postgres.remove());
  const privateUrl = await postgres.database(database);
  await postgres.query(database, "CREATE EXTENSION pg_stat_statements");
  const file = openReader(data.copy().database);
  await withClient(privateUrl, (client) => importPrivate(file, client));
  file.$client.close();
  return { postgres, privateUrl };
}

/**
 * Starts a node whose accounts are in its file and one whose accounts are in PostgreSQL on this machine, and finds half of what the slower one
 * answers of `order`. Resolves to null where that is not installed.
 */
export async function openNodes(bench: Bench, closing: Closing, order: Requests): Promise<Nodes | null> {
  const accounts = await openAccounts(bench, closing);
  if (accounts === null) return null;
  const { postgres, privateUrl } = accounts;
  const setup = { ...bench.data.copy(), privateUrl };
  const servers = await startServers(bench, closing, { file: {}, PostgreSQL: { setup } });
  const rates: number[] = [];
  for (const key of ["file", "PostgreSQL"] as const)
    rates.push((await requests(key, order)(servers, 0, bench))["req/s"]!);
  return { ...servers, postgres, perSecond: Math.round(Math.min(...rates) / 2) };
}

/** Returns a measurement of `of` as ordered; `isPlanned`: at planned instants, as many as are good for every node. */
export function onNodes(
  of: (order: Requests) => Measure<Nodes>,
  { isPlanned = false, ...order }: Requests & { isPlanned?: boolean },
): Measure<Nodes> {
  return (nodes, ...more) => of(isPlanned ? { ...order, perSecond: nodes.perSecond } : order)(nodes, ...more);
}

/** Returns a measurement of reads charged in PostgreSQL, with its own processor time, statements and commits. */
export function requestsToPostgres(order: Requests): Measure<Nodes> {
  const measure = requests("PostgreSQL", order);
  const counts = `SELECT sum(calls) AS calls, sum(calls) FILTER (WHERE query = 'COMMIT') AS commits,
    pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS "logBytes" FROM pg_stat_statements`;
  return async (nodes, round, bench) => {
    const { postgres } = nodes;
    const count = async () => ({ ...(await postgres.query(database, counts))[0]!, cpuUs: postgres.cpuUs() });
    const before: Record<string, unknown> = await count();
    const since = stopwatch();
    const figures = await measure(nodes, round, bench);
    // The warm-up is a part of what the database did: its requests are counted from the rate.
    const answered = (figures["req/s"]! * since().ms) / 1000;
    const after: Record<string, unknown> = await count();
    const perRequest = (name: string) => (Number(after[name]) - Number(before[name])) / answered;
    return {
      ...figures,
      "database CPU µs/req": perRequest("cpuUs"),
      "statements/1,000": 1000 * perRequest("calls"),
      "commits/1,000": 1000 * perRequest("commits"),
      "log bytes/req": perRequest("logBytes"),
    };
  };
}
