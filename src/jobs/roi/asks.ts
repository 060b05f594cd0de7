import type { ValuationMode } from "../../roi/calculation.ts";

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

const asksHead = `"asks":`;
/** Cannot be inside of a string of the asks: its quotes would be escaped there. */
const bidsHead = `,"bids":`;

type StoredAsk = { provider: string; amount: number; as_of: string | null };

/**
 * The lowest ask among the providers of each mode, of equal ones that of the provider whose slug comes first, as everywhere. `quotes` is
 * `"asks":[…],"bids":[…]` as a generation stores it, with the sources' times where they told any.
 */
export function lowestAsks(quotes: string, { steam_gross, cash_ask }: ModeProviders): ModeAsks {
  const asks: StoredAsk[] = JSON.parse(quotes.slice(asksHead.length, quotes.indexOf(bidsHead)));
  return { steam_gross: lowestOf(asks, steam_gross), cash_ask: lowestOf(asks, cash_ask) };
}

function lowestOf(asks: readonly StoredAsk[], providers: ReadonlySet<string>): Ask | null {
  let lowest: StoredAsk | null = null;
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
  const { amount, provider, as_of } = lowest;
  return { cents: amount, provider, asOf: as_of === null ? null : Date.parse(as_of) };
}
