import { expect } from "chai";
import fc from "fast-check";
import { parseDecimal } from "../../../src/values/money/decimal.ts";
import { dayText, parseDay } from "../../../src/values/time/calendar.ts";
import { bySize } from "../../support/size.ts";
import { errorOf, exactLevels } from "./fractions.ts";
import { type Ask, asksOf, column, grown, IndexWorld, ids, instantOf } from "./index-world.ts";

describe("index with changing members", () => {
  let world: IndexWorld;
  beforeEach(() => {
    world = new IndexWorld();
  });
  afterEach(() => world.remove());

  it("moves by old members until the change, by new ones afterwards", () => {
    world = grown(world, 6);
    world.asks(
      ...asksOf("2026-03-01", 100, 100, 100, 100, 9_000, 9_000),
      ...asksOf("2026-03-02", 110, 110, 110, 110, 9_000, 9_000),
    );
    world.asks(
      ...asksOf("2026-03-03", 121, 121, 121, 121, 4_500, 4_500),
      ...asksOf("2026-03-04", null, null, 121, 121, 9_000, 4_500),
    );
    for (const weighting of ["equal", "capitalization"]) {
      world.define({ index_id: weighting, weighting });
      const changed = { index_id: weighting, weighting, members: ids(6).slice(2), effective_on: "2026-03-03" };
      world.define(changed);
    }
    world.calculate("2026-03-05");
    expect(world.levels("equal")).to.deep.equal([
      "03-01 100.0000",
      "03-02 110.0000",
      "03-03 121.0000",
      "03-04 151.2500",
    ]);
    expect(world.levels("capitalization")).to.deep.equal([
      "03-01 100.0000",
      "03-02 110.0000",
      "03-03 121.0000",
      "03-04 179.9158",
    ]);
    expect(column(world, "membership_version")).to.deep.equal([1, 1, 2, 2, 1, 1, 2, 2]);
    expect(column(world, "capitalization_cents").slice(2, 4)).to.deep.equal(["9242", "13742"]);
  });

  it("links over old members until the new are covered, skipping uncovered versions", () => {
    world.asks(["2026-03-01", 1, 100], ["2026-03-02", 1, 500], ["2026-03-02", 3, 5]);
    world.asks(["2026-03-03", 1, 200], ["2026-03-03", 4, 5], ["2026-03-04", 4, 10]);
    world.define({ members: ids(1) });
    world.define({ members: ids(3).slice(1), effective_on: "2026-03-02" });
    world.define({ members: ids(4).slice(3), effective_on: "2026-03-03" });
    world.calculate("2026-03-05");
    expect(world.levels()).to.deep.equal(["03-01 100.0000", "03-02 null", "03-03 200.0000", "03-04 400.0000"]);
    expect(column(world, "membership_version || ' ' || coverage_pct")).to.deep.equal([
      "1 100.00",
      "2 50.00",
      "3 100.00",
      "3 100.00",
    ]);
  });

  it("includes old members' prices in the level's age on their last day", () => {
    const at = instantOf("2026-03-01");
    world.asks(["2026-03-01", 1, 5, at], ["2026-03-02", 1, 5, at + 1], ["2026-03-02", 2, 5, at + 2]);
    world.asks(["2026-03-03", 1, 5], ["2026-03-03", 2, 5, at + 3]);
    world.define({ members: ids(1) });
    world.define({ members: ids(2).slice(1), effective_on: "2026-03-02" });
    world.calculate("2026-03-04");
    expect(column(world, "as_of")).to.deep.equal([at, at + 1, at + 3]);
  });

  it("waits for a link, reports it, and continues once members bridge it", () => {
    world = grown(world, 8);
    world.asks(...asksOf("2026-03-01", 100, 100, 100, null, null, 100, 100));
    for (const date of ["2026-03-02", "2026-03-03"]) world.asks(...asksOf(date, 900, null, null, 100, 100, 110, 130));
    world.define({ members: ids(3) });
    world.define({ members: [1, 4, 5].map((item_id) => ({ item_id })), effective_on: "2026-03-02" });
    const waitsForLink = { since: parseDay("2026-03-02"), lastValueDay: parseDay("2026-03-01") };
    expect(world.calculate("2026-03-03")[0]).to.deep.include({ appended: 2, withoutValue: 1, waitsForLink });
    expect(world.calculate("2026-03-03")[0]).to.deep.include({ appended: 0, waitsForLink });
    world.define({ members: [4, 6, 7].map((item_id) => ({ item_id })), effective_on: "2026-03-03" });
    expect(world.calculate("2026-03-04")[0]).to.deep.include({ appended: 1, withoutValue: 0, waitsForLink: null });
    expect(world.levels()).to.deep.equal(["03-01 100.0000", "03-02 null", "03-03 120.0000"]);
  });

  it("does not wait for a link if only prices are missing", () => {
    world.asks(...asksOf("2026-03-01", 100, 100, 100, 100), ...asksOf("2026-03-02", 100, null, null, null));
    world.define();
    expect(world.calculate("2026-03-03")[0]).to.include({ withoutValue: 1, waitsForLink: null });
  });

  it("equals exact fractions over changing members, at once and daily", () => {
    const file = grown(world, 10);
    world = file;
    const first = parseDay("2026-03-01")!;
    const cell = fc.option(fc.integer({ min: 1, max: 5_000 }), { freq: 14 });
    const rows = fc.array(fc.array(cell, { minLength: 10, maxLength: 10 }), { minLength: 8, maxLength: 40 });
    const life = fc.record({ from: fc.integer({ min: 0, max: 15 }), to: fc.integer({ min: 8, max: 40 }) });
    const lives = fc.array(life, { minLength: 10, maxLength: 10 });
    const memberships = fc.uniqueArray(
      fc.record({ offset: fc.integer({ min: 0, max: 38 }), members: fc.subarray(ids(10), { minLength: 1 }) }),
      { minLength: 2, maxLength: 8, selector: ({ offset }) => offset },
    );
    const weighting = fc.constantFrom("equal" as const, "capitalization" as const);
    let run = 0;
    let nulls = 0;
    const property = fc.property(weighting, rows, lives, memberships, (weighting, prices, lives, versions) => {
      run += 1;
      file.rows("DELETE FROM daily_by_item RETURNING day");
      const isAlive = (index: number, day: number) => lives[index]!.from <= day && day <= lives[index]!.to;
      const asksOn = prices.map((cells, day) =>
        cells.flatMap((cell, index) => (cell === null || !isAlive(index, day) ? [] : [[index + 1, cell] as const])),
      );
      file.asks(
        ...asksOn.flatMap((cells, offset) => cells.map(([id, cell]): Ask => [dayText(first + offset), id, cell])),
      );
      const sorted = versions.toSorted((one, other) => one.offset - other.offset);
      const base = sorted[0]!.offset;
      const stored = ["whole", "steps"].map((kind) => {
        const index_id = `${kind}-${run}`;
        for (const { offset, members } of sorted) {
          file.at = instantOf("2026-02-01");
          const date = dayText(first + offset);
          // Random asks may let one member dominate.
          const facts = { index_id, weighting, members, base_date: dayText(first + base), effective_on: date };
          file.define(facts, ["member_weight"]);
        }
        const step = kind === "whole" ? prices.length : 1 + (run % 3);
        for (let day = step; day < prices.length + step; day += step)
          file.calculate(dayText(first + Math.min(day, prices.length)), index_id);
        return file.rows<{ day: number; exact: string | null }>(
          `SELECT day, exact, value, capitalization_cents, membership_version, coverage_pct FROM index_levels
           WHERE index_id = ? ORDER BY day`,
          index_id,
        );
      });
      expect(stored[1]).to.deep.equal(stored[0]);
      const series = asksOn.slice(base).map((cells, index) => {
        const { members } = sorted.findLast(({ offset }) => offset <= base + index)!;
        return { members: members.map(({ item_id }) => ({ itemId: item_id, units: 1 })), asks: new Map(cells) };
      });
      const exactOn = new Map(stored[0]!.map(({ day, exact }) => [day, exact]));
      for (const [index, expected] of exactLevels(weighting, series).entries()) {
        const exact = exactOn.get(first + base + index) ?? null;
        expect(exact === null, `day ${index}`).to.equal(expected === null);
        if (exact === null || expected === null) nulls += 1;
        else expect(errorOf(parseDecimal(exact)!.units, expected.level)).to.be.at.most(expected.errorMax);
      }
    });
    fc.assert(property, { numRuns: bySize({ short: 12, long: 40 }), endOnFailure: true });
    expect(nulls).to.be.greaterThan(0);
  }).timeout(180_000);
});
