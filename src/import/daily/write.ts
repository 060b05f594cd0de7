import { createHash } from "node:crypto";
import { type Database, writeTransaction } from "../../store/database.ts";
import { type BatchStats, inShortTransactions } from "../../store/write/batches.ts";
import { DailyPriceWriter } from "../../store/write/daily-prices.ts";
import { FeedWriter } from "../../store/write/feeds.ts";
import type { Clock } from "../../values/clock.ts";
import type { Progress } from "../../values/progress.ts";
import type { FeedFile } from "../feed-file.ts";
import type { DailyWrite } from "./merge.ts";
import type { DailyReading } from "./reading.ts";

/** `at`: when the rows are recorded, UTC ms. */
export type DailyWriting = {
  body: FeedFile;
  adapter: string;
  reading: DailyReading;
  writes: readonly DailyWrite[];
  replace: boolean;
  at: number;
};

/**
 * Writes the import, then the rates that its rows were converted with, then the rows; its number. A row never comes before what it
 * refers to, so a crash leaves whole rows only.
 */
export function* writeDailyInBatches(
  database: Database,
  { body, adapter, reading, writes, replace, at }: DailyWriting,
  { clock, progress }: { clock: Clock; progress: Progress },
): Generator<BatchStats, number> {
  const store = new DailyPriceWriter(database);
  const bodyDigest = createHash("sha256").update(body.bytes).digest();
  const { facts, rates } = reading;
  let importId = 0;
  let startedMs = 0;
  writeTransaction(database, () => {
    startedMs = clock.monotonicMs();
    new FeedWriter(database).addInactive(facts);
    importId = store.startImport({ adapter, provider: facts.provider, bodyDigest, importedAt: at, replaces: replace });
  });
  yield { rows: 1, lockHeldMs: clock.monotonicMs() - startedMs };
  if (rates !== null) {
    const days = Array.from(new Set(writes.map(({ day }) => day))).sort((a, b) => a - b);
    const { currency } = rates;
    yield* inShortTransactions(database, clock, days, (day) => {
      const { ratePerUsd, source } = rates.rateOn(day)!;
      store.addRate({ importId, day, currency, ratePerUsd, source });
    });
  }
  progress.phase("writing daily rows", writes.length);
  const write = (row: DailyWrite) => store[replace ? "put" : "add"]({ ...row, recordedAt: at, importId });
  for (const held of inShortTransactions(database, clock, writes, write)) {
    progress.advance(held.rows);
    yield held;
  }
  return importId;
}
