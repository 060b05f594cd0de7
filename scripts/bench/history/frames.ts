import { statSync } from "node:fs";
import { type Database, openReader, openWriter } from "../../../src/store/database.ts";
import { createDatabase } from "../../../src/store/file.ts";
import { importBusyMs, pauseAfter } from "../../../src/store/write/batches.ts";
import { systemClock } from "../../../src/values/clock.ts";
import { type Child, startChild } from "../child.ts";
import { addFigures, type Bench, type Series, type Table } from "../rounds.ts";
import { quantile } from "../statistics.ts";
import { changePercent, firstDay, quotesPerItem } from "./market.ts";
import { addMarketFeed, flush, storeDays, writeFrame } from "./recorded.ts";

const laterFramesMax = 5;
const storageDays = 3;

/** Measures frames as a mirror writes them, in this process, and charges in another. */
export async function measureFrames({ data, cores, options, progress }: Bench): Promise<Table> {
  const { items, seconds } = options;
  const laterCount = Math.min(options.rounds, laterFramesMax);
  const hours = 24 - laterCount - 1;
  progress.phase("frames beside charges", laterCount + 1);
  const { database: path } = data.setup(true);
  const database = openForFrames(path, items, hours);
  const charger: Child<typeof import("./charger.ts")> = startChild("./history/charger.ts", cores.server);
  const charging = async <T>(work: () => Promise<T>) => {
    await charger.call("start");
    const done = await work();
    return { ...done, ...(await charger.call("finish")) };
  };
  const chargingAlone = () => charging(() => new Promise<void>((resolve) => setTimeout(resolve, seconds * 1000)));
  const [late, first, alone]: Series[] = [{}, {}, {}];
  const write = async (series: Series, hour: number) => {
    addFigures(alone!, await chargingAlone());
    addFigures(series, await charging(() => writeMeasuredFrame(database, items, hour)));
    progress.advance(1);
  };
  try {
    await charger.call("open", path);
    await chargingAlone();
    for (let hour = hours; hour < 23; hour += 1) await write(late!, hour);
    const logMb = logMbOfFrame(database, items, 23);
    await write(first!, 24);
    const title = `Frames of ${items * quotesPerItem} quotes beside charges; one late on a day adds ${logMb.toFixed(1)} MB to the log`;
    return { title, cases: { "late on a day": late!, "first of a day": first!, "charges alone": alone! } };
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

/** Opens a file for frames and stores the first hours of the market in it. */
function openForFrames(path: string, items: number, hours: number): Database {
  const database = openWriter(path, importBusyMs);
  database.$client.pragma("synchronous = OFF");
  addMarketFeed(database);
  storeDays(database, items, [firstDay], hours);
  flush(database);
  database.$client.pragma("wal_autocheckpoint = 0");
  return database;
}

/** Writes a frame as a mirror does. `seconds` with the pauses in which others write, `locked s`: in which nobody else could. */
async function writeMeasuredFrame(database: Database, items: number, hour: number) {
  const heldMs: number[] = [];
  const startedMs = systemClock.monotonicMs();
  for (const step of writeFrame(database, items, hour)) {
    heldMs.push(step.lockHeldMs);
    await pauseAfter(step);
  }
  return {
    seconds: (systemClock.monotonicMs() - startedMs) / 1000,
    "locked s": heldMs.reduce((sum, ms) => sum + ms, 0) / 1000,
    transactions: heldMs.length,
    "lock ms, 9 of 10": quantile(heldMs, 0.9),
    "longest lock ms": Math.max(...heldMs),
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
