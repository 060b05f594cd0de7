import { buffHistoryAdapter } from "./buff-history.ts";
import { canonicalDailyAdapter } from "./canonical-daily.ts";
import type { DailyAdapter } from "./reading.ts";

export const dailyAdapters = {
  canonical: canonicalDailyAdapter,
  "buff-history": buffHistoryAdapter,
} as const satisfies Record<string, DailyAdapter>;

export type DailyAdapterName = keyof typeof dailyAdapters;
