import type { ValuationMode } from "../../roi/calculation.ts";
import { decodeAsks, observedAtOf, type Quote } from "../../wire/quotes.ts";

/** The ask that an item is valued with. `asOf`: the source's own time in UTC ms, null where it tells none. */
export type Ask = { cents: number; provider: string; asOf: number | null };

/** The kind of providers whose asks a mode takes. */
export const kindOfMode = { steam_gross: "main_platform", cash_ask: "cash" } as const satisfies Record<
  ValuationMode,
  string
>;

/** The providers of each mode, by slug. */
export type ModeProviders = Readonly<Record<ValuationMode, ReadonlySet<string>>>;
/** The ask of one item in each mode; null: none. */
export type ModeAsks = Readonly<Record<ValuationMode, Ask | null>>;

export const noAsks: ModeAsks = { steam_gross: null, cash_ask: null };

/**
 * The lowest ask among the providers of each mode, of equal ones that of the provider whose slug comes first, as everywhere. `quotes` is
 * the text that a generation stores, with the sources' times where they told any.
 */
export function lowestAsks(quotes: string, { steam_gross, cash_ask }: ModeProviders): ModeAsks {
  const asks = decodeAsks(quotes);
  return { steam_gross: lowestOf(asks, steam_gross), cash_ask: lowestOf(asks, cash_ask) };
}

function lowestOf(asks: readonly Quote[], providers: ReadonlySet<string>): Ask | null {
  let lowest: Quote | null = null;
  for (const ask of asks) {
    if (!providers.has(ask.provider)) continue;
    if (
      lowest === null ||
      ask.amount < lowest.amount ||
      (ask.amount === lowest.amount && ask.provider < lowest.provider)
    )
      lowest = ask;
  }
  if (lowest === null) return null;
  return { cents: lowest.amount, provider: lowest.provider, asOf: observedAtOf(lowest) };
}
