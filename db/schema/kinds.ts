/**
 * The tables of the market, grouped by their most frequent cause of change. A release cuts its chunks by these groups, so that a
 * publication does not change the chunks of history.
 */
export const marketTables = {
  /** Changed by each publication or verification. */
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
  /** Changed by each frame of an hour. */
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
  /** Changed at the end of each day, and by each calculation. */
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
  /** Changed by an import of the catalog or by an operator. */
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
 * Tables by owner of their data. `market` tables are public and go into market releases. `private` tables belong to an account or to the
 * operator and never leave the file. A market table refers to market tables only.
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
    // Definitions that an operator has not published yet.
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
