-- Written by hand. A seal holds a second copy of each row in an index, for `db check`: SQLite's own integrity check compares an
-- index with its rows, and nothing else would notice a flipped bit in a value that no digest, sum or constraint covers.
-- (The hash of a key's secret has its unique index.)
-- An index on one expression is never chosen for a query.
CREATE INDEX accounts_seal ON accounts (json_array(account_id, name, plan, plan_ends_at, disabled_at, created_at));
--> statement-breakpoint
CREATE INDEX purchases_seal ON purchases (json_array(account_id, plan, purchased_at, starts_at, ends_at));
--> statement-breakpoint
CREATE INDEX api_keys_seal ON api_keys (json_array(key_id, account_id, kind, name, display_prefix, last_four, scopes, created_at, expires_at, rotated_at, revoked_at));
--> statement-breakpoint
CREATE INDEX activity_seal ON activity (json_array(account_id, key_id, kind, at, detail));
--> statement-breakpoint
CREATE INDEX snapshot_leases_seal ON snapshot_leases (json_array(lease_id, account_id, slot, state, admitted_at, expires_at, ended_at));
--> statement-breakpoint
CREATE INDEX feeds_seal ON feeds (json_array(feed, adapter, checked_at, ingested_at, item_count));
--> statement-breakpoint
CREATE INDEX providers_seal ON providers (json_array(provider, name, kind, feed, has_asks, has_bids, active));
--> statement-breakpoint
CREATE INDEX generations_seal ON generations (json_array(state, created_at, ingested_at, items, bytes, hex(digest)));
--> statement-breakpoint
CREATE INDEX generation_quotes_seal ON generation_quotes (json_array(observed, best_ask_changed_at))
WHERE observed IS NOT NULL OR best_ask_changed_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX market_state_seal ON market_state (json_array(current_generation_id, catalog_version, hex(cursor_key), demo_anchor_at, note));
