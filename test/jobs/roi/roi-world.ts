import { calculateRoi, type RoiParts, type RoiRun } from "../../../src/jobs/roi/calculate.ts";
import type { CalculationNumbers, LedgerEntry, ValuationMode } from "../../../src/roi/calculation.ts";
import { dayMs, hourMs } from "../../../src/values/time/calendar.ts";
import type { ArmedFailpoints } from "../../support/armed-failpoints.ts";
import { MarketFile, type QuoteFacts } from "../../support/market-file.ts";
import { insertPool, type OutcomeFacts, type PoolFacts } from "../../support/pools.ts";
import { putDaily } from "../indexes/index-world.ts";

/** Noon of a day since 1970. */
export const today = 20_600;
export const noon = today * dayMs + 12 * hourMs;
export const container = 1000;

// biome-ignore lint/suspicious/noExplicitAny: a test reads the columns that it expects.
type Row = Record<string, any>;

/**
 * A market file with the providers steam (main platform), alpha and beta (cash) and swap (trade). It has 20 items (3 and 4 are phases) and
 * the containers 1000 to 1003. Its clock is stopped at noon.
 */
export class RoiWorld {
  readonly file = new MarketFile();
  at = noon;
  readonly clock = { now: () => this.at, monotonicMs: () => 0 };
  #generationId = 0;

  constructor() {
    const { writer } = this.file;
    writer.$client.pragma("synchronous = 0");
    this.file.feed("steam", ["steam"], null);
    this.file.feed("cash", ["alpha", "beta"], null);
    this.file.feed("swap", ["swap"], null);
    writer.$client.exec(`UPDATE providers SET kind = 'main_platform' WHERE provider = 'steam';
      UPDATE providers SET kind = 'trade' WHERE provider = 'swap'`);
    writer.$client.transaction(() => {
      for (let id = 1; id <= 20; id += 1) this.file.item(id, { phase: phases[id] ?? null });
      for (let id = container; id < container + 4; id += 1) this.file.item(id);
    })();
  }

  /** A pool of equally likely items of one tier, unless its outcomes are given. */
  pool(slug: string, facts: Partial<PoolFacts> & { items?: readonly number[] } = {}): string {
    const { items = [1, 2], itemId = container, ...more } = facts;
    const outcomes: OutcomeFacts[] = items.map((id) => ({ itemId: id, tier: "all", numerator: 1 }));
    return insertPool(this.file.writer, { slug, itemId, outcomes, keyCostCents: 249, ...more }).revisionId ?? "";
  }

  /** Publishes exactly these asks: `[item id, provider, cents, source time]`. */
  publish(...asks: [itemId: number, provider: string, amount: number, asOf?: string][]): void {
    const quoted: Record<number, { asks: QuoteFacts[] }> = {};
    for (const [itemId, provider, amount, asOf = null] of asks) {
      quoted[itemId] ??= { asks: [] };
      quoted[itemId].asks.push({ provider, amount, as_of: asOf });
    }
    this.#generationId += 1;
    this.file.publish(this.#generationId, this.at, quoted);
  }

  /** Adds a daily ask with the highest price `amount`, `daysAgo` days before the clock's day. */
  daily(itemId: number, provider: string, daysAgo: number, amount: number, side: "ask" | "bid" = "ask"): void {
    const date = new Date(this.at - daysAgo * dayMs).toISOString().slice(0, 10);
    putDaily(this.file.writer, { recordedAt: 1, provider, itemId, date, amount, side });
  }

  run(parts: Partial<RoiParts> & { failpoints?: ArmedFailpoints } = {}): RoiRun {
    return calculateRoi(this.file.writer, { clock: this.clock, ...parts });
  }

  rows(table: string): Row[] {
    const select = this.file.reader.$client.prepare(`SELECT * FROM ${table} ORDER BY 1, 2, 3, 4, 5`);
    return select.all() as Row[];
  }

  /** The current calculation with parsed JSON, or null without one. */
  current(slug: string, mode: ValuationMode = "cash_ask"): Current | null {
    const row = this.rows("roi_calculations").find((row) => row.slug === slug && row.valuation_mode === mode);
    return row === undefined
      ? null
      : { row, numbers: JSON.parse(row.numbers as string), ledger: JSON.parse(row.ledger as string) };
  }
}

export type Current = { row: Row; numbers: CalculationNumbers; ledger: (LedgerEntry | 0)[] };

const phases: Record<number, string> = { 3: "Ruby", 4: "Phase 1" };
