import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { type Database, openWriter } from "../../../src/store/database.ts";
import { createDatabase } from "../../../src/store/file.ts";
import type { Progress } from "../../../src/values/progress.ts";
import { Child } from "../channel.ts";
import { DataSet } from "../data-set.ts";
import type { Cores } from "../machine.ts";
import type { Options } from "../options.ts";
import { orderOf } from "../point-rounds.ts";
import type { ChargeFigures } from "./charger.ts";
import type { FrameFigures } from "./frame-writer.ts";
import { type HttpRead, type HttpSeries, measureHttp } from "./http-rounds.ts";
import { changePercent, Market, slots } from "./market.ts";
import { type ReadName, readNames } from "./names.ts";
import type { HistoryFile } from "./page-reads.ts";
import type { ReadFigures } from "./reader.ts";
import { addMarketFeed, recordHistory, writeFrame } from "./recorded.ts";

/** One value for each round, for one read. */
export type ReadSeries = { cpuUs: number[]; wallUs: number[]; bytes: number[] };
export type FrameWithCharges = FrameFigures & { charges: ChargeFigures };
export type FrameResults = {
  quotes: number;
  /** Charges while nothing else is written, before each frame: what holds up these is the disk or other work on the machine. */
  idle: ChargeFigures[];
  /** Frames late on a day, whose segments hold nearly all of its hours, and the first one of the next day. */
  later: FrameWithCharges[];
  first: FrameWithCharges;
  walBytes: number;
};
export type HistoryResults = {
  reads: Record<ReadName, ReadSeries>;
  http: Record<HttpRead, HttpSeries>;
  frames: FrameResults;
  storage: { items: number; days: number; changePercent: number; bytesPerQuote: number };
};

export type Parts = { data: DataSet; load: Child; cores: Cores; options: Options; progress: Progress };

/** Of `--seconds`: so many reads are measured in turn that a whole second of each would take long. */
const readShare = 0.2;
const secondsMax = 10;
const laterFramesMax = 5;
const storageDays = 3;
const tenth = 10;
const busyMs = 5000;

/** Everything about recorded histories: pages in process and over HTTP, frames beside charges, what a quote takes up. */
export async function measureHistory(parts: Parts): Promise<HistoryResults> {
  const { data, options, progress } = parts;
  const { database } = data.setup(true);
  recordHistory(database, options.items, progress);
  const small = DataSet.create(data.folder, Math.max(tenth, Math.floor(options.items / tenth)), 0, progress);
  const { database: tenthDatabase } = small.setup(false);
  recordHistory(tenthDatabase, small.items, progress);
  const files = { all: { database, items: options.items }, tenth: { database: tenthDatabase, items: small.items } };
  return {
    reads: await measureReads(parts, files),
    http: await measureHttp(parts, {
      all: { ...files.all, keys: data.keys },
      tenth: { ...files.tenth, keys: small.keys },
    }),
    frames: await measureFrames(parts),
    storage: await measureStorage(parts),
  };
}

async function measureReads(
  { data, cores, options, progress }: Parts,
  files: { all: HistoryFile; tenth: HistoryFile },
): Promise<Record<ReadName, ReadSeries>> {
  const series = Object.fromEntries(
    readNames.map((name): [string, ReadSeries] => [name, { cpuUs: [], wallUs: [], bytes: [] }]),
  ) as Record<ReadName, ReadSeries>;
  const flags = options.cpuProf === null ? [] : ["--cpu-prof", `--cpu-prof-dir=${options.cpuProf}`];
  const reader = Child.start("./history/reader.ts", cores.server, flags);
  const seconds = Math.min(options.seconds, secondsMax) * readShare;
  try {
    await reader.call("open", { ...files, rowTable: join(data.folder, "quote-hours.db") });
    // The first reads of everything are those of code that is not compiled yet.
    for (const name of readNames) await reader.call("read", { name, seconds });
    progress.phase("histories, measurements", options.rounds * readNames.length);
    for (let round = 0; round < options.rounds; round += 1) {
      for (const name of orderOf(readNames, round)) {
        const { reads, cpuUs, seconds: took, bytes } = await reader.call<ReadFigures>("read", { name, seconds });
        series[name].cpuUs.push(cpuUs / reads);
        series[name].wallUs.push((took * 1e6) / reads);
        series[name].bytes.push(bytes / reads);
        progress.advance(1);
      }
    }
    return series;
  } finally {
    await reader.stop();
  }
}

/** Frames as a mirror writes them, in one process, and charges in another. */
async function measureFrames({ data, cores, options, progress }: Parts): Promise<FrameResults> {
  const path = data.setup(true).database;
  const laterCount = Math.min(options.rounds, laterFramesMax);
  const hours = 24 - laterCount - 1;
  progress.phase("preparing frames", 1);
  const writer = Child.start("./history/frame-writer.ts", cores.load);
  const charger = Child.start("./history/charger.ts", cores.server);
  const charging = async <T>(work: () => Promise<T>): Promise<{ done: T; charges: ChargeFigures }> => {
    await charger.call("start");
    const done = await work();
    return { done, charges: await charger.call<ChargeFigures>("stop") };
  };
  const pause = () => new Promise((resolve) => setTimeout(resolve, Math.min(options.seconds, secondsMax) * 1000));
  const idle: ChargeFigures[] = [];
  const write = async (hour: number): Promise<FrameWithCharges> => {
    idle.push((await charging(pause)).charges);
    const { done, charges } = await charging(() => writer.call<FrameFigures>("write", { hour, keepLog: false }));
    progress.advance(1);
    return { ...done, charges };
  };
  try {
    await writer.call("open", { path, items: options.items, hours });
    await charger.call("open", path);
    progress.phase("frames beside charges", laterCount + 2);
    await charging(pause);
    const later: FrameWithCharges[] = [];
    for (let hour = hours; hour < 23; hour += 1) later.push(await write(hour));
    const kept = await writer.call<FrameFigures>("write", { hour: 23, keepLog: true });
    progress.advance(1);
    const first = await write(24);
    return { quotes: options.items * slots.length, idle, later, first, walBytes: kept.walBytes ?? Number.NaN };
  } finally {
    await Promise.all([writer.stop(), charger.stop()]);
  }
}

/** What the frames of a smaller market take up, written one after another by the service's own code. */
async function measureStorage({ data, options, progress }: Parts): Promise<HistoryResults["storage"]> {
  const size = { items: Math.max(tenth, Math.floor(options.items / tenth)), days: storageDays };
  const path = join(data.folder, "storage.db");
  createDatabase(path, () => {});
  const database = openWriter(path, busyMs);
  try {
    const market = new Market(size);
    database.$client.pragma("synchronous = OFF");
    addMarketFeed(database);
    const before = fileBytes(database);
    progress.phase("frames of a smaller market", market.hours);
    for (let hour = 0; hour < market.hours; hour += 1) {
      for (const _ of writeFrame(database, market, hour));
      progress.advance(1);
      await turn();
    }
    const bytesPerQuote = (fileBytes(database) - before) / (size.items * market.hours * slots.length);
    return { ...size, changePercent, bytesPerQuote };
  } finally {
    database.$client.close();
  }
}

function fileBytes({ $client: client }: Database): number {
  const pragma = (name: string) => client.pragma(name, { simple: true }) as number;
  return (pragma("page_count") - pragma("freelist_count")) * pragma("page_size");
}
