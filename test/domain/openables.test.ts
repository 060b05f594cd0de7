import { expect } from "chai";
import type { Schema } from "../../src/contract/types.ts";
import type { Openables } from "../../src/domain/openables.ts";
import type { Reference } from "../../src/domain/reference.ts";
import { dayMs, hourMs, parseDay } from "../../src/values/time/calendar.ts";
import { MarketFile } from "../support/market-file.ts";
import { insertPool } from "../support/pools.ts";
import { referenceOf } from "../support/reference.ts";
import { edit } from "../support/unguarded.ts";
import { codeOf } from "./failure-code.ts";
import { openablesOf, putCalculation, soundNumbers } from "./openables-world.ts";

const at = parseDay("2026-03-04")! * dayMs + 12 * hourMs;
const caller = { plan: "trader" } as const;
const ledger = [
  [10, "steam", at - hourMs, null],
  [20, "steam", at - 2 * hourMs, null],
  [null, null, null, 70],
  0,
] as const;

describe("openables", () => {
  let file: MarketFile;
  let openables: Openables;
  let reference: Reference;

  beforeEach(() => {
    file = new MarketFile();
    for (let itemId = 1; itemId <= 30; itemId += 1) file.item(itemId, { name: `Item ${itemId}` });
    openables = openablesOf(file.reader);
    reference = referenceOf(file.reader);
  });
  afterEach(() => file.remove());

  const pool = (slug: string, itemId: number, facts: Partial<Parameters<typeof insertPool>[1]> = {}) =>
    insertPool(file.writer, {
      slug,
      itemId,
      oddsSource: "published",
      tierWeights: { low: 5, high: 1 },
      outcomes: [
        { itemId: 11, tier: "low", numerator: 3 },
        { itemId: 12, tier: "low", numerator: 2 },
        { itemId: 13, tier: "high", numerator: 1 },
        { itemId: 14, tier: "high", numerator: 0 },
      ],
      ...facts,
    }).revisionId!;
  const calculate = (slug: string, revisionId: string, facts: Partial<Parameters<typeof putCalculation>[1]> = {}) =>
    putCalculation(file.writer, { slug, revisionId, calculatedAt: at, priceAsOf: at - 2 * hourMs, ledger, ...facts });
  const one = (slug: string, query: object = {}, now = at) =>
    openables.openable(openables.prepareOpenable({ slug, ...query }), now);
  const list = (params: object = {}, now = at) => {
    const { data, meta } = openables.list(openables.prepareList(params, reference), { reference, at: now });
    return { data: JSON.parse(data.json) as Schema<"Openable">[], meta };
  };
  const outcomes = (slug: string, params: object = {}, now = at) =>
    openables.outcomes(openables.prepareOutcomes({ slug, ...params }, { reference, at, caller }), {
      reference,
      at: now,
    });

  it("have null for an uncalculated mode without falling back to another", () => {
    const revisionId = pool("first", 1);
    calculate("first", revisionId, { valuationMode: "cash_ask" });
    calculate("first", revisionId, { methodologyVersion: "roi-0" });
    expect(one("first").data.current).to.equal(null);
    expect(list().data.map(({ current }) => current)).to.deep.equal([null]);
    expect(outcomes("first").data.map(({ status }) => status))
      .to.include("unpriced")
      .and.not.include("priced");
    const cash = one("first", { valuation_mode: "cash_ask" }).data;
    expect(cash).to.include({ valuation_mode: "cash_ask" });
    expect(cash.current).to.include({ valuation_mode: "cash_ask", methodology_version: "roi-1" });
  });

  it("become stale after exactly 8 and 24 hours", () => {
    const revisionId = pool("first", 1);
    calculate("first", revisionId);
    const reported = (now: number) => {
      const { data, meta } = one("first", {}, now);
      const { stale, stale_reasons, confidence } = data.current!;
      return [stale, stale_reasons.join(), confidence, meta.freshness];
    };
    expect(reported(at + 8 * hourMs)).to.deep.equal([false, "", "high", "fresh"]);
    expect(reported(at + 8 * hourMs + 1)).to.deep.equal([true, "calculation_age", "medium", "stale"]);
    expect(reported(at + 22 * hourMs + 1)).to.deep.equal([true, "calculation_age,price_age", "medium", "stale"]);
    expect(outcomes("first", {}, at + 8 * hourMs).meta.freshness).to.equal("fresh");
    expect(outcomes("first", {}, at + 8 * hourMs + 1).meta.freshness).to.equal("stale");
    calculate("first", revisionId, { priceAsOf: null });
    expect(reported(at)).to.deep.equal([true, "price_time_unknown", "medium", "unknown"]);
  });

  it("list the same to a repeated as to a first reader", () => {
    const { $client } = file.writer;
    const asked: Parameters<Openables["prepareList"]>[0][] = [{}, { limit: 2 }, { valuation_mode: "cash_ask" }];
    const listed = new Set<string>();
    let now = at;
    const expectSame = (change: string) => {
      const fresh = openablesOf(file.reader);
      // A repeated request is served from the cache.
      for (const params of [...asked, ...asked, ...asked]) {
        const { data, meta } = fresh.list(fresh.prepareList(params, reference), { reference, at: now });
        const again = openables.list(openables.prepareList(params, reference), { reference, at: now });
        expect([again.data.json, again.meta], change).to.deep.equal([data.json, meta]);
        expect(again.data.tagWith("", String), change).to.equal(data.tagWith("", String));
      }
      listed.add(JSON.stringify(list({}, now)));
    };
    const revisions = ["a", "b", "c"].map((slug, index) => pool(slug, index + 1));
    const changes: Record<string, () => unknown> = {
      "calculations that came": () => revisions.map((id, index) => calculate(["a", "b", "c"][index]!, id)),
      "a calculation in its place": () =>
        calculate("b", revisions[1]!, { numbers: { ...soundNumbers, expected_value_cents: 111 } }),
      "a time that moved": () =>
        $client.exec("UPDATE roi_calculations SET calculated_at = calculated_at - 1 WHERE slug = 'b'"),
      "a calculation that went": () => $client.exec("DELETE FROM roi_calculations WHERE slug = 'c'"),
      "a rename": () => edit($client, "UPDATE items SET market_hash_name = 'Other' WHERE item_id = 1"),
      "a picture": () => edit($client, "UPDATE items SET image_url = 'https://x.example/1' WHERE item_id = 2"),
      "a retirement": () =>
        $client.exec("UPDATE openables SET state = 'retired', retired_day = 20000 WHERE slug = 'a'"),
      "a container more": () => pool("aa", 4),
      "a draft that was published": () => {
        pool("d", 5, { state: "draft" });
        expectSame("a draft");
        pool("d", 5);
      },
      "eight hours": () => (now = at + 8 * hourMs + 1),
      "a day": () => (now = at + 24 * hourMs),
      "a clock that was set back": () => (now = at - hourMs),
    };
    for (const [name, change] of Object.entries(changes)) {
      expectSame(`before ${name}`);
      change();
      expectSame(name);
    }
    // Each change but the clock's way back is another list.
    expect(listed.size).to.equal(Object.keys(changes).length);
  });

  it("answer a draft like an unknown container in all four reads", () => {
    pool("draft-one", 1, { state: "draft" });
    for (const slug of ["draft-one", "none"]) {
      for (const work of [
        () => one(slug),
        () => outcomes(slug),
        () => openables.history(history(slug, {}), { reference, at }),
        () => openables.history(history(slug, { methodology_version: "roi-0" }), { reference, at }),
      ]) {
        expect(codeOf(work)).to.equal("openable_not_found");
      }
    }
    expect(list()).to.deep.equal({ data: [], meta: { next_page: null, as_of: null, freshness: "unknown" } });
  });

  it("show the earlier revision's calculation until the next run", () => {
    const before = pool("first", 1);
    calculate("first", before);
    const after = pool("first", 1, { outcomes: [{ itemId: 21, tier: "only", numerator: 1 }] });
    const { data } = one("first");
    expect([data.current!.revision_id, data.current!.revision_number]).to.deep.equal([before, 1]);
    expect([data.pool.revision_id, data.pool.revision_number, data.outcome_count]).to.deep.equal([after, 2, 1]);
    expect(data.pool.tiers.map((tier) => tier.priced_probability_mass_pct)).to.deep.equal([null]);
    expect(outcomes("first").data.map(({ item_id }) => item_id)).to.deep.equal([11, 12, 13, 14]);
    const other = outcomes("first", { valuation_mode: "cash_ask" }).data;
    expect(other.map(({ item_id, status }) => [item_id, status])).to.deep.equal([[21, "unpriced"]]);
  });

  it("have a null as_of of outcomes if a price has no time", () => {
    const timeless = [[10, "steam", null, null], ...ledger.slice(1)] as const;
    calculate("first", pool("first", 1), { ledger: timeless, priceAsOf: null });
    expect(outcomes("first").meta).to.include({ as_of: null, freshness: "unknown" });
  });

  it("have lists and outcomes equal to their pages of any length", () => {
    for (const [index, slug] of ["a", "a-b", "a0", "b", "zz"].entries()) calculate(slug, pool(slug, index + 1));
    const walked = (
      page: (params: object) => { data: object[]; meta: { next_page: string | null } },
      limit: number,
    ) => {
      const rows: object[] = [];
      for (let params: object = { limit }; ; ) {
        const { data, meta } = page(params);
        rows.push(...data);
        if (meta.next_page === null) return rows;
        params = { limit, after: meta.next_page };
      }
    };
    expect(list().data.map(({ slug }) => slug)).to.deep.equal(["a", "a-b", "a0", "b", "zz"]);
    for (const limit of [1, 2, 3, 4, 5, 6]) {
      expect(walked(list, limit)).to.deep.equal(list().data);
      expect(walked((params) => outcomes("b", params), limit)).to.deep.equal(outcomes("b").data);
    }
    const cash = list({ limit: 2, valuation_mode: "cash_ask" }).meta.next_page!;
    expect(list({ after: cash }).data.map(({ valuation_mode }) => valuation_mode)).to.deep.equal(
      Array(3).fill("cash_ask"),
    );
    expect(codeOf(() => list({ after: cash, valuation_mode: "steam_gross" }))).to.equal("cursor_mismatch");
  });

  it("equal their list entry at any time, including the tag", () => {
    const revisionId = pool("first", 1);
    pool("second", 2);
    calculate("first", revisionId);
    const { $client } = file.writer;
    const changes: (() => void)[] = [
      () => undefined,
      () => calculate("second", pool("second", 2)),
      () => calculate("first", revisionId, { calculatedAt: at + 1 }),
      () => calculate("first", revisionId, { calculatedAt: at + 1, numbers: { cost_cents: 1 } }),
      () => calculate("first", revisionId, { calculatedAt: at + 1, priceAsOf: null }),
      () => calculate("first", revisionId, { calculatedAt: at + 1, priceAsOf: at, valuationMode: "cash_ask" }),
      () => edit($client, "UPDATE items SET market_hash_name = 'Ж' WHERE item_id = 1"),
      () => edit($client, "UPDATE items SET image_url = 'https://images.example/1.png' WHERE item_id = 2"),
      () => pool("first", 1, { outcomes: [{ itemId: 21, tier: "only", numerator: 1 }] }),
      () => pool("second", 2, { state: "retired" }),
    ];
    const texts = new Map<string, string>();
    for (const change of changes) {
      change();
      for (const valuation_mode of ["steam_gross", "cash_ask"] as const) {
        for (const now of [at, at, at + 8 * hourMs + 2, at + 24 * hourMs + 1]) {
          const params = { valuation_mode };
          const { data } = openables.list(openables.prepareList(params, reference), { reference, at: now });
          const alone = ["first", "second"].map((slug) => {
            const { pool: _, ...entry } = one(slug, params, now).data;
            return { ...entry, lowest_tier: entry.current && "high" };
          });
          expect(data.json).to.equal(JSON.stringify(alone));
          const tag = data.tagWith("", String);
          expect(texts.get(tag) ?? data.json).to.equal(data.json);
          texts.set(tag, data.json);
        }
      }
    }
    expect(texts.size).to.be.greaterThan(20);
    expect(new Set(texts.values()).size).to.equal(texts.size);
  });

  it("stay correctly paged when a pool is published before or after", () => {
    for (const [index, slug] of ["b", "d", "f"].entries()) pool(slug, index + 1);
    const after = list({ limit: 2 }).meta.next_page!;
    pool("a", 4);
    pool("e", 5);
    pool("d", 2, { state: "retired" });
    expect(list({ after }).data.map(({ slug }) => slug)).to.deep.equal(["e", "f"]);
  });

  it("never mix pages of two revisions in one list", () => {
    calculate("first", pool("first", 1));
    const after = outcomes("first", { limit: 2 }).meta.next_page!;
    const prepared = openables.prepareOutcomes({ slug: "first", after }, { reference, at, caller });
    calculate("first", pool("first", 1, { outcomes: [{ itemId: 21, tier: "only", numerator: 1 }] }), { ledger: [0] });
    expect(codeOf(() => outcomes("first", { after }))).to.equal("cursor_mismatch");
    // An earlier admitted request uses its old revision, which no longer has values.
    const { data, meta } = openables.outcomes(prepared, { reference, at });
    expect(data.map(({ item_id, status }) => [item_id, status])).to.deep.equal([
      [13, "unpriced"],
      [14, "excluded"],
    ]);
    expect(meta).to.deep.equal({ next_page: null, as_of: null, freshness: "unknown" });
  });

  it("are as old in a list as their oldest calculation", () => {
    const ids = ["a", "b", "c"].map((slug, index) => [slug, pool(slug, index + 1)] as const);
    calculate(...ids[0]!, { priceAsOf: at - hourMs });
    calculate(...ids[1]!, { priceAsOf: at - 25 * hourMs });
    expect(list().meta).to.deep.equal({ next_page: null, as_of: "2026-03-03T11:00:00.000Z", freshness: "stale" });
    expect(list({ limit: 1 }).meta).to.include({ as_of: "2026-03-04T11:00:00.000Z", freshness: "fresh" });
    calculate(...ids[2]!, { priceAsOf: null });
    expect(list().meta).to.include({ as_of: null, freshness: "unknown" });
  });

  function history(slug: string, params: object) {
    return openables.prepareHistory({ slug, ...params }, { reference, at, caller });
  }
});
