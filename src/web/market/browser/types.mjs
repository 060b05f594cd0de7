/**
 * Types that the modules of the market pages share.
 * @typedef {"ask" | "bid"} Side
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
 * @typedef {{ provider: string, name: string, kind: string, active: boolean, last_checked_at?: string | null }} Provider
 */
export {};
