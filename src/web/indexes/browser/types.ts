import type { Row } from "../../../client/types.ts";

// Levels and percentages are decimal text.
export type PriceIndex = Row<"listIndexes">;
export type LevelRow = Row<"getIndexHistory">;
export type Member = Row<"listIndexMembers">;
export type State = "level" | "few_priced" | "not_linked" | "no_row" | "not_begun";
/** A day of the window: `state` tells whether it has a level, or the reason; `at` and `end` are seconds. */
export type Day = { date: string; at: number; end: number; row: LevelRow | null; state: State };
