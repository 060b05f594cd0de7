import { expect } from "chai";
import fc from "fast-check";
import { type DailyFigures, deriveDaily } from "../../../src/store/codec/daily-derivation.ts";
import type { Change, FrameQuote, ItemState } from "../../../src/store/codec/frame-segment.ts";

const day = 20_000;
const at = (hour: number) => ({ hour: day * 24 + hour, recordedAt: 1000 + hour });
const ask = (amount: number, more: Partial<FrameQuote> = {}): FrameQuote => ({
  provider: 1,
  side: "ask",
  amount,
  quantity: null,
  observedAt: null,
  ...more,
});

describe("daily figures of a feed's frames", () => {
  it("a daily amount is the last one, low and high cover the day, and each stored hour counts once", () => {
    const changes: Change[] = [
      { hour: 2, state: [ask(500)] },
      { hour: 5, state: [ask(300, { quantity: 4, observedAt: 77 })] },
      { hour: 9, state: [ask(400, { quantity: 2, observedAt: 99 })] },
    ];
    expect(deriveDaily([2, 3, 5, 9, 23].map(at), changes)).to.deep.equal([
      {
        provider: 1,
        side: "ask",
        amount: 400,
        lowAmount: 300,
        highAmount: 500,
        observations: 5,
        quantity: 2,
        sourceObservedAt: 99,
        recordedAt: 1023,
      },
    ]);
  });

  it("an item that vanished keeps the figures of the hours in which it was there", () => {
    const changes: Change[] = [
      { hour: 1, state: [ask(500)] },
      { hour: 2, state: null },
      { hour: 4, state: [] },
    ];
    expect(deriveDaily([1, 2, 3, 4].map(at), changes)).to.deep.equal([
      {
        provider: 1,
        side: "ask",
        amount: 500,
        lowAmount: 500,
        highAmount: 500,
        observations: 1,
        quantity: null,
        sourceObservedAt: null,
        recordedAt: 1001,
      },
    ]);
  });

  it("a change in an hour without a stored frame never counts", () => {
    const changes: Change[] = [
      { hour: 1, state: [ask(500)] },
      { hour: 2, state: [ask(1)] },
      { hour: 4, state: [ask(2)] },
    ];
    const [figures] = deriveDaily([1, 3].map(at), changes);
    expect(figures).to.include({ amount: 500, lowAmount: 500, observations: 2 });
  });

  it("an item that no frame of the day prices has no daily figures", () => {
    expect(deriveDaily([at(1)], [{ hour: 1, state: [] }])).to.deep.equal([]);
    expect(deriveDaily([at(1)], [])).to.deep.equal([]);
    expect(deriveDaily([], [{ hour: 1, state: [ask(5)] }])).to.deep.equal([]);
  });

  it("daily figures of ask and bid, and of two providers, are never mixed", () => {
    const state = [ask(7, { provider: 9 }), ask(6, { side: "bid" }), ask(8)];
    const reported = deriveDaily([at(0)], [{ hour: 0, state }]);
    expect(reported.map(({ provider, side, amount }) => `${provider} ${side} ${amount}`)).to.deep.equal([
      "1 ask 8",
      "1 bid 6",
      "9 ask 7",
    ]);
  });

  it("daily figures equal those of a walk over every hour, for any frames and changes", () => {
    const quote = fc.record({
      provider: fc.integer({ min: 0, max: 2 }),
      side: fc.constantFrom("ask" as const, "bid" as const),
      amount: fc.integer({ min: 1, max: 9 }),
      quantity: fc.option(fc.integer({ min: 1, max: 5 })),
      observedAt: fc.option(fc.integer({ min: 0, max: 5 })),
    });
    const key = ({ provider, side }: FrameQuote) => `${provider}${side}`;
    const state = fc.option(fc.uniqueArray(quote, { selector: key, maxLength: 4 }));
    const change = fc.record({ hour: fc.integer({ min: 0, max: 23 }), state });
    const changes = fc
      .uniqueArray(change, { selector: ({ hour }) => hour })
      .map((list) => list.toSorted((a, b) => a.hour - b.hour));
    const hours = fc.uniqueArray(fc.integer({ min: 0, max: 23 })).map((list) => list.toSorted((a, b) => a - b));
    fc.assert(
      fc.property(hours, changes, (frames, given) => {
        expect(deriveDaily(frames.map(at), given)).to.deep.equal(naive(frames, given));
      }),
    );
  });
});

/** Looks up the state of each stored hour by itself. */
function naive(hours: readonly number[], changes: readonly Change[]): DailyFigures[] {
  const seen = hours.flatMap((hour) => {
    const reported = changes.filter((change) => change.hour <= hour && hours.includes(change.hour));
    const state: ItemState = reported.at(-1)?.state ?? null;
    return (state ?? []).map((quote) => ({ ...quote, recordedAt: 1000 + hour }));
  });
  const found: DailyFigures[] = [];
  for (const provider of [0, 1, 2]) {
    for (const side of ["ask", "bid"] as const) {
      const mine = seen.filter((quote) => quote.provider === provider && quote.side === side);
      const last = mine.at(-1);
      if (last === undefined) continue;
      const amounts = mine.map(({ amount }) => amount);
      found.push({
        provider,
        side,
        amount: last.amount,
        observations: mine.length,
        quantity: last.quantity,
        lowAmount: Math.min(...amounts),
        highAmount: Math.max(...amounts),
        sourceObservedAt: last.observedAt,
        recordedAt: last.recordedAt,
      });
    }
  }
  return found;
}
