CREATE TABLE `openable_drafts` (
	`slug` text PRIMARY KEY NOT NULL,
	`definition` text NOT NULL,
	`provenance` text NOT NULL,
	`drafted_at` integer NOT NULL,
	FOREIGN KEY (`slug`) REFERENCES `openables`(`slug`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `openables` (
	`slug` text PRIMARY KEY NOT NULL,
	`item_id` integer NOT NULL,
	`state` text NOT NULL,
	`type` text NOT NULL,
	`released_day` integer,
	`retired_day` integer,
	`requires_key` integer NOT NULL,
	`key_cost_cents` integer NOT NULL,
	`revision_id` text,
	`created_at` integer NOT NULL,
	`changed_at` integer NOT NULL,
	FOREIGN KEY (`item_id`) REFERENCES `items`(`item_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "openables_state" CHECK(state IN ('draft', 'active', 'retired')),
	CONSTRAINT "openables_revision" CHECK((state = 'draft') = (revision_id IS NULL)),
	CONSTRAINT "openables_type" CHECK(type IN ('case', 'souvenir_package', 'capsule', 'other')),
	CONSTRAINT "openables_key" CHECK(requires_key IN (0, 1) AND key_cost_cents >= 0 AND (requires_key = 1 OR key_cost_cents = 0)),
	CONSTRAINT "openables_slug" CHECK(slug GLOB '[a-z0-9]*' AND slug NOT GLOB '*[^a-z0-9-]*' AND length(slug) <= 120)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `openables_item_id_unique` ON `openables` (`item_id`);--> statement-breakpoint
CREATE TABLE `pool_outcomes` (
	`revision_id` text NOT NULL,
	`position` integer NOT NULL,
	`item_id` integer NOT NULL,
	`tier` text NOT NULL,
	`numerator` text NOT NULL,
	PRIMARY KEY(`revision_id`, `position`),
	FOREIGN KEY (`revision_id`) REFERENCES `pool_revisions`(`revision_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`item_id`) REFERENCES `items`(`item_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "pool_outcomes_numerator" CHECK(position >= 0 AND numerator NOT GLOB '*[^0-9]*' AND numerator <> '')
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `pool_outcomes_by_item` ON `pool_outcomes` (`revision_id`,`item_id`);--> statement-breakpoint
CREATE TABLE `pool_revisions` (
	`revision_id` text PRIMARY KEY NOT NULL,
	`slug` text NOT NULL,
	`revision_number` integer NOT NULL,
	`definition` text NOT NULL,
	`provenance` text NOT NULL,
	`odds_source` text NOT NULL,
	`wear_model` text NOT NULL,
	`tiers` text NOT NULL,
	`denominator` text NOT NULL,
	`outcome_count` integer NOT NULL,
	`published_at` integer NOT NULL,
	FOREIGN KEY (`slug`) REFERENCES `openables`(`slug`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "pool_revisions_number" CHECK(revision_number >= 1 AND outcome_count >= 1),
	CONSTRAINT "pool_revisions_odds_source" CHECK(odds_source IN ('published', 'community', 'inferred'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `pool_revisions_by_number` ON `pool_revisions` (`slug`,`revision_number`);--> statement-breakpoint
CREATE TABLE `roi_calculations` (
	`slug` text NOT NULL,
	`valuation_mode` text NOT NULL,
	`methodology_version` text NOT NULL,
	`revision_id` text NOT NULL,
	`calculated_at` integer NOT NULL,
	`price_as_of` integer,
	`input_digest` blob NOT NULL,
	`numbers` text NOT NULL,
	`ledger` text NOT NULL,
	`seal` integer NOT NULL,
	PRIMARY KEY(`slug`, `valuation_mode`, `methodology_version`),
	FOREIGN KEY (`slug`) REFERENCES `openables`(`slug`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`revision_id`) REFERENCES `pool_revisions`(`revision_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "roi_calculations_mode" CHECK(valuation_mode IN ('steam_gross', 'cash_ask')),
	CONSTRAINT "roi_calculations_digest" CHECK(length(input_digest) = 32)
) STRICT;
--> statement-breakpoint
CREATE TABLE `roi_history` (
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
	`seal` integer NOT NULL,
	PRIMARY KEY(`slug`, `valuation_mode`, `methodology_version`, `granularity`, `ts`),
	FOREIGN KEY (`slug`) REFERENCES `openables`(`slug`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`revision_id`) REFERENCES `pool_revisions`(`revision_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "roi_history_mode" CHECK(valuation_mode IN ('steam_gross', 'cash_ask')),
	CONSTRAINT "roi_history_granularity" CHECK(granularity IN ('hour', 'day')),
	CONSTRAINT "roi_history_bucket" CHECK(ts % (CASE granularity WHEN 'hour' THEN 3600000 ELSE 86400000 END) = 0),
	CONSTRAINT "roi_history_point" CHECK((expected_value_cents IS NULL) = (return_pct IS NULL) AND cost_cents >= 0)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `roi_runs` (
	`run_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`calculated_at` integer NOT NULL,
	`methodology_version` text NOT NULL,
	`generation_id` integer,
	`published` integer NOT NULL,
	`unchanged` integer NOT NULL,
	`withheld` integer NOT NULL,
	CONSTRAINT "roi_runs_counts" CHECK(published >= 0 AND unchanged >= 0 AND withheld >= 0)
) STRICT;
