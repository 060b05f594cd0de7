import { type Calculation, calculateIndexInBatches } from "../../../src/jobs/indexes/calculate.ts";
import { type Defined, defineIndexInBatches } from "../../../src/jobs/indexes/define.ts";
import { definitionLookup, readDefinition } from "../../../src/jobs/indexes/definition.ts";
import type { MemberGuardName } from "../../../src/jobs/indexes/guard-members.ts";
import { dailyChecksum } from "../../../src/store/codec/daily-checksum.ts";
import { type Database, writeTransaction } from "../../../src/store/database.ts";
import { runAtOnce } from "../../../src/store/write/batches.ts";
import { dayMs, parseDay } from "../../../src/values/time/calendar.ts";
import { MarketFile } from "../../support/market-file.ts";
import { unguarded } from "../../support/unguarded.ts";

/** A daily ask: `"2026-03-01"`, item, cents. */
export type Ask = [date: string, itemId: number, amount: number, observedAt?: number | null];

export const provider = "steam";

/** A market file with an index engine and a clock stopped at the start of a day. */
export class IndexWorld {
  readonly file = new MarketFile();
  readonly clock = { now: () => this.at, monotonicMs: () => 0 };
  at = instantOf("2026-02-01");

  constructor(items: number | readonly number[] = 4) {
    this.file.feed("steam", [provider], null);
    const ids = typeof items === "number" ? Array.from({ length: items }, (_, index) => index + 1) : items;
    for (const itemId of ids) this.file.item(itemId);
  }

  get writer(): Database {
    return this.file.writer;
  }

  /** Stores daily asks like a finalized day, and replaces existing rows. */
  asks(...asks: Ask[]): void {
    writeTransaction(this.writer, () => {
      for (const [date, itemId, amount, observedAt = null] of asks) this.price(date, itemId, { amount, observedAt });
    });
  }

  price(
    date: string,
    itemId: number,
    facts: { amount: number; side?: "ask" | "bid"; from?: string; observedAt?: number | null },
  ): void {
    putDaily(this.writer, { recordedAt: this.at, provider: facts.from ?? provider, itemId, date, ...facts });
  }

  define(facts: object = {}, accepted: readonly MemberGuardName[] = []): Defined {
    const declared = {
      index_id: "four",
      name: "Four",
      description: "",
      provider,
      weighting: "equal",
      base_date: "2026-03-01",
      base_value: "100",
      members: [1, 2, 3, 4].map((item_id) => ({ item_id })),
      ...facts,
    };
    return this.defineText(JSON.stringify(declared), accepted);
  }

  defineText(text: string, accepted: readonly MemberGuardName[] = []): Defined {
    const definition = readDefinition({ name: "index.json", bytes: Buffer.from(text) }, definitionLookup(this.writer));
    return runAtOnce(defineIndexInBatches(this.writer, definition, { clock: this.clock, accepted }));
  }

  /** Calculates as on the day `today`. */
  calculate(today: string, ...only: string[]): Calculation[] {
    return this.calculateFrom(undefined, today, only.length === 0 ? undefined : only);
  }

  /** Calculates as on the day `today`, and makes the levels from the day `from` on again. */
  calculateFrom(from: string | undefined, today: string, only?: readonly string[]): Calculation[] {
    this.at = instantOf(today);
    const order = { only, from: from === undefined ? undefined : parseDay(from)! };
    return runAtOnce(calculateIndexInBatches(this.writer, parseDay(today)!, { clock: this.clock }, order));
  }

  /** `date value` of every stored level. */
  levels(indexId = "four"): string[] {
    return this.rows<{ day: number; value: string | null }>(
      "SELECT day, value FROM index_levels WHERE index_id = ? ORDER BY day",
      indexId,
    ).map(({ day, value }) => `${new Date(day * dayMs).toISOString().slice(5, 10)} ${value}`);
  }

  rows<Row>(query: string, ...values: unknown[]): Row[] {
    const { $client } = this.writer;
    return unguarded($client, query, () => $client.prepare(query).all(...values) as Row[]);
  }

  remove(): void {
    this.file.remove();
  }
}

export type DailyFacts = {
  itemId: number;
  date: string;
  provider: string;
  amount: number;
  recordedAt: number;
  side?: "ask" | "bid";
  observedAt?: number | null;
};

export function putDaily({ $client }: Database, facts: DailyFacts): void {
  const { itemId, date, provider, amount, recordedAt, side = "ask", observedAt = null } = facts;
  const row = { itemId, side, day: parseDay(date)!, provider, amount, lowAmount: amount, highAmount: amount };
  const rest = { observations: 1, quantity: null, sourceObservedAt: observedAt, recordedAt, importId: null };
  const values = [...Object.values({ ...row, ...rest }), dailyChecksum({ ...row, ...rest })];
  $client.prepare(`INSERT OR REPLACE INTO daily_by_item VALUES (${values.map(() => "?").join()})`).run(...values);
}

/** Start of the UTC day. */
export function instantOf(date: string): number {
  return parseDay(date)! * dayMs;
}

/** The asks of the items 1, 2 and so on, on one day. Null for an item without an ask. */
export function asksOf(date: string, ...amounts: (number | null)[]): Ask[] {
  return amounts.flatMap((amount, index) => (amount === null ? [] : [[date, index + 1, amount] satisfies Ask]));
}

/** Another world, with more items. */
export function grown(world: IndexWorld, items: number): IndexWorld {
  world.remove();
  return new IndexWorld(items);
}

/** The first items as members. */
export function ids(count: number): { item_id: number }[] {
  return Array.from({ length: count }, (_, index) => ({ item_id: index + 1 }));
}

/** Of every stored level. */
export function column(world: IndexWorld, expression: string): unknown[] {
  return world
    .rows<{ found: unknown }>(`SELECT ${expression} AS found FROM index_levels ORDER BY index_id DESC, day`)
    .map(({ found }) => found);
}
