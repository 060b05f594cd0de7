import { expect } from "chai";
import type { Schema } from "../../src/contract/types.ts";
import { encodeSegment } from "../../src/store/codec/frame-segment.ts";
import { FramesStore } from "../../src/store/read/frames.ts";
import { dayText, hourMs } from "../../src/values/time/calendar.ts";
import { Random } from "../sim/random.ts";
import { casesBySize } from "../support/size.ts";
import { codeOf } from "./failure-code.ts";
import { frameAt, HistoryWorld, hourlyRows, quote, recordFrame, type Side, type State } from "./history-world.ts";

const at = Date.UTC(2026, 0, 15, 12, 30);
const today = Math.floor(at / 86_400_000);
const hour = (day: number, ofDay: number) => (today + day) * 24 + ofDay;

type Params = Parameters<HistoryWorld["hourly"]["prepare"]>[0];

describe("hourly history", () => {
  it("changes its page tag with a quote, its provider or a frame", () => {
    const world = new HistoryWorld();
    world.feeds();
    for (const id of [1, 2]) world.file.item(id);
    world.record(frameAt("alpha", hour(0, 0), { 1: [quote("a1", 100)], 2: [quote("a2", 100)] }));
    const { $client } = world.file.writer;
    const numbers = $client.prepare("SELECT provider, number FROM frame_providers").raw().all() as [string, number][];
    const says = (provider: string, amount: number) => () => {
      const state = [{ ...quote(provider, amount), provider: new Map(numbers).get(provider)! }];
      const changes = encodeSegment({ day: today, itemId: 1, feed: "alpha" }, [{ hour: 0, state }]);
      $client.prepare("UPDATE frame_segments SET changes = ? WHERE day = ? AND item_id = 1").run(changes, today);
    };
    const contents = [
      () => undefined,
      says("a1", 101),
      says("a2", 101),
      () => world.record(frameAt("alpha", hour(0, 1), { 1: [quote("a1", 7)] })),
      () => world.record(frameAt("beta", hour(0, 1), { 1: [quote("b1", 8)] })),
      () => world.record(frameAt("beta", hour(0, 2), {})),
    ].map((change) => {
      change();
      return world.hourlyPage({ item_id: 1 }, at).data.json;
    });
    expect(new Set(contents).size).to.equal(contents.length);
    world.file.remove();
  });

  describe("handwritten frames", () => {
    const world = new HistoryWorld();
    after(() => world.file.remove());
    before(() => {
      world.feeds();
      for (const id of [1, 2, 3]) world.file.item(id, { inCatalog: id !== 3 });
      const bid = quote("a1", 80, { side: "bid" });
      world.record(frameAt("alpha", hour(0, 0), { 1: [quote("a1", 100, { quantity: 3, observedAt: at - 1 }), bid] }));
      world.record(frameAt("beta", hour(0, 0), { 2: [] }, 120_000));
      world.record(frameAt("alpha", hour(0, 1), { 1: [quote("a1", 100), bid] }));
      world.record(frameAt("alpha", hour(0, 3), { 1: [bid] }));
      world.record(frameAt("alpha", hour(0, 4), {}, 300_000));
      world.record(frameAt("beta", hour(0, 4), {}, 0));
      world.record(frameAt("alpha", hour(0, 5), { 1: [quote("z9", 7), quote("a2", 8), quote("a1", 9)] }));
      world.record(frameAt("beta", hour(0, 5), { 1: [quote("b1", 6)] }));
      world.record(frameAt("alpha", hour(-1, 23), { 3: [quote("a1", 5)] }));
    });

    it("remain for a departed item; an unknown item is not found", () => {
      expect(brief(read(world, { item_id: 3 }))[0]).to.equal("23 a1 5 quoted");
      expect(codeOf(() => read(world, { item_id: 4 }))).to.equal("item_not_found");
    });

    it("leave hours missing that began without a frame", () => {
      expect(read(world, { item_id: 1, from: dayText(today) }).meta.missing_points).to.equal(
        "8 of 13 hours absent: 2026-01-15T02:00Z, 2026-01-15T06:00Z/2026-01-15T12:00Z",
      );
      expect(read(world, { item_id: 1, from: dayText(today), provider: "b1" }).meta.missing_points).to.equal(
        "10 of 13 hours absent: 2026-01-15T01:00Z/2026-01-15T03:00Z, 2026-01-15T06:00Z/2026-01-15T12:00Z",
      );
    });

    it("have the oldest quote's time as as_of, or null without one", () => {
      const one = read(world, { item_id: 1, from: dayText(today), limit: 1 }).meta;
      expect(one).to.include({
        as_of: "2026-01-15T12:29:59.999Z",
        freshness: "fresh",
        timestamp_quality: "source_observed",
      });
      const all = read(world, { item_id: 1, from: dayText(today) }).meta;
      expect(all).to.include({ as_of: null, freshness: "unknown", timestamp_quality: "partial" });
      const none = read(world, { item_id: 1, provider: "b1", from: dayText(today), limit: 2 }).meta;
      expect(none).to.include({ as_of: null, freshness: "unknown", timestamp_quality: "unknown" });
    });

    it("are hidden for hours in the future after a clock setback", () => {
      const early = Date.UTC(2026, 0, 15, 1, 59);
      const { data, meta } = read(world, { item_id: 1, from: dayText(today) }, early);
      expect(brief({ data, meta })).to.deep.equal(["00 a1 100 quoted", "01 a1 100 quoted"]);
      expect(meta).to.include({ missing_points: "none", next_page: null });
      expect(read(world, { item_id: 1, from: dayText(today), limit: 2 }, early).meta.next_page).to.equal(null);
      const dayBefore = Date.UTC(2026, 0, 14, 23, 10);
      expect(brief(read(world, { item_id: 3 }, dayBefore))).to.deep.equal(["23 a1 5 quoted"]);
      expect(brief(read(world, { item_id: 1, from: dayText(today) }))).to.have.length(8);
    });

    it("are hidden until they are stored completely", () => {
      const before = read(world, { item_id: 1 });
      recordFrame(world.file.writer, frameAt("alpha", hour(0, 2), { 1: [quote("a1", 1)], 3: [quote("a1", 2)] }), 1);
      expect(
        world.file.reader.$client.prepare("SELECT count(*) FROM frame_segments WHERE item_id = 3").pluck().get(),
      ).to.equal(2);
      expect(read(world, { item_id: 1 })).to.deep.equal(before);
    });

    it("hide the remains of a crash in all later hours", () => {
      const key = { day: today, itemId: 2, feed: "alpha" };
      const number = new FramesStore(world.file.reader).providers().find(({ provider }) => provider === "a1")!.number;
      const stray = { provider: number, side: "ask" as const, amount: 1, quantity: null, observedAt: null };
      const segment = encodeSegment(key, [{ hour: 2, state: [stray] }]);
      world.file.writer.$client
        .prepare("INSERT INTO frame_segments VALUES (?, ?, ?, ?)")
        .run(key.day, key.itemId, key.feed, segment);
      const rows = brief(read(world, { item_id: 2, provider: "a1", from: dayText(today) }));
      expect(rows).to.deep.equal([0, 1, 3, 4, 5].map((ofDay) => `0${ofDay} a1 null item_missing`));
    });
  });

  describe("random frames", () => {
    const world = new HistoryWorld();
    const random = new Random(7);
    after(() => world.file.remove());
    before(() => {
      world.feeds();
      for (const id of [1, 2]) world.file.item(id);
      const hours = Array.from({ length: 70 }, (_, index) => hour(-2, index)).sort(() => random.next() - 0.5);
      for (const one of hours) {
        for (const feed of ["steam", "alpha", "beta"]) {
          if (random.chance(0.3)) continue;
          world.record(frameAt(feed, one, { 1: randomState(random, feed), 2: null }, random.between(0, hourMs - 1)));
        }
      }
    });

    const selections = ([null, "steam", "a1", "z9", "b1"] as const).flatMap((provider) =>
      (["ask", "bid"] as const).map((side) => ({ provider, side })),
    );
    for (const { provider, side } of selections) {
      it(`give hourly ${side}s of ${provider ?? "all providers"} on pages of any length`, () => {
        const params = { item_id: 1, side, from: dayText(today - 2), ...(provider !== null && { provider }) };
        const wanted = { itemId: 1, side, provider, fromHour: hour(-2, 0), toHour: hour(0, 12) };
        const expected = hourlyRows(world.frames, wanted);
        const whole = read(world, { ...params, limit: 1000 });
        expect(expected.length).to.be.greaterThan(20);
        expect(whole.data).to.deep.equal(expected);
        expect(whole.meta.next_page).to.equal(null);
        const limits = Array.from({ length: expected.length + 1 }, (_, index) => index + 1);
        for (const limit of casesBySize(limits, 8)) {
          const { rows, pages, missing } = walk(world, { ...params, limit });
          expect(rows, `limit ${limit}`).to.deep.equal(expected);
          expect(pages, `limit ${limit}`).to.equal(Math.ceil(expected.length / limit));
          expect(missing).to.deep.equal([whole.meta.missing_points]);
        }
      });
    }
  });
});

function randomState(random: Random, feed: string): State {
  if (random.chance(0.2)) return null;
  const providers = { steam: ["steam"], alpha: ["a1", "a2", "z9"], beta: ["b1"] }[feed]!;
  return providers
    .flatMap((provider) => (["ask", "bid"] as Side[]).map((side) => ({ provider, side })))
    .filter(() => random.chance(0.4))
    .map(({ provider, side }) =>
      quote(provider, random.between(1, 3), {
        side,
        quantity: random.chance(0.5) ? random.between(1, 2) : null,
        observedAt: random.chance(0.5) ? at - random.between(0, 3) : null,
      }),
    );
}

type Page = { data: Schema<"HourlyPrice">[]; meta: ReturnType<HistoryWorld["hourly"]["read"]>["meta"] };

function read(world: HistoryWorld, params: Params, now = at): Page {
  const { data, meta } = world.hourlyPage(params, now);
  return { data: JSON.parse(data.json), meta };
}

/** Every page from the first to the last one. */
function walk(world: HistoryWorld, params: Params) {
  const rows: Schema<"HourlyPrice">[] = [];
  const missing = new Set<string>();
  let pages = 0;
  for (let after: string | null | undefined; after !== null; pages += 1) {
    const { data, meta } = read(world, { ...params, ...(after === undefined ? {} : { after }) });
    rows.push(...data);
    missing.add(meta.missing_points);
    after = meta.next_page;
  }
  return { rows, pages, missing: [...missing] };
}

function brief({ data }: Page): string[] {
  return data.map(
    ({ ts, provider, amount, availability }) => `${ts.slice(11, 13)} ${provider} ${amount} ${availability}`,
  );
}
