import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { processorTime } from "../support/processor.ts";
import { type DataSet, historyTargets, idsTo, knownPrices, recordedItems } from "./data-set.ts";
import { openLoad, type Requests, takeExport } from "./load.ts";
import { peakMb, peakOfCommand, runCommand, type Server, type Subject, secondsOf, startProgram } from "./servers.ts";
import type { Storage } from "./storage.ts";

/**
 * Context of a measurement. `data`: data set, for the rows of the budget only. `exportBytes`: size of its plain export. `serverOf`: starts
 * a subject's server once. `here`: this checkout.
 */
export type Bench = {
  here: Subject;
  data: DataSet;
  storage: Storage;
  exportBytes: number;
  seconds: number;
  serverOf(subject: Subject): Promise<Server>;
};

/** A row of the report. `peer`: the row's peer, if any. `budget`: the maximum ratio to the peer, or the maximum value without a peer. */
export type BenchRow = {
  unit: string;
  peer?: "fastify" | "file-pipe-64k" | undefined;
  budget?: number | undefined;
  measure(subject: Subject, bench: Bench, turn: number): Promise<number>;
};

const warmUpSeconds = 0.2;
/** V8 compiles the server's code in the first turn. */
const firstWarmUpSeconds = 1;
const helps = 5;

const item: Requests = { target: "/v1/items/{item}", connections: 64 };
/** Few connections request large responses. */
const few = { connections: 8 };
const batch = JSON.stringify({ item_ids: idsTo(100) });

/** All rows by name, in the order of the report. */
export const benchRows: Readonly<Record<string, BenchRow>> = {
  item: read(item, 1.25),
  "item-of-64-accounts": read({ ...item, accounts: 64 }, 1.25),
  quotes: read({ target: "/v1/items/{item}/markets", connections: 64 }),
  batch: read({ method: "POST", target: "/v1/markets/batch", body: batch, ...few }),
  openables: read({ target: "/v1/openables?limit=100", ...few }),
  hourly: read({ target: historyTargets.hourly, itemsTo: recordedItems, ...few }),
  daily: read({ target: historyTargets.daily, ...few }),
  "daily-known": read({ target: historyTargets.dailyKnown, ...few }, 1.5),
  // A fixed limit: no peer has the frames.
  "prices-known": {
    ...read({ method: "POST", target: "/v1/markets/known", body: knownPrices, ...few }),
    peer: undefined,
    budget: 30_000,
  },
  // SQLite scans the catalog for words, so it has no peer.
  search: { ...read({ target: "/v1/items?q=synthetic%20{item}", ...few }), peer: undefined, budget: undefined },
  export: { unit: "ms/MB", peer: "file-pipe-64k", budget: 2, measure: exportOf("identity") },
  "export-gzip": { unit: "ms/MB", peer: "file-pipe-64k", budget: 0.5, measure: exportOf("gzip") },
  help: { unit: "s", budget: 0.2, measure: ({ folder }) => secondsOf(() => help(folder!)).then((sum) => sum / helps) },
  start: { unit: "s", budget: 3, measure: start },
  publication: { unit: "s", measure: async (subject, bench) => (await publication(subject, bench)).seconds },
  "mirror-memory": { unit: "MB", measure: async (subject, bench) => (await publication(subject, bench)).megabytes },
  "check-memory": { unit: "MB", measure: check },
};

/** Builds the row of a response: processor time per request. */
function read(request: Requests, budget = 1): BenchRow {
  return {
    unit: "µs",
    peer: "fastify",
    budget,
    async measure(subject, { data, seconds, serverOf }, turn) {
      const server = await serverOf(subject);
      const items = Math.min(request.itemsTo ?? data.items, data.items);
      const load = await openLoad(request, server.port, data.keys, items);
      await load.run(server.uses(turn === 0 ? firstWarmUpSeconds : warmUpSeconds));
      const before = await server.cpuUs();
      const requests = await load.run(server.uses(seconds));
      const used = (await server.cpuUs()) - before;
      load.close();
      return used / requests;
    },
  };
}

/** Returns a measurement of whole exports: processor time per MB of records. */
function exportOf(coding: "gzip" | "identity"): BenchRow["measure"] {
  return async (subject, { data, exportBytes, seconds, serverOf }, turn) => {
    const server = await serverOf(subject);
    // An account may start only a limited number of exports per day.
    const key = data.keys[turn % data.keys.length]!;
    if (turn === 0) await takeExport(server.port, key, coding);
    const before = await server.cpuUs();
    let used = 0;
    let exports = 0;
    for (; used < 1e6 * seconds; exports += 1) {
      await takeExport(server.port, key, coding);
      used = (await server.cpuUs()) - before;
    }
    return used / 1000 / ((exports * exportBytes) / 1e6);
  };
}

function help(folder: string): void {
  for (let count = 0; count < helps; count += 1) runCommand(folder, ["--help"]);
}

/** Measures a start on an existing file until it is ready, and its stop. */
function start({ folder }: Subject, { data }: Bench): Promise<number> {
  const database = data.wholeFile();
  return secondsOf(async () => (await startProgram(folder!, ["--db", database])).stop());
}

/** Measures the server of a mirror that polls a feed of all items once, with 15 % of them changed, until it has published them. */
async function publication({ folder }: Subject, { data }: Bench) {
  const database = data.wholeFile();
  const config = join(data.folder, "mirror.json");
  const feed = { feed: "bench", adapter: "canonical", source: data.feedFile, interval_seconds: 3600 };
  writeFileSync(config, JSON.stringify({ feeds: [feed] }));
  const words = ["--db", database, "--mirror", "--mirror-config", config, "--publish-every-ms", "60000"];
  const server = await startProgram(folder!, words);
  await server.reaches("itemtape_generation", 2);
  await server.reaches('itemtape_events_total{event="frames_recorded"}', 1);
  const { own, children } = processorTime(server.pid)!;
  const megabytes = peakMb(server.pid);
  await server.stop();
  return { seconds: own + children, megabytes };
}

/** Checks a file while a server uses it. */
async function check({ folder }: Subject, { data }: Bench): Promise<number> {
  const database = data.wholeFile();
  const server = await startProgram(folder!, ["--db", database]);
  const peak = await peakOfCommand(folder!, "db", "check", "--db", database);
  await server.stop();
  return peak;
}
