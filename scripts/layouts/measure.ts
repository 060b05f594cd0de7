import { deepStrictEqual } from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import type { Progress } from "../../src/ingest/progress.ts";
import { type Database, openReader, openWriter } from "../../src/store/database.ts";
import { createDatabase } from "../../src/store/file.ts";
import { systemClock } from "../../src/values/clock.ts";
import type { Layout, WindowRow } from "./layout.ts";
import { type Market, slots } from "./market.ts";
import { rowPerChange, rowPerHour } from "./row-layouts.ts";
import { daySegments } from "./segment-layout.ts";

export type Measured = {
  layout: string;
  bytesPerQuote: number;
  frame: FrameCost;
  windowRows: number;
  windowMicros: number;
};

/** `seconds` is work alone: the pauses between the transactions are left out. */
export type FrameCost = {
  seconds: number;
  transactions: number;
  /** How long one held the writer's lock: nine of ten, and the longest. */
  holdMsMost: number;
  holdMsMax: number;
  walBytes: number;
};

/** The last hours of the market, written as a mirror writes them. */
const measuredFrames = 4;
const windowRowsWanted = 1000;
const windowReads = 400;
const windowReadsAhead = 100;
const busyMs = 5000;

const layouts: Record<string, (writer: Database, reader: Database) => Layout> = {
  hours: rowPerHour,
  changes: rowPerChange,
  segments: daySegments,
};

/** Stores the market in each layout, below `folder`. Throws when two of them do not read back the same window. */
export async function* measureLayouts(market: Market, folder: string, progress: Progress): AsyncGenerator<Measured> {
  let expected: WindowRow[][] | null = null;
  for (const [name, open] of Object.entries(layouts)) {
    const path = join(folder, `${name}-${market.items}-${market.hours}.db`);
    createDatabase(path, () => {});
    const writer = openWriter(path, busyMs);
    const reader = openReader(path);
    try {
      const layout = open(writer, reader);
      const built = market.hours - measuredFrames;
      const bytes = await build(layout, writer, market, built, progress);
      const windowMicros = timeWindows(layout, market, built);
      const frame = writeFrames(layout, path, { writer, reader }, market);
      progress.end();
      const windows = [0, market.items >> 1, market.items - 1].map((item) => windowOf(layout, item, market.hours));
      expected ??= windows;
      deepStrictEqual(windows, expected, `${layout.name}: the window differs from that of the first layout`);
      const bytesPerQuote = bytes / (market.items * slots.length * built);
      yield { layout: layout.name, bytesPerQuote, frame, windowRows: windows[0]!.length, windowMicros };
    } finally {
      reader.$client.close();
      writer.$client.close();
    }
  }
}

/** Bytes that the file grew by. */
async function build(
  layout: Layout,
  writer: Database,
  market: Market,
  hours: number,
  progress: Progress,
): Promise<number> {
  const before = fileBytes(writer);
  writer.$client.pragma("synchronous = 0");
  for (const _ of layout.build(market, hours, progress)) await turn();
  writer.$client.pragma("synchronous = 2");
  return fileBytes(writer) - before;
}

function fileBytes({ $client: client }: Database): number {
  client.pragma("wal_checkpoint(TRUNCATE)");
  const pragma = (name: string) => client.pragma(name, { simple: true }) as number;
  return (pragma("page_count") - pragma("freelist_count")) * pragma("page_size");
}

/** Median of windows of items all over the market. */
function timeWindows(layout: Layout, market: Market, hours: number): number {
  const micros: number[] = [];
  for (let read = 0; read < windowReads; read += 1) {
    const item = (read * 7919) % market.items;
    const startedMs = systemClock.monotonicMs();
    windowOf(layout, item, hours);
    if (read >= windowReadsAhead) micros.push((systemClock.monotonicMs() - startedMs) * 1000);
  }
  return quantile(micros, 0.5);
}

/** The newest rows of an item's asks. */
function windowOf(layout: Layout, item: number, hours: number): WindowRow[] {
  const perHour = slots.filter(({ side }) => side === "ask").length;
  const first = Math.max(0, hours - Math.ceil(windowRowsWanted / perHour));
  return layout.window(item, first, hours - 1).slice(-windowRowsWanted);
}

function writeFrames(
  layout: Layout,
  path: string,
  { writer, reader }: { writer: Database; reader: Database },
  market: Market,
): FrameCost {
  const seconds: number[] = [];
  const holds: number[] = [];
  let walBytes = 0;
  let transactions = 0;
  for (let hour = market.hours - measuredFrames; hour < market.hours; hour += 1) {
    const isLast = hour === market.hours - 1;
    writer.$client.pragma("wal_checkpoint(TRUNCATE)");
    // A reader keeps the log from being used anew, so that its size is what the frame wrote; that frame is not timed.
    if (isLast) reader.$client.exec("BEGIN; SELECT count(*) FROM sqlite_schema");
    const steps = layout.writeFrame(market, hour);
    const startedMs = systemClock.monotonicMs();
    transactions = 0;
    for (const { heldMs } of steps) {
      holds.push(heldMs);
      transactions += 1;
    }
    if (!isLast) seconds.push((systemClock.monotonicMs() - startedMs) / 1000);
    else {
      walBytes = statSync(`${path}-wal`).size;
      reader.$client.exec("COMMIT");
    }
  }
  const holdMsMost = quantile(holds, 0.9);
  return { seconds: quantile(seconds, 0.5), transactions, holdMsMost, holdMsMax: Math.max(...holds), walBytes };
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)]!;
}
