import { dayText } from "../../src/values/calendar.ts";
import { createDataSet } from "./data-set.ts";
import { measureFrames, measureStorage } from "./history/frames.ts";
import { firstDay } from "./history/market.ts";
import { type HistoryFiles, measurePageRead, openPageReads } from "./history/page-reads.ts";
import { pageRows, recordHistory, today } from "./history/recorded.ts";
import { connections } from "./point.ts";
import { type Bench, measureRounds, pick, type Table, type Tables } from "./rounds.ts";
import { measureRequests, withServers } from "./servers.ts";

/** Share of `--seconds` for each of the many reads in process. */
const readShare = 0.2;
const tenth = 10;

/** Measures recorded histories: pages in process and over HTTP, frames beside charges, the size of a stored quote. */
export async function measureHistory(bench: Bench): Promise<Tables> {
  const { data, options, progress } = bench;
  progress.phase("recording histories");
  const small = createDataSet(data.folder, Math.max(tenth, Math.floor(options.items / tenth)), 0);
  const files: HistoryFiles = {
    all: { database: data.setup(true).database, items: data.items, keys: data.keys },
    tenth: { database: small.setup(false).database, items: small.items, keys: small.keys },
  };
  for (const { database, items } of Object.values(files)) recordHistory(database, items);
  return {
    "history pages": await measurePages(bench, files),
    "history over HTTP": await measureOverHttp(bench, files),
    "history frames": await measureFrames(bench),
    "history storage": measureStorage(bench),
  };
}

async function measurePages(bench: Bench, files: HistoryFiles): Promise<Table> {
  const reads = openPageReads(files);
  const seconds = bench.options.seconds * readShare;
  // The first reads are those of code that is not compiled yet.
  for (const read of Object.values(reads)) await measurePageRead(read, seconds);
  return {
    title: "Histories in process: hourly pages of 1,000 rows of six providers, daily windows of 366 rows of one",
    cases: await measureRounds(bench, "histories", reads, (read) => measurePageRead(read, seconds)),
    compared: [{ figure: "CPU µs" }],
  };
}

/** Measures the whole service, with keys and charges. */
async function measureOverHttp(bench: Bench, files: HistoryFiles): Promise<Table> {
  const window = `limit=${pageRows}&from=${dayText(firstDay)}&to=${dayText(today - 1)}`;
  const cases = {
    "hourly page": { file: "all", connections: 8, target: `/v1/items/{item}/history/hourly?${window}` },
    "point read": { file: "all", connections, target: "/v1/items/{item}" },
    "point read, a tenth of the items": { file: "tenth", connections, target: "/v1/items/{item}" },
  } as const;
  const on = <Key extends keyof HistoryFiles>(key: Key) => {
    return { key, setup: { ...bench.data.setup(false), database: files[key].database } };
  };
  return withServers(bench, [on("all"), on("tenth")], async (servers) => ({
    title: "The same files over HTTP, full stack",
    cases: await measureRounds(bench, "histories over HTTP", cases, async ({ file, ...request }, round) => {
      const { keys, items } = files[file];
      const order = { ...request, keys: [keys[round % keys.length]!], items: items - 1 };
      const timing = { seconds: bench.options.seconds / 2 };
      return pick(await measureRequests(bench, servers[file], order, timing), "req/s", "CPU µs/req");
    }),
  }));
}
