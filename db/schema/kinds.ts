/**
 * Source of a table's rows at an earlier instant: `past` is a table of replaced rows, `recorded` the instants in the rows themselves or in
 * the frames to which they belong, `derived` other tables. `no` means that only the present rows are known.
 */
type KnownBy = "past" | "recorded" | "derived" | "no";

/**
 * The tables of the market with the source of their earlier rows, grouped by their most frequent cause of change. A release cuts its chunks
 * by these groups, so that a publication does not change the chunks of history.
 */
export const marketTables = {
  /** Changed by each publication or verification. */
  generation: {
    best_asks: "no",
    export_states: "no",
    feed_drops: "recorded",
    feeds: "no",
    generations: "no",
    market_state: "no",
    quote_levels: "no",
    quote_urls: "no",
    quotes: "no",
  },
  /** Changed by each frame of an hour. */
  hour: {
    feed_days: "derived",
    frame_names: "recorded",
    frame_providers: "no",
    frame_retractions: "recorded",
    frame_segments: "recorded",
    frames: "recorded",
    refused_names: "recorded",
    retracted_segments: "recorded",
    unsealed_days: "no",
  },
  /** Changed at the end of each day, and by each calculation. */
  day: {
    change_spans: "recorded",
    daily_by_day: "past",
    daily_by_item: "past",
    daily_import_rates: "recorded",
    daily_imports: "recorded",
    daily_item_order: "no",
    daily_prices_past: "recorded",
    data_events: "recorded",
    exchange_rates: "past",
    exchange_rates_past: "recorded",
    index_days_changed: "no",
    index_levels: "past",
    index_levels_past: "recorded",
    openable_changes: "no",
    recent_days: "no",
    roi_calculations: "no",
    roi_history: "past",
    roi_history_past: "recorded",
    roi_runs: "recorded",
    sealed_days: "recorded",
  },
  /** Changed by an import of the catalog or by an operator. */
  catalog: {
    currencies: "no",
    index_members: "recorded",
    index_memberships: "recorded",
    indexes: "no",
    item_sources: "no",
    items: "past",
    items_past: "recorded",
    market_checksums: "no",
    openables: "no",
    pool_outcomes: "recorded",
    pool_revisions: "recorded",
    providers: "no",
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, KnownBy>>>>;

/**
 * Tables by owner of their data. `market` tables are public and go into market releases. `private` tables belong to an account or to the
 * operator and never leave the file. A market table refers to market tables only. A private table does not use AUTOINCREMENT, because
 * `sqlite_sequence` goes into releases.
 */
export const tableKinds = {
  market: Object.values(marketTables).flatMap((tables) => Object.keys(tables)),
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
    "node_secrets",
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
