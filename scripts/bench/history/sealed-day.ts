import { HistoryDays } from "../../../src/domain/history-days.ts";
import { plainLines } from "../../../src/domain/market-snapshot.ts";
import { openReader, openWriter } from "../../../src/store/database.ts";
import { DayExports } from "../../../src/store/day-exports.ts";
import { SealedDaysStore } from "../../../src/store/sealed-days.ts";
import { importBusyMs, runAtOnce } from "../../../src/store/write/batches.ts";
import { sealDaysInBatches } from "../../../src/store/write/seal-days.ts";
import { systemClock } from "../../../src/values/clock.ts";
import { type Bench, type Figures, measureRounds, stopwatch, type Table } from "../rounds.ts";
import { addDailyAsks, providers, today } from "./market.ts";

const resolutions = ["hourly", "daily"] as const;

/** Measures in this process what it takes to seal the last day of a recorded history, and to read its exports. */
export async function measureSealedDay(
  bench: Bench,
  { database: path, items }: Pick<Bench["data"], "items"> & { database: string },
): Promise<Table> {
  const writer = openWriter(path, importBusyMs);
  // Of the first provider one item in ten has a row already.
  addDailyAsks(writer, { first: 1, every: 1, last: items - 1 }, providers.slice(1), { days: 1, today });
  const sealing = stopwatch();
  runAtOnce(sealDaysInBatches(writer, today, systemClock, { daysMax: 1 }));
  const cases: Table["cases"] = { sealing: { "CPU s": [sealing().cpuMs / 1000] } };
  writer.$client.close();
  const reader = openReader(path);
  const days = new HistoryDays({ list: new SealedDaysStore(reader), exports: new DayExports(reader) });
  const read = (resolution: (typeof resolutions)[number]) => async (): Promise<Figures> => {
    const used = stopwatch();
    const run = days.open(
      { day: today - 1, resolution, selection: null },
      { requestId: "bench", at: systemClock.now() },
    );
    let bytes = 0;
    for (let page = run.next(); page !== null; page = run.next()) bytes += plainLines(page).length;
    const seconds = used().cpuMs / 1000;
    return { "CPU s": seconds, MB: bytes / 1e6, "MB per CPU s": bytes / 1e6 / seconds };
  };
  const reads = Object.fromEntries(resolutions.map((resolution) => [`reading it, ${resolution}`, read(resolution)]));
  Object.assign(cases, await measureRounds(bench, "sealed days", reads, Math.min(3, bench.options.rounds)));
  reader.$client.close();
  return { title: `A sealed day of ${items} items in process`, cases };
}
