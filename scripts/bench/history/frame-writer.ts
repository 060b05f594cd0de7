import { statSync } from "node:fs";
import { type Database, openReader, openWriter } from "../../../src/store/database.ts";
import { pauseAfter } from "../../../src/store/write/batches.ts";
import { systemClock } from "../../../src/values/clock.ts";
import { answerCalls } from "../channel.ts";
import { quantile } from "../statistics.ts";
import { Market } from "./market.ts";
import { addMarketFeed, firstDay, storeDay, writeFrame } from "./recorded.ts";

/** `seconds` with the pauses in which others write; `lockSeconds` is the time in which nobody else could. */
export type FrameFigures = {
  seconds: number;
  lockSeconds: number;
  transactions: number;
  holdMsMost: number;
  lockHeldMsMax: number;
  /** Null unless it was asked for. */
  walBytes: number | null;
};

const busyMs = 5000;

/** Writes frames as a mirror does, in a process of its own. */
let opened: { path: string; writer: Database; market: Market } | null = null;

answerCalls(
  {
    open({ path, items, hours }: { path: string; items: number; hours: number }): void {
      const writer = openWriter(path, busyMs);
      const market = new Market({ items, days: 2 });
      writer.$client.pragma("synchronous = OFF");
      addMarketFeed(writer);
      storeDay(writer, market, { day: firstDay, hours });
      // All of it goes to the disk now, and not beside the charges.
      writer.$client.pragma("synchronous = FULL");
      writer.$client.pragma("wal_checkpoint(TRUNCATE)");
      writer.$client.pragma("wal_autocheckpoint = 0");
      opened = { path, writer, market };
    },
    write: ({ hour, keepLog }: { hour: number; keepLog: boolean }) => (keepLog ? writeKeepingLog(hour) : write(hour)),
  },
  () => void opened?.writer.$client.close(),
);

async function write(hour: number): Promise<FrameFigures> {
  const { writer, market } = opened!;
  const holds: number[] = [];
  const steps = writeFrame(writer, market, hour);
  const startedMs = systemClock.monotonicMs();
  for (const held of steps) {
    holds.push(held.lockHeldMs);
    await pauseAfter(held);
  }
  return {
    seconds: (systemClock.monotonicMs() - startedMs) / 1000,
    lockSeconds: holds.reduce((sum, lockHeldMs) => sum + lockHeldMs, 0) / 1000,
    transactions: holds.length,
    holdMsMost: quantile(holds, 0.9),
    lockHeldMsMax: Math.max(...holds),
    walBytes: null,
  };
}

/** A reader keeps the log from being used anew, so that its size is what the frame wrote. */
async function writeKeepingLog(hour: number): Promise<FrameFigures> {
  const { path, writer } = opened!;
  writer.$client.pragma("wal_checkpoint(TRUNCATE)");
  const reader = openReader(path);
  reader.$client.exec("BEGIN; SELECT count(*) FROM sqlite_schema");
  try {
    const figures = await write(hour);
    return { ...figures, walBytes: statSync(`${path}-wal`).size };
  } finally {
    reader.$client.close();
  }
}
