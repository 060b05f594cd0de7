import { importCatalog } from "../../src/import/catalog/catalog-import.ts";
import { importQuotesAtOnce } from "../../src/import/quotes/quote-import.ts";
import type { Database } from "../../src/store/database.ts";
import { DailyPriceWriter } from "../../src/store/write/daily-prices.ts";
import { dayOf, hourMs } from "../../src/values/time/calendar.ts";
import { variantOf, worldAt } from "../import/quotes/quote-world.ts";
import { Random } from "../sim/random.ts";

export const itemCount = 300;
const provider = { provider: "bench", name: "Bench", kind: "cash" };

/** Returns the instant of a turn, UTC ms. */
export function atOf(turn: number): number {
  return worldAt + turn * 2 * hourMs;
}

/** Returns the catalog of a turn: every third one renames some items. */
export function catalogOf(turn: number) {
  const renames = Math.floor(turn / 3);
  return Array.from({ length: itemCount }, (_, index) =>
    variantOf({ marketHashName: index % 40 === renames % 40 ? `Item ${index} ${renames}` : `Item ${index}` }, index),
  );
}

/**
 * Runs an operator's turn. It changes the catalog, then imports, publishes and records a feed as the frame of its hour. It finalizes
 * complete days, and adds a daily row to an earlier day so that the day is sealed again. Equal turns write equal rows.
 */
export function writeTurn(database: Database, turn: number): void {
  const at = atOf(turn);
  const clock = { now: () => at, monotonicMs: () => performance.now() };
  importCatalog(database, catalogOf(turn), at);
  const figures = { lowAmount: 1, highAmount: 9_000, observations: 1, quantity: null, sourceObservedAt: null };
  const row = { itemId: 1 + (turn % itemCount), side: "ask" as const, provider: provider.provider, ...figures };
  if (turn > 0) {
    const day = dayOf(worldAt) - 1 - (turn % 3);
    new DailyPriceWriter(database, dayOf(at)).put({ ...row, day, amount: 100 + turn, recordedAt: at, importId: null });
  }
  const lines = Array.from({ length: itemCount }, (_, index) => {
    // Each item changes once in some fifty turns.
    const amount = 100 + new Random(index * 1000 + Math.floor((turn + index) / 50)).between(0, 8_000);
    return { item_id: index + 1, provider: provider.provider, side: "ask", amount, quantity: 1 };
  });
  const header = { format: "itemtape-feed", version: 1, feed: "bench", providers: [provider] };
  const text = [header, ...lines, { end: true, quotes: lines.length }].map((line) => JSON.stringify(line)).join("\n");
  const body = { name: `turn ${turn}`, bytes: Buffer.from(text) };
  importQuotesAtOnce(database, body, { adapter: "canonical" }, { clock });
}
