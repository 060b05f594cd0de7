import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { MarketSnapshot, partsOf, SnapshotBroken, type SnapshotPage } from "../../src/domain/market-snapshot.ts";
import { publishInBatches } from "../../src/import/quotes/publish.ts";
import { openReader, openWriter } from "../../src/store/database.ts";
import { MarketSnapshotStore } from "../../src/store/market-snapshot.ts";
import { importBusyMs, runAtOnce } from "../../src/store/write/batches.ts";
import { dayMs } from "../../src/values/calendar.ts";
import { createDataSet, pagesOf } from "./data-set.ts";
import type { Bench, Closing, Figures } from "./table.ts";

const exportsMax = 1000;
/** A small market, such as that of a test, has fewer readers. */
const itemsPerExport = 30;
/** A market of so many items stands for that of the data set: each of its bytes takes as much longer to read. */
const itemsUsual = 600;
const minuteMs = 60_000;

/** Returns how many exports of a market begin in a day. */
export function exportsOfDay(items: number): number {
  return Math.min(exportsMax, Math.ceil(items / itemsPerExport));
}

/** What a reader takes in a second, and how often the mirror publishes. */
type Pace = { bytesPerSecond: number; pauseMin: number };

/**
 * Opens a day in which a mirror publishes as often as its pause allows, and clients take exports at times of their own. The clock is
 * virtual; the market, its publications and the exports are real. What it returns counts the exports that end as changed.
 */
export async function openDay({ data }: Bench, closing: Closing) {
  const folder = join(data.folder, "day");
  mkdirSync(folder);
  const small = createDataSet(folder, Math.min(itemsUsual, data.items), 1);
  const scale = data.exportBytes / small.exportBytes;
  const path = small.copy().database;
  const [writer, reader] = [openWriter(path, importBusyMs), openReader(path)];
  closing.push(() => void [writer, reader].map(({ $client }) => $client.close()));
  const snapshot = new MarketSnapshot(new MarketSnapshotStore(reader));
  let published = 0;
  const publish = (at: number) => {
    published += 1;
    const ask = { provider: "day", amountCents: published, quantity: 1, url: null, observedAt: null };
    const providers = [{ provider: "day", name: "Day", kind: "cash" as const }];
    const items = new Map([[1, { asks: [ask], bids: [] }]]);
    const clock = { now: () => Math.floor(at), monotonicMs: () => at };
    runAtOnce(publishInBatches(writer, { facts: { feed: "day", adapter: "canonical", providers }, items }, { clock }));
  };
  return ({ bytesPerSecond, pauseMin }: Pace): Figures => {
    const pauseMs = pauseMin * minuteMs;
    const ended = (isPacked: boolean) => {
      const msOf = (page: SnapshotPage) => (bytesOf(page, isPacked) * scale * 1000) / bytesPerSecond;
      /** Returns whether an export that begins at `at` ends as changed. What was published before is of no concern to it. */
      const isEnded = (at: number) => {
        let nowMs = at;
        let nextMs = (Math.floor(at / pauseMs) + 1) * pauseMs;
        try {
          for (const page of pagesOf(snapshot.open({ requestId: "req_day", at }), 1)) {
            nowMs += msOf(page);
            if (nowMs < nextMs) continue;
            publish(nowMs);
            nextMs += pauseMs;
          }
          return false;
        } catch (error) {
          if (error instanceof SnapshotBroken && error.code === "snapshot_changed") return true;
          throw error;
        }
      };
      const whole = pagesOf(snapshot.open({ requestId: "req_day", at: 0 }), 1);
      const wholeMs = Array.from(whole, msOf).reduce((sum, ms) => sum + ms, 0);
      // One that no publication comes into is whole, and need not be read.
      return startsOfDay(exportsOfDay(data.items)).filter((at) => (at % pauseMs) + wholeMs >= pauseMs && isEnded(at))
        .length;
    };
    return { "ended, plain": ended(false), "ended, gzip": ended(true) };
  };
}

/** Returns when the exports of a day begin, ms; the same in each run, by the generator of Numerical Recipes. */
function startsOfDay(count: number): number[] {
  let random = 17;
  return Array.from({ length: count }, () => {
    random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((random / 2 ** 32) * dayMs);
  }).sort((one, other) => one - other);
}

function bytesOf(page: SnapshotPage, isPacked: boolean): number {
  const sizes = partsOf(page).map((part) =>
    Buffer.isBuffer(part) ? part.length : isPacked ? part.deflated.length : part.bytes,
  );
  return sizes.reduce((sum, bytes) => sum + bytes, 0);
}
