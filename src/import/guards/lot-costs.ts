import type { LotAsk } from "../../store/read/lot-asks.ts";
import { dollars } from "../../values/money/money-text.ts";
import { dayText } from "../../values/time/calendar.ts";
import { boundText, isOutside, ratioText } from "./findings.ts";

type CostedLot = { itemId: number; unitCostCents: number | null; acquiredDay: number | null };

/** A lot with a cost far from the item's ask on its day, or from the current ask (`ask.day` is null). It is only a warning. */
export type OddCost<Lot extends CostedLot = CostedLot> = { lot: Lot; costCents: number; ask: LotAsk; ratio: number };

const bound = 20;

/** Returns the lots with a cost outside 1/20 to 20 times an ask, the most distant first. Writes nothing. */
export function oddCosts<Lot extends CostedLot>(
  lots: readonly Lot[],
  askOf: (itemId: number, day: number | null) => LotAsk | null,
): OddCost<Lot>[] {
  const odd = lots.flatMap((lot): OddCost<Lot>[] => {
    const { itemId, unitCostCents, acquiredDay } = lot;
    // Drops and gifts cost nothing.
    if (unitCostCents === null || unitCostCents === 0) return [];
    const ask = askOf(itemId, acquiredDay);
    if (ask === null) return [];
    const ratio = unitCostCents / ask.amount;
    return isOutside(ratio, bound) ? [{ lot, costCents: unitCostCents, ask, ratio }] : [];
  });
  return odd.sort((one, other) => Math.abs(Math.log(other.ratio)) - Math.abs(Math.log(one.ratio)));
}

/** Formats a warning: `costs $100.00 each, 200 times its lowest ask of 2026-03-01, $0.50 (threshold 1/20 to 20)`. */
export function oddCostText({ costCents, ask, ratio }: OddCost): string {
  const when = ask.day === null ? "now" : `of ${dayText(ask.day)}`;
  return `costs ${dollars(costCents)} each, ${ratioText(ratio)} times its lowest ask ${when}, ${dollars(ask.amount)} (threshold ${boundText(bound)})`;
}
