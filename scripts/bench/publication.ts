import { HistoryDays } from "../../src/domain/history-days.ts";
import { plainLines } from "../../src/domain/market-snapshot.ts";
import { type Database, openReader, writeTransaction } from "../../src/store/database.ts";
import { DayExports } from "../../src/store/read/day-exports.ts";
import { GenerationsStore } from "../../src/store/read/generations.ts";
import { SealedDaysStore } from "../../src/store/read/sealed-days.ts";
import { type BatchStats, runAtOnce } from "../../src/store/write/batches.ts";
import { sealExportInBatches } from "../../src/store/write/export-pages.ts";
import { finalizeDaysInBatches } from "../../src/store/write/finalize-days.ts";
import { sealDaysInBatches } from "../../src/store/write/seal-days.ts";
import { systemClock } from "../../src/values/time/clock.ts";
import { quotesPerItem } from "../support/large-market.ts";
import { median } from "../support/numbers.ts";
import { type Closing, firstDay, openMarket, pagesOf, publishPrices, writeFrame } from "./data-set.ts";
import { stopwatch } from "./machine.ts";
import type { Bench, Figures } from "./table.ts";

/** Frames of the evening, which belong to the longest segments. */
const lastFrames = 6;

/** Measures a publication with its sealing, and that of the sealing alone, which is done again. */
export function measurePublication(database: Database, items: number, round: number): Figures {
  const whole = measureBatches(publishPrices(database, items, () => round));
  writeTransaction(database, () => database.$client.exec("DELETE FROM export_pages"));
  const { generationId } = new GenerationsStore(database).current()!;
  const sealing = measureBatches(sealExportInBatches(database, generationId, systemClock))["CPU ms"];
  return { ...whole, "sealing CPU ms": sealing, "without sealing": whole["CPU ms"] / (whole["CPU ms"] - sealing) };
}

function measureBatches(batches: Generator<BatchStats, unknown>) {
  const since = stopwatch();
  const held = Array.from(batches, ({ lockHeldMs }) => lockHeldMs);
  const { cpuMs, ms } = since();
  return { "CPU ms": cpuMs, ms, "longest lock ms": Math.max(...held) };
}

/** Records the frames of a day, finalizes and seals it, and opens its export. */
export async function openSealedDay({ data }: Bench, closing: Closing) {
  const { items } = data;
  const { database: path } = data.copy();
  const writer = openMarket(path, closing);
  const pragma = (name: string) => writer.$client.pragma(name, { simple: true }) as number;
  const usedBytes = () => (pragma("page_count") - pragma("freelist_count")) * pragma("page_size");
  const before = usedBytes();
  const frames = Array.from({ length: 24 }, (_, hour) => measureBatches(writeFrame(writer, items, hour)));
  const quoteBytes = (usedBytes() - before) / (items * 24 * quotesPerItem);
  runAtOnce(finalizeDaysInBatches(writer, firstDay + 1, systemClock));
  const sealing = measureBatches(sealDaysInBatches(writer, firstDay + 1, systemClock, { daysMax: 1 }));
  const reader = openMarket(path, closing, openReader);
  const days = new HistoryDays({ list: new SealedDaysStore(reader), exports: new DayExports(reader) });
  const read = (resolution: "hourly" | "daily"): Figures => {
    const since = stopwatch();
    const run = days.open(
      { day: firstDay, resolution, selection: null },
      { requestId: "bench", at: systemClock.now() },
    );
    const bytes = Array.from(pagesOf(run), (page) => plainLines(page).length).reduce((sum, length) => sum + length, 0);
    const seconds = since().cpuMs / 1000;
    return { "CPU s": seconds, MB: bytes / 1e6, "MB per CPU s": bytes / 1e6 / seconds };
  };
  // The segment of a day grows: its last frames take longest.
  const last = frames.slice(-lastFrames);
  const frame = {
    "CPU s": median(last.map((one) => one["CPU ms"])) / 1000,
    "longest lock ms": median(last.map((one) => one["longest lock ms"])),
    "bytes per quote": quoteBytes,
  };
  return { frame, sealing: { "CPU s": sealing["CPU ms"] / 1000 }, read };
}
