/**
 * Types that the browser modules share; records of the API are as its contract has them.
 * @typedef {import("../../../contract/types.ts").Schema<"ValuationMode">} Mode
 * @typedef {import("../../../contract/types.ts").Schema<"Openable">} Openable
 * @typedef {import("../../../contract/types.ts").Schema<"OpenableDetail">} OpenableDetail
 * @typedef {import("../../../contract/types.ts").Schema<"RoiCalculation">} Calculation
 * @typedef {import("../../../contract/types.ts").Schema<"PoolTier">} Tier
 * @typedef {import("../../../contract/types.ts").Schema<"OpenableOutcome">} Outcome
 * @typedef {import("../../../contract/types.ts").Schema<"RoiHistoryRow">} HistoryRow
 *
 * The selection. `slug` null: the list. `methodology` empty: that of the calculation in force.
 * @typedef {object} Selection
 * @property {string | null} slug
 * @property {Mode} mode
 * @property {string} text
 * @property {string} type
 * @property {string} state
 * @property {string} sort
 * @property {"asc" | "desc"} order
 * @property {"day" | "hour"} granularity
 * @property {number} days
 * @property {string} methodology
 *
 * One slot of a history: from `at` until `end`, in seconds. `row` null: the API answered none.
 * @typedef {{ at: number, end: number, state: "calculated" | "held_back" | "no_row" | "not_begun", row: HistoryRow | null, joins: boolean }} Point
 */
export {};
