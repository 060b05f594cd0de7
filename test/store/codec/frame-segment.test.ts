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

/** A day with states drawn from a few quotes: a quote stays, disappears and returns while others change. */
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
  it("decode to the encoded quotes by provider and side", () => {
    fc.assert(
      fc.property(changes, (given) => {
        const back = decodeSegment(encodeSegment(key, given));
        expect(back).to.deep.equal(given.map(({ hour, state }) => ({ hour, state: ordered(state) })));
        for (const [index, { state }] of back.entries()) expect(isSameState(state, given[index]!.state)).to.equal(true);
      }),
      { numRuns: 500 },
    );
  });

  it("round-trip a day of few quotes that stay, leave and return", () => {
    fc.assert(
      fc.property(dayOfFewQuotes, (given) => {
        const back = decodeSegment(encodeSegment(key, given));
        expect(back).to.deep.equal(given.map(({ hour, state }) => ({ hour, state: ordered(state) })));
      }),
      { numRuns: 500 },
    );
  });

  it("have the bytes of stored files, and decode them", () => {
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

  it("encode one changed price among nine in four bytes", () => {
    const nine = Array.from({ length: 9 }, (_, index) => quoteOf(index, index < 6 ? "ask" : "bid", 500 + index, 20));
    const first = [{ hour: 0, state: nine }];
    const moved = nine.with(4, { ...nine[4]!, amount: 512 });
    const bytes = (given: Change[]) => encodeSegment(key, given).length;
    expect(bytes([...first, { hour: 1, state: moved }]) - bytes(first)).to.equal(4);
  });

  it("have a checksum that detects flipped bits and other keys", () => {
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

  it("decode any bytes to ordered changes or throw a RangeError", () => {
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
