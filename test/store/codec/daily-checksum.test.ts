import { expect } from "chai";
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

describe("the checksum of a daily row", () => {
  it("the checksum of a daily row is the same for the same row and fits the column", () => {
    expect(dailyChecksum({ ...row }))
      .to.equal(dailyChecksum(row))
      .and.to.be.within(0, 0xffffffff);
  });

  it("the checksum of a daily row differs when any column does, and when null becomes 0", () => {
    const others: Partial<DailyWithoutChecksum>[] = [
      { itemId: 13 },
      { side: "bid" as const },
      { day: 20_001 },
      { provider: "steal" },
      { amount: 401 },
      { lowAmount: 301 },
      { highAmount: 501 },
      { observations: 8 },
      { quantity: 0 },
      { sourceObservedAt: 0 },
      { recordedAt: 1_700_000_000_001 },
      { importId: 0 },
      { quantity: 1, sourceObservedAt: 1 },
    ];
    const seals = others.map((other) => dailyChecksum({ ...row, ...other }));
    expect(new Set([dailyChecksum(row), ...seals]).size).to.equal(others.length + 1);
  });

  it("the checksum of a daily row does not mistake one column for its neighbour", () => {
    expect(dailyChecksum({ ...row, quantity: 5 })).to.not.equal(dailyChecksum({ ...row, sourceObservedAt: 5 }));
  });

  it("the checksum of a daily row is the one of existing files", () => {
    expect(dailyChecksum(row)).to.equal(3_059_744_395);
  });
});
