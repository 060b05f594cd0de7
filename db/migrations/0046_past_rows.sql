-- Edited by hand. A writer keeps the row that it replaces or removes, in the same transaction. Triggers only refuse a change without its past
-- row. The daily results of `roi_history` follow from its hourly ones. A copy of a moved daily row (see 0031) is not a change.
CREATE TABLE `items_past` (
	`item_id` integer NOT NULL,
	`market_hash_name` text NOT NULL,
	`slug` text NOT NULL,
	`type` text,
	`rarity` text,
	`collection` text,
	`phase` text,
	`name_ru` text,
	`image_url` text,
	`wear` text,
	`stat_counter` integer,
	`souvenir` integer,
	`wear_min` text,
	`wear_max` text,
	`in_catalog` integer NOT NULL,
	`updated_at` integer,
	`superseded_at` integer NOT NULL,
	`seal` integer NOT NULL,
	PRIMARY KEY(`item_id`, `superseded_at`),
	FOREIGN KEY (`item_id`) REFERENCES `items`(`item_id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `exchange_rates_past` (
	`currency` text NOT NULL,
	`source` text NOT NULL,
	`day` integer NOT NULL,
	`rate_per_usd` text NOT NULL,
	`methodology_version` text NOT NULL,
	`as_of` integer,
	`recorded_at` integer NOT NULL,
	`superseded_at` integer NOT NULL,
	`seal` integer NOT NULL,
	PRIMARY KEY(`currency`, `source`, `day`, `superseded_at`),
	FOREIGN KEY (`currency`) REFERENCES `currencies`(`currency`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "exchange_rates_rate" CHECK(rate_per_usd GLOB '[0-9]*' AND rate_per_usd NOT GLOB '*[^0-9.]*')
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `daily_prices_past` (
	`item_id` integer NOT NULL,
	`side` text NOT NULL,
	`day` integer NOT NULL,
	`provider` text NOT NULL,
	`amount` integer NOT NULL,
	`low_amount` integer NOT NULL,
	`high_amount` integer NOT NULL,
	`observations` integer NOT NULL,
	`quantity` integer,
	`source_observed_at` integer,
	`recorded_at` integer NOT NULL,
	`import_id` integer,
	`superseded_at` integer NOT NULL,
	`seal` integer NOT NULL,
	PRIMARY KEY(`item_id`, `side`, `day`, `provider`, `superseded_at`),
	CONSTRAINT "daily_prices_side" CHECK(side IN ('ask', 'bid')),
	CONSTRAINT "daily_prices_amounts" CHECK(low_amount BETWEEN 1 AND amount AND amount <= high_amount AND high_amount <= 9007199254740991),
	CONSTRAINT "daily_prices_observations" CHECK(observations >= 1 AND quantity >= 1)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `roi_history_past` (
	`slug` text NOT NULL,
	`valuation_mode` text NOT NULL,
	`methodology_version` text NOT NULL,
	`granularity` text NOT NULL,
	`ts` integer NOT NULL,
	`recorded_at` integer NOT NULL,
	`revision_id` text NOT NULL,
	`cost_cents` integer NOT NULL,
	`expected_value_cents` integer,
	`expected_profit_cents` integer,
	`return_pct` text,
	`profit_chance_pct` text,
	`priced_probability_mass_pct` text NOT NULL,
	`price_as_of` integer,
	`superseded_at` integer NOT NULL,
	`seal` integer NOT NULL,
	PRIMARY KEY(`slug`, `valuation_mode`, `methodology_version`, `granularity`, `ts`, `superseded_at`),
	FOREIGN KEY (`slug`) REFERENCES `openables`(`slug`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`revision_id`) REFERENCES `pool_revisions`(`revision_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "roi_history_mode" CHECK(valuation_mode IN ('steam_gross', 'cash_ask')),
	CONSTRAINT "roi_history_granularity" CHECK(granularity IN ('hour', 'day')),
	CONSTRAINT "roi_history_bucket" CHECK(ts % (CASE granularity WHEN 'hour' THEN 3600000 ELSE 86400000 END) = 0),
	CONSTRAINT "roi_history_point" CHECK((expected_value_cents IS NULL) = (return_pct IS NULL) AND cost_cents >= 0),
	CONSTRAINT "roi_history_past_hours" CHECK(granularity = 'hour')
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `change_spans` (
	`started_at` integer PRIMARY KEY NOT NULL,
	`finished_at` integer NOT NULL,
	CONSTRAINT "change_spans_order" CHECK(started_at < finished_at)
) STRICT;
--> statement-breakpoint
ALTER TABLE `market_state` ADD `known_since` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `items` DROP COLUMN `words`;
--> statement-breakpoint
ALTER TABLE `items` DROP COLUMN `words_ru`;
--> statement-breakpoint
-- Seals (see 0002).
DROP INDEX market_state_seal;
--> statement-breakpoint
CREATE INDEX market_state_seal ON market_state (json_array(current_generation_id, catalog_version, hex(cursor_key), demo_anchor_at, note, known_since));
--> statement-breakpoint
CREATE INDEX change_spans_seal ON change_spans (json_array(finished_at));
--> statement-breakpoint
UPDATE market_state SET known_since = CAST(unixepoch('subsec') * 1000 AS INTEGER);
--> statement-breakpoint
DROP VIEW frames_now;
--> statement-breakpoint
CREATE VIEW frames_now AS
SELECT f.hour, f.feed,
  coalesce(r.ingested_at, f.ingested_at) AS ingested_at,
  coalesce(r.checked_at, f.checked_at) AS checked_at,
  coalesce(r.replaced_at, f.recorded_at) AS recorded_at,
  coalesce(r.items, f.items) AS items,
  coalesce(r.quotes, f.quotes) AS quotes,
  iif(r.replaced_at IS NULL, f.providers, r.providers) AS providers,
  iif(r.replaced_at IS NULL, f.refused_names, r.refused_names) AS refused_names,
  iif(r.replaced_at IS NULL, r.retracted_at, NULL) AS retracted_at,
  r.replaced_at
FROM frames f LEFT JOIN frame_retractions r ON r.hour = f.hour AND r.feed = f.feed;
--> statement-breakpoint
CREATE TRIGGER daily_by_item_change_kept BEFORE UPDATE ON daily_by_item
WHEN NOT EXISTS (SELECT 1 FROM daily_prices_past WHERE item_id = OLD.item_id AND side = OLD.side AND day = OLD.day AND provider = OLD.provider AND superseded_at = NEW.recorded_at)
BEGIN SELECT RAISE(ABORT, 'the past row is missing'); END;
--> statement-breakpoint
CREATE TRIGGER daily_by_item_removal_kept BEFORE DELETE ON daily_by_item
WHEN NOT EXISTS (SELECT 1 FROM daily_prices_past WHERE item_id = OLD.item_id AND side = OLD.side AND day = OLD.day AND provider = OLD.provider AND recorded_at = OLD.recorded_at)
BEGIN SELECT RAISE(ABORT, 'the past row is missing'); END;
--> statement-breakpoint
CREATE TRIGGER daily_by_day_change_kept BEFORE UPDATE ON daily_by_day
WHEN NOT EXISTS (SELECT 1 FROM daily_prices_past WHERE item_id = OLD.item_id AND side = OLD.side AND day = OLD.day AND provider = OLD.provider AND superseded_at = NEW.recorded_at)
BEGIN SELECT RAISE(ABORT, 'the past row is missing'); END;
--> statement-breakpoint
CREATE TRIGGER daily_by_day_removal_kept BEFORE DELETE ON daily_by_day
WHEN NOT EXISTS (SELECT 1 FROM recent_days WHERE day = OLD.day AND provider = OLD.provider AND moved_to >= OLD.item_id)
  AND NOT EXISTS (SELECT 1 FROM daily_prices_past WHERE item_id = OLD.item_id AND side = OLD.side AND day = OLD.day AND provider = OLD.provider AND recorded_at = OLD.recorded_at)
BEGIN SELECT RAISE(ABORT, 'the past row is missing'); END;
--> statement-breakpoint
CREATE TRIGGER exchange_rates_change_kept BEFORE UPDATE ON exchange_rates
WHEN NOT EXISTS (SELECT 1 FROM exchange_rates_past WHERE currency = OLD.currency AND source = OLD.source AND day = OLD.day AND superseded_at = NEW.recorded_at)
BEGIN SELECT RAISE(ABORT, 'the past row is missing'); END;
--> statement-breakpoint
CREATE TRIGGER exchange_rates_removal_kept BEFORE DELETE ON exchange_rates
WHEN NOT EXISTS (SELECT 1 FROM exchange_rates_past WHERE currency = OLD.currency AND source = OLD.source AND day = OLD.day AND recorded_at = OLD.recorded_at)
BEGIN SELECT RAISE(ABORT, 'the past row is missing'); END;
--> statement-breakpoint
CREATE TRIGGER roi_history_change_kept BEFORE UPDATE ON roi_history
WHEN OLD.granularity = 'hour' AND NOT EXISTS (SELECT 1 FROM roi_history_past WHERE slug = OLD.slug AND valuation_mode = OLD.valuation_mode AND methodology_version = OLD.methodology_version AND granularity = OLD.granularity AND ts = OLD.ts AND superseded_at = NEW.recorded_at)
BEGIN SELECT RAISE(ABORT, 'the past row is missing'); END;
--> statement-breakpoint
CREATE TRIGGER roi_history_removal_kept BEFORE DELETE ON roi_history
WHEN OLD.granularity = 'hour' AND NOT EXISTS (SELECT 1 FROM roi_history_past WHERE slug = OLD.slug AND valuation_mode = OLD.valuation_mode AND methodology_version = OLD.methodology_version AND granularity = OLD.granularity AND ts = OLD.ts AND recorded_at = OLD.recorded_at)
BEGIN SELECT RAISE(ABORT, 'the past row is missing'); END;
--> statement-breakpoint
CREATE TRIGGER items_change_kept BEFORE UPDATE OF market_hash_name, slug, type, rarity, collection, phase, name_ru, image_url, wear, stat_counter, souvenir, wear_min, wear_max, in_catalog ON items
WHEN (OLD.market_hash_name IS NOT NEW.market_hash_name OR OLD.slug IS NOT NEW.slug OR OLD.type IS NOT NEW.type OR OLD.rarity IS NOT NEW.rarity OR OLD.collection IS NOT NEW.collection OR OLD.phase IS NOT NEW.phase OR OLD.name_ru IS NOT NEW.name_ru OR OLD.image_url IS NOT NEW.image_url OR OLD.wear IS NOT NEW.wear OR OLD.stat_counter IS NOT NEW.stat_counter OR OLD.souvenir IS NOT NEW.souvenir OR OLD.wear_min IS NOT NEW.wear_min OR OLD.wear_max IS NOT NEW.wear_max OR OLD.in_catalog IS NOT NEW.in_catalog)
  AND NOT EXISTS (SELECT 1 FROM items_past WHERE item_id = OLD.item_id AND superseded_at = NEW.updated_at)
BEGIN SELECT RAISE(ABORT, 'the past row is missing'); END;
--> statement-breakpoint
CREATE TRIGGER daily_prices_past_never_change BEFORE UPDATE ON daily_prices_past
BEGIN SELECT RAISE(ABORT, 'a past row stays as it was'); END;
--> statement-breakpoint
CREATE TRIGGER exchange_rates_past_never_change BEFORE UPDATE ON exchange_rates_past
BEGIN SELECT RAISE(ABORT, 'a past row stays as it was'); END;
--> statement-breakpoint
CREATE TRIGGER items_past_never_change BEFORE UPDATE ON items_past
BEGIN SELECT RAISE(ABORT, 'a past row stays as it was'); END;
--> statement-breakpoint
CREATE TRIGGER roi_history_past_never_change BEFORE UPDATE ON roi_history_past
BEGIN SELECT RAISE(ABORT, 'a past row stays as it was'); END;
--> statement-breakpoint
CREATE TRIGGER daily_prices_past_never_vanish BEFORE DELETE ON daily_prices_past WHEN OLD.superseded_at > (SELECT known_since FROM market_state)
BEGIN SELECT RAISE(ABORT, 'a past row stays while its time can be read'); END;
--> statement-breakpoint
CREATE TRIGGER exchange_rates_past_never_vanish BEFORE DELETE ON exchange_rates_past WHEN OLD.superseded_at > (SELECT known_since FROM market_state)
BEGIN SELECT RAISE(ABORT, 'a past row stays while its time can be read'); END;
--> statement-breakpoint
CREATE TRIGGER items_past_never_vanish BEFORE DELETE ON items_past WHEN OLD.superseded_at > (SELECT known_since FROM market_state)
BEGIN SELECT RAISE(ABORT, 'a past row stays while its time can be read'); END;
--> statement-breakpoint
CREATE TRIGGER roi_history_past_never_vanish BEFORE DELETE ON roi_history_past WHEN OLD.superseded_at > (SELECT known_since FROM market_state)
BEGIN SELECT RAISE(ABORT, 'a past row stays while its time can be read'); END;
