import { ecbAdapter } from "./ecb.ts";
import { frankfurterAdapter, openExchangeAdapter, perUsdAdapter } from "./per-usd.ts";
import type { RateAdapter } from "./rate-reading.ts";

export const rateAdapters = {
  ecb: ecbAdapter,
  "per-usd": perUsdAdapter,
  frankfurter: frankfurterAdapter,
  "open-exchange": openExchangeAdapter,
} as const satisfies Record<string, RateAdapter>;

export type RateAdapterName = keyof typeof rateAdapters;
