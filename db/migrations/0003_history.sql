CREATE TABLE `currencies` (
	`currency` text PRIMARY KEY NOT NULL,
	`minor_units` integer NOT NULL,
	CONSTRAINT "currencies_code" CHECK(currency GLOB '[A-Z][A-Z][A-Z]'),
	CONSTRAINT "currencies_minor_units" CHECK(minor_units BETWEEN 0 AND 4)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `exchange_rates` (
	`currency` text NOT NULL,
	`source` text NOT NULL,
	`day` integer NOT NULL,
	`rate_per_usd` text NOT NULL,
	`methodology_version` text NOT NULL,
	`as_of` integer,
	`recorded_at` integer NOT NULL,
	PRIMARY KEY(`currency`, `source`, `day`),
	FOREIGN KEY (`currency`) REFERENCES `currencies`(`currency`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "exchange_rates_rate" CHECK(rate_per_usd GLOB '[0-9]*' AND rate_per_usd NOT GLOB '*[^0-9.]*')
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `daily_import_rates` (
	`import_id` integer NOT NULL,
	`day` integer NOT NULL,
	`currency` text NOT NULL,
	`rate_per_usd` text NOT NULL,
	`source` text NOT NULL,
	PRIMARY KEY(`import_id`, `day`),
	FOREIGN KEY (`import_id`) REFERENCES `daily_imports`(`import_id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `daily_imports` (
	`import_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`adapter` text NOT NULL,
	`provider` text NOT NULL,
	`body_digest` blob NOT NULL,
	`imported_at` integer NOT NULL,
	`replaces` integer NOT NULL,
	FOREIGN KEY (`provider`) REFERENCES `providers`(`provider`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "daily_imports_digest" CHECK(length(body_digest) = 32 AND replaces IN (0, 1))
) STRICT;
--> statement-breakpoint
CREATE TABLE `daily_prices` (
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
	`seal` integer NOT NULL,
	PRIMARY KEY(`item_id`, `side`, `day`, `provider`),
	CONSTRAINT "daily_prices_side" CHECK(side IN ('ask', 'bid')),
	CONSTRAINT "daily_prices_amounts" CHECK(low_amount BETWEEN 1 AND amount AND amount <= high_amount AND high_amount <= 9007199254740991),
	CONSTRAINT "daily_prices_observations" CHECK(observations >= 1 AND quantity >= 1)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `feed_days` (
	`day` integer NOT NULL,
	`feed` text NOT NULL,
	`hours` integer NOT NULL,
	`settled_at` integer,
	PRIMARY KEY(`day`, `feed`),
	FOREIGN KEY (`feed`) REFERENCES `feeds`(`feed`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "feed_days_hours" CHECK(hours BETWEEN 1 AND 16777215)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `feed_days_unsettled` ON `feed_days` (`day`,`feed`) WHERE settled_at IS NULL;--> statement-breakpoint
CREATE TABLE `frame_providers` (
	`provider` text PRIMARY KEY NOT NULL,
	`number` integer NOT NULL,
	FOREIGN KEY (`provider`) REFERENCES `providers`(`provider`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "frame_providers_number" CHECK(number BETWEEN 0 AND 65535)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `frame_providers_number_unique` ON `frame_providers` (`number`);--> statement-breakpoint
CREATE TABLE `frame_segments` (
	`day` integer NOT NULL,
	`item_id` integer NOT NULL,
	`feed` text NOT NULL,
	`changes` blob NOT NULL,
	PRIMARY KEY(`day`, `item_id`, `feed`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `frames` (
	`hour` integer NOT NULL,
	`feed` text NOT NULL,
	`verified_by` text NOT NULL,
	`ingested_at` integer NOT NULL,
	`checked_at` integer NOT NULL,
	`recorded_at` integer NOT NULL,
	`items` integer NOT NULL,
	`quotes` integer NOT NULL,
	PRIMARY KEY(`hour`, `feed`),
	FOREIGN KEY (`feed`) REFERENCES `feeds`(`feed`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "frames_verified_by" CHECK(verified_by IN ('body', 'not_modified')),
	CONSTRAINT "frames_hour" CHECK(hour = checked_at / 3600000),
	CONSTRAINT "frames_counts" CHECK(items >= 0 AND quotes >= 0)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `index_levels` (
	`index_id` text NOT NULL,
	`methodology_version` text NOT NULL,
	`day` integer NOT NULL,
	`value` text,
	`exact` text,
	`capitalization_cents` text,
	`constituent_count` integer NOT NULL,
	`priced_constituent_count` integer NOT NULL,
	`coverage_pct` text NOT NULL,
	`membership_version` integer NOT NULL,
	`as_of` integer,
	`recorded_at` integer NOT NULL,
	PRIMARY KEY(`index_id`, `methodology_version`, `day`),
	FOREIGN KEY (`index_id`) REFERENCES `indexes`(`index_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "index_levels_value" CHECK((value IS NULL) = (exact IS NULL)),
	CONSTRAINT "index_levels_counts" CHECK(priced_constituent_count BETWEEN 0 AND constituent_count)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `index_members` (
	`index_id` text NOT NULL,
	`membership_version` integer NOT NULL,
	`item_id` integer NOT NULL,
	`units` integer NOT NULL,
	`added_day` integer NOT NULL,
	PRIMARY KEY(`index_id`, `membership_version`, `item_id`),
	CONSTRAINT "index_members_units" CHECK(units BETWEEN 1 AND 9007199254740991)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `index_memberships` (
	`index_id` text NOT NULL,
	`membership_version` integer NOT NULL,
	`effective_day` integer NOT NULL,
	`recorded_at` integer NOT NULL,
	PRIMARY KEY(`index_id`, `membership_version`),
	FOREIGN KEY (`index_id`) REFERENCES `indexes`(`index_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "index_memberships_version" CHECK(membership_version >= 1)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `index_memberships_by_day` ON `index_memberships` (`index_id`,`effective_day`);--> statement-breakpoint
CREATE TABLE `indexes` (
	`index_id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`provider` text NOT NULL,
	`weighting` text NOT NULL,
	`methodology_version` text NOT NULL,
	`base_day` integer NOT NULL,
	`base_value` text NOT NULL,
	`active` integer NOT NULL,
	`defined_at` integer NOT NULL,
	`calculated_at` integer,
	FOREIGN KEY (`provider`) REFERENCES `providers`(`provider`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "indexes_slug" CHECK(index_id GLOB '[a-z0-9]*' AND index_id NOT GLOB '*[^a-z0-9-]*' AND length(index_id) <= 60),
	CONSTRAINT "indexes_weighting" CHECK(weighting IN ('equal', 'capitalization')),
	CONSTRAINT "indexes_active" CHECK(active IN (0, 1))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `feeds` ADD `saved_at` integer;--> statement-breakpoint
ALTER TABLE `feeds` ADD `changed_at` integer;