/**
 * Types that the browser modules share.
 * @typedef {"daily" | "hourly"} Resolution
 * @typedef {"ask" | "bid"} Side
 * @typedef {"item_missing" | "no_quote" | "no_frame" | "no_observation" | "not_begun"} Cause
 *
 * A row of either history as the API answered it; keys of the other history are absent.
 * @typedef {object} Row
 * @property {string} [ts]
 * @property {string} [date]
 * @property {string | null} provider
 * @property {Side} side
 * @property {number | null} amount
 * @property {number} [low_amount]
 * @property {number} [high_amount]
 * @property {number} [observations]
 * @property {number | null} quantity
 * @property {"quoted" | "item_missing" | "no_quote"} [availability]
 * @property {boolean} [complete]
 * @property {string} [ingested_at]
 * @property {string} [checked_at]
 * @property {string} [recorded_at]
 * @property {string | null} source_observed_at
 *
 * @typedef {object} Meta
 * @property {string} generated_at
 * @property {string} from
 * @property {string} to
 * @property {string} missing_points
 * @property {string | null} next_page
 * @property {string | null} as_of
 * @property {"unknown" | "fresh" | "stale"} freshness
 * @property {string} timestamp_quality
 *
 * One hour or day of the window; `at` is its first second, `row` null where the API answered none.
 * @typedef {{ at: number, state: "quoted" | Cause, row: Row | null }} Point
 *
 * @typedef {{ provider: string, name: string, kind: string, active: boolean }} Provider
 *
 * @typedef {object} Series
 * @property {Provider} provider
 * @property {Side} side
 * @property {string} letter
 * @property {number} colour Number of its colour, from 1.
 * @property {Meta} meta
 * @property {readonly Point[]} points
 *
 * `step`: seconds from one point to the next; all series have the same points in time.
 * @typedef {object} Chart
 * @property {Resolution} resolution
 * @property {number} start
 * @property {number} step
 * @property {number} count
 * @property {readonly Series[]} series
 * @property {number} requests
 *
 * @typedef {object} Item
 * @property {number} item_id
 * @property {string} market_hash_name
 * @property {string | null} phase
 * @property {string | null} wear
 * @property {string | null} type
 *
 * The selection. `days`: a preset of the window; null: `from` and `to` give it.
 * @typedef {object} Selection
 * @property {number | null} itemId
 * @property {Resolution} resolution
 * @property {number | null} days
 * @property {string} from
 * @property {string} to
 * @property {readonly Side[]} sides
 * @property {readonly string[]} providers
 */
export {};
