/**
 * Types that the modules of the indexes share. Levels and percentages are decimal text, as the API has them.
 *
 * @typedef {object} PriceIndex
 * @property {string} index_id
 * @property {string} name
 * @property {string} description
 * @property {string} base_date
 * @property {string} base_value
 * @property {string | null} value
 * @property {string | null} capitalization_cents
 * @property {number} constituent_count
 * @property {number} priced_constituent_count
 * @property {string} coverage_pct
 * @property {string} weighting
 * @property {string} methodology_version
 * @property {number} membership_version
 * @property {boolean} active
 * @property {string | null} as_of
 * @property {string | null} calculated_at
 *
 * @typedef {object} LevelRow
 * @property {string} date
 * @property {string | null} value
 * @property {string | null} capitalization_cents
 * @property {number} constituent_count
 * @property {number} priced_constituent_count
 * @property {string} coverage_pct
 * @property {number} membership_version
 *
 * A day of the window: `state` tells whether it has a level or why not; `at` and `end` are seconds.
 * @typedef {"level" | "few_priced" | "not_linked" | "no_row" | "not_begun"} State
 * @typedef {{ date: string, at: number, end: number, row: LevelRow | null, state: State }} Day
 *
 * @typedef {object} Member
 * @property {number} item_id
 * @property {string} market_hash_name
 * @property {string | null} phase
 * @property {string | null} weight_pct
 * @property {string} added_on
 * @property {string | null} removed_on
 */
export {};
