import { expect } from "chai";
import type { Plan } from "../../src/access/plans.ts";
import type { Schema } from "../../src/contract/types.ts";
import { nextPage } from "../../src/domain/history-request.ts";
import { dayMs, dayText } from "../../src/values/time/calendar.ts";
import { Random } from "../sim/random.ts";
import { edit } from "../support/unguarded.ts";
import { codeOf } from "./failure-code.ts";
import { type Daily, dailyOf, dailyText, frameAt, HistoryWorld, quote, type Side } from "./history-world.ts";

const at = Date.UTC(2026, 0, 15, 12, 30);
const today = Math.floor(at / dayMs);
const day = (offset: number) => dayText(today + offset);

type Params = Parameters<HistoryWorld["daily"]["prepare"]>[0];

describe("daily history", () => {
  describe("handwritten rows", () => {
    const world = new HistoryWorld();
    after(() => world.file.remove());
    before(() => {
      world.feeds();
      for (const id of [1, 2]) world.file.item(id, { inCatalog: id !== 2 });
      world.price(row({ day: today - 31, provider: "steam" }));
      world.price(row({ day: today - 30, provider: "steam", sourceObservedAt: at - 30 * dayMs }));
      world.price(row({ day: today - 5, provider: "steam", quantity: 4 }));
      world.price(row({ day: today - 5, provider: "a1", sourceObservedAt: at - 5 * dayMs }));
      world.price(row({ day: today - 5, provider: "a1", side: "bid" }));
      world.price(row({ day: today - 1, provider: "b1", sourceObservedAt: at - 2 * dayMs }));
      world.price(row({ day: today - 400, provider: "steam", itemId: 2 }));
      // Recorded yesterday and not finalized. Newer than the provider's stored rows, but not than another provider's.
      world.price(row({ day: today - 1, provider: "a1", amount: 1, lowAmount: 1 }));
      world.record(frameAt("alpha", (today - 1) * 24 + 3, { 1: [quote("a1", 30), quote("a2", 50)] }));
      world.record(frameAt("alpha", (today - 1) * 24 + 9, { 1: [quote("a1", 20, { observedAt: at - dayMs })] }));
      world.record(frameAt("alpha", (today - 1) * 24 + 11, { 1: [] }));
      world.record(frameAt("steam", today * 24 + 2, { 1: [quote("steam", 9, { quantity: 2 })] }));
    });

    it("cover 30 completed days by default, by day and provider", () => {
      const { data, meta } = read(world, { item_id: 1 });
      expect(brief(data)).to.deep.equal([
        `${day(-30)} steam 100`,
        `${day(-5)} a1 100`,
        `${day(-5)} steam 100`,
        `${day(-1)} a1 20`,
        `${day(-1)} a2 50`,
        `${day(-1)} b1 100`,
      ]);
      expect(meta).to.deep.include({
        from: day(-30),
        to: day(-1),
        resolution: "day",
        next_page: null,
        missing_points: `27 of 30 days absent: ${day(-29)}/${day(-6)}, ${day(-4)}/${day(-2)}`,
      });
    });

    it("remain for a departed item; an unknown item is not found", () => {
      const old = { from: day(-400), to: day(-390) };
      expect(brief(read(world, { item_id: 2, ...old }).data)).to.deep.equal([`${day(-400)} steam 100`]);
      expect(codeOf(() => read(world, { item_id: 3 }))).to.equal("item_not_found");
    });

    it("have the oldest source time as as_of, fresh for 48 hours", () => {
      const reported = read(world, { item_id: 1, provider: "b1" }).meta;
      expect(reported).to.include({ freshness: "fresh", timestamp_quality: "source_observed" });
      expect(reported.as_of).to.equal(new Date(at - 2 * dayMs).toISOString());
      expect(read(world, { item_id: 1, provider: "b1" }, "builder", at + 1).meta.freshness).to.equal("stale");
      expect(read(world, { item_id: 1 }).meta).to.include({
        as_of: null,
        freshness: "unknown",
        timestamp_quality: "partial",
      });
      const untold = read(world, { item_id: 1, provider: "a2" }).meta;
      expect(untold).to.include({ freshness: "unknown", timestamp_quality: "ingest_only" });
    });

    it("give the Free plan the main platform's asks of 30 completed days", () => {
      const own = [`${day(-30)} steam 100`, `${day(-5)} steam 100`];
      expect(brief(read(world, { item_id: 1 }, "free").data)).to.deep.equal(own);
      const asked = { item_id: 1, provider: "steam", side: "ask", from: day(-30), to: day(-1) } as const;
      expect(brief(read(world, asked, "free").data)).to.deep.equal(own);
    });

    const beyond: [string, Partial<Params>][] = [
      ["another provider", { provider: "a1" }],
      ["bids", { side: "bid" }],
      ["today", { from: day(-1), to: day(0) }],
      ["the 31st completed day", { from: day(-31), to: day(-20) }],
    ];
    for (const [what, params] of beyond) {
      it(`refuse the Free plan ${what} before any charge, even by cursor`, () => {
        const query = { item_id: 1, ...params };
        expect(codeOf(() => prepare(world, query, "free"))).to.equal("plan_upgrade_required");
        expect(codeOf(() => prepare(world, query, "builder"))).to.equal(null);
        const { next_page } = read(world, { item_id: 1, from: day(-31), to: day(0), limit: 1 }).meta;
        expect(codeOf(() => prepare(world, { item_id: 1, after: next_page! }, "free"))).to.equal(
          "plan_upgrade_required",
        );
      });
    }

    it("continue Free paging over midnight; an old cursor shows no older days", () => {
      const { next_page } = read(world, { item_id: 1, limit: 1 }, "free").meta;
      const query = { item_id: 1, after: next_page! };
      const { data, meta } = read(world, query, "free", at + dayMs);
      expect([brief(data), meta.from]).to.deep.equal([[`${day(-5)} steam 100`], day(-30)]);
      expect(codeOf(() => prepare(world, query, "free", at + 2 * dayMs))).to.equal("plan_upgrade_required");
      expect(codeOf(() => prepare(world, query, "builder", at + 200 * dayMs))).to.equal(null);
    });

    it("keep the Free plan's provider in a cursor", () => {
      const { next_page } = read(world, { item_id: 1, limit: 1 }, "free").meta;
      expect(brief(read(world, { item_id: 1, after: next_page! }).data)).to.deep.equal([`${day(-5)} steam 100`]);
    });

    it("fit the longest provider and largest ids into a cursor", () => {
      const query = {
        itemId: 2_147_483_647,
        side: "ask" as const,
        provider: "p".repeat(60),
        madeOn: 99_999,
        limit: 1,
        window: { from: 20_000, to: 20_365 },
        after: null,
        knownAt: 1_768_000_000_000,
      };
      for (const operation of ["getDailyPriceHistory", "getHourlyPriceHistory"] as const) {
        const key = { point: 999_999, provider: "p".repeat(60) };
        expect(nextPage(operation, query, key, world.reference.cursors).length).to.be.at.most(512);
      }
    });
  });

  it("survive on an unfinished day only from a replacing import", () => {
    const world = new HistoryWorld();
    world.feeds();
    world.file.item(1);
    world.record(frameAt("alpha", (today - 1) * 24 + 3, { 1: ["a1", "a2", "z9"].map((name) => quote(name, 30)) }));
    world.price(row({ day: today - 1, provider: "a1" }), world.startImport("a1", true));
    world.price(row({ day: today - 1, provider: "a2" }), world.startImport("a2", false));
    const expected = [`${day(-1)} a1 100`, `${day(-1)} a2 30`, `${day(-1)} z9 30`];
    expect(brief(read(world, { item_id: 1 }).data)).to.deep.equal(expected);
    for (const limit of [1, 2, 3]) expect(brief(walk(world, { item_id: 1, limit }).rows)).to.deep.equal(expected);
    expect(brief(read(world, { item_id: 1, provider: "a1" }).data)).to.deep.equal([expected[0]]);
    world.file.remove();
  });

  it("show later writes, records and the end of the day when cached", () => {
    const world = new HistoryWorld();
    const { $client: client } = world.file.writer;
    world.feeds();
    world.file.item(1);
    const params = { item_id: 1, from: day(-3), to: day(0) };
    const shown = (now = at) => {
      const { data, meta } = read(world, params, "builder", now);
      return [...data.map(({ date, amount, complete }) => `${date} ${amount} ${complete}`), meta.missing_points];
    };
    world.price(row({ day: today - 2, provider: "a1" }));
    expect(shown()).to.deep.equal([`${day(-2)} 100 true`, `3 of 4 days absent: ${day(-3)}, ${day(-1)}/${day(0)}`]);
    edit(client, "UPDATE daily_by_item SET amount = 101");
    world.record(frameAt("alpha", today * 24 + 3, { 1: [quote("a1", 30)] }));
    const rest = `2 of 4 days absent: ${day(-3)}, ${day(-1)}`;
    expect(shown()).to.deep.equal([`${day(-2)} 101 true`, `${day(0)} 30 false`, rest]);
    world.record(frameAt("alpha", today * 24 + 4, { 1: [quote("a1", 31)] }));
    expect(shown()).to.deep.equal([`${day(-2)} 101 true`, `${day(0)} 31 false`, rest]);
    client.exec("UPDATE feed_days SET settled_at = 1");
    expect(shown()).to.deep.equal([`${day(-2)} 101 true`, `3 of 4 days absent: ${day(-3)}, ${day(-1)}/${day(0)}`]);
    world.price(row({ day: today, provider: "a1", amount: 90 }));
    expect(shown()).to.deep.equal([`${day(-2)} 101 true`, `${day(0)} 90 false`, rest]);
    expect(shown(at + dayMs)).to.deep.equal([`${day(-2)} 101 true`, `${day(0)} 90 true`, rest]);
    world.file.remove();
  });

  it("are an empty window on Free without a main platform", () => {
    const world = new HistoryWorld();
    world.file.feed("alpha", ["a1"], null);
    world.file.item(1);
    world.price(row({ day: today - 3, provider: "a1" }));
    expect(read(world, { item_id: 1 }, "free").data).to.deep.equal([]);
    expect(codeOf(() => prepare(world, { item_id: 1, provider: "a1" }, "free"))).to.equal("plan_upgrade_required");
    world.file.remove();
  });

  describe("random rows and frames", () => {
    const world = new HistoryWorld();
    const random = new Random(3);
    const expected = new Map<string, Daily>();
    after(() => world.file.remove());
    before(() => {
      world.feeds();
      world.file.item(1);
      const providers = ["steam", "a1", "a2", "z9", "b1"];
      for (let offset = -40; offset <= 0; offset += 1) {
        for (const provider of providers) {
          for (const side of ["ask", "bid"] as Side[]) {
            if (!random.chance(0.4)) continue;
            const sourceObservedAt = random.chance(0.5) ? at - random.between(0, dayMs) : null;
            put(row({ day: today + offset, provider, side, amount: random.between(95, 105), sourceObservedAt }));
          }
        }
      }
      for (const offset of [-20, -2, -1, 0]) {
        for (const feed of ["steam", "alpha", "beta"]) {
          for (const ofDay of [1, 5, 20]) {
            if (random.chance(0.3)) continue;
            const owned = { steam: ["steam"], alpha: ["a1", "a2", "z9"], beta: ["b1"] }[feed]!;
            const quotes = owned
              .filter(() => random.chance(0.5))
              .map((provider) => quote(provider, random.between(1, 9), { side: random.pick(["ask", "bid"]) }));
            world.record(frameAt(feed, (today + offset) * 24 + ofDay, { 1: quotes }));
          }
        }
      }
      for (const one of dailyOf(world.frames, 1)) expected.set(`${one.day} ${one.provider} ${one.side}`, one);
    });

    function put(one: Daily): void {
      world.price(one);
      expected.set(`${one.day} ${one.provider} ${one.side}`, one);
    }

    for (const provider of [null, "steam", "a2"]) {
      for (const side of ["ask", "bid"] as Side[]) {
        it(`merge into ${side}s of ${provider ?? "all providers"} on pages of any length`, () => {
          const rows = Array.from(expected.values())
            .filter((one) => one.side === side && (provider === null || one.provider === provider))
            .sort((a, b) => a.day - b.day || (a.provider < b.provider ? -1 : 1))
            .map((one) => dailyText(one, today));
          const params = { item_id: 1, side, from: day(-40), to: day(0), ...(provider !== null && { provider }) };
          const whole = read(world, { ...params, limit: 1000 });
          expect(rows.length).to.be.greaterThan(10);
          expect(whole.data).to.deep.equal(rows);
          const absent = 41 - new Set(rows.map(({ date }) => date)).size;
          expect(whole.meta.missing_points).to.match(
            absent === 0 ? /^none$/ : new RegExp(`^${absent} of 41 days absent: `),
          );
          for (let limit = 1; limit <= rows.length + 1; limit += 1) {
            const walked = walk(world, { ...params, limit });
            expect(walked.rows, `limit ${limit}`).to.deep.equal(rows);
            expect(walked.missing).to.deep.equal([whole.meta.missing_points]);
            expect(walked.pages).to.equal(Math.ceil(rows.length / limit));
          }
        });
      }
    }
  });
});

function row(facts: Partial<Daily> & { day: number; provider: string }): Daily {
  return {
    itemId: 1,
    side: "ask",
    amount: 100,
    lowAmount: 90,
    highAmount: 110,
    observations: 3,
    quantity: null,
    sourceObservedAt: null,
    recordedAt: at - 17,
    ...facts,
  };
}

function prepare(world: HistoryWorld, params: Params, plan: Plan = "builder", now = at) {
  return world.daily.prepare(params, { caller: { plan }, at: now, reference: world.reference });
}

function read(world: HistoryWorld, params: Params, plan: Plan = "builder", now = at) {
  const { data, meta } = world.dailyPage(prepare(world, params, plan, now), now);
  return { data: JSON.parse(data.json) as Schema<"DailyPrice">[], meta };
}

/** Every page from the first to the last one. */
function walk(world: HistoryWorld, params: Params) {
  const rows: Schema<"DailyPrice">[] = [];
  const missing = new Set<string>();
  let pages = 0;
  for (let after: string | null | undefined; after !== null; pages += 1) {
    const query = prepare(world, { ...params, ...(after === undefined ? {} : { after }) });
    const { data, meta } = world.daily.read(query, at);
    rows.push(...(JSON.parse(data.json) as Schema<"DailyPrice">[]));
    missing.add(meta.missing_points);
    after = meta.next_page;
  }
  return { rows, pages, missing: [...missing] };
}

function brief(rows: readonly Schema<"DailyPrice">[]): string[] {
  return rows.map(({ date, provider, amount }) => `${date} ${provider} ${amount}`);
}
