import { statSync } from "node:fs";
import { createHistogram } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { type Database, openReader, openWriter } from "../../../src/store/database.ts";
import { createDatabase } from "../../../src/store/file.ts";
import { importBusyMs, pauseAfter } from "../../../src/store/write/batches.ts";
import { systemClock } from "../../../src/values/clock.ts";
import { type Child, startChild } from "../child.ts";
import { type Bench, type Figures, measureRounds, type Table } from "../rounds.ts";
import { addMarketFeed, changePercent, firstDay, flush, quotesPerItem, storeDays, writeFrame } from "./market.ts";

const laterFramesMax = 5;
const storageDays = 3;

/** Measures frames as a mirror writes them, in this process, and charges in another. */
export async function measureFrames(bench: Bench): Promise<Table> {
  const { data, cores, options } = bench;
  const { items, seconds } = options;
  const laterCount = Math.min(options.rounds, laterFramesMax);
  let hour = 24 - laterCount - 1;
  const { database: path } = data.setup(true);
  const database = openWriter(path, importBusyMs);
  addMarketFeed(database);
  storeDays(database, items, [firstDay], hour);
  flush(database);
  database.$client.pragma("wal_autocheckpoint = 0");
  const charger: Child<typeof import("./charger.ts")> = await startChild("./history/charger.ts", cores.server);
  const charging = async (work: () => Promise<Figures | undefined>) => {
    await charger.call("start");
    const figures = await work();
    return { ...figures, ...(await charger.call("finish")) };
  };
  const alone = () => charging(() => sleep(seconds * 1000, undefined));
  const frame = () => charging(() => writeMeasuredFrame(database, items, hour++));
  try {
    await charger.call("open", path);
    await alone();
    const late = { "late on a day": frame, "charges alone": alone };
    const cases = await measureRounds(bench, "frames beside charges", late, laterCount);
    const logMb = logMbOfFrame(database, items, hour++);
    Object.assign(cases, await measureRounds(bench, "the first frame of a day", { "first of a day": frame }, 1));
    const title = `Frames of ${items * quotesPerItem} quotes beside charges; one late on a day adds ${logMb.toFixed(1)} MB to the log`;
    return { title, cases };
  } finally {
    database.$client.close();
    await charger.stop();
  }
}

/** Measures what the frames of a smaller market take up. */
export function measureStorage({ data, options, progress }: Bench): Table {
  const items = Math.max(10, Math.floor(options.items / 10));
  const path = `${data.folder}/storage.db`;
  createDatabase(path, () => {});
  const database = openWriter(path, 0);
  const pragma = (name: string) => database.$client.pragma(name, { simple: true }) as number;
  const usedBytes = () => (pragma("page_count") - pragma("freelist_count")) * pragma("page_size");
  database.$client.pragma("synchronous = OFF");
  addMarketFeed(database);
  const before = usedBytes();
  const hours = storageDays * 24;
  progress.phase("frames of a smaller market", hours);
  for (let hour = 0; hour < hours; hour += 1) {
    for (const _ of writeFrame(database, items, hour));
    progress.advance(1);
  }
  const bytes = (usedBytes() - before) / (items * hours * quotesPerItem);
  database.$client.close();
  const title = `Stored hourly quotes: ${items} items, ${storageDays} days, ${changePercent} % of the quotes change each hour`;
  return { title, cases: { "a stored hourly quote": { bytes: [bytes] } } };
}

/** Writes a frame as a mirror does. `seconds` with the pauses in which others write, `locked s`: in which nobody else could. */
async function writeMeasuredFrame(database: Database, items: number, hour: number): Promise<Figures> {
  const locksUs = createHistogram();
  let lockedMs = 0;
  const startedMs = systemClock.monotonicMs();
  for (const batch of writeFrame(database, items, hour)) {
    locksUs.record(Math.max(1, Math.round(batch.lockHeldMs * 1000)));
    lockedMs += batch.lockHeldMs;
    await pauseAfter(batch);
  }
  return {
    seconds: (systemClock.monotonicMs() - startedMs) / 1000,
    "locked s": lockedMs / 1000,
    transactions: locksUs.count,
    "lock ms, 9 of 10": locksUs.percentile(90) / 1000,
    "longest lock ms": locksUs.max / 1000,
  };
}

/** Writes a frame and returns the MB of its log. A reader keeps the log from being used anew. */
function logMbOfFrame(database: Database, items: number, hour: number): number {
  const path = database.$client.name;
  database.$client.pragma("wal_checkpoint(TRUNCATE)");
  const { $client: reader } = openReader(path);
  reader.exec("BEGIN; SELECT count(*) FROM sqlite_schema");
  for (const _ of writeFrame(database, items, hour));
  reader.close();
  return statSync(`${path}-wal`).size / 1e6;
}
