import { join } from "node:path";
import { MarketSnapshot, partsOf, SnapshotBroken, type SnapshotPage } from "../../src/domain/market-snapshot.ts";
import { openReader } from "../../src/store/database.ts";
import { MarketSnapshotStore } from "../../src/store/read/market-snapshot.ts";
import { runAtOnce } from "../../src/store/write/batches.ts";
import { dayMs, minuteMs } from "../../src/values/time/calendar.ts";
import { createLargeMarket } from "../support/large-market.ts";
import { randomOf } from "../support/numbers.ts";
import { type Closing, openMarket, pagesOf, publishPrices } from "./data-set.ts";
import type { Bench, Figures } from "./table.ts";

const exportsMax = 1000;
/** A small market, such as that of a test, has fewer readers. */
const itemsPerExport = 30;
/** A market of so many items stands for that of the data set: each of its bytes takes as much longer to read. */
const itemsUsual = 600;
const startsSeed = 17;

/** Returns how many exports of a market begin in a day. */
export function exportsOfDay(items: number): number {
  return Math.min(exportsMax, Math.ceil(items / itemsPerExport));
}

/**
 * Opens a day in which a mirror publishes as often as its pause allows, and clients take exports at times of their own. The clock is
 * virtual; the market, its publications and the exports are real. What it returns counts the exports that end as changed, by what a
 * reader takes in a second and the pause.
 */
export async function openDay({ data }: Bench, closing: Closing) {
  const path = join(data.folder, "day.db");
  createLargeMarket(path, Math.min(itemsUsual, data.items), 0);
  const writer = openMarket(path, closing);
  const snapshot = new MarketSnapshot(new MarketSnapshotStore(openMarket(path, closing, openReader)));
  let published = 0;
  const publish = () => {
    published += 1;
    runAtOnce(publishPrices(writer, 1, () => published));
  };
  const pagesAt = (at: number) => pagesOf(snapshot.open({ requestId: "req_day", at }), 1);
  const sumOf = (of: (page: SnapshotPage) => number) => Array.from(pagesAt(0), of).reduce((sum, one) => sum + one, 0);
  const scale = data.exportBytes / sumOf((page) => bytesOf(page, false));
  /** Returns whether an export that begins at `at` ends as changed. What was published before is of no concern to it. */
  const isEnded = (at: number, pauseMs: number, msOf: (page: SnapshotPage) => number) => {
    let nowMs = at;
    let nextMs = (Math.floor(at / pauseMs) + 1) * pauseMs;
    try {
      for (const page of pagesAt(at)) {
        nowMs += msOf(page);
        if (nowMs < nextMs) continue;
        publish();
        nextMs += pauseMs;
      }
      return false;
    } catch (error) {
      if (error instanceof SnapshotBroken && error.code === "snapshot_changed") return true;
      throw error;
    }
  };
  const random = randomOf(startsSeed);
  const starts = Array.from({ length: exportsOfDay(data.items) }, () => Math.floor((random() / 2 ** 32) * dayMs));
  return (bytesPerSecond: number, pauseMin: number): Figures => {
    const pauseMs = pauseMin * minuteMs;
    const ended = (isPacked: boolean) => {
      const msOf = (page: SnapshotPage) => (bytesOf(page, isPacked) * scale * 1000) / bytesPerSecond;
      const wholeMs = sumOf(msOf);
      // One that no publication comes into is whole, and need not be read.
      return starts.filter((at) => (at % pauseMs) + wholeMs >= pauseMs && isEnded(at, pauseMs, msOf)).length;
    };
    return { "ended, plain": ended(false), "ended, gzip": ended(true) };
  };
}

function bytesOf(page: SnapshotPage, isPacked: boolean): number {
  const sizes = partsOf(page).map((part) =>
    Buffer.isBuffer(part) ? part.length : isPacked ? part.deflated.length : part.bytes,
  );
  return sizes.reduce((sum, bytes) => sum + bytes, 0);
}
