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
