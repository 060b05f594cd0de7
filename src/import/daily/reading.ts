import type { DailyFacts } from "../../store/write/daily-prices.ts";
import type { AmountRefusal } from "../../values/money/money.ts";
import type { DayWindow } from "../../values/time/window.ts";
import type { FeedFile } from "../feed-file.ts";
import type { Refusals, Side } from "../quotes/observation.ts";
import type { ReferenceRates } from "./reference-rates.ts";

/**
 * Prices of one UTC day (days since 1970). Amounts are USD cents, at least 1. `sourceObservedAt` is the source's own time in UTC ms, or
 * null.
 */
export type DailyPoint = {
  day: number;
  amount: number;
  lowAmount: number;
  highAmount: number;
  observations: number;
  quantity: number | null;
  sourceObservedAt: number | null;
};

/** A source's reference to an item: an id, or a name and phase. */
export type ItemNamed = { itemId: number | null; name: string; phase: string | null };

/** The days of one item and side, in any order. */
export type DailySeries = ItemNamed & { side: Side; points: DailyPoint[] };

/** Content of a body. `rates` are the rates that converted its amounts. */
export type DailyReading = {
  facts: DailyFacts;
  series: readonly DailySeries[];
  refusals: Refusals<DailyRefusal>;
  /** Points without a price. */
  absent: number;
  rates: ReferenceRates | null;
};

export type DailyContext = {
  /** The first day that has not ended yet. Only earlier rows can be imported. */
  today: number;
  /** Returns the stored rates of a currency in the window. Null if none is stored. */
  ratesOf(currency: string, window: DayWindow): ReferenceRates | null;
};

/** Reads one format of body. A damaged body throws `OperatorError`. */
export type DailyAdapter = { readonly name: string; read(body: FeedFile, context: DailyContext): DailyReading };

export type DailyRefusal =
  | AmountRefusal
  | "malformed"
  | "bad_spread"
  | "bad_quantity"
  | "bad_time"
  | "day_not_over"
  | "no_reference_rate"
  | "rounds_to_zero"
  | "unknown_item"
  | "unknown_name"
  | "ambiguous_name"
  | "duplicate";

/** Returns the item's name for reports. */
export function labelOf({ itemId, name, phase }: ItemNamed): string {
  if (itemId !== null) return `item ${itemId}`;
  return phase === null ? name : `${name} ${phase}`;
}
