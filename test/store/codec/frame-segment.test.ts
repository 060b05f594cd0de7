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

  it("a segment with a state that no frame can have is refused", () => {
    const impossible: Partial<FrameQuote>[] = [
      { amount: 0 },
      { amount: 1.5 },
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
