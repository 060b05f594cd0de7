import { expect } from "chai";
import { ExchangeRates } from "../../src/domain/exchange-rates.ts";
import { Indexes } from "../../src/domain/indexes.ts";
import { importRatesAtOnce } from "../../src/import/rates/rate-import.ts";
import { historyChecksum } from "../../src/store/codec/calculation-checksum.ts";
import { type Database, writeTransaction } from "../../src/store/database.ts";
import { ExchangeRatesStore } from "../../src/store/read/exchange-rates.ts";
import { IndexesStore } from "../../src/store/read/indexes.ts";
import { CalculationWriter } from "../../src/store/write/calculations.ts";
import { spanKeeper } from "../../src/store/write/known-since.ts";
import { Failure } from "../../src/values/failure/failure.ts";
import { dayMs, dayOf, dayText, hourMs } from "../../src/values/time/calendar.ts";
import { toTimestamp } from "../../src/values/time/clock.ts";
import { asksOf, IndexWorld, ids } from "../jobs/indexes/index-world.ts";
import { Random } from "../sim/random.ts";
import { MarketFile } from "../support/market-file.ts";
import { insertPool } from "../support/pools.ts";
import { referenceOf } from "../support/reference.ts";
import { bySize } from "../support/size.ts";
import { openablesOf } from "./openables-world.ts";

type Page = { data: readonly unknown[]; meta: { next_page: string | null; known_at?: string } };
/** Reads a page at `at`, UTC ms. Pass the parameters without `known_at` for the live response. */
type Ask = (params: object, at: number) => Page;

const caller = { plan: "trader" } as const;
const steps = bySize({ short: 8, long: 200 });
const start = Date.UTC(2026, 2, 1);

/** Returns all pages in one text, or the refusal. Omits cursors and `known_at`, which differ from the live response. */
function wholeOf(ask: Ask, params: object, at: number): string {
  const texts: string[] = [];
  try {
    for (let after: string | null | undefined; after !== null; ) {
      const page = ask({ ...params, ...(after !== undefined && { after }) }, at);
      const { next_page, known_at: _, ...meta } = page.meta;
      texts.push(JSON.stringify({ data: page.data, meta, hasNext: next_page !== null }));
      after = next_page;
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    texts.push(`${error.code} ${error.message}`);
  }
  return texts.join("\n");
}

/** Live responses while the world changes, and the same requests with `known_at` afterwards. */
class Recorder {
  readonly #ask: Ask;
  readonly #requests: readonly object[];
  readonly #live: { params: object; at: number; text: string }[] = [];

  constructor(ask: Ask, requests: readonly object[]) {
    this.#ask = ask;
    this.#requests = requests;
  }

  /** Records the live responses just after a change at `at` (UTC ms), and just before the next one. */
  record(at: number, untilNextMs: number): void {
    for (const instant of [at, at + untilNextMs - 1])
      for (const params of this.#requests)
        this.#live.push({ params, at: instant, text: wholeOf(this.#ask, params, instant) });
  }

  expectSame(later: number): void {
    for (const { params, at, text } of this.#live) {
      const known = wholeOf(this.#ask, { ...params, known_at: toTimestamp(at) }, later);
      expect(known, `${JSON.stringify(params)} at ${toTimestamp(at)}`).to.equal(text);
    }
    expect(new Set(this.#live.map(({ text }) => text)).size).to.be.greaterThan(steps);
  }
}

describe("series as known at an instant", () => {
  const ratesOf = (reader: Database) =>
    new ExchangeRates({ store: new ExchangeRatesStore(reader), reference: referenceOf(reader) });

  it("are the exchange rates that were sent then", () => {
    const random = new Random(3);
    const file = new MarketFile();
    const rates = ratesOf(file.reader);
    const ask: Ask = (params, at) => rates.history(rates.prepareHistory(params as never, { at, caller }), at);
    const recorder = new Recorder(ask, [
      ...["EUR", "CHF", "XTS", "USD"].map((currency) => ({ currency })),
      { currency: "EUR", from: dayText(dayOf(start) - 3), limit: 2 },
    ]);
    const sources = ["ecb", "currency-api", "zz"].flatMap((source) =>
      ["1", "2"].map((methodologyVersion) => ({ source, methodologyVersion })),
    );
    for (let step = 0; step < steps; step += 1) {
      const at = start + step * 13 * hourMs;
      const known = random.chance(0.4) ? ["CHF", "EUR"] : ["EUR"];
      const facts = known.map((currency) => {
        return {
          currency,
          minorUnits: 2,
          day: dayOf(at) - random.between(0, 4),
          ratePerUsd: `1.${random.between(1, 3)}`,
        };
      });
      const source = sources[random.between(0, sources.length - 1)]!;
      writeTransaction(file.writer, () => importRatesAtOnce(file.writer, source, facts, at));
      recorder.record(at, 13 * hourMs);
    }
    recorder.expectSame(start + 400 * dayMs);
    file.remove();
  });

  it("are the index levels that were sent then", () => {
    const random = new Random(4);
    const world = new IndexWorld(10);
    const { reader } = world.file;
    const reference = referenceOf(reader);
    const indexes = new Indexes(new IndexesStore(reader));
    const ask: Ask = (params, at) =>
      indexes.history(indexes.prepareHistory(params as never, { reference, at, caller }), { reference, at });
    const recorder = new Recorder(ask, [
      { index_id: "four" },
      { index_id: "late" },
      { index_id: "four", from: dayText(dayOf(start)), limit: 2 },
      { index_id: "four", methodology_version: "none-1" },
    ]);
    const ask10 = (day: number) =>
      world.asks(
        ...asksOf(
          dayText(day),
          ...Array.from({ length: 10 }, () => (random.chance(0.9) ? random.between(90, 110) : null)),
        ),
      );
    world.define({ members: ids(10) });
    // Each level has an instant of its own, also beside a command with several transactions.
    spanKeeper(world.file.writer, start)(start + 3 * dayMs);
    for (let step = 1; step <= steps; step += 1) {
      const today = dayOf(start) + step;
      world.at = today * dayMs;
      if (step === 3) world.define({ index_id: "late", members: ids(5), base_date: dayText(today) });
      ask10(today - 1);
      if (step > 3 && random.chance(0.5)) ask10(today - random.between(2, 3));
      world.calculate(dayText(today));
      world.writer.$client.exec("DELETE FROM unsealed_days");
      recorder.record(today * dayMs, dayMs);
    }
    recorder.expectSame(start + 400 * dayMs);
    world.remove();
  });

  it("are the returns that were sent then, by hour and by day", () => {
    const random = new Random(5);
    const file = new MarketFile();
    for (const id of [1, 2, 3]) file.item(id);
    const reference = referenceOf(file.reader);
    const openables = openablesOf(file.reader);
    const ask: Ask = (params, at) =>
      openables.history(openables.prepareHistory(params as never, { reference, at, caller }), { reference, at });
    const recorder = new Recorder(ask, [
      ...["first", "late", "none"].flatMap((slug) => ["hour", "day"].map((granularity) => ({ slug, granularity }))),
      { slug: "first", granularity: "day", from: dayText(dayOf(start)), limit: 2 },
      { slug: "first", granularity: "hour", from: dayText(dayOf(start)), limit: 3 },
      { slug: "first", methodology_version: "roi-0" },
    ]);
    const revisions = new Map<string, string>();
    const publish = (slug: string, itemId: number, at: number) => {
      const pool = {
        slug,
        itemId,
        state: "active" as const,
        outcomes: [{ itemId: 3, tier: "only", numerator: 1 }],
        at,
      };
      revisions.set(slug, insertPool(file.writer, pool).revisionId!);
    };
    publish("first", 1, start);
    for (let step = 0, at = start; step < steps; step += 1) {
      // Some runs are in the hour of the run before.
      at += random.chance(0.3) ? hourMs / 3 : 5 * hourMs;
      if (step === 4) publish("late", 2, at);
      const runs = new CalculationWriter(file.writer);
      const slugs = [...revisions.keys()].filter(() => random.chance(0.8));
      writeTransaction(file.writer, () => {
        for (const slug of slugs) {
          const methodologyVersion = random.chance(0.1) ? "roi-0" : "roi-1";
          const key = { slug, valuationMode: "steam_gross" as const, methodologyVersion };
          const cents = random.between(1, 5);
          for (const [granularity, ms] of [
            ["hour", hourMs],
            ["day", dayMs],
          ] as const)
            runs.putHistory(rowOf({ ...key, granularity, ts: at - (at % ms) }, revisions.get(slug)!, at, cents));
        }
      });
      recorder.record(at, hourMs / 3);
    }
    recorder.expectSame(start + 400 * dayMs);
    file.remove();
  });

  it("keep the instant in a cursor, which no other instant continues", () => {
    const file = new MarketFile();
    const rates = ratesOf(file.reader);
    const ask: Ask = (params, at) => rates.history(rates.prepareHistory(params as never, { at, caller }), at);
    const facts = [1, 2, 3].map((day) => ({
      currency: "EUR",
      minorUnits: 2,
      day: dayOf(start) - day,
      ratePerUsd: "1",
    }));
    const ecb = { source: "ecb", methodologyVersion: "1" };
    writeTransaction(file.writer, () => importRatesAtOnce(file.writer, ecb, facts, start));
    const params = { currency: "EUR", limit: 1, known_at: "2026-03-01T00:00:00Z" };
    const later = start + 9 * dayMs;
    const { meta } = ask(params, later);
    expect(meta).to.include({ known_at: "2026-03-01T00:00:00.000Z", to: "2026-03-01" });
    const next = (more: object) => wholeOf(ask, { currency: "EUR", limit: 1, after: meta.next_page, ...more }, later);
    expect(next({})).to.equal(next({ known_at: params.known_at }));
    expect(next({ known_at: "2026-03-01T00:00:01Z" })).to.match(/^cursor_mismatch /);
    const live = ask({ currency: "EUR", limit: 1 }, later).meta.next_page;
    expect(next({ after: live, known_at: params.known_at })).to.match(/^cursor_mismatch /);
    file.remove();
  });

  it("are those before a command while its transactions were not all committed", () => {
    const file = new MarketFile();
    const rates = ratesOf(file.reader);
    const facts = [{ currency: "EUR", minorUnits: 2, day: dayOf(start), ratePerUsd: "1" }];
    const ecb = { source: "ecb", methodologyVersion: "1" };
    writeTransaction(file.writer, () => {
      importRatesAtOnce(file.writer, ecb, [{ ...facts[0]!, day: dayOf(start) - 1 }], start - 1);
      importRatesAtOnce(file.writer, ecb, facts, start);
      spanKeeper(file.writer, start)(start + 500);
    });
    const days = (knownAt: number) => {
      const query = rates.prepareHistory(
        { currency: "EUR", known_at: toTimestamp(knownAt) },
        { at: start + dayMs, caller },
      );
      return rates.history(query, start + dayMs).data.length;
    };
    expect([start - 1, start, start + 499, start + 500].map(days)).to.deep.equal([1, 1, 1, 2]);
    file.remove();
  });
});

type RowKey = {
  slug: string;
  valuationMode: "steam_gross";
  methodologyVersion: string;
  granularity: "hour" | "day";
  ts: number;
};

function rowOf(key: RowKey, revisionId: string, recordedAt: number, costCents: number) {
  const point = { expectedValueCents: 1, expectedProfitCents: 0, returnPct: "1.00", profitChancePct: "1.0000" };
  const row = {
    ...key,
    recordedAt,
    revisionId,
    costCents,
    ...point,
    pricedProbabilityMassPct: "100.0000",
    priceAsOf: null,
  };
  return { ...row, checksum: historyChecksum(row) };
}
