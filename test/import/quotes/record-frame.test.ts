import { expect } from "chai";
import fc from "fast-check";
import { recordFrameInBatches } from "../../../src/import/quotes/record-frame.ts";
import { hourMs } from "../../../src/values/time/calendar.ts";
import { clockAt } from "../../../src/values/time/clock.ts";
import { bySize } from "../../support/size.ts";
import { contentOf, FrameWorld, type Memory, type NamedQuote, type NamedState, timesOf } from "./frame-world.ts";

const itemCount = 8;
const feeds = ["alpha", "beta"] as const;
const firstDay = 20_000;
const hourZero = firstDay * 24;

type States = ReadonlyMap<number, NamedState>;

const quotesOf = (feed: string): fc.Arbitrary<NamedState> =>
  fc.uniqueArray(
    fc.record<NamedQuote>({
      provider: fc.integer({ min: 1, max: 5 }).map((n) => `${feed[0]}${n}`),
      side: fc.constantFrom("ask", "bid"),
      amount: fc.integer({ min: 1, max: 5 }),
      quantity: fc.constantFrom(null, 1, 2),
      observedAt: fc.constantFrom(null, 1_000, 2_001),
    }),
    { selector: ({ provider, side }) => `${provider} ${side}`, minLength: 1, maxLength: 4 },
  );
const statesOf = (feed: string) =>
  fc
    .array(fc.oneof({ weight: 4, arbitrary: quotesOf(feed) }, { weight: 1, arbitrary: fc.constantFrom(null, []) }), {
      minLength: itemCount,
      maxLength: itemCount,
    })
    .map((states): States => new Map(states.map((state, index) => [index + 1, state])));

/** One verification: the content of the feed, its hour, and the point at which the recording crashes. */
const step = fc.constantFrom(...feeds).chain((feed) =>
  fc.record({
    feed: fc.constant(feed),
    says: fc.oneof(
      { weight: 3, arbitrary: statesOf(feed) },
      { weight: 2, arbitrary: fc.constant("the same" as const) },
      { weight: 1, arbitrary: fc.constantFrom("half of it" as const, "one change" as const, "nothing" as const) },
    ),
    hour: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom<number | "next">(0, 22, 23, 24, 25, 47) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 47 }) },
      { weight: 2, arbitrary: fc.constant<number | "next">("next") },
    ),
    intoMs: fc.constantFrom(0, 1, hourMs - 1),
    refused: fc.option(fc.subarray(["Apple", "Berry", "Cherry", "Date"]), { freq: 5 }),
    covered: fc.subarray([1, 2, 3, 4, 5]),
    crashAfter: fc.option(fc.nat(itemCount + 6), { freq: 3 }),
  }),
);

describe("recorded frames", function () {
  this.timeout(180_000);
  let world: FrameWorld;

  beforeEach(() => {
    world = new FrameWorld(itemCount);
  });
  afterEach(() => world.remove());

  it("keep the first verified state of each hour despite later events", () => {
    let run = 0;
    const seen = { recorded: 0, hour_taken: 0, crashed: 0, late: 0 };
    fc.assert(
      fc.property(fc.array(step, { maxLength: 14 }), (steps) => {
        const base = hourZero + 48 * run++;
        const model = new Map<string, States>();
        const memories = new Map<string, Memory>();
        const last = new Map<string, States>();
        let clockHour = base;
        for (const { feed, says, hour, intoMs, refused, covered, crashAfter } of steps) {
          const states = spoken(says, last.get(feed) ?? new Map());
          const at = hour === "next" ? Math.min(clockHour + 1, base + 47) : base + hour;
          if (at < clockHour) seen.late += 1;
          clockHour = at;
          last.set(feed, states);
          const key = `${at} ${feed}`;
          const quoted = Array.from(states.values()).flatMap((state) => (state ?? []).map(({ provider }) => provider));
          const providers = Array.from(new Set([...quoted, ...covered.map((n) => `${feed[0]}${n}`)])).sort();
          const content = contentOf(feed, states, { providers, refused });
          const outcome = world.record(content, timesOf(at, intoMs), crashAfter ?? undefined);
          expect(outcome?.outcome ?? "crashed").to.be.oneOf(
            model.has(key) ? ["hour_taken", "crashed"] : ["recorded", "crashed"],
          );
          seen[outcome?.outcome ?? "crashed"] += 1;
          // A crash may also happen right after the frame was stored.
          if (!model.has(key) && isStored(at, feed)) {
            model.set(key, states);
            memories.set(key, { providers, refused });
          }
          expect(outcome?.outcome === "recorded").to.be.oneOf([false, model.get(key) === states]);
          expectModel(base, model);
          for (const [known, memory] of memories)
            expect(world.memoryAt(...hourAndFeed(known)), known).to.deep.equal(memory);
        }
      }),
      { numRuns: bySize({ short: 30, long: 120 }) },
    );
    for (const [what, count] of Object.entries(seen))
      expect(count, what).to.be.greaterThan(bySize({ short: 0, long: 10 }));
  });

  it("have no new segment if quotes equal the previous hour's", () => {
    const says = contentOf(
      "alpha",
      new Map([
        [1, [ask("a1", 100)]],
        [2, []],
      ]),
    );
    world.record(says, timesOf(hourZero));
    const outcome = world.record(says, timesOf(hourZero + 1, 7, "not_modified"));
    expect(outcome).to.include({ outcome: "recorded", items: 2, quotes: 1, segmentsWritten: 0 });
  });

  it("have the instant of their last transaction as recording time", () => {
    const times = timesOf(hourZero);
    const states = new Map([
      [1, [{ provider: "a1", side: "ask" as const, amount: 1, quantity: null, observedAt: null }]],
    ]);
    let now = times.recordedAt;
    const clock = { ...clockAt(0), now: () => now };
    for (const _ of recordFrameInBatches(world.writer, contentOf("alpha", states), times, { clock })) now += 10;
    const recorded = world.writer.$client.prepare<[], number>("SELECT recorded_at FROM frames").pluck().get()!;
    expect([recorded > times.recordedAt, recorded]).to.deep.equal([true, now - 10]);
  });

  it("of 3,000 items are written in three transactions", () => {
    const states = Array.from({ length: 3000 }, (_, index) => [index + 1, [ask("a1", 100 + index)]] as const);
    const clock = { now: () => 0, monotonicMs: () => 0 };
    const steps = recordFrameInBatches(world.writer, contentOf("alpha", new Map(states)), timesOf(hourZero), { clock });
    // New provider numbers, segments, refused names, the frame.
    expect(Array.from(steps, ({ rows }) => rows)).to.deep.equal([3000, 1, 1]);
  });

  it("can be neither changed nor removed", () => {
    world.record(contentOf("alpha", new Map()), timesOf(hourZero));
    const { $client } = world.writer;
    expect(() => $client.exec("UPDATE frames SET items = 5")).to.throw(/never overwritten/);
    expect(() => $client.exec("DELETE FROM frames")).to.throw(/never overwritten/);
  });

  it("store refused names once per feed, adding only hours for repeats", () => {
    const record = (feed: string, hour: number, refused: string[]) =>
      world.record(contentOf(feed, new Map([[1, [ask(`${feed[0]}1`, 100)]]]), { refused }), timesOf(hourZero + hour));
    const count = (table: string) => world.reader.$client.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
    const bytes = () =>
      world.reader.$client.prepare("SELECT sum(length(changes)) FROM frame_names").pluck().get() as number;
    const names = Array.from({ length: 200 }, (_, index) => `Name ${index}`);
    record("alpha", 0, names);
    const first = bytes();
    for (let hour = 1; hour < 24; hour += 1) record("alpha", hour, hour % 2 === 0 ? names : names.slice(1));
    expect(count("refused_names")).to.equal(200);
    expect(bytes() - first).to.equal(23 * 4);
    record("beta", 0, names.slice(0, 2));
    expect(count("refused_names")).to.equal(202);
  });

  it("are rejected whole if a day's names are damaged", () => {
    const record = (hour: number, refused: string[]) =>
      world.record(contentOf("alpha", new Map(), { refused }), timesOf(hourZero + hour));
    record(0, ["Apple"]);
    world.writer.$client.exec("UPDATE frame_names SET changes = zeroblob(9)");
    expect(() => record(1, ["Berry"])).to.throw(/refused names of the frames on 2024-10-04 \(feed alpha\) are damaged/);
    expect(world.memoryAt(hourZero + 1, "alpha")).to.equal(undefined);
  });

  it("keep refused names from change and removal", () => {
    world.record(contentOf("alpha", new Map(), { refused: ["Apple"] }), timesOf(hourZero));
    const { $client } = world.writer;
    expect(() => $client.exec("UPDATE refused_names SET name = 'Berry'")).to.throw(/refer to a refused name/);
    expect(() => $client.exec("DELETE FROM refused_names")).to.throw(/refer to a refused name/);
  });

  function isStored(hour: number, feed: string): boolean {
    return world.stateAt(hour, feed, 1) !== undefined;
  }

  function expectModel(base: number, model: ReadonlyMap<string, States>): void {
    const wrong: unknown[] = [];
    for (let hour = base; hour < base + 48; hour += 1) {
      for (const feed of feeds) {
        const frame = model.get(`${hour} ${feed}`);
        for (let itemId = 1; itemId <= itemCount; itemId += 1) {
          const stored = world.stateAt(hour, feed, itemId);
          const said = frame === undefined ? undefined : (frame.get(itemId) ?? null);
          if (textOf(stored) !== textOf(said)) wrong.push({ hour: hour - base, feed, itemId, stored, said });
        }
      }
    }
    expect(wrong).to.deep.equal([]);
  }
});

function hourAndFeed(key: string): [number, string] {
  const [hour, feed] = key.split(" ") as [string, string];
  return [Number(hour), feed];
}

function spoken(says: States | string, last: States): States {
  if (typeof says !== "string") return says;
  const kept = Array.from(last);
  if (says === "half of it") return new Map(kept.filter(([itemId]) => itemId % 2 === 0));
  if (says === "one change") return new Map(kept.map(([itemId, state]) => [itemId, itemId === 3 ? [] : state]));
  return says === "nothing" ? new Map() : last;
}

function ask(provider: string, amount: number): NamedQuote {
  return { provider, side: "ask", amount, quantity: null, observedAt: null };
}

function textOf(state: NamedState | undefined): string | undefined {
  if (state === undefined) return undefined;
  const quotes = state?.map(({ provider, side, amount, quantity, observedAt }) =>
    JSON.stringify([provider, side, amount, quantity, observedAt]),
  );
  return JSON.stringify(quotes?.sort() ?? null);
}
