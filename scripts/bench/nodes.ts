import { openReader } from "../../src/store/database.ts";
import { withClient } from "../../src/store/postgres/connection.ts";
import { importPrivate } from "../../src/store/postgres/copy.ts";
import { hasPostgres, PostgresServer } from "../support/postgres.ts";
import type { Closing } from "./data-set.ts";
import { stopwatch } from "./machine.ts";
import { type Requests, requests, type Servers, startServers } from "./servers.ts";
import type { Bench, Measure } from "./table.ts";

const database = "bench";
const settings = ["shared_preload_libraries=pg_stat_statements", "pg_stat_statements.track_utility=on"];

/** `perSecond`: requests at which nobody is busy all the time. */
type Nodes = { servers: Servers; postgres: PostgresServer; perSecond: number };

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
  const { data } = bench;
  const setups = { file: data.copy(), PostgreSQL: { ...data.copy(), privateUrl } };
  const servers = await startServers(bench, closing, setups);
  const rates: number[] = [];
  for (const node of Object.keys(setups)) rates.push((await requests(node, order)(servers, 0, bench))["req/s"]!);
  return { servers, postgres, perSecond: Math.round(Math.min(...rates) / 2) };
}

/**
 * Returns a measurement of reads that a node charges, in PostgreSQL with the database's own processor time, statements and commits.
 * `isPlanned`: they are sent at planned instants, as many as are good for every node.
 */
export function chargedReads(
  node: "file" | "PostgreSQL",
  { isPlanned = false, ...order }: Requests & { isPlanned?: boolean },
): Measure<Nodes> {
  return async ({ servers, postgres, perSecond }, round, bench) => {
    const measure = () => requests(node, isPlanned ? { ...order, perSecond } : order)(servers, round, bench);
    if (node === "file") return measure();
    const before = await countsOf(postgres);
    const since = stopwatch();
    const figures = await measure();
    // The warm-up is a part of what the database did: its requests are counted from the rate.
    const answered = (figures["req/s"]! * since().ms) / 1000;
    const after = await countsOf(postgres);
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

async function countsOf(postgres: PostgresServer): Promise<Record<string, unknown>> {
  const counts = `SELECT sum(calls) AS calls, sum(calls) FILTER (WHERE query = 'COMMIT') AS commits,
    pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS "logBytes" FROM pg_stat_statements`;
  return { ...(await postgres.query(database, counts))[0]!, cpuUs: postgres.cpuUs() };
}
