import { statSync, writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { processorTime } from "../support/processor.ts";
import { openLoad, takeExport } from "./load.ts";
import type { Bench, BenchRow } from "./rows.ts";
import { type Subject, startProgram, startServer } from "./servers.ts";
import { accounts, type Cost, fileMb, marketSizes, runJson, type Storage, writtenOn } from "./storage.ts";
import { type BodyOrder, dailyItemEach } from "./storage-bodies.ts";

type Poll = { sources: number } & Partial<BodyOrder>;

/** Minutes of a poll in the market's hour, and of the first poll in the next hour, which records its frame. */
const laterMinutes = 6;
const nextHourMinutes = 61;
/** An hour before the market. A body is then only recorded. */
const hourBeforeMinutes = -59;
const pollPercents = [1, 5, 15, 100];
/** Maximum megabytes, and processor seconds at 5 %, by number of sources. */
const megabytesMax = 6;
const secondsMax: Readonly<Record<number, number>> = { 6: 1.2, 12: 2.2 };
const holdMsMax = 200;
const fileMbMax: Readonly<Record<number, number>> = { 6: 80 };
const changed = { sources: 6, percent: 5 };
const withFrame = { ...changed, minutes: nextHourMinutes };
const onlyFrame = { ...changed, minutes: hourBeforeMinutes };

/** Rows that need minutes: bytes, processor and locks for a market of the usual size, created by each checkout's own commands. */
export const storageRows: Readonly<Record<string, BenchRow>> = {
  ...Object.fromEntries(
    marketSizes.flatMap((sources) => pollPercents.flatMap((percent) => pollRows(sources, percent))),
  ),
  "poll-6-5-syncs": { unit: "syncs", budget: 20, measure: syncsOf(changed) },
  "poll-urls-mb": poll({ ...changed, hasUrls: true }, "MB", 15),
  "poll-urls-s": poll({ ...changed, hasUrls: true }, "s"),
  "poll-frame-mb": poll(withFrame, "MB"),
  "poll-frame-s": poll(withFrame, "s"),
  "poll-frame-syncs": { unit: "syncs", budget: 60, measure: syncsOf(withFrame) },
  "frame-mb": poll(onlyFrame, "MB", 15),
  "frame-s": poll(onlyFrame, "s"),
  ...Object.fromEntries(marketSizes.map((sources) => [`file-${sources}-mb`, fileRow(sources)])),
  "charge-1-kb": { unit: "KB", budget: 20, measure: charge(1, 300) },
  "charge-16-kb": { unit: "KB", budget: 4, measure: charge(16, 1_600) },
  "export-first": exports("first"),
  "export-next": exports("next", 2),
  "export-gzip-first": exports("gzipFirst"),
  "export-gzip-next": exports("gzipNext", 0.5),
  "year-mb": { unit: "MB", measure: year(({ mb }) => mb) },
  "year-written-mb": { unit: "MB", measure: year(({ cost }) => cost.megabytes) },
  "year-s": { unit: "s", measure: year(({ cost }) => cost.seconds) },
  "day-mb": day("megabytes", "MB", 10),
  "day-s": day("seconds", "s"),
  "days-read": { unit: "µs", measure: daysRead },
};

function pollRows(sources: number, percent: number): [string, BenchRow][] {
  const order = { sources, percent };
  const isBound = percent === 5;
  return [
    [`poll-${sources}-${percent}-mb`, poll(order, "MB", isBound ? megabytesMax : undefined)],
    [`poll-${sources}-${percent}-s`, poll(order, "s", isBound ? secondsMax[sources] : undefined)],
    [`poll-${sources}-${percent}-lock`, poll(order, "ms", holdMsMax)],
  ];
}

/** Builds the row of a poll: megabytes written, processor seconds without a start, or the longest lock. */
function poll(order: Poll, unit: "MB" | "s" | "ms", budget?: number): BenchRow {
  return {
    unit,
    budget,
    async measure(subject, { storage }, turn) {
      const name = `poll ${JSON.stringify(order)} ${subject.name} ${turn}`;
      const cost = await storage.once(name, () => storage.importCost(subject, ...fileOf(storage, subject, order)));
      const values = { MB: cost.megabytes, s: cost.seconds, ms: Number(cost.report.hold_ms_max) };
      return values[unit];
    },
  };
}

function syncsOf(order: Poll): BenchRow["measure"] {
  return (subject, { storage }) => storage.syncs(subject, ...fileOf(storage, subject, order));
}

/** Returns the market before a poll, and the body of the first source. */
function fileOf(storage: Storage, subject: Subject, order: Poll): [string, BodyOrder] {
  const { sources, percent = 0, minutes = laterMinutes, hasUrls = false } = order;
  const file = hasUrls ? storage.marketWithUrls(subject, sources) : storage.market(subject, sources);
  return [file, { source: 1, percent, minutes, hasUrls }];
}

/** Builds the row of a file with the catalog and quotes. */
function fileRow(sources: number): BenchRow {
  const measure: BenchRow["measure"] = async (subject, { storage }) => fileMb(storage.market(subject, sources));
  return { unit: "MB", budget: fileMbMax[sources], measure };
}

/** Returns a measurement of the year of daily rows, scaled to all sold items. */
function year(of: (made: Awaited<ReturnType<Storage["year"]>>) => number): BenchRow["measure"] {
  return async (subject, { storage }) => of(await storage.year(subject)) * dailyItemEach;
}

/** Builds the row of a day's rows added to a file with a year of them, scaled to all sold items. */
function day(part: "megabytes" | "seconds", unit: string, budget?: number): BenchRow {
  return {
    unit,
    budget,
    async measure(subject, { storage }, turn) {
      const { file } = await storage.year(subject);
      const cost = await storage.once<Cost>(`day ${subject.name} ${turn}`, () =>
        storage.cost(subject, file, storage.bodies.dailyWords(1, 1)),
      );
      return cost[part] * dailyItemEach;
    },
  };
}

/** Returns a measurement of KB written per request for `count` requests. The bytes of an idle server are subtracted. */
function charge(connections: number, count: number): BenchRow["measure"] {
  return async (subject, { storage }) => {
    const order = { target: "/v1/items/{item}", connections, accounts };
    const keys = storage.keys(subject);
    const bytesOf = (work: (port: number) => Promise<void>) =>
      storage.withCopy(storage.market(subject, 2), async (path) => {
        const before = writtenOn(path);
        const server = await startProgram(subject.folder!, ["--db", path]);
        await work(server.port);
        await server.stop();
        return writtenOn(path) - before;
      });
    const idle = await bytesOf(async () => {});
    let requests = 0;
    const bytes = await bytesOf(async (port) => {
      const load = await openLoad(order, port, keys, storage.items);
      requests = await requestsOf(load, count);
      load.close();
    });
    return (bytes - idle) / 1000 / requests;
  };
}

/** Measures processor time of the read of 366 days of an item. */
async function daysRead(subject: Subject, { storage }: Bench): Promise<number> {
  const keys = storage.keys(subject);
  const { file } = await storage.year(subject);
  return storage.withCopy(file, async (path) => {
    runJson(subject, path, storage.bodies.dailyWords(1, 1));
    const server = await startProgram(subject.folder!, ["--db", path]);
    const order = { target: storage.bodies.yearTarget(), connections: 8, accounts };
    const load = await openLoad(order, server.port, keys, storage.bodies.dailyItems);
    await requestsOf(load, 300);
    const before = processorTime(server.pid)!.own;
    const requests = await requestsOf(load, 1_000);
    const used = processorTime(server.pid)!.own - before;
    load.close();
    await server.stop();
    return (1e6 * used) / requests;
  });
}

/** Sends at least `count` requests and few more, because an account has a limit per minute. Resolves to their number. */
async function requestsOf(load: Awaited<ReturnType<typeof openLoad>>, count: number): Promise<number> {
  let requests = 0;
  while (requests < count) requests += await load.run(wait(20));
  return requests;
}

type Exports = Record<"first" | "next" | "gzipFirst" | "gzipNext", number>;

function exports(part: keyof Exports, budget?: number): BenchRow {
  return {
    unit: "ms/MB",
    peer: budget === undefined ? undefined : "file-pipe-64k",
    budget,
    async measure(subject, bench, turn) {
      const measured = (of: Subject) => bench.storage.once(`exports ${of.name} ${turn}`, () => exportsOf(of, bench));
      if (subject.folder !== null) return (await measured(subject))[part];
      return bench.storage.once(`pipe ${turn}`, async () => pipeOf((await measured(bench.here)).file, bench.seconds));
    },
  };
}

/** Measures the first export of a generation published during the server's run, and later ones, in processor ms per MB of records. */
function exportsOf(subject: Subject, { storage, seconds }: Bench): Promise<Exports & { file: string }> {
  const keys = storage.keys(subject);
  return storage.withCopy(storage.market(subject, 6), async (path) => {
    const server = await startProgram(subject.folder!, ["--db", path]);
    const used = () => processorTime(server.pid)!.own;
    const records = Buffer.concat(await takeExport(server.port, keys[0]!, "identity"));
    const megabytes = records.length / 1e6;
    const measured: number[] = [];
    for (const [index, coding] of (["identity", "gzip"] as const).entries()) {
      const take = () => takeExport(server.port, keys[index]!, coding);
      await take();
      const order = { source: 1, percent: 5 + index, minutes: laterMinutes + index, hasUrls: false };
      const { generation } = runJson(subject, path, storage.bodies.words(order));
      await server.reaches("itemtape_generation", Number(`${generation}`.slice(1)));
      const before = used();
      await take();
      measured.push((1000 * (used() - before)) / megabytes);
      const first = used();
      let count = 0;
      for (; used() - first < seconds; count += 1) await take();
      measured.push((1000 * (used() - first)) / megabytes / count);
    }
    await server.stop();
    const [first, next, gzipFirst, gzipNext] = measured as [number, number, number, number];
    const file = `${storage.market(subject, 6)}.ndjson`;
    writeFileSync(file, records);
    return { first, next, gzipFirst, gzipNext, file };
  });
}

/** Measures the pipe of a file like an export. */
async function pipeOf(exportFile: string, seconds: number): Promise<number> {
  const server = await startServer({ name: "file-pipe-64k", folder: null, database: "", rows: "", exportFile });
  const take = () => takeExport(server.port, "", "identity");
  await take();
  const before = await server.cpuUs();
  let used = 0;
  let count = 0;
  for (; used < 1e6 * seconds; count += 1) {
    await take();
    used = (await server.cpuUs()) - before;
  }
  await server.close();
  return used / 1000 / (statSync(exportFile).size / 1e6) / count;
}
