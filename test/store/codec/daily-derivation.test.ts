import { expect } from "chai";
import fc from "fast-check";
import { type DailyFigures, deriveDaily } from "../../../src/store/codec/daily-derivation.ts";
import type { Change, FrameQuote, ItemState } from "../../../src/store/codec/frame-segment.ts";

const day = 20_000;
/** Some frames are recorded late. */
const recordedAt = (hour: number) => 1000 + ((hour * 7) % 24);
/** The frame of this hour replaced a retracted one. */
const replaced = 5;
const at = (hour: number) => {
  return {
    hour: day * 24 + hour,
    recordedAt: recordedAt(hour),
    replacedAt: hour === replaced ? recordedAt(hour) : null,
  };
};
describe("daily figures of a feed's frames", () => {
  it("equal an hour-by-hour calculation for any frames and changes", () => {
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
    return (state ?? []).map((quote) => ({ ...quote, recordedAt: recordedAt(hour) }));
  });
  const replacedAt = hours.includes(replaced) ? recordedAt(replaced) : 0;
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
        recordedAt: Math.max(replacedAt, ...mine.map((quote) => quote.recordedAt)),
      });
    }
  }
  return found;
}
