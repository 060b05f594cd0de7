import { calculateInThread } from "../../../src/jobs/roi/schedule.ts";
import { dayText } from "../../../src/values/calendar.ts";
import { systemClock } from "../../../src/values/clock.ts";
import { firstDay, pageRows, recordHistory, today } from "../history/recorded.ts";
import type { Parts } from "../history/rounds.ts";
import type { DownloadFigures, DownloadOrder } from "../load/downloads.ts";
import type { PointFigures, PointOrder } from "../load/point-readers.ts";
import { MeasuredServer } from "../measured-server.ts";
import { connections, orderOf } from "../point-rounds.ts";
import { addPools } from "../roi/pools.ts";
import type { AskFigures, AskOrder } from "./asker.ts";

/** What is asked for: from a record that is too short to be compressed to a whole page. */
const asked: Readonly<Record<string, Pick<AskOrder, "method" | "target" | "body">>> = {
  "one item": { method: "GET", target: "/v1/items/1", body: null },
  "prices of 100 items": {
    method: "POST",
    target: "/v1/markets/batch",
    body: JSON.stringify({ item_ids: Array.from({ length: 100 }, (_, index) => index + 1) }),
  },
  "hourly page, 1,000 rows": {
    method: "GET",
    target: `/v1/items/1/history/hourly?limit=${pageRows}&from=${dayText(firstDay)}&to=${dayText(today - 1)}`,
    body: null,
  },
  "openables, 100 of them": { method: "GET", target: "/v1/openables?limit=100", body: null },
  "openapi.json": { method: "GET", target: "/openapi.json", body: null },
};

/** One value for each round, but `bytes`, which do not change. */
export type AnswerSeries = { bytes: number; cpuUs: number[]; p50Ms: number[] };
/** `mbPerS` and `cpuMsPerMb` are of records, however few bytes they became; `bytes` of one export as it was sent. */
export type ExportSeries = { bytes: number; mbPerS: number[]; cpuMsPerMb: number[] };
export type LatencySeries = { p50Ms: number[]; p99Ms: number[] };
/** Everything without and with gzip. */
export type Both<T> = { plain: T; gzip: T };
export type CompressionResults = {
  answers: Record<string, Both<AnswerSeries>>;
  exports: Both<ExportSeries>;
  /** Point reads alone and beside eight exports of one kind. */
  reads: Both<LatencySeries> & { idle: LatencySeries };
};

const codings = ["plain", "gzip"] as const;
const historyItems = 100;
const pooledItems = 7500;
const exportSlots = 8;
const secondsMax = 10;
const warmUpS = 0.2;

/** Measures what compression saves and costs: both ways in each round, in changing order. */
export async function measureCompression(parts: Parts): Promise<CompressionResults> {
  return { answers: await measureAnswers(parts), ...(await measureStreams(parts)) };
}

async function measureAnswers({ data, load, cores, options, progress }: Parts): Promise<CompressionResults["answers"]> {
  const setup = data.setup(true);
  recordHistory(setup.database, Math.min(historyItems, options.items), progress);
  addPools(setup.database, Math.min(pooledItems, options.items));
  await calculateInThread({ databasePath: setup.database, at: systemClock.now() }, new AbortController().signal);
  const series: CompressionResults["answers"] = {};
  for (const name of Object.keys(asked))
    series[name] = { plain: { bytes: 0, cpuUs: [], p50Ms: [] }, gzip: { bytes: 0, cpuUs: [], p50Ms: [] } };
  const server = await MeasuredServer.start("full-stack", { setup: () => setup }, cores, options.cpuProf);
  const seconds = Math.min(options.seconds, secondsMax) / 2;
  progress.phase("answers with and without gzip, measurements", options.rounds * Object.keys(asked).length * 2);
  try {
    for (let round = 0; round < options.rounds; round += 1) {
      for (const [name, what] of orderOf(Object.entries(asked), round)) {
        for (const coding of orderOf(codings, round)) {
          const key = data.keys[round % data.keys.length]!;
          const order: AskOrder = { ...what, port: server.port, key, gzip: coding === "gzip", seconds };
          await load.call("ask", { ...order, seconds: Math.min(seconds, warmUpS) });
          const figures = await server.during(() => load.call<AskFigures>("ask", order));
          const of = series[name]![coding];
          of.bytes = figures.bytes;
          of.cpuUs.push(figures.cpuUs / figures.answers);
          of.p50Ms.push(figures.p50Ms);
          progress.advance(1);
        }
      }
    }
    return series;
  } finally {
    await server.stop();
  }
}

async function measureStreams(parts: Parts): Promise<Pick<CompressionResults, "exports" | "reads">> {
  const { data, cores, options, progress } = parts;
  const exports = (): ExportSeries => ({ bytes: 0, mbPerS: [], cpuMsPerMb: [] });
  const latency = (): LatencySeries => ({ p50Ms: [], p99Ms: [] });
  const results = {
    exports: { plain: exports(), gzip: exports() },
    reads: { idle: latency(), plain: latency(), gzip: latency() },
  };
  const server = await MeasuredServer.start("full-stack", data, cores, options.cpuProf);
  progress.phase("exports with and without gzip, rounds", options.rounds);
  try {
    for (let round = 0; round < options.rounds; round += 1) {
      for (const coding of orderOf(codings, round))
        await measureExport(parts, server, { coding, round }, results.exports);
      await measureReads(parts, server, round, results.reads);
      progress.advance(1);
    }
    return results;
  } finally {
    await server.stop();
  }
}

type Turn = { coding: keyof Both<unknown>; round: number };

async function measureExport(
  { data, load, options }: Parts,
  server: MeasuredServer,
  { coding, round }: Turn,
  series: Both<ExportSeries>,
): Promise<void> {
  // A key for the exports alone: an account has only so many starts in a day, and one at a time.
  const keys = [data.keys[(exportSlots + round) % data.keys.length]!];
  const seconds = Math.min(options.seconds, secondsMax);
  const order: DownloadOrder = { port: server.port, keys, seconds, bytesPerSecond: null, gzip: coding === "gzip" };
  if (round === 0) await load.call("download", { ...order, seconds: 0 });
  const figures = await server.during(() => load.call<DownloadFigures>("download", order));
  const megabytes = (data.exportBytes * figures.exports) / 1e6;
  series[coding].bytes = figures.bytes / figures.exports;
  series[coding].mbPerS.push(megabytes / figures.seconds);
  series[coding].cpuMsPerMb.push(figures.cpuUs / 1000 / megabytes);
}

async function measureReads(
  { data, load, options }: Parts,
  { port }: MeasuredServer,
  round: number,
  series: CompressionResults["reads"],
): Promise<void> {
  const seconds = Math.min(options.seconds, secondsMax);
  const keys = [data.keys.at(-1 - (round % exportSlots))!];
  const order: PointOrder = { port, connections, keys, items: data.items };
  await load.call("openReaders", order);
  await load.call("read", Math.min(options.seconds, warmUpS));
  const note = (of: LatencySeries, { p50Ms, p99Ms }: PointFigures) => {
    of.p50Ms.push(p50Ms);
    of.p99Ms.push(p99Ms);
  };
  note(series.idle, await load.call<PointFigures>("read", seconds));
  for (const coding of orderOf(codings, round)) {
    const exporters = data.keys.slice(0, exportSlots);
    const download: DownloadOrder = {
      port,
      keys: exporters,
      seconds,
      bytesPerSecond: null,
      gzip: coding === "gzip",
    };
    const [figures] = await Promise.all([
      load.call<PointFigures>("read", seconds),
      load.call<DownloadFigures>("download", download),
    ]);
    note(series[coding], figures);
  }
  await load.call("closeReaders");
}
