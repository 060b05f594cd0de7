import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { join } from "node:path";
import { assembleRelease, findRelease, keepRelease } from "../../src/releases/fetch.ts";
import { sealRelease } from "../../src/releases/seal.ts";
import { openSource } from "../../src/releases/source.ts";
import { type Database, openReader, openWriter } from "../../src/store/database.ts";
import { withClient } from "../../src/store/postgres/connection.ts";
import { importPrivate } from "../../src/store/postgres/copy.ts";
import { importBusyMs } from "../../src/store/write/batches.ts";
import { systemClock } from "../../src/values/clock.ts";
import { systemIds } from "../../src/values/ids.ts";
import { hasPostgres, PostgresServer } from "../support/postgres.ts";
import { connections } from "./point.ts";
import { publishPrices } from "./publication.ts";
import { type Bench, type Cases, type Figures, measureRounds, stopwatch, type Table, type Tables } from "./rounds.ts";
import { measureRequests, type Server, withServers } from "./servers.ts";

const database = "bench";
const figures = ["req/s", "CPU µs/req", "core %", "p50 ms", "p99 ms"];
const settings = ["shared_preload_libraries=pg_stat_statements", "pg_stat_statements.track_utility=on"];

/** Measures what nodes add to one process: charges in PostgreSQL, and releases. */
export async function measureNodes(bench: Bench): Promise<Tables> {
  return { ...(await measureCharges(bench)), releases: await measureReleases(bench) };
}

/**
 * Measures the same reads on a node whose accounts are in its file and on one whose accounts are in PostgreSQL, which runs on this
 * machine and syncs each commit. Measures nothing where PostgreSQL is not installed.
 */
async function measureCharges(bench: Bench): Promise<Tables> {
  const { data, progress } = bench;
  if (!hasPostgres()) {
    progress.phase("PostgreSQL is not installed: nodes are not measured");
    return {};
  }
  const postgres = await PostgresServer.start(settings);
  try {
    const privateUrl = await postgres.database(database);
    await postgres.query(database, "CREATE EXTENSION pg_stat_statements");
    const setup = data.setup(true);
    const file = openReader(setup.database);
    await withClient(privateUrl, (client) => importPrivate(file, client));
    file.$client.close();
    const servers = [
      { key: "file" as const, setup },
      { key: "PostgreSQL" as const, setup: { ...data.setup(true), privateUrl } },
    ];
    return await withServers(bench, servers, (running) => measureBoth(bench, postgres, running));
  } finally {
    await postgres.remove();
  }
}

async function measureBoth(
  bench: Bench,
  postgres: PostgresServer,
  servers: Readonly<Record<"file" | "PostgreSQL", Server>>,
): Promise<Tables> {
  const { data, options } = bench;
  const reads = (server: Server, connections: number, accounts: number) => (round: number) => {
    const keys = Array.from({ length: accounts }, (_, index) => data.keys[(round + index) % data.keys.length]!);
    const order = { connections, keys, target: "/v1/items/{item}", seconds: options.seconds };
    return measureRequests(bench, server, order, figures);
  };
  const cases: Record<string, Cases[string]> = {};
  for (const [accounts, of] of [
    [connections, `${connections} accounts`],
    [1, "one account"],
  ] as const) {
    cases[`file, ${of}`] = reads(servers.file, connections, accounts);
    cases[`PostgreSQL, ${of}`] = withPostgres(postgres, reads(servers.PostgreSQL, connections, accounts));
  }
  cases["file, one connection"] = reads(servers.file, 1, 1);
  cases["PostgreSQL, one connection"] = withPostgres(postgres, reads(servers.PostgreSQL, 1, 1));
  const title = `A charged read, ${connections} connections but where it says otherwise; PostgreSQL on the same machine, fsync on`;
  return { nodes: { title, cases: await measureRounds(bench, "nodes", cases) } };
}

/** Returns the bytes of the write-ahead log so far. */
async function walBytes(postgres: PostgresServer): Promise<number> {
  const [row] = await postgres.query(database, "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS bytes");
  return Number(row!.bytes);
}

/** Seals a release after each of some publications, and takes it. Bytes are those that a follower takes. */
async function measureReleases(bench: Bench): Promise<Table> {
  const { data } = bench;
  const { database: databasePath } = data.setup(true);
  const database = openWriter(databasePath, importBusyMs);
  const key = generateKeyPairSync("ed25519").privateKey;
  const order = { databasePath, folder: join(data.folder, "releases"), key, retention: { count: 2, hours: 0 } };
  const parts = {
    clock: systemClock,
    newLineage: () => systemIds().handle("rel_"),
    signal: new AbortController().signal,
  };
  const turns = new Map<number, number>();
  const turnOf = (id: number) => turns.get(id) ?? 0;
  const seal = (percent: number) => async () => {
    for (let id = 1; id <= data.items; id += 1) if (id % 100 < percent) turns.set(id, turnOf(id) + 1);
    for (const _ of publishPrices(database, data.items, turnOf));
    const since = stopwatch();
    const { newBytes, manifestBytes, bytes } = await sealRelease(order, parts);
    const { cpuMs, ms } = since();
    const taking = await take();
    const moved = newBytes + manifestBytes;
    return {
      "MB moved": moved / 1e6,
      "÷ generation": moved / compressedGenerationBytes(database),
      "whole MB": bytes / 1e6,
      "CPU ms": cpuMs,
      ms,
      "taking CPU ms": taking.cpuMs,
      "taking ms": taking.ms,
      "s to a follower": (ms + taking.ms) / 1000,
    };
  };
  const source = openSource(order.folder, parts.signal);
  const path = join(data.folder, "taken.db");
  /** Takes the release as a node does that serves meanwhile. */
  const take = async () => {
    const since = stopwatch();
    const found = await findRelease(source, createPublicKey(key), path);
    await assembleRelease(found, { source, path, signal: parts.signal, isServed: true });
    keepRelease(found, path);
    return since();
  };
  try {
    await seal(100)();
    const cases = { "15 % of the items changed": seal(15), "1 % of the items changed": seal(1) };
    return { title: `Releases of ${data.items} items`, cases: await measureRounds(bench, "releases", cases) };
  } finally {
    database.$client.close();
  }
}

/** Adds what the database did meanwhile: its processor time and statements, commits included. */
function withPostgres(postgres: PostgresServer, work: (round: number) => Promise<Figures>) {
  return async (round: number): Promise<Figures> => {
    const counted =
      "SELECT sum(calls) AS calls, sum(calls) FILTER (WHERE query = 'COMMIT') AS commits FROM pg_stat_statements";
    await postgres.query(database, "SELECT pg_stat_statements_reset()");
    const [walBefore, before] = [await walBytes(postgres), postgres.cpuUs()];
    const since = stopwatch();
    const measured = await work(round);
    const seconds = since().ms / 1000;
    const databaseUs = postgres.cpuUs() - before;
    const [row] = await postgres.query(database, counted);
    // The warm-up is a part of what the database did: its requests are counted from the rate.
    const requests = measured["req/s"]! * seconds;
    return {
      ...measured,
      "database CPU µs/req": databaseUs / requests,
      "statements/1,000": (1000 * Number(row!.calls)) / requests,
      "commits/1,000": (1000 * Number(row!.commits)) / requests,
      "log bytes/req": ((await walBytes(postgres)) - walBefore) / requests,
    };
  };
}

function compressedGenerationBytes({ $client: client }: Database): number {
  return client.prepare("SELECT sum(length(deflated)) FROM export_pages").pluck().get() as number;
}
