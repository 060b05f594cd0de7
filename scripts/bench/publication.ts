import { join } from "node:path";
import { publishInBatches } from "../../src/import/quotes/publish.ts";
import { type Database, openWriter, writeTransaction } from "../../src/store/database.ts";
import { GenerationsStore } from "../../src/store/generations.ts";
import SqliteDatabase from "../../src/store/sqlite.mjs";
import { type BatchStats, importBusyMs } from "../../src/store/write/batches.ts";
import { sealExportInBatches } from "../../src/store/write/export-pages.ts";
import { systemClock } from "../../src/values/clock.ts";
import { type Bench, type Figures, measureRounds, median, stopwatch, type Table } from "./rounds.ts";

const commits = 20;
const askProvider = "bench-g";

/** Removes the sealed pages of a file. */
export function removePages(path: string): void {
  const database = openWriter(path, importBusyMs);
  database.$client.exec("DELETE FROM export_pages");
  database.$client.close();
}

/** Returns the milliseconds of a small durable commit, the median of some. */
export function commitMs(folder: string): number {
  const client = new SqliteDatabase(join(folder, "commits.db"));
  client.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE IF NOT EXISTS commits (at REAL)");
  const insert = client.prepare("INSERT INTO commits VALUES (1)");
  const times = Array.from({ length: commits }, () => {
    const since = stopwatch();
    insert.run();
    return since().ms;
  });
  client.close();
  return median(times);
}

/** Measures a publication of another feed with a price for every item, and the sealing that is a part of it. */
export async function measurePublication(bench: Bench): Promise<Table> {
  const { data } = bench;
  const database = openWriter(data.setup(true).database, importBusyMs);
  const cases = {
    "a publication": async (round: number) => measured(publishPrices(database, data.items, () => round)),
    "its sealing": async () => sealAgain(database),
  };
  try {
    const rounds = await measureRounds(bench, "publications", cases);
    const whole = rounds["a publication"]!;
    const sealing = rounds["its sealing"]!["CPU ms"]!;
    const ratios = whole["CPU ms"]!.map((ms, index) => ms / (ms - sealing[index]!));
    return {
      title: `Publication of ${data.items} items`,
      cases: { ...rounds, "a publication ÷ the same without sealing": { ratio: ratios } },
    };
  } finally {
    database.$client.close();
  }
}

/** Publishes another feed with a price for every item. An item's price changes whenever `turnOf` gives another number for it. */
export function publishPrices(database: Database, count: number, turnOf: (itemId: number) => number) {
  const items = new Map(
    Array.from({ length: count }, (_, index) => {
      const amountCents = 100 + ((index * 7919 + turnOf(index + 1)) % 90_000);
      const ask = { provider: askProvider, amountCents, quantity: 1, url: null, observedAt: null };
      return [index + 1, { asks: [ask], bids: [] }];
    }),
  );
  const providers = [{ provider: askProvider, name: askProvider, kind: "cash" as const }];
  const facts = { feed: askProvider, adapter: "canonical", providers };
  return publishInBatches(database, { facts, items }, { clock: systemClock });
}

function sealAgain(database: Database): Figures {
  writeTransaction(database, () => database.$client.exec("DELETE FROM export_pages"));
  const { generationId } = new GenerationsStore(database).current()!;
  return measured(sealExportInBatches(database, generationId, systemClock));
}

function measured(batches: Generator<BatchStats, unknown>): Figures {
  const since = stopwatch();
  const held = Array.from(batches, ({ lockHeldMs }) => lockHeldMs);
  const { cpuMs, ms } = since();
  return { "CPU ms": cpuMs, ms, "lock p50 ms": median(held), "longest lock ms": Math.max(...held) };
}
