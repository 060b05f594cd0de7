import { createDataSet } from "./data-set.ts";
import { measureFrames, measureStorage } from "./history/frames.ts";
import { hourlyTarget, recordHistory } from "./history/market.ts";
import { type HistoryFiles, measurePageRead, openPageReads } from "./history/page-reads.ts";
import { measureSealedDay } from "./history/sealed-day.ts";
import { connections } from "./point.ts";
import { type Bench, measureRounds, type Table, type Tables } from "./rounds.ts";
import { measureRequests, withServers } from "./servers.ts";

/** Share of `--seconds` for each of the many reads in process. */
const readShare = 0.2;
const tenth = 10;

/** Measures recorded histories: pages in process and over HTTP, frames beside charges, the size of a stored quote. */
export async function measureHistory(bench: Bench): Promise<Tables> {
  const { data, options, progress } = bench;
  progress.phase("recording histories");
  const small = createDataSet(data.folder, Math.max(tenth, Math.floor(options.items / tenth)), 0);
  const files = {
    all: { ...data, database: data.setup(true).database },
    tenth: { ...small, database: small.setup(false).database },
  };
  for (const { database, items } of Object.values(files)) recordHistory(database, items);
  return {
    "history pages": await measurePages(bench, files),
    "history over HTTP": await measureOverHttp(bench, files),
    "history frames": await measureFrames(bench),
    "history storage": measureStorage(bench),
    // Last: it adds daily rows to the file.
    "sealed day": await measureSealedDay(bench, files.all),
  };
}

async function measurePages(bench: Bench, files: HistoryFiles): Promise<Table> {
  const seconds = bench.options.seconds * readShare;
  const reads = Object.entries(openPageReads(files)).map(
    ([name, read]) => [name, () => measurePageRead(read, seconds)] as const,
  );
  // The first reads are those of code that is not compiled yet.
  for (const [, measure] of reads) await measure();
  return {
    title: "Histories in process: hourly pages of 1,000 rows of six providers, daily windows of 366 rows of one",
    cases: await measureRounds(bench, "histories", Object.fromEntries(reads)),
    compared: [{ figure: "CPU µs" }],
  };
}

/** Measures the whole service, with keys and charges. */
async function measureOverHttp(bench: Bench, files: HistoryFiles): Promise<Table> {
  const on = <Key extends keyof HistoryFiles>(key: Key) => {
    return { key, setup: { ...bench.data.setup(false), database: files[key].database } };
  };
  return withServers(bench, [on("all"), on("tenth")], async (servers) => {
    const reads = (key: keyof HistoryFiles, target: string, connections: number) => (round: number) => {
      const { keysOf, items } = files[key];
      const order = { target, connections, keys: keysOf(round), items: items - 1, seconds: bench.options.seconds / 2 };
      return measureRequests(bench, servers[key], order, ["req/s", "CPU µs/req"]);
    };
    const cases = await measureRounds(bench, "histories over HTTP", {
      "hourly page": reads("all", hourlyTarget("{item}"), 8),
      "point read": reads("all", "/v1/items/{item}", connections),
      "point read, a tenth of the items": reads("tenth", "/v1/items/{item}", connections),
    });
    return { title: "The same files over HTTP, full stack", cases };
  });
}
