import type { Schema } from "../../../contract/types.ts";

export type PriceIndex = Schema<"MarketIndex">;
export type LevelRow = Schema<"IndexLevel">;
export type Member = Schema<"IndexMember">;

/** Whether a day has a level, or the reason why not. */
export type State = "level" | "few_priced" | "not_linked" | "no_row" | "not_begun";
/** A day of the window. `at` and `end` are seconds; `row` is null if the API returned none. */
export type Day = { date: string; at: number; end: number; row: LevelRow | null; state: State };
