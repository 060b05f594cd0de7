/**
 * The tables of the market, by what changes them most. A release cuts its chunks along these lines, so that a publication leaves the chunks of
 * history as they are.
 */
export const marketTables = {
  /** Each publication or verification. */
  generation: [
    "best_asks",
    "export_states",
    "feed_drops",
    "feeds",
    "generations",
    "market_state",
    "quote_levels",
    "quote_urls",
    "quotes",
  ],
  /** Each frame of an hour. */
  hour: [
    "feed_days",
    "frame_names",
    "frame_providers",
    "frame_retractions",
    "frame_segments",
    "frames",
    "refused_names",
    "retracted_segments",
    "unsealed_days",
  ],
  /** Each day that is over, and each calculation. */
  day: [
    "daily_by_day",
    "daily_by_item",
    "daily_import_rates",
    "daily_imports",
    "daily_item_order",
    "exchange_rates",
    "index_days_changed",
    "index_levels",
    "index_levels_past",
    "openable_changes",
    "recent_days",
    "roi_calculations",
    "roi_history",
    "roi_runs",
    "sealed_days",
  ],
  /** An import of the catalog, or an operator. */
  catalog: [
    "currencies",
    "index_members",
    "index_memberships",
    "indexes",
    "item_sources",
    "items",
    "market_checksums",
    "openables",
    "pool_outcomes",
    "pool_revisions",
    "providers",
  ],
} as const;

/**
 * Tables by whose data they hold. `market` is the same for everybody and goes into market releases; `private` belongs to somebody or to the operator and never leaves the file. A row of a market table refers to
 * market tables only.
 */
export const tableKinds = {
  market: Object.values(marketTables).flat(),
  private: [
    "accounts",
    "activity",
    "api_keys",
    "guard_acceptances",
    "holdings",
    "key_portfolios",
    "key_uses",
    "last_imports",
    "ledger_clock",
    "main_valuations",
    // What an operator has not published yet.
    "openable_drafts",
    "owner_invites",
    "owner_sessions",
    "owners",
    "portfolio_transactions",
    "portfolio_valuations",
    "portfolios",
    "purchases",
    "removed_lots",
    "row_checksums",
    "snapshot_leases",
    "usage_events",
    "usage_months",
  ],
} as const;
