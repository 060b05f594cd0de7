import { expect } from "chai";
import fc from "fast-check";
import { SumTooLarge, valueOfDay } from "../../../src/domain/portfolio-value.ts";
import { runAtOnce } from "../../../src/store/write/batches.ts";
import { sealDaysInBatches } from "../../../src/store/write/seal-days.ts";
import type { Lot } from "../../../src/store/write/valuations.ts";
import { OperatorError } from "../../../src/values/failure/operator-error.ts";
import { dayOf, dayText } from "../../../src/values/time/calendar.ts";
import { PortfolioWorld } from "../../import/portfolios/portfolio-world.ts";
import { instantOf } from "../indexes/index-world.ts";

type Stored = { day: number; value_cents: number | null; cost_basis_cents: number | null } & Record<string, unknown>;

describe("portfolio valuation", () => {
  let world: PortfolioWorld;
  beforeEach(() => {
    world = new PortfolioWorld();
    world.at = instantOf("2026-03-01");
    for (let day = -5; day < 8; day += 1) frames(dayOf(world.at) + day);
  });
  afterEach(() => world.remove());

  /** Marks a day as having frames of steam with their derived rows. */
  const frames = (day: number) =>
    world.rows("INSERT INTO feed_days (day, feed, hours, settled_at) VALUES (?, 'steam', 1, 1) RETURNING 1", day);
  /** Seals the days before the world's, as the job does before it values. */
  const seal = () => void runAtOnce(sealDaysInBatches(world.file.writer, dayOf(world.at), world.clock));
  let refs = 0;
  const lots = (portfolioId: string, ...facts: object[]) =>
    world.importLines(
      portfolioId,
      ...facts.map((one) => ({ record: "lot", integration_ref: `L${++refs}`, quantity: 1, ...one })),
    );
  const stored = (portfolioId: string) =>
    world.rows<Stored>("SELECT * FROM portfolio_valuations WHERE portfolio_id = ? ORDER BY day", portfolioId);
  /** `date value of cost, priced/lots` */
  const reported = (portfolioId: string) =>
    stored(portfolioId).map(
      ({ day, value_cents, cost_basis_cents, ...row }) =>
        `${dayText(day).slice(5)} ${value_cents} of ${cost_basis_cents}, ${row.priced_holding_count}/${row.holding_count}`,
    );

  it("sums the day's asks of the price source, without unpriced lots", () => {
    const portfolioId = world.portfolio();
    lots(
      portfolioId,
      { item_id: 1, quantity: 3, unit_cost_cents: 50 },
      { item_id: 2, quantity: 2, unit_cost_cents: 0 },
    );
    world.ask("2026-03-01", 1, 100, instantOf("2026-03-01") + 7);
    world.ask("2026-03-01", 2, 10, instantOf("2026-03-01") + 5);
    world.ask("2026-03-02", 1, 110, instantOf("2026-03-02"));
    world.ask("2026-03-02", 2, 999, null, "other");
    world.ask("2026-03-04", 2, 30);
    world.ask("2026-03-05", 1, 500);
    expect(world.value("2026-03-05")).to.deep.equal([
      {
        portfolioId,
        days: 4,
        incomplete: 3,
        replaced: 0,
        kept: 0,
        refused: [],
        waitsFor: null,
        lateDays: [],
        firstDay: dayOf(instantOf("2026-03-01")),
        lastDay: dayOf(instantOf("2026-03-04")),
      },
    ]);
    expect(reported(portfolioId)).to.deep.equal([
      "03-01 320 of 150, 2/2",
      "03-02 330 of 150, 1/2",
      "03-03 null of 150, 0/2",
      "03-04 60 of 150, 1/2",
    ]);
    const [first, second, third, fourth] = stored(portfolioId);
    expect(first).to.include({
      price_source: "steam",
      recorded_at: world.at,
      price_as_of: instantOf("2026-03-01") + 5,
    });
    expect(second!.price_as_of).to.equal(instantOf("2026-03-02"));
    expect([third!.price_as_of, fourth!.price_as_of]).to.deep.equal([null, null]);
    expect(third!.price_source).to.equal("steam");
  });

  it("has an unknown cost basis from the day of an unknown cost", () => {
    const portfolioId = world.portfolio();
    lots(
      portfolioId,
      { item_id: 1, unit_cost_usd: "1.25", quantity: 2, acquired_on: "2026-02-27" },
      { item_id: 2, acquired_on: "2026-03-01" },
      { item_id: 3, unit_cost_cents: 7 },
    );
    expect(world.value("2026-03-02")[0]).to.include({ days: 3, incomplete: 3 });
    expect(reported(portfolioId)).to.deep.equal([
      "02-27 null of 250, 0/1",
      "02-28 null of 250, 0/1",
      "03-01 null of null, 0/3",
    ]);
  });

  it("starts a year back, or with an older portfolio's first day", () => {
    const [young, old] = [world.portfolio(), world.portfolio()];
    lots(young, { item_id: 1, acquired_on: "2020-01-01" });
    lots(old, { item_id: 1, acquired_on: "2020-01-01" });
    world.rows("UPDATE portfolios SET created_at = ? WHERE portfolio_id = ? RETURNING 1", instantOf("2025-01-01"), old);
    world.value("2026-03-02");
    expect(reported(young)[0]).to.match(/^03-01 null/);
    expect(stored(young)).to.have.length(366);
    expect(stored(old)[0]!.day).to.equal(dayOf(instantOf("2025-01-01")));
  });

  it("updates values and recorded_at after a price correction", () => {
    const portfolioId = world.portfolio();
    lots(portfolioId, { item_id: 1, unit_cost_cents: 1 });
    world.ask("2026-03-01", 1, 100);
    world.ask("2026-03-02", 1, 100);
    world.value("2026-03-03");
    seal();
    const [, second] = stored(portfolioId);
    expect(world.value("2026-03-04")[0], "the new day alone").to.include({ days: 1, replaced: 0 });
    world.ask("2026-03-01", 1, 70);
    seal();
    expect(world.value("2026-03-05")[0], "and another new day").to.include({ days: 2, replaced: 1 });
    expect(reported(portfolioId).slice(0, 2)).to.deep.equal(["03-01 70 of 1, 1/1", "03-02 100 of 1, 1/1"]);
    const after = stored(portfolioId);
    expect(after[0]!.recorded_at).to.equal(world.at);
    expect(after[1]!.recorded_at).to.equal(second!.recorded_at);
    const digest = world.digest();
    expect(world.value("2026-03-05")[0]).to.include({ days: 0 });
    expect(world.digest()).to.equal(digest);
  });

  it("keeps values of days with other lots unless asked for again", () => {
    const portfolioId = world.portfolio();
    lots(portfolioId, { item_id: 1, unit_cost_cents: 1 });
    world.ask("2026-03-01", 1, 100);
    world.value("2026-03-02");
    const before = stored(portfolioId);
    world.at += 1;
    lots(portfolioId, { item_id: 2, unit_cost_cents: 2, acquired_on: "2026-03-01" });
    world.ask("2026-03-01", 1, 200);
    world.ask("2026-03-01", 2, 5);
    expect(world.value("2026-03-02")[0]).to.include({ days: 0 });
    expect(stored(portfolioId)).to.deep.equal(before);
    expect(world.value("2026-03-02", { again: true })[0]).to.include({ days: 1, replaced: 1, incomplete: 0 });
    expect(reported(portfolioId)).to.deep.equal(["03-01 205 of 3, 2/2"]);
    const digest = world.digest();
    expect(world.value("2026-03-02", { again: true })[0]).to.include({ days: 0, replaced: 0 });
    expect(world.digest(), "the same value stays").to.equal(digest);
    const sold = {
      record: "transaction",
      kind: "sell",
      integration_ref: "S",
      item_id: 2,
      quantity: 1,
      lot_ref: `L${refs}`,
    };
    world.replaceLines(portfolioId, [
      { record: "lot", integration_ref: `L${refs - 1}`, item_id: 1, quantity: 1, unit_cost_cents: 1 },
      { ...sold, occurred_on: "2026-03-02" },
    ]);
    expect(world.value("2026-03-02", { again: true })[0], "a sold lot is not known any more").to.include({
      days: 0,
      kept: 1,
    });
  });

  it("adds main platform values to a portfolio valued elsewhere", () => {
    const portfolioId = world.portfolio();
    world.rows("UPDATE portfolios SET price_source = 'other' RETURNING 1");
    lots(portfolioId, { item_id: 1, quantity: 2 });
    const second = () => world.rows<Stored>("SELECT * FROM main_valuations ORDER BY day");
    for (const date of ["2026-03-01", "2026-03-02", "2026-03-03", "2026-03-04", "2026-03-05"]) {
      world.ask(date, 1, 300, null, "other");
      world.ask(date, 1, 100);
    }
    // As a release without second rows left it.
    world.rows("UPDATE providers SET kind = 'cash' WHERE provider = 'steam' RETURNING 1");
    expect(world.value("2026-03-05")[0]).to.include({ days: 4 });
    expect(second()).to.have.length(0);
    world.rows("UPDATE providers SET kind = 'main_platform' WHERE provider = 'steam' RETURNING 1");
    expect(world.value("2026-03-06")[0]).to.include({ days: 1, firstDay: dayOf(instantOf("2026-03-05")) });
    const days = ["2026-03-04", "2026-03-05"].map((date) => ({ day: dayOf(instantOf(date)), value_cents: 200 }));
    expect(second().map(({ day, value_cents }) => ({ day, value_cents }))).to.deep.equal(days);
    expect(second()[0]).to.include({ price_source: "steam", recorded_at: world.at });
    world.value("2026-03-06", { again: true });
    expect(second()).to.have.length(5);
    expect(stored(portfolioId).filter(({ value_cents }) => value_cents === 600)).to.have.length(5);
  });

  it("uses each lot's lowest ask and the main platform at `lowest-ask`", () => {
    world.rows("UPDATE providers SET kind = 'main_platform' WHERE provider = 'steam' RETURNING 1");
    const { portfolioId, priceSource } = world.portfolios.create({ accountId: world.accountId, name: "Mine" });
    expect(priceSource).to.equal("lowest-ask");
    lots(
      portfolioId,
      { item_id: 1, quantity: 2, unit_cost_cents: 50 },
      { item_id: 2 },
      { item_id: 3, unit_cost_cents: 9 },
    );
    world.ask("2026-03-01", 1, 100);
    world.ask("2026-03-01", 1, 90, null, "other");
    world.ask("2026-03-01", 2, 30);
    world.ask("2026-03-01", 2, 30, null, "other");
    world.ask("2026-03-02", 2, 70);
    world.value("2026-03-03");
    const [first, second] = stored(portfolioId);
    const compared = { compared_count: 1, compared_value_cents: 180, compared_cost_cents: 100 };
    expect(first).to.include({ value_cents: 210, price_source: "lowest-ask", price_providers: "other", ...compared });
    expect(second).to.include({
      value_cents: 70,
      price_providers: "steam",
      compared_count: 0,
      compared_value_cents: null,
    });
    const [main] = world.rows<Stored>("SELECT * FROM main_valuations ORDER BY day");
    expect(main).to.include({ value_cents: 230, price_source: "steam" });
  });

  it("skips days of an unknown source even on request", () => {
    const portfolioId = world.portfolio();
    lots(portfolioId, { item_id: 1 });
    world.rows(
      "INSERT INTO portfolio_valuations VALUES (?, ?, ?, 42, 7, 1, 1, NULL, NULL, 1, NULL, NULL, NULL, NULL, NULL) RETURNING 1",
      portfolioId,
      world.accountId,
      dayOf(instantOf("2026-03-01")),
    );
    world.ask("2026-03-01", 1, 100);
    world.value("2026-03-02", { again: true });
    expect(reported(portfolioId)).to.deep.equal(["03-01 42 of 7, 1/1"]);
  });

  it("fills missed days, and waits for a day without derived prices", () => {
    const portfolioId = world.portfolio();
    lots(portfolioId, { item_id: 1 });
    const day = dayOf(instantOf("2026-03-02"));
    const finalize = (at: number | null) =>
      world.rows(
        "INSERT INTO feed_days (day, feed, hours, settled_at) VALUES (?, 'steam', 1, ?) ON CONFLICT DO UPDATE SET settled_at = excluded.settled_at RETURNING 1",
        day,
        at,
      );
    finalize(null);
    world.rows(
      "INSERT INTO feed_days (day, feed, hours, settled_at) VALUES (?, 'other', 1, NULL) RETURNING 1",
      day - 1,
    );
    expect(world.value("2026-03-05")[0]).to.include({ days: 3, waitsFor: day });
    expect(stored(portfolioId).map((row) => row.day)).to.deep.equal([day - 1, day + 1, day + 2]);
    finalize(1);
    expect(world.value("2026-03-05")[0]).to.include({ days: 1, waitsFor: null, firstDay: day });
  });

  it("waits two days for late asks, then values a day without prices", () => {
    const portfolioId = world.portfolio();
    lots(portfolioId, { item_id: 1 });
    const day = dayOf(instantOf("2026-03-02"));
    world.rows("DELETE FROM feed_days WHERE day >= ? RETURNING 1", day);
    expect(world.value("2026-03-04")[0]).to.deep.include({ days: 1, lateDays: [day, day + 1], waitsFor: null });
    expect(reported(portfolioId)).to.deep.equal(["03-01 null of null, 0/1"]);
    frames(day + 1);
    world.ask("2026-03-03", 1, 30);
    expect(world.value("2026-03-04")[0]).to.deep.include({ days: 1, lateDays: [day] });
    expect(world.value("2026-03-05")[0]).to.deep.include({ days: 1, lateDays: [day + 2] });
    world.ask("2026-03-04", 1, 40);
    expect(world.value("2026-03-05")[0], "an imported price has no frame").to.deep.include({ days: 1, lateDays: [] });
    expect(reported(portfolioId).slice(1)).to.deep.equal([
      "03-02 null of null, 0/1",
      "03-03 30 of null, 1/1",
      "03-04 40 of null, 1/1",
    ]);
  });

  it("rewrites values of an early clock once their day has ended", () => {
    const portfolioId = world.portfolio();
    lots(portfolioId, { item_id: 1 });
    world.value("2026-03-09");
    expect(stored(portfolioId)).to.have.length(8);
    world.ask("2026-03-01", 1, 10);
    world.ask("2026-03-02", 1, 20);
    expect(world.value("2026-03-03")[0]).to.include({ days: 2, replaced: 2, incomplete: 0 });
    expect(reported(portfolioId).slice(0, 3)).to.deep.equal([
      "03-01 10 of null, 1/1",
      "03-02 20 of null, 1/1",
      "03-03 null of null, 0/1",
    ]);
    expect(world.value("2026-03-03")[0], "then it stays").to.include({ days: 0 });
    world.ask("2026-03-03", 1, 30);
    expect(world.value("2026-03-04")[0]).to.include({ days: 1, replaced: 1, incomplete: 0 });
  });

  it("covers one portfolio or all, without deleted ones and empty days", () => {
    const [one, other, empty, gone] = [world.portfolio(), world.portfolio(), world.portfolio(), world.portfolio()];
    for (const portfolioId of [one, other, gone]) lots(portfolioId, { item_id: 1 });
    world.portfolios.remove(gone);
    expect(world.value("2026-03-02", { portfolioId: one })).to.have.length(1);
    expect([one, other].map((portfolioId) => stored(portfolioId).length)).to.deep.equal([1, 0]);
    world.value("2026-03-03");
    expect([one, other, empty, gone].map((portfolioId) => stored(portfolioId).length)).to.deep.equal([2, 2, 0, 0]);
    expect(() => world.value("2026-03-03", { portfolioId: gone })).to.throw(OperatorError, /unknown portfolio/);
  });

  it("rejects an unsafe sum by day and name, and values other days", () => {
    const portfolioId = world.portfolio();
    lots(portfolioId, { item_id: 1, quantity: 1_000_000_000 }, { item_id: 2, acquired_on: "2026-03-01" });
    world.ask("2026-03-01", 1, 9_007_199);
    world.ask("2026-03-02", 1, 9_007_200);
    world.ask("2026-03-01", 2, 254_740_991);
    const [valuation] = world.value("2026-03-03");
    expect(reported(portfolioId)).to.deep.equal(["03-01 9007199254740991 of null, 2/2"]);
    expect(valuation!.refused).to.deep.equal([
      { day: dayOf(instantOf("2026-03-02")), why: "its value is 9007200000000000 cents, above 9007199254740991" },
    ]);
    const dear = { item_id: 3, quantity: 1, unit_cost_cents: 9007199254740991 };
    lots(world.portfolio(), dear, dear);
    const refused = world.value("2026-03-04").flatMap((one) => one.refused.map(({ why }) => why));
    expect(refused).to.include("its cost basis is 18014398509481982 cents, above 9007199254740991");
  });

  it("equals a manual sum over any lots and asks", () => {
    const lot = fc.record({
      holdingId: fc.constant("hl"),
      itemId: fc.integer({ min: 1, max: 5 }),
      quantity: fc.integer({ min: 1, max: 1_000_000_000 }),
      unitCostCents: fc.option(fc.integer({ min: 0, max: 3_000_000 }), { freq: 8 }),
      acquiredDay: fc.option(fc.integer({ min: 95, max: 105 })),
      createdAt: fc.constant(instantOf("1970-04-11")),
    }) satisfies fc.Arbitrary<Omit<Lot, "updatedAt">>;
    const ask = fc.record({
      amount: fc.integer({ min: 1, max: 3_000_000 }),
      observedAt: fc.option(fc.integer({ min: 1, max: 1000 }), { freq: 8 }),
      provider: fc.constant("steam"),
    });
    const asks = fc.dictionary(fc.constantFrom("1", "2", "3", "4"), ask);
    fc.assert(
      fc.property(fc.array(lot, { maxLength: 8 }), asks, (given, reported) => {
        const priced = new Map(Object.entries(reported).map(([id, one]) => [Number(id), one]));
        const counting = given.filter((one) => (one.acquiredDay ?? 100) <= 100);
        const withAsk = counting.filter(({ itemId }) => priced.has(itemId));
        const times = withAsk.map(({ itemId }) => priced.get(itemId)!.observedAt);
        const value = withAsk.reduce(
          (sum, one) => sum + BigInt(one.quantity) * BigInt(priced.get(one.itemId)!.amount),
          0n,
        );
        const both = withAsk.filter(({ unitCostCents }) => unitCostCents !== null);
        const sumOf = (amount: (one: (typeof both)[number]) => number) =>
          both.reduce((sum, one) => sum + BigInt(one.quantity) * BigInt(amount(one)), 0n);
        const compared = sumOf(({ unitCostCents }) => unitCostCents!);
        const isKnown = counting.every((one) => one.unitCostCents !== null);
        const basis = counting.reduce((sum, one) => sum + BigInt(one.quantity) * BigInt(one.unitCostCents ?? 0), 0n);
        if ([value, compared, isKnown ? basis : 0n].some((sum) => sum > BigInt(Number.MAX_SAFE_INTEGER))) {
          expect(() => valueOfDay(given, 100, priced)).to.throw(SumTooLarge);
          return;
        }
        const expected = {
          valueCents: withAsk.length === 0 ? null : Number(value),
          costBasisCents: isKnown ? Number(basis) : null,
          holdingCount: counting.length,
          pricedHoldingCount: withAsk.length,
          priceAsOf: times.length === 0 || times.includes(null) ? null : Math.min(...(times as number[])),
          comparedCount: both.length,
          comparedValueCents: both.length === 0 ? null : Number(sumOf(({ itemId }) => priced.get(itemId)!.amount)),
          comparedCostCents: both.length === 0 ? null : Number(compared),
          priceProviders: withAsk.length === 0 ? null : "steam",
        };
        expect(valueOfDay(given, 100, priced)).to.deep.equal(counting.length === 0 ? null : expected);
      }),
      { numRuns: 300 },
    );
  });
});
