import type { ValuationMode } from "./calculation.ts";

/** The ask that an item is valued with. `asOf`: the source's own time in UTC ms, null where it gave none. */
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

/** Returns the lowest of `asks` among `providers`, of equal ones that of the provider whose slug comes first; null: there is none. */
export function lowestAsk<Offer extends { provider: string; amount: number }>(
  asks: readonly Offer[],
  providers: ReadonlySet<string>,
): Offer | null {
  let lowest: Offer | null = null;
  for (const ask of asks) {
    if (!providers.has(ask.provider)) continue;
    if (
      lowest === null ||
      ask.amount < lowest.amount ||
      (ask.amount === lowest.amount && ask.provider < lowest.provider)
    )
      lowest = ask;
  }
  return lowest;
}
