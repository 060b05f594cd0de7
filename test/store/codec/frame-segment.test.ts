import { expect } from "chai";
import fc from "fast-check";
import {
  type Change,
  decodeSegment,
  encodeSegment,
  type FrameQuote,
  hasValidChecksum,
  type ItemState,
  isSameState,
} from "../../../src/store/codec/frame-segment.ts";
import { MalformedBytes } from "../../../src/store/codec/varint.ts";

const key = { day: 20_500, itemId: 7, feed: "steam" };

const amount = fc.oneof(
  fc.integer({ min: 1, max: 300 }),
  fc.maxSafeNat().map((value) => Math.max(1, value)),
);
const quote = fc.record<FrameQuote>({
  provider: fc.oneof(fc.integer({ min: 0, max: 4 }), fc.constantFrom(63, 64, 8191, 65_535)),
  side: fc.constantFrom("ask", "bid"),
  amount,
  quantity: fc.option(fc.oneof(fc.nat(40), fc.maxSafeNat())),
  observedAt: fc.option(
    fc.oneof(
      fc.nat(20).map((seconds) => 1_790_000_000_000 + seconds * 1000),
      fc.maxSafeNat(),
      fc.nat(5),
    ),
  ),
});
const slotOf = ({ provider, side }: FrameQuote) => `${provider} ${side}`;
const state: fc.Arbitrary<ItemState> = fc.oneof(
  { weight: 5, arbitrary: fc.uniqueArray(quote, { selector: slotOf, minLength: 1, maxLength: 12 }) },
  { weight: 1, arbitrary: fc.constantFrom(null, []) },
);
const changes: fc.Arbitrary<Change[]> = fc
  .uniqueArray(fc.integer({ min: 0, max: 23 }), { maxLength: 24 })
  .chain((hours) => fc.tuple(...hours.sort((a, b) => a - b).map((hour) => state.map((state) => ({ hour, state })))));

/** A day that draws its states from a few quotes: a quote stays, goes and returns beside others that move. */
const dayOfFewQuotes: fc.Arbitrary<Change[]> = fc
  .array(quote, { minLength: 2, maxLength: 8 })
  .chain((pool) => {
    const some = fc.subarray(pool).map((chosen) => chosen.filter((one, index) => isFirstOfSlot(chosen, one, index)));
    return fc.array(fc.oneof({ weight: 9, arbitrary: some }, { weight: 1, arbitrary: fc.constant(null) }), {
      maxLength: 24,
    });
  })
  .map((states) => states.map((state, hour) => ({ hour, state })));
const isFirstOfSlot = (quotes: readonly FrameQuote[], one: FrameQuote, index: number) =>
  quotes.findIndex((other) => slotOf(other) === slotOf(one)) === index;

describe("frame segments", () => {
  it("a decoded segment equals the encoded one, with quotes by provider and side", () => {
    fc.assert(
      fc.property(changes, (given) => {
        const back = decodeSegment(encodeSegment(key, given));
        expect(back).to.deep.equal(given.map(({ hour, state }) => ({ hour, state: ordered(state) })));
        for (const [index, { state }] of back.entries()) expect(isSameState(state, given[index]!.state)).to.equal(true);
      }),
      { numRuns: 500 },
    );
  });

  it("a day of few quotes that stay, go and return comes back as it was encoded", () => {
    fc.assert(
      fc.property(dayOfFewQuotes, (given) => {
        const back = decodeSegment(encodeSegment(key, given));
        expect(back).to.deep.equal(given.map(({ hour, state }) => ({ hour, state: ordered(state) })));
      }),
      { numRuns: 500 },
    );
  });

  it("a quote that returns as it was leaves a slot that appears beside it at its own price", () => {
    const [one, two, moved] = [quoteOf(1, "ask", 100), quoteOf(2, "ask", 500), quoteOf(2, "ask", 510)];
    const states = [[one, two], [two], [moved], [one, moved, quoteOf(3, "ask", 777)]];
    const given = states.map((state, hour) => ({ hour, state }));
    expect(decodeSegment(encodeSegment(key, given))).to.deep.equal(given);
  });

  it("a segment has the bytes that stored files have, which are read as what was written", () => {
    const at = 1_790_000_000_000;
    const last = [...Array(9).keys()].map((index) => quoteOf(index + 10, "ask", 100 + index));
    const states: [hour: number, ItemState][] = [
      [0, [quoteOf(1, "ask", 100, 5, at), quoteOf(1, "bid", 90, null, at + 1), quoteOf(65_535, "bid", 777)]],
      [1, null],
      [2, []],
      [3, [quoteOf(1, "ask", 100, 5, at), quoteOf(65_535, "bid", 778, 1)]],
      [4, [quoteOf(1, "ask", 100, null, at + 2000), quoteOf(1, "bid", 90, null, at + 1), soldAt(at + 5001)]],
      [5, [quoteOf(1, "ask", 100, 0)]],
      [23, last],
    ];
    const given = states.map(([hour, state]) => ({ hour, state }));
    const slots = "0c02031416181a1c1e202224ffff07";
    const hours = [
      "400308a3062882b8a7ac355608f82a",
      "01",
      "22",
      "43010800090844",
      "03080301f87c0002c8bb01",
      "450308030001000057",
      "fd0700000808080808080808",
    ];
    expect(encodeSegment(key, given).toString("hex")).to.equal(`84ea9fed${slots}${hours.join("")}`);
    expect(decodeSegment(Buffer.from(`84ea9fed${slots}${hours.join("")}`, "hex"))).to.deep.equal(given);
  });

  it("a change of any one of seventy slots comes back as a change of that slot", () => {
    const all = Array.from({ length: 70 }, (_, index) => quoteOf(index >> 1, index % 2 === 0 ? "ask" : "bid", 500));
    for (let index = 0; index < all.length; index += 1) {
      const states = [all, all.with(index, { ...all[index]!, amount: 501 }), all.toSpliced(index, 1)];
      const given = states.map((state, hour) => ({ hour, state }));
      expect(decodeSegment(encodeSegment(key, given)), `slot ${index}`).to.deep.equal(given);
    }
  });

  it("the order of the encoded quotes does not matter", () => {
    const given = [quoteOf(3, "bid", 90), quoteOf(3, "ask", 100), quoteOf(1, "ask", 95)];
    const bytes = encodeSegment(key, [{ hour: 4, state: given }]);
    expect(encodeSegment(key, [{ hour: 4, state: given.toReversed() }]).equals(bytes)).to.equal(true);
  });

  it("a segment distinguishes a quote that returns as it was, changed, or on the other side", () => {
    const one = quoteOf(1, "ask", 100, 5, 1_790_000_000_001);
    const states: ItemState[] = [[one], null, [one], [], [one], [{ ...one, quantity: null }]];
    states.push([{ ...one, side: "bid" }], [{ ...one, observedAt: null }], [{ ...one, amount: 101 }]);
    const given = states.map((state, hour) => ({ hour, state }));
    expect(decodeSegment(encodeSegment(key, given))).to.deep.equal(given);
    for (const [index, state] of states.slice(1).entries())
      expect(isSameState(state, states[index]!), `state ${index + 1}`).to.equal(false);
  });

  it("a change of one price among nine takes four bytes of a segment", () => {
    const nine = Array.from({ length: 9 }, (_, index) => quoteOf(index, index < 6 ? "ask" : "bid", 500 + index, 20));
    const first = [{ hour: 0, state: nine }];
    const moved = nine.with(4, { ...nine[4]!, amount: 512 });
    const bytes = (given: Change[]) => encodeSegment(key, given).length;
    expect(bytes([...first, { hour: 1, state: moved }]) - bytes(first)).to.equal(4);
  });

  it("the checksum of a segment detects any flipped bit and any other key", () => {
    const bytes = encodeSegment(key, [
      { hour: 0, state: [quoteOf(1, "ask", 100, 5)] },
      { hour: 9, state: [] },
    ]);
    expect(hasValidChecksum(key, bytes)).to.equal(true);
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      expect(hasValidChecksum(key, flipped), `bit ${bit}`).to.equal(false);
    }
    for (const other of [{ day: 20_501 }, { itemId: 8 }, { feed: "buff" }])
      expect(hasValidChecksum({ ...key, ...other }, bytes)).to.equal(false);
    expect(hasValidChecksum(key, bytes.subarray(0, 3))).to.equal(false);
  });

  it("any bytes are decoded as changes in order or refused with a RangeError", () => {
    const refusedOrInOrder = (bytes: Buffer) => {
      let back: Change[];
      try {
        back = decodeSegment(bytes);
      } catch (error) {
        expect(error).to.be.instanceOf(RangeError);
        return;
      }
      expect(back.map(({ hour }) => hour)).to.deep.equal(back.map(({ hour }) => hour).toSorted((a, b) => a - b));
    };
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => refusedOrInOrder(Buffer.from(bytes))),
      { numRuns: 2000 },
    );
    fc.assert(
      fc.property(changes, fc.nat(), fc.nat(255), (given, place, byte) => {
        const bytes = encodeSegment(key, given);
        bytes[place % bytes.length] = byte;
        refusedOrInOrder(bytes);
        refusedOrInOrder(bytes.subarray(0, place % bytes.length));
      }),
    );
  });

  it("bytes that no writer makes are refused, each for what is wrong with them", () => {
    const refusal = (hex: string, message: string) =>
      expect(() => decodeSegment(Buffer.from(`00000000${hex}`, "hex")), hex).to.throw(MalformedBytes, message);
    const good = (hex: string) => decodeSegment(Buffer.from(`00000000${hex}`, "hex"));
    expect(good("01ffff07400108")).to.deep.equal([{ hour: 0, state: [quoteOf(65_535, "bid", 1)] }]);
    refusal("01808008400108", "slots of a segment are not in order");
    for (const slots of ["020202", "020302"]) refusal(slots, "slots of a segment are not in order");
    refusal("08", "more slots than it has bytes");
    expect(good("0017")).to.deep.equal([{ hour: 23, state: null }]);
    for (const hours of ["0018", "000303", "000302"]) refusal(hours, "hours of a segment are not in order");
    refusal("0060", "unknown kind");
    refusal("01024000", "a quoted state without quotes");
    for (const number of ["00", "0c"]) refusal(`01024001${number}`, "number out of range");
    for (const wrong of ["090c", "0a0c"]) refusal(`01024001${wrong}`, "number out of range");
    expect(good("010240010900")).to.deep.equal([{ hour: 0, state: [quoteOf(1, "ask", 1, 0)] }]);
    expect(good("010240010a00")).to.deep.equal([{ hour: 0, state: [quoteOf(1, "ask", 1, null, 0)] }]);
    refusal("0202034003f8ffffffffffff7f08", "number out of range");
  });

  it("two states are the same when their quotes are, in any order, and differ by any of their parts", () => {
    const [one, two] = [quoteOf(1, "ask", 100, 5, 9), quoteOf(1, "bid", 90, 5, 9)];
    expect(isSameState([one, two], [two, one])).to.equal(true);
    expect(isSameState([one, two], [{ ...one }, { ...two }])).to.equal(true);
    for (const other of [
      { provider: 2 },
      { amount: 101 },
      { quantity: 6 },
      { observedAt: 10 },
      { side: "bid" as const },
    ]) {
      expect(isSameState([one], [{ ...one, ...other }]), JSON.stringify(other)).to.equal(false);
      expect(isSameState([two, one], [{ ...one, ...other, provider: 3 }, two]), JSON.stringify(other)).to.equal(false);
    }
    const others: ItemState[] = [null, [], [one]];
    for (const [index, a] of others.entries())
      for (const [at, b] of others.entries()) expect(isSameState(a, b), `${index} ${at}`).to.equal(index === at);
    expect(isSameState([one, two], [one])).to.equal(false);
  });

  it("a segment with a state that no frame can have is refused", () => {
    const impossible: Partial<FrameQuote>[] = [
      { amount: 0 },
      { amount: 1.5 },
      { provider: -1 },
      { provider: 1.5 },
      { quantity: 0.5 },
      { quantity: Number.MAX_SAFE_INTEGER + 1 },
      { observedAt: -1 },
      { observedAt: 0.5 },
      { amount: Number.MAX_SAFE_INTEGER + 1 },
      { quantity: -1 },
      { observedAt: Number.NaN },
      { provider: 65_536 },
    ];
    for (const wrong of impossible) {
      const given = [{ hour: 1, state: [{ ...quoteOf(1, "ask", 100), ...wrong }] }];
      expect(() => encodeSegment(key, given), JSON.stringify(wrong)).to.throw(RangeError);
    }
    const twice = [quoteOf(1, "ask", 100), quoteOf(1, "ask", 101)];
    expect(() => encodeSegment(key, [{ hour: 1, state: twice }])).to.throw(/two quotes/);
    for (const hours of [[24], [-1], [3, 3], [3, 2]]) {
      const given = hours.map((hour) => ({ hour, state: null }));
      expect(() => encodeSegment(key, given), String(hours)).to.throw(/not in order/);
    }
  });
});

function soldAt(observedAt: number): FrameQuote {
  return quoteOf(65_535, "bid", 778, 1, observedAt);
}

function quoteOf(
  provider: number,
  side: FrameQuote["side"],
  amount: number,
  quantity: number | null = null,
  observedAt: number | null = null,
): FrameQuote {
  return { provider, side, amount, quantity, observedAt };
}

function ordered(state: ItemState): ItemState {
  return (
    state?.toSorted((a, b) => a.provider - b.provider || Number(a.side === "bid") - Number(b.side === "bid")) ?? null
  );
}
