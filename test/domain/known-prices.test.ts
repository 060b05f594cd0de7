import { expect } from "chai";
import type { Schema } from "../../src/contract/types.ts";
import { FrameProviderNames } from "../../src/domain/frame-provider-names.ts";
import { KnownPrices } from "../../src/domain/known-prices.ts";
import { CatalogStore } from "../../src/store/read/catalog.ts";
import { FramesStore } from "../../src/store/read/frames.ts";
import { KnownFramesStore } from "../../src/store/read/known-frames.ts";
import { ProvidersStore } from "../../src/store/read/providers.ts";
import { FrameWriter } from "../../src/store/write/frames.ts";
import { dayMs, hourMs } from "../../src/values/time/calendar.ts";
import { toTimestamp, toTimestampOrNull } from "../../src/values/time/clock.ts";
import { Random } from "../sim/random.ts";
import { bySize } from "../support/size.ts";
import { codeOf } from "./failure-code.ts";
import { type Frame, frameAt, HistoryWorld, quote, recordFrame, type State } from "./history-world.ts";

/** A recorded frame and when it stopped to count, UTC ms. `countsFrom`: its recording. */
type Counted = Frame & { countsUntil: number };
type Drop = { feed: string; droppedAt: number };

const dayMax = 20_467;
const firstHour = dayMax * 24;
const itemIds = [1, 2, 3];
const { POSITIVE_INFINITY: never } = Number;

/** The prices of frames, by the words of the contract: slow and plain. */
function pricesOf(frames: readonly Counted[], drops: readonly Drop[], knownAt: number) {
  const counting = frames.filter((one) => one.recordedAt <= knownAt && knownAt < one.countsUntil);
  const latest = [...Map.groupBy(counting, ({ feed }) => feed).values()]
    .map((ofFeed) => ofFeed.reduce((one, other) => (other.hour > one.hour ? other : one)))
    .filter(({ checkedAt }) => checkedAt >= knownAt - 30 * dayMs)
    .filter(
      (one) =>
        !drops.some((drop) => drop.feed === one.feed && drop.droppedAt <= knownAt && drop.droppedAt >= one.ingestedAt),
    )
    .sort((one, other) => (one.feed < other.feed ? -1 : 1));
  const items = itemIds.map((item_id) => {
    const of = (wanted: string, sign: number): Schema<"KnownQuote">[] =>
      latest
        .flatMap(({ states }) => (states.get(item_id) ?? []).filter(({ side }) => side === wanted))
        .sort((a, b) => (a.amount - b.amount) * sign || (a.provider < b.provider ? -1 : 1))
        .map(({ provider, amount, quantity, observedAt }) => ({
          provider,
          amount,
          quantity,
          as_of: toTimestampOrNull(observedAt),
        }));
    return { item_id, status: "found", asks: of("ask", 1), bids: of("bid", -1) };
  });
  return {
    currency: "USD",
    minor_units: 2,
    frames: latest.map(({ feed, providers, hour, checkedAt, recordedAt }) => ({
      feed,
      providers,
      ts: toTimestamp(hour * hourMs),
      checked_at: toTimestamp(checkedAt),
      recorded_at: toTimestamp(recordedAt),
    })),
    items,
  };
}

describe("prices as known at an instant", () => {
  let world: HistoryWorld;
  let known: KnownPrices;
  const recorded: Counted[] = [];
  const drops: Drop[] = [];
  beforeEach(() => {
    world = new HistoryWorld();
    world.feeds();
    for (const id of itemIds) world.file.item(id);
    const { reader } = world.file;
    const frames = new FramesStore(reader);
    known = new KnownPrices({
      catalog: new CatalogStore(reader),
      frames,
      past: new KnownFramesStore(reader),
      providers: new ProvidersStore(reader),
      names: new FrameProviderNames(frames),
    });
    recorded.length = 0;
    drops.length = 0;
  });
  afterEach(() => world.file.remove());

  const at = (hour: number, intoMs = 0) => (firstHour + hour) * hourMs + intoMs;
  const prepare = (knownAt: number, more: object = {}) =>
    known.prepare(
      { body: { known_at: toTimestamp(knownAt), item_ids: itemIds, ...more } },
      { caller: { plan: "builder" }, at: at(2_000), reference: world.reference },
    );
  const read = (knownAt: number, more: object = {}) => known.read(prepare(knownAt, more));
  const record = (frame: Frame, isSavedBody = false) => {
    recordFrame(world.file.writer, frame, never, isSavedBody);
    const counted = { ...frame, countsUntil: never };
    recorded.push(counted);
    return counted;
  };
  const retract = (frame: Counted, retractedAt: number) => {
    const { feed, hour } = frame;
    new FrameWriter(world.file.writer).retract({ feed, hour, day: Math.floor(hour / 24) }, "wrong", retractedAt);
    frame.countsUntil = retractedAt;
  };
  const drop = (feed: string, droppedAt: number) => {
    world.file.writer.$client.prepare("INSERT INTO feed_drops VALUES (NULL, ?, ?, NULL, 1, 1)").run(feed, droppedAt);
    drops.push({ feed, droppedAt });
  };
  const prune = (day: number) =>
    world.file.writer.$client.exec(
      `UPDATE feed_days SET settled_at = 1, pruned_at = 1 WHERE day = ${day}; DELETE FROM frame_segments WHERE day = ${day}`,
    );
  const late = (frame: Frame, recordedAt: number): Frame => ({ ...frame, recordedAt, ingestedAt: recordedAt });

  it("are of the latest hour recorded by then, not of the latest recording", () => {
    record(frameAt("alpha", firstHour + 3, { 1: [quote("a1", 3)] }));
    record(late(frameAt("alpha", firstHour + 2, { 1: [quote("a1", 2)] }), at(5)));
    const asks = (knownAt: number) => read(knownAt).data.items[0]!.asks.map(({ amount }) => amount);
    expect([at(5) - 1, at(5), at(99)].map(asks)).to.deep.equal([[3], [3], [3]]);
    record(late(frameAt("alpha", firstHour + 4, { 1: [quote("a1", 4)] }), at(6)));
    expect([at(6) - 1, at(6)].map(asks)).to.deep.equal([[3], [4]]);
  });

  it("equal the recorder's list at each instant", () => {
    const random = new Random(5);
    const state = (feed: string): State => {
      const quotes = Object.entries({ a1: "alpha", a2: "alpha", b1: "beta", steam: "steam" })
        .filter(([, of]) => of === feed)
        .flatMap(([provider]) =>
          (["ask", "bid"] as const)
            .filter(() => random.chance(0.7))
            .map((side) => quote(provider, random.between(1, 4), { side, observedAt: random.chance(0.5) ? 17 : null })),
        );
      return random.chance(0.2) ? null : quotes;
    };
    const made = (feed: string, hour: number, intoMs: number): Frame =>
      frameAt(feed, firstHour + hour, Object.fromEntries(itemIds.map((id) => [id, state(feed)])), intoMs);
    const hours = bySize({ short: 14, long: 200 });
    const open: { frame: Frame; at: number }[] = [];
    for (let hour = 0; hour < hours; hour += 1) {
      for (const feed of ["alpha", "beta", "steam"]) {
        if (random.chance(0.15)) continue;
        const frame = made(feed, hour, random.between(0, 1_800_000));
        if (random.chance(0.15)) open.push({ frame, at: frame.recordedAt + random.between(1, 9) * hourMs });
        else record(frame);
      }
      const now = at(hour, 3_000_000);
      for (const { frame, at: recordedAt } of open.filter((one) => one.at < now))
        record(late(frame, Math.max(recordedAt, now - 9)));
      open.splice(0, open.length, ...open.filter((one) => one.at >= now));
      const counting = recorded.filter(({ countsUntil }) => countsUntil === never);
      if (random.chance(0.2) && counting.length > 0) {
        const wrong = counting[random.between(Math.max(0, counting.length - 5), counting.length - 1)]!;
        retract(wrong, now);
        const { feed, hour: of } = wrong;
        if (random.chance(0.5)) record(late(made(feed, of - firstHour, 2_000_000), now + 5), true);
      }
      if (random.chance(0.05)) drop(["alpha", "beta"][random.between(0, 1)]!, now + 7);
    }
    const instants = new Set(
      [...recorded.flatMap((one) => [one.recordedAt, one.countsUntil]), ...drops.map(({ droppedAt }) => droppedAt)]
        .filter(Number.isFinite)
        .flatMap((instant) => [instant - 1, instant]),
    );
    const first = Math.min(...recorded.map(({ recordedAt }) => recordedAt));
    for (const knownAt of [...instants].filter((instant) => instant >= first))
      expect(read(knownAt).data, toTimestamp(knownAt)).to.deep.equal(pricesOf(recorded, drops, knownAt));
  });

  it("of a filter are of its provider and side, and of its feed", () => {
    record(frameAt("alpha", firstHour, { 1: [quote("a1", 3), quote("a2", 4), quote("a1", 2, { side: "bid" })] }));
    record(frameAt("beta", firstHour, { 1: [quote("b1", 5)] }));
    const { data, meta } = read(at(1), { provider: "a1", side: "ask" });
    expect(data.frames.map(({ feed }) => feed)).to.deep.equal(["alpha"]);
    expect(data.items[0]).to.deep.include({
      asks: [{ provider: "a1", amount: 3, quantity: null, as_of: null }],
      bids: [],
    });
    expect(meta).to.include({ known_at: toTimestamp(at(1)), as_of: null, timestamp_quality: "ingest_only" });
    expect(codeOf(() => read(at(1), { provider: "none" }))).to.equal("unknown_provider");
  });

  it("have no frame of a feed that was last recorded more than 30 days before", () => {
    const { checkedAt } = record(frameAt("alpha", firstHour, { 1: [quote("a1", 3)] }));
    const frames = (knownAt: number) => read(knownAt).data.frames.length;
    expect([0, 1].map((more) => frames(checkedAt + 30 * dayMs + more))).to.deep.equal([1, 0]);
  });

  it("have no item that joined the catalog later", () => {
    world.file.item(9, { firstSeenAt: at(4) });
    record(frameAt("alpha", firstHour, { 1: [quote("a1", 3)] }));
    const status = (knownAt: number) => read(knownAt, { item_ids: [9, 1, 77] }).data.items.map((one) => one.status);
    expect(status(at(4) - 1)).to.deep.equal(["not_found", "found", "not_found"]);
    expect(status(at(4))).to.deep.equal(["found", "found", "not_found"]);
  });

  it("refuse an instant without quotes, naming the first that has them", () => {
    const refusalAt = (knownAt: number, more = {}) => {
      try {
        read(knownAt, more);
        return null;
      } catch (error) {
        return /[-:.TZ0-9]{24}/.exec((error as Error).message)?.[0];
      }
    };
    record(frameAt("alpha", firstHour + 23, { 1: [quote("a1", 3)] }));
    record(frameAt("beta", firstHour + 23, { 1: [quote("b1", 3)] }));
    const later = record(frameAt("alpha", firstHour + 26, { 1: [quote("a1", 4)] }));
    prune(dayMax);
    const { checkedAt } = recorded[1]!;
    const aged = toTimestamp(checkedAt + 30 * dayMs + 1);
    expect([at(24), at(27)].map((knownAt) => refusalAt(knownAt))).to.deep.equal([aged, aged]);
    expect(refusalAt(Date.parse(aged))).to.equal(null);
    const of = (knownAt: number) => refusalAt(knownAt, { provider: "a1" });
    expect([of(later.recordedAt - 1), of(later.recordedAt)]).to.deep.equal([toTimestamp(later.recordedAt), null]);
    expect(prepareAsFree(at(24))).to.not.equal(null);
  });

  const prepareAsFree = (knownAt: number) =>
    known.prepare(
      { body: { known_at: toTimestamp(knownAt), item_ids: itemIds } },
      { caller: { plan: "free" }, at: at(2_000), reference: world.reference },
    );
});
