-- Written by hand: the first verified frame of an hour stays as it is, and each row of a small table has its seal (see 0002).
CREATE TRIGGER frames_never_change BEFORE UPDATE ON frames
BEGIN SELECT RAISE(ABORT, 'the first verified frame of an hour is never overwritten'); END;
--> statement-breakpoint
CREATE TRIGGER frames_never_vanish BEFORE DELETE ON frames
BEGIN SELECT RAISE(ABORT, 'the first verified frame of an hour is never overwritten'); END;
--> statement-breakpoint
DROP INDEX feeds_seal;
--> statement-breakpoint
CREATE INDEX feeds_seal ON feeds (json_array(feed, adapter, checked_at, ingested_at, saved_at, changed_at, item_count));
--> statement-breakpoint
CREATE INDEX frame_providers_seal ON frame_providers (json_array(provider, number));
--> statement-breakpoint
CREATE INDEX frames_seal ON frames (json_array(hour, feed, verified_by, ingested_at, checked_at, recorded_at, items, quotes));
--> statement-breakpoint
CREATE INDEX feed_days_seal ON feed_days (json_array(day, feed, hours, settled_at));
--> statement-breakpoint
CREATE INDEX daily_imports_seal ON daily_imports (json_array(adapter, provider, hex(body_digest), imported_at, replaces));
--> statement-breakpoint
CREATE INDEX daily_import_rates_seal ON daily_import_rates (json_array(import_id, day, currency, rate_per_usd, source));
--> statement-breakpoint
CREATE INDEX currencies_seal ON currencies (json_array(currency, minor_units));
--> statement-breakpoint
CREATE INDEX exchange_rates_seal ON exchange_rates (json_array(currency, source, day, rate_per_usd, methodology_version, as_of, recorded_at));
--> statement-breakpoint
CREATE INDEX indexes_seal ON indexes (json_array(index_id, name, description, provider, weighting, methodology_version, base_day, base_value, active, defined_at, calculated_at));
--> statement-breakpoint
CREATE INDEX index_memberships_seal ON index_memberships (json_array(index_id, membership_version, effective_day, recorded_at));
--> statement-breakpoint
CREATE INDEX index_members_seal ON index_members (json_array(index_id, membership_version, item_id, units, added_day));
--> statement-breakpoint
CREATE INDEX index_levels_seal ON index_levels (json_array(index_id, methodology_version, day, value, exact, capitalization_cents, constituent_count, priced_constituent_count, coverage_pct, membership_version, as_of, recorded_at));
