import type { Schema } from "../../../contract/types.ts";

export type Mode = Schema<"ValuationMode">;
export type Openable = Schema<"Openable">;
export type OpenableDetail = Schema<"OpenableDetail">;
export type Calculation = Schema<"RoiCalculation">;
export type Tier = Schema<"PoolTier">;
export type Outcome = Schema<"OpenableOutcome">;
export type HistoryRow = Schema<"RoiHistoryRow">;

/** Selection of the page. `slug` is null for the list. `methodology` is "" for the current calculation's. */
export type Selection = {
  slug: string | null;
  mode: Mode;
  text: string;
  type: string;
  state: string;
  sort: string;
  order: "asc" | "desc";
  granularity: "day" | "hour";
  days: number;
  methodology: string;
};

/** A time slot of a history, from `at` until `end` in seconds. `row` is null if the API returned none. */
export type Point = {
  at: number;
  end: number;
  state: "calculated" | "held_back" | "no_row" | "not_begun";
  row: HistoryRow | null;
  joins: boolean;
};
