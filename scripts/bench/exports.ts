import { GroupCommitLedger } from "../../src/access/ledger/group-commit.ts";
import SqliteDatabase from "../../src/store/sqlite.mjs";
import { systemClock } from "../../src/values/clock.ts";
import { systemIds } from "../../src/values/ids.ts";
import { download } from "./downloads.ts";
import { anonymousMb } from "./machine.ts";
import { type ExportServer, exportServers } from "./peers/export-servers.ts";
import { commitMs, measurePublication, removePages } from "./publication.ts";
import { type Bench, type Cases, type Figures, measureRounds, median, type Table, type Tables } from "./rounds.ts";
import { measureRequests, type Server, withCpu, withServers } from "./servers.ts";

/** The service runs so many exports at once. */
const exportSlots = 8;
const memoryRoundsMax = 3;
const memorySecondsMax = 2;
const memorySampleMs = 20;

/** Measures exports beside their peers, point reads beside exports, and the memory that exports take. */
export async function measureExports(bench: Bench): Promise<Tables> {
  const names = Object.keys(exportServers) as ExportServer[];
  const unsealed = { key: "unsealed" as const, setup: bench.data.setup(true) };
  removePages(unsealed.setup.database);
  return withServers<Measured, Tables>(bench, [...names, unsealed], async (servers) => ({
    export: await measureServers(bench, servers),
    "export beside": await measureBeside(bench, servers["full-stack"]),
    "export memory": await measureMemory(bench),
    publication: await measurePublication(bench),
  }));
}

type LeaseKey = { keyId: string; accountId: string };
const ids = systemIds();

/** `unsealed`: the service on a file without sealed pages, where exports are made as they are read. */
type Measured = ExportServer | "unsealed";

/** Measures whole exports. Rates are of records, however few bytes they were compressed to. */
async function measureServers(bench: Bench, servers: Record<Measured, Server>): Promise<Table> {
  const { data, options } = bench;
  const exportsOf = (server: Server, gzip: boolean) => async (round: number) => {
    // A key for exports alone: an account has only so many starts in a day, and one at a time.
    const order = { port: server.port, keys: data.keysOf(exportSlots + round), seconds: options.seconds, gzip };
    if (round === 0) await download({ ...order, seconds: 0 });
    const { exports, seconds, bytes, firstByteMs, cpuUs } = await withCpu(server, () => download(order));
    const megabytes = (data.exportBytes * exports) / 1e6;
    return {
      "MB/s": megabytes / seconds,
      "CPU ms/MB": cpuUs / 1000 / megabytes,
      "first byte ms": median(firstByteMs),
      "MB sent": bytes / 1e6 / exports,
    };
  };
  const { database: ledgerFile } = data.setup(true);
  const plain = Object.entries(servers).map(([name, server]) => [name, exportsOf(server, false)]);
  const cases = {
    ...Object.fromEntries(plain),
    "full-stack, gzip": exportsOf(servers["full-stack"], true),
    "unsealed, gzip": exportsOf(servers.unsealed, true),
    "a durable commit": async () => ({ "first byte ms": commitMs(data.folder) }),
    "the charge of an export, without the server": () => chargeMs(ledgerFile),
  };
  return {
    title: `Export, ${(data.exportBytes / 1e6).toFixed(1)} MB, one reader`,
    cases: await measureRounds(bench, "exports", cases),
    compared: [{ figure: "MB/s" }, { figure: "MB sent" }],
  };
}

/** Measures how long the ledger takes over the charge and the place of an export, in a thread as the service has it. */
async function chargeMs(database: string): Promise<Figures> {
  const client = new SqliteDatabase(database, { readonly: true });
  const keys = client
    .prepare<[], LeaseKey>("SELECT key_id AS keyId, account_id AS accountId FROM api_keys LIMIT 20")
    .all();
  client.close();
  const ledger = await GroupCommitLedger.open(database);
  const ms: number[] = [];
  for (const key of keys) {
    const at = systemClock.now();
    const requestId = ids.requestId(at);
    const startedMs = systemClock.monotonicMs();
    await ledger.charge({ kind: "reserve", requestId, ...key, operation: "streamMarketSnapshot", plan: "paid", at });
    ms.push(systemClock.monotonicMs() - startedMs);
    await ledger.endLease(requestId, "finished", systemClock.now());
  }
  await ledger.close();
  return { "first byte ms": median(ms) };
}

/** Measures point reads without and beside eight exports. */
async function measureBeside(bench: Bench, server: Server): Promise<Table> {
  const { data, options } = bench;
  const { seconds } = options;
  const exports = { port: server.port, keys: data.keys.slice(0, exportSlots), seconds };
  const reads = (connections: number, beside?: () => Promise<unknown>) => (round: number) => {
    const order = { connections, keys: data.keysOf(exportSlots + round), target: "/v1/items/{item}", seconds, beside };
    return measureRequests(bench, server, order, ["p50 ms", "p99 ms"]);
  };
  const cases: Record<string, Cases[string]> = {};
  for (const connections of [1, 8, 64]) {
    cases[`${connections} connections`] = reads(connections);
    cases[`${connections} connections, beside 8 exports`] = reads(connections, () => download(exports));
  }
  cases["64 connections, beside 8 compressed exports"] = reads(64, () => download({ ...exports, gzip: true }));
  return {
    title: "Point reads, idle and beside 8 exports",
    cases: await measureRounds(bench, "point reads beside exports", cases),
    compared: [{ figure: "p50 ms" }, { figure: "p99 ms" }],
  };
}

/** Measures each case on a fresh server that has done everything once: what was compiled and kept for good does not count. */
async function measureMemory(bench: Bench): Promise<Table> {
  const { data, options } = bench;
  const growth = (readers: number, bytesPerSecond?: number) => () =>
    withServers(bench, ["full-stack"], async ({ "full-stack": { port, child } }) => {
      const keys = data.keys.slice(0, readers);
      await download({ port, keys: keys.slice(0, 1), seconds: 0 });
      const seconds = bytesPerSecond === undefined ? 0 : Math.min(options.seconds, memorySecondsMax);
      return growthDuring(child.pid, download({ port, keys, seconds, bytesPerSecond }));
    });
  const cases = {
    "1 export": growth(1),
    "8 fast exports": growth(exportSlots),
    "8 slow exports": growth(exportSlots, 1e6),
  };
  const rounds = Math.min(options.rounds, memoryRoundsMax);
  return {
    title: "Growth of anonymous memory",
    cases: await measureRounds(bench, "memory of exports", cases, rounds),
  };
}

/** Returns how far anonymous memory rises above where it began until `work` is done; nothing where the system does not tell. */
async function growthDuring(pid: number, work: Promise<unknown>): Promise<Figures> {
  const before = anonymousMb(pid);
  let peak = before ?? 0;
  const sample = () => {
    peak = Math.max(peak, anonymousMb(pid) ?? 0);
  };
  const timer = setInterval(sample, memorySampleMs);
  await work.finally(() => clearInterval(timer));
  sample();
  return before === null ? {} : { MB: peak - before };
}
