import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { join } from "node:path";
import { assembleRelease, findRelease, keepRelease } from "../../src/releases/fetch.ts";
import { sealRelease } from "../../src/releases/seal.ts";
import { openSource } from "../../src/releases/source.ts";
import { openReader } from "../../src/store/database.ts";
import { withClient } from "../../src/store/postgres/connection.ts";
import { importPrivate } from "../../src/store/postgres/copy.ts";
import { systemClock } from "../../src/values/clock.ts";
import { systemIds } from "../../src/values/ids.ts";
import { hasPostgres, PostgresServer } from "../support/postgres.ts";
import { publishPrices } from "./market.ts";
import { openMarket } from "./publication.ts";
import { type Requests, requests, type Servers, startServers } from "./servers.ts";
import { stopwatch } from "./statistics.ts";
import type { Bench, Closing, Figures, Measure } from "./table.ts";

const database = "bench";
const settings = ["shared_preload_libraries=pg_stat_statements", "pg_stat_statements.track_utility=on"];

type Nodes = Servers<"file" | "PostgreSQL"> & { postgres: PostgresServer };

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

/** Starts a node whose accounts are in its file and one whose accounts are in PostgreSQL on this machine. Resolves to null where that is not installed. */
export async function openNodes(bench: Bench, closing: Closing): Promise<Nodes | null> {
  const accounts = await openAccounts(bench, closing);
  if (accounts === null) return null;
  const { postgres, privateUrl } = accounts;
  const setup = { ...bench.data.copy(), privateUrl };
  return { ...(await startServers(bench, closing, { file: {}, PostgreSQL: { setup } })), postgres };
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

/** Opens a market to publish in. `seal` changes so many percent of the items, seals a release and takes it as a serving node does. */
export async function openReleases({ data }: Bench, closing: Closing) {
  const { database: databasePath } = data.copy();
  const database = openMarket(databasePath, closing);
  const key = generateKeyPairSync("ed25519").privateKey;
  const order = { databasePath, folder: join(data.folder, "releases"), key, retention: { count: 2, hours: 0 } };
  const { signal } = new AbortController();
  const parts = { clock: systemClock, newLineage: () => systemIds().handle("rel_"), signal };
  const source = openSource(order.folder, signal);
  const path = join(data.folder, "taken.db");
  const turns = new Map<number, number>();
  const turnOf = (id: number) => turns.get(id) ?? 0;
  const seal = async (percent: number): Promise<Figures> => {
    for (let id = 1; id <= data.items; id += 1) if (id % 100 < percent) turns.set(id, turnOf(id) + 1);
    for (const _ of publishPrices(database, data.items, turnOf));
    const sinceSeal = stopwatch();
    const { newBytes, manifestBytes } = await sealRelease(order, parts);
    const sealing = sinceSeal();
    const sinceTake = stopwatch();
    const found = await findRelease(source, createPublicKey(key), path);
    await assembleRelease(found, { source, path, signal, isServed: true });
    keepRelease(found, path);
    const taking = sinceTake();
    const generation = database.$client.prepare("SELECT sum(length(deflated)) FROM export_pages").pluck();
    return {
      "MB moved": (newBytes + manifestBytes) / 1e6,
      generations: (newBytes + manifestBytes) / (generation.get() as number),
      "sealing CPU ms": sealing.cpuMs,
      "taking CPU ms": taking.cpuMs,
      "s in all": (sealing.ms + taking.ms) / 1000,
    };
  };
  await seal(100);
  return { seal };
}
