import { expect } from "chai";
import { runAtOnce } from "../../src/store/write/batches.ts";
import { CatalogWriter, readItems } from "../../src/store/write/catalog.ts";
import { DailyPriceWriter } from "../../src/store/write/daily-prices.ts";
import { finalizeDaysInBatches } from "../../src/store/write/finalize-days.ts";
import { FrameWriter } from "../../src/store/write/frames.ts";
import { spanKeeper } from "../../src/store/write/known-since.ts";
import { pruneHoursInBatches, readPrunable } from "../../src/store/write/prune-hours.ts";
import { dayMs, dayOf, dayText, hourMs, hourOf } from "../../src/values/time/calendar.ts";
import { toTimestamp } from "../../src/values/time/clock.ts";
import { Random } from "../sim/random.ts";
import { bySize } from "../support/size.ts";
import { codeOf } from "./failure-code.ts";
import { frameAt, HistoryWorld, quote, recordFrame, type Side, type State } from "./history-world.ts";

const begin = Date.UTC(2026, 0, 12, 21, 15);
const caller = { plan: "builder" } as const;
const providers = { steam: ["steam"], alpha: ["a1", "a2", "z9"], beta: ["b1"] };
const feeds = ["steam", "alpha", "beta"] as const;
const kinds = ["frame", "late frame", "finalize", "import", "retract", "replace", "rename", "item"] as const;
type Kind = (typeof kinds)[number];

type Asked = { operation: "daily" | "hourly"; params: Parameters<HistoryWorld["daily"]["prepare"]>[0] };
type Recorded = Asked & { at: number; after: string; answer: string };

/** A world with histories that change in every way, and the live answers after each change. */
class ChangingWorld extends HistoryWorld {
  readonly recorded: Recorded[] = [];
  now = begin;
  readonly #random = new Random(17);
  readonly #names = new Map([1, 2, 3].map((id) => [id, `Item ${id}`]));
  #retracted: { feed: string; hour: number }[] = [];

  run(steps: number): void {
    this.feeds();
    for (const id of [1, 2]) this.file.item(id);
    for (let step = 0; step < steps; step += 1) {
      this.now += this.#random.between(1, 70) * 60_000;
      const kind = step < 3 ? "frame" : step === 40 ? "item" : this.#kindOf();
      this.#change(kind);
      this.#record(kind, this.now);
      this.#record(kind, this.now + 20_000);
    }
    this.now += hourMs;
  }

  answer({ operation, params }: Asked, at: number): string {
    const asked = { caller, at, reference: this.reference };
    try {
      const { data, meta } =
        operation === "daily"
          ? this.daily.read(this.daily.prepare(params, asked), at)
          : this.hourly.read(this.hourly.prepare(params, asked), at);
      return `${data.json} ${JSON.stringify({ ...meta, next_page: meta.next_page === null })}`;
    } catch (error) {
      return codeOf(() => {
        throw error;
      })!;
    }
  }

  #kindOf(): Kind {
    return this.#random.weighted([
      ["frame", 30],
      ["late frame", 8],
      ["finalize", 6],
      ["import", 6],
      ["retract", 8],
      ["replace", 6],
      ["rename", 3],
    ]);
  }

  #record(after: Kind, at: number): void {
    const random = this.#random;
    for (let count = 0; count < 4; count += 1) {
      const provider = random.pick(["", "steam", "a1", "z9", "b1"]);
      const from = random.chance(0.5) ? undefined : dayText(dayOf(at) - random.between(0, 3));
      const params = {
        item_id: random.between(1, 3),
        side: random.pick<Side>(["ask", "bid"]),
        ...(provider !== "" && { provider }),
        ...(from !== undefined && { from, to: dayText(dayOf(at)) }),
        ...(random.chance(0.2) && { limit: 5 }),
      };
      const operation = count % 2 === 0 ? "daily" : "hourly";
      this.recorded.push({ operation, params, at, after, answer: this.answer({ operation, params }, at) });
    }
  }

  #change(kind: Kind): void {
    const feed = this.#random.pick(feeds);
    if (kind === "frame") this.#frame(feed, hourOf(this.now));
    if (kind === "late frame") this.#frame(feed, hourOf(this.now) - this.#random.between(1, 40));
    if (kind === "finalize") this.#finalize();
    if (kind === "import") this.#import();
    if (kind === "retract") this.#retract(feed);
    if (kind === "replace") this.#replace();
    if (kind === "rename") this.#rename(1);
    if (kind === "item" && !this.#exists(3)) this.file.item(3, { firstSeenAt: this.now });
  }

  #frame(feed: (typeof feeds)[number], hour: number, isSavedBody = false): void {
    const states: Record<number, State> = {};
    for (const id of [1, 2, 3]) {
      if (this.#exists(id) && this.#random.chance(0.8)) states[id] = this.#state(feed);
    }
    const refusedNames = ["Item 1", "Item 2", "Item 3"]
      .filter(
        (name) => this.#random.chance(0.5) && !Object.keys(states).some((id) => this.#names.get(Number(id)) === name),
      )
      .map((name) => ({ name, phase: null }));
    const frame = { ...frameAt(feed, hour, states), refusedNames, recordedAt: this.now };
    const checkedAt = Math.min(frame.checkedAt, this.now);
    recordFrame(this.file.writer, { ...frame, checkedAt, ingestedAt: checkedAt - 5 }, undefined, isSavedBody);
  }

  #exists(id: number): boolean {
    return this.file.reader.$client.prepare("SELECT 1 FROM items WHERE item_id = ?").get(id) !== undefined;
  }

  #state(feed: (typeof feeds)[number]): State {
    if (this.#random.chance(0.2)) return null;
    return providers[feed]
      .filter(() => this.#random.chance(0.6))
      .map((provider) => quote(provider, this.#random.between(1, 5), { side: this.#random.pick(["ask", "bid"]) }));
  }

  #finalize(): void {
    const clock = { now: () => this.now, monotonicMs: () => 0 };
    runAtOnce(finalizeDaysInBatches(this.file.writer, dayOf(this.now), clock));
  }

  #import(): void {
    const replaces = this.#random.chance(0.5);
    const provider = this.#random.pick(["steam", "a1", "b1"]);
    const importId = this.startImport(provider, replaces);
    const store = new DailyPriceWriter(this.file.writer, dayOf(this.now));
    this.file.writer.$client.transaction(() => {
      for (let ago = 0; ago < 4; ago += 1) {
        const amount = this.#random.between(100, 120);
        const row = {
          itemId: this.#random.between(1, 2),
          side: this.#random.pick<Side>(["ask", "bid"]),
          day: dayOf(this.now) - ago,
          provider,
          amount,
          lowAmount: amount,
          highAmount: amount,
          observations: 1,
          quantity: null,
          sourceObservedAt: null,
          recordedAt: this.now,
          importId,
        };
        store[replaces ? "put" : "add"](row);
      }
    })();
  }

  #retract(feed: string): void {
    const frames = new FrameWriter(this.file.writer);
    const hour = hourOf(this.now) - this.#random.between(0, 30);
    const before = frames.recorded({ hour, feed });
    if (before === null || before.reason !== null) return;
    frames.retract({ day: Math.floor(hour / 24), hour, feed }, "wrong", this.now);
    this.#retracted.push({ feed, hour });
    this.#finalize();
  }

  #replace(): void {
    const one = this.#retracted.shift();
    if (one === undefined) return;
    this.#frame(one.feed as (typeof feeds)[number], one.hour, true);
  }

  #rename(id: number): void {
    const name = this.#names.get(id) === `Item ${id}` ? `Renamed ${id}` : `Item ${id}`;
    this.#names.set(id, name);
    const writer = new CatalogWriter(this.file.writer);
    const row = Array.from(readItems(this.file.writer).values()).find(({ itemId }) => itemId === id)!;
    writer.write({ ...row, marketHashName: name, updatedAt: this.now });
  }
}

describe("histories as known at an earlier instant", () => {
  const world = new ChangingWorld();
  const pruned = prunedWorld();
  after(() => {
    for (const { file } of [world, pruned.world]) file.remove();
  });
  before(() => world.run(bySize({ short: 60, long: 900 })));

  it("equal the live answers of then around each kind of change", () => {
    const seen = new Map<string, number>();
    for (const { operation, params, at, after, answer } of world.recorded) {
      const known = world.answer({ operation, params: { ...params, known_at: toTimestamp(at) } }, world.now);
      const what = `${operation} ${JSON.stringify(params)} at ${toTimestamp(at)} after ${after}`;
      expect(known.replace(`,"known_at":"${toTimestamp(at)}"`, ""), what).to.equal(answer);
      seen.set(after, (seen.get(after) ?? 0) + 1);
    }
    for (const kind of kinds) expect(seen.get(kind), kind).to.be.at.least(8);
  });

  it("refuse an instant at which a removed day was still growing", () => {
    const { daily, hourly, day, removedAt } = pruned;
    const last = day * dayMs + 15 * hourMs + 60_007;
    const first = (at: number) => `must not be before ${toTimestamp(at)}, the first instant that can be answered`;
    const window = { from: dayText(day), to: dayText(day) };
    expect(daily(last - 1, window)).to.include(first(last));
    expect(daily(last - 1, { from: dayText(day - 1), to: dayText(day - 1) })).to.equal("[]");
    expect(daily(last, window)).to.include('"amount":15');
    expect(daily(day * dayMs, window)).to.equal("[]");
    expect(hourly(removedAt - 1, window)).to.include(first(removedAt));
    expect(hourly(removedAt - 1, { from: dayText(day + 1), to: dayText(day + 1) })).to.include('"amount":7');
    expect(hourly(removedAt, window)).to.equal("[]");
  });

  it("show a command with several transactions only from its last commit on", () => {
    const { read, world: spanned, day } = pruned;
    const startedAt = (day + 2) * dayMs;
    const amount = 500;
    const row = {
      itemId: 1,
      side: "ask",
      day: day - 1,
      provider: "steam",
      amount,
      lowAmount: amount,
      highAmount: amount,
    } as const;
    spanned.price({ ...row, observations: 1, quantity: null, sourceObservedAt: null, recordedAt: startedAt });
    spanned.startImport("steam", false, startedAt);
    spanKeeper(spanned.file.writer, startedAt)(startedAt + 5);
    const rows = (at: number) =>
      JSON.parse(
        read({ item_id: 1, from: dayText(day - 1), to: dayText(day - 1), known_at: toTimestamp(at) }).data.json,
      );
    expect([-1, 0, 4, 5].map((after) => rows(startedAt + after).length)).to.deep.equal([0, 0, 0, 1]);
  });

  it("show a frame that was recorded beside such a command", () => {
    const { daily, hourly, world: spanned, day } = pruned;
    const recordedAt = (day + 1) * dayMs + 60_007;
    spanKeeper(spanned.file.writer, recordedAt - 5)(recordedAt + 5);
    const window = { from: dayText(day + 1), to: dayText(day + 1) };
    for (const read of [daily, hourly])
      expect([-1, 0].map((after) => read(recordedAt + after, window).includes('"amount":7'))).to.deep.equal([
        false,
        true,
      ]);
  });

  it("remember the instant in a cursor", () => {
    const { read, day } = pruned;
    const at = toTimestamp((day + 1) * dayMs + hourMs);
    const params = { item_id: 1, known_at: at, from: dayText(day), to: dayText(day + 1), limit: 1 };
    const { meta } = read(params);
    expect(meta).to.include({ known_at: at, to: dayText(day + 1) });
    const { item_id, limit } = params;
    const after = meta.next_page!;
    const next = read({ item_id, limit, after });
    expect(next.meta).to.include({ known_at: at, next_page: null });
    expect(next.data.json).to.include('"complete":false');
    expect(read({ item_id, limit, after, known_at: at.replace(".000", "") }).data.json).to.equal(next.data.json);
    expect(codeOf(() => read({ item_id, after, known_at: toTimestamp(begin) }))).to.equal("cursor_mismatch");
    const live = read({ item_id, limit, from: dayText(day) }).meta.next_page!;
    expect(codeOf(() => read({ item_id, after: live, known_at: at }))).to.equal("cursor_mismatch");
  });
});

/** A world with frames at hours 3, 9 and 15 of a day, which was removed a week later, and a frame of the next day. */
function prunedWorld() {
  const world = new HistoryWorld();
  world.feeds();
  world.file.item(1);
  const day = dayOf(begin);
  const clock = { now: () => begin + 7 * dayMs, monotonicMs: () => 0 };
  for (const hour of [3, 9, 15]) world.record(frameAt("steam", day * 24 + hour, { 1: [quote("steam", hour)] }));
  world.record(frameAt("steam", (day + 1) * 24, { 1: [quote("steam", 7)] }));
  runAtOnce(finalizeDaysInBatches(world.file.writer, day + 2, clock));
  runAtOnce(pruneHoursInBatches(world.file.writer, readPrunable(world.file.writer, day + 1).days, clock));
  const at = begin + 8 * dayMs;
  const asked = { caller, at, reference: world.reference };
  const read = (params: Asked["params"]) => world.daily.read(world.daily.prepare(params, asked), at);
  const refusal = (work: () => string) => {
    try {
      return work();
    } catch (error) {
      return (error as Error).message;
    }
  };
  return {
    world,
    day,
    removedAt: clock.now(),
    read,
    daily: (known: number, window: object) =>
      refusal(() => read({ item_id: 1, known_at: toTimestamp(known), ...window }).data.json),
    hourly: (known: number, window: object) =>
      refusal(() => world.hourlyPage({ item_id: 1, known_at: toTimestamp(known), ...window }, at).data.json),
  };
}
