import type { ValuationMode } from "./calculation.ts";

/** The ask that values an item. `asOf` is the source's own time in UTC ms, or null if the source gave no time. */
export type Ask = { cents: number; provider: string; asOf: number | null };

/** The kind of provider that supplies the asks of each mode. */
export const kindOfMode = { steam_gross: "main_platform", cash_ask: "cash" } as const satisfies Record<
  ValuationMode,
  string
>;

/** Slugs of the providers that each mode uses. */
export type ModeProviders = Readonly<Record<ValuationMode, ReadonlySet<string>>>;
/** The ask of one item in each mode. Null if the item has no ask in that mode. */
export type ModeAsks = Readonly<Record<ValuationMode, Ask | null>>;

export const noAsks: ModeAsks = { steam_gross: null, cash_ask: null };
