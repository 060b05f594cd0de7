/**
 * Types that the modules of the market pages share.
 * @typedef {"daily" | "hourly"} Resolution
 * @typedef {"ask" | "bid"} Side
 * @typedef {"item_missing" | "no_quote" | "no_frame" | "no_observation" | "not_begun"} Cause
 *
 * An item as `listItems` answers it; the three price fields are null on the Free plan.
 * @typedef {object} Item
 * @property {number} item_id
 * @property {string} market_hash_name
 * @property {string | null} type
 * @property {string | null} rarity
 * @property {string | null} phase
 * @property {string | null} wear
 * @property {boolean | null} stat_counter
 * @property {boolean | null} souvenir
 * @property {number | null} best_ask_cents
 * @property {string | null} best_ask_provider
 * @property {string | null} price_updated_at
 *
 * @typedef {{ provider: string, name: string, kind: string, active: boolean, last_checked_at: string | null }} Provider
 *
 * An offer or an order as `getMarketPrices` answers it.
 * @typedef {{ provider: string, amount: number, quantity: number | null, url: string | null, as_of: string | null }} Quote
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
 * @typedef {{ generated_at: string, from: string, to: string }} Meta
 *
 * One hour or day of the window; `at` is its first second, `row` null where the API answered none.
 * @typedef {{ at: number, state: "quoted" | Cause, row: Row | null }} Point
 *
 * A line of the chart: a side of one provider, or of one of several items. `key` distinguishes them, `name` is for people, `colour` the
 * number of its colour from 1.
 * @typedef {object} Series
 * @property {string} key
 * @property {string} name
 * @property {string} letter
 * @property {number} colour
 * @property {Side} side
 * @property {readonly Point[]} points
 *
 * `step`: seconds from one point to the next; all series have the same points in time. `from` and `to` are its days. `generatedAt`: when
 * the last of its answers was made.
 * @typedef {object} Chart
 * @property {Resolution} resolution
 * @property {number} start
 * @property {number} step
 * @property {number} count
 * @property {string} from
 * @property {string} to
 * @property {string} generatedAt
 * @property {readonly Series[]} series
 */
export {};
