import { crc32 } from "node:zlib";
import { expect } from "chai";
import fc from "fast-check";
import { type DailyWithoutChecksum, dailyChecksum } from "../../../src/store/codec/daily-checksum.ts";

const row: DailyWithoutChecksum = {
  itemId: 12,
  side: "ask",
  day: 20_000,
  provider: "steam",
  amount: 400,
  lowAmount: 300,
  highAmount: 500,
  observations: 7,
  quantity: null,
  sourceObservedAt: null,
  recordedAt: 1_700_000_000_000,
  importId: null,
};

describe("checksum of a daily row", () => {
  it("equals the checksum of existing files", () => {
    expect(dailyChecksum(row)).to.equal(3_059_744_395);
  });

  it("is the CRC-32 of the row's columns as a JSON array", () => {
    const edges = [0, 1, 9, 10, 99, 2 ** 30 - 1, 2 ** 30, 10_000_000, 9_999_999, 10 ** 10, 2 ** 53 - 1];
    const number = fc.oneof(fc.constantFrom(...edges), fc.nat(100_000), fc.maxSafeNat());
    const rows = fc.record<DailyWithoutChecksum>({
      itemId: fc.nat(),
      side: fc.constantFrom("ask", "bid"),
      day: fc.nat(100_000),
      provider: fc.constantFrom("steam", "north-gate", 'a "b"', "\u0001ü€😀"),
      amount: number,
      lowAmount: number,
      highAmount: number,
      observations: number,
      quantity: fc.option(number),
      sourceObservedAt: fc.option(number),
      recordedAt: number,
      importId: fc.option(number),
    });
    fc.assert(
      fc.property(rows, (any) => {
        const { itemId, side, day, provider, amount, lowAmount, highAmount, observations, ...rest } = any;
        const { quantity, sourceObservedAt, recordedAt, importId } = rest;
        const first = [itemId, side, day, provider, amount, lowAmount, highAmount, observations];
        const columns = [...first, quantity, sourceObservedAt, recordedAt, importId];
        expect(dailyChecksum(any)).to.equal(crc32(JSON.stringify(columns)));
      }),
      { numRuns: 100 },
    );
  });
});
