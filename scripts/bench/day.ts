import { MarketSnapshot, partsOf, SnapshotBroken, type SnapshotPage } from "../../src/domain/market-snapshot.ts";
import { publishInBatches } from "../../src/import/quotes/publish.ts";
import { openReader, openWriter } from "../../src/store/database.ts";
import { GenerationsStore } from "../../src/store/generations.ts";
import { MarketSnapshotStore } from "../../src/store/market-snapshot.ts";
import { importBusyMs, runAtOnce } from "../../src/store/write/batches.ts";
import { createDataSet } from "./data-set.ts";
import type { Bench, Series, Tables } from "./rounds.ts";

const exportsMax = 1000;
/** A small market, such as that of a test, has fewer readers. */
const itemsPerExport = 30;
const dayMs = 24 * 3600 * 1000;
const minuteMs = 60_000;
/** A market of so many items stands for that of the data set: each of its bytes takes as much longer to read. */
const itemsUsual = 600;
/** Bytes per second. */
const readers = { "100 Mbit/s": 12.5e6, "20 Mbit/s": 2.5e6, "8 Mbit/s": 1e6 };
const pausesMin = [5, 2, 1];

/**
 * Simulates a day in which a mirror publishes as often as its pause allows and 1,000 clients take an export each, at times of their
 * own. The clock is virtual; the market, its publications and the exports are real. Counts the exports that end as changed.
 */
export function simulateDay({ data, options, progress }: Bench): Tables {
  const small = createDataSet(data.folder, Math.min(itemsUsual, options.items), 1);
  const scale = data.exportBytes / small.exportBytes;
  const path = small.setup(true).database;
  const exportsOfDay = Math.min(exportsMax, Math.ceil(options.items / itemsPerExport));
  const cases: Record<string, Series> = {};
  progress.phase("exports of a day", Object.keys(readers).length * pausesMin.length * 2);
  for (const [reader, bytesPerSecond] of Object.entries(readers)) {
    for (const pauseMin of pausesMin) {
      const ended = (gzip: boolean) => {
        const bytesOf = gzip ? packedBytes : plainBytes;
        const msOf = (page: SnapshotPage) => (bytesOf(page) * scale * 1000) / bytesPerSecond;
        const count = endedOfDay(path, { exportsOfDay, pauseMs: pauseMin * minuteMs, msOf });
        progress.advance(1);
        return [count];
      };
      const name = `${reader}, a publication each ${pauseMin} min`;
      cases[name] = { "ended, plain": ended(false), "ended, gzip": ended(true) };
    }
  }
  const title = `Exports of ${exportsOfDay} in a day that a publication ends, ${(data.exportBytes / 1e6).toFixed(1)} MB`;
  return { day: { title, cases } };
}

/** `msOf`: how long a reader takes for a page. */
type Day = { exportsOfDay: number; pauseMs: number; msOf: (page: SnapshotPage) => number };

/** Returns how many exports end as changed. */
function endedOfDay(path: string, day: Day): number {
  const { pauseMs } = day;
  const writer = openWriter(path, importBusyMs);
  const reader = openReader(path);
  const snapshot = new MarketSnapshot({
    generations: new GenerationsStore(reader),
    store: new MarketSnapshotStore(reader),
  });
  let nowMs = 0;
  let ended = 0;
  let published = 0;
  const clock = { now: () => Math.floor(nowMs), monotonicMs: () => nowMs };
  const publish = () => {
    published += 1;
    const ask = { provider: "day", amountCents: published, quantity: 1, url: null, observedAt: null };
    const providers = [{ provider: "day", name: "Day", kind: "cash" as const }];
    const items = new Map([[1, { asks: [ask], bids: [] }]]);
    runAtOnce(publishInBatches(writer, { facts: { feed: "day", adapter: "canonical", providers }, items }, { clock }));
  };
  for (const { startMs, durations } of startsOfDay(snapshot, day)) {
    // What was published until then is of no concern to it: one publication stands for all.
    const run = snapshot.open({ requestId: "req_day", at: startMs });
    let nextMs = (Math.floor(startMs / pauseMs) + 1) * pauseMs;
    nowMs = startMs;
    try {
      for (let page = run.next(1), index = 0; page !== null; page = run.next(1), index += 1) {
        nowMs += durations[index] ?? 0;
        if (nowMs < nextMs) continue;
        publish();
        nextMs += pauseMs;
      }
    } catch (error) {
      if (!(error instanceof SnapshotBroken) || error.code !== "snapshot_changed") throw error;
      ended += 1;
    }
  }
  reader.$client.close();
  writer.$client.close();
  return ended;
}

/** Yields the exports of a day in the order of their beginnings, with the milliseconds that each page takes. */
function* startsOfDay(snapshot: MarketSnapshot, { exportsOfDay, msOf }: Day) {
  const durations: number[] = [];
  const run = snapshot.open({ requestId: "req_day", at: 0 });
  for (let page = run.next(1); page !== null; page = run.next(1)) durations.push(msOf(page));
  // Numerical Recipes' generator: the same beginnings in each run.
  let random = 17;
  const starts = Array.from({ length: exportsOfDay }, () => {
    random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((random / 2 ** 32) * dayMs);
  });
  for (const startMs of starts.sort((a, b) => a - b)) yield { startMs, durations };
}

function plainBytes(page: SnapshotPage): number {
  return partsOf(page).reduce((sum, part) => sum + (Buffer.isBuffer(part) ? part.length : part.bytes), 0);
}

function packedBytes(page: SnapshotPage): number {
  return partsOf(page).reduce((sum, part) => sum + (Buffer.isBuffer(part) ? part.length : part.deflated.length), 0);
}
