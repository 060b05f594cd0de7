import type { DailyFacts } from "../../store/write/daily-prices.ts";
import type { AmountRefusal } from "../../values/money/money.ts";
import type { DayWindow } from "../../values/time/window.ts";
import type { FeedFile } from "../feed-file.ts";
import type { Refusals, Side } from "../quotes/observation.ts";
import type { ReferenceRates } from "./reference-rates.ts";

/** Prices of one UTC day (days since 1970). Amounts in USD cents from 1, `sourceObservedAt` the source's own time or null. */
export type DailyPoint = {
  day: number;
  amount: number;
  lowAmount: number;
  highAmount: number;
  observations: number;
  quantity: number | null;
  sourceObservedAt: number | null;
};

/** Reference of a source to an item: by id, or by name and phase. */
export type ItemNamed = { itemId: number | null; name: string; phase: string | null };

/** The days of one item and side, in no particular order. */
export type DailySeries = ItemNamed & { side: Side; points: DailyPoint[] };

/** Content of a body. `rates` are those that its amounts were converted with. */
export type DailyReading = {
  facts: DailyFacts;
  series: readonly DailySeries[];
  refusals: Refusals<DailyRefusal>;
  /** Points that the body marks as without a price. */
  absent: number;
  rates: ReferenceRates | null;
};

export type DailyContext = {
  /** First day that is not over yet: rows before it can be imported. */
  today: number;
  /** Null where no rate of it is stored in that window. */
  ratesOf(currency: string, window: DayWindow): ReferenceRates | null;
};

/** Reads one shape of body. One that is broken as a whole throws `OperatorError`. */
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

/** Returns the item's name in a report. */
export function labelOf({ itemId, name, phase }: ItemNamed): string {
  if (itemId !== null) return `item ${itemId}`;
  return phase === null ? name : `${name} ${phase}`;
}
