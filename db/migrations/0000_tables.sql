CREATE TABLE `accounts` (
	`account_id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`plan` text NOT NULL,
	`plan_ends_at` integer,
	`disabled_at` integer,
	`created_at` integer NOT NULL,
	CONSTRAINT "accounts_plan" CHECK(plan IN ('free', 'builder', 'trader', 'quant'))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `activity` (
	`activity_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` text NOT NULL,
	`key_id` text,
	`kind` text NOT NULL,
	`at` integer NOT NULL,
	`detail` text,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`account_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "activity_kind" CHECK(kind IN ('account_created', 'account_disabled', 'account_enabled', 'plan_changed', 'plan_purchased', 'owner_changed', 'key_created', 'key_rotated', 'key_revoked'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `activity_by_account` ON `activity` (`account_id`,`activity_id`);--> statement-breakpoint
CREATE TABLE `api_keys` (
	`key_id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`display_prefix` text NOT NULL,
	`last_four` text NOT NULL,
	`secret_hash` blob NOT NULL,
	`scopes` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`rotated_at` integer,
	`revoked_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`account_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "api_keys_kind" CHECK(kind IN ('project', 'personal')),
	CONSTRAINT "api_keys_scopes" CHECK(scopes IN ('market:read', 'portfolio:read', 'market:read portfolio:read')),
	CONSTRAINT "api_keys_hash" CHECK(length(secret_hash) = 32)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_secret_hash_unique` ON `api_keys` (`secret_hash`);--> statement-breakpoint
CREATE INDEX `api_keys_by_account` ON `api_keys` (`account_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `ledger_clock` (
	`one` integer PRIMARY KEY NOT NULL,
	`high_water_at` integer NOT NULL,
	CONSTRAINT "ledger_clock_one" CHECK(one = 1)
) STRICT;
--> statement-breakpoint
CREATE TABLE `purchases` (
	`purchase_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` text NOT NULL,
	`plan` text NOT NULL,
	`purchased_at` integer NOT NULL,
	`starts_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`account_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "purchases_plan" CHECK(plan IN ('builder', 'trader', 'quant')),
	CONSTRAINT "purchases_period" CHECK(ends_at > starts_at)
) STRICT;
--> statement-breakpoint
CREATE INDEX `purchases_by_account` ON `purchases` (`account_id`,`purchased_at`);--> statement-breakpoint
CREATE TABLE `snapshot_leases` (
	`lease_id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`slot` integer NOT NULL,
	`state` text NOT NULL,
	`admitted_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`ended_at` integer,
	CONSTRAINT "snapshot_leases_state" CHECK(state IN ('reserved', 'finished', 'released', 'expired')),
	CONSTRAINT "snapshot_leases_slot" CHECK(slot BETWEEN 1 AND 8),
	CONSTRAINT "snapshot_leases_period" CHECK(expires_at > admitted_at)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `snapshot_leases_live_account` ON `snapshot_leases` (`account_id`) WHERE state = 'reserved';--> statement-breakpoint
CREATE UNIQUE INDEX `snapshot_leases_live_slot` ON `snapshot_leases` (`slot`) WHERE state = 'reserved';--> statement-breakpoint
CREATE INDEX `snapshot_leases_by_account` ON `snapshot_leases` (`account_id`,`admitted_at`);--> statement-breakpoint
CREATE TABLE `usage_events` (
	`request_id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`key_id` text NOT NULL,
	`operation` text NOT NULL,
	`month` text NOT NULL,
	`at` integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `usage_months` (
	`account_id` text NOT NULL,
	`month` text NOT NULL,
	`used` integer NOT NULL,
	PRIMARY KEY(`account_id`, `month`),
	CONSTRAINT "usage_months_used" CHECK(used >= 0)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `item_details` (
	`item_id` integer PRIMARY KEY NOT NULL,
	`json` text NOT NULL,
	FOREIGN KEY (`item_id`) REFERENCES `items`(`item_id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `item_sources` (
	`source_key` text NOT NULL,
	`item_id` integer NOT NULL,
	PRIMARY KEY(`source_key`, `item_id`),
	FOREIGN KEY (`item_id`) REFERENCES `items`(`item_id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `items` (
	`item_id` integer PRIMARY KEY NOT NULL,
	`identity_key` text NOT NULL,
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
	`identity` text NOT NULL,
	`origin` text NOT NULL,
	`in_catalog` integer NOT NULL,
	`first_seen_at` integer NOT NULL,
	`updated_at` integer,
	`search_text` text NOT NULL,
	`export_head` text GENERATED ALWAYS AS ('{"type":"item","data":{"item_id":' || item_id || ',"market_hash_name":' || json_quote(market_hash_name) || ',"phase":' || json_quote(phase) || ',"availability":"') STORED NOT NULL,
	CONSTRAINT "items_item_id" CHECK(item_id BETWEEN 1 AND 2147483647),
	CONSTRAINT "items_identity" CHECK(identity IN ('exact', 'unphased') AND (identity = 'exact' OR phase IS NULL)),
	CONSTRAINT "items_origin" CHECK(origin IN ('catalog', 'feed_proven')),
	CONSTRAINT "items_flags" CHECK(in_catalog IN (0, 1) AND stat_counter IN (0, 1) AND souvenir IN (0, 1)),
	CONSTRAINT "items_phase" CHECK(phase IN ('Phase 1', 'Phase 2', 'Phase 3', 'Phase 4', 'Ruby', 'Sapphire', 'Black Pearl', 'Emerald')),
	CONSTRAINT "items_name" CHECK(length(market_hash_name) BETWEEN 1 AND 300 AND length(slug) BETWEEN 1 AND 120)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `items_identity_key_unique` ON `items` (`identity_key`);--> statement-breakpoint
CREATE INDEX `items_by_name` ON `items` (`market_hash_name`);--> statement-breakpoint
CREATE TABLE `feeds` (
	`feed` text PRIMARY KEY NOT NULL,
	`adapter` text NOT NULL,
	`checked_at` integer,
	`ingested_at` integer,
	`item_count` integer DEFAULT 0 NOT NULL,
	CONSTRAINT "feeds_item_count" CHECK(item_count >= 0)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `generation_quotes` (
	`quote_key` integer PRIMARY KEY NOT NULL,
	`quotes` text NOT NULL,
	`observed` text,
	`best_ask_cents` integer,
	`best_ask_provider` text,
	`best_ask_changed_at` integer,
	CONSTRAINT "generation_quotes_best_ask" CHECK(best_ask_cents > 0 AND (best_ask_cents IS NULL) = (best_ask_provider IS NULL)),
	CONSTRAINT "generation_quotes_bytes" CHECK(octet_length(quotes) <= 250000)
) STRICT;
--> statement-breakpoint
CREATE TABLE `generations` (
	`generation_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`state` text NOT NULL,
	`created_at` integer NOT NULL,
	`ingested_at` integer,
	`items` integer DEFAULT 0 NOT NULL,
	`bytes` integer DEFAULT 0 NOT NULL,
	`digest` blob,
	CONSTRAINT "generations_state" CHECK(state IN ('staging', 'published', 'superseded')),
	CONSTRAINT "generations_published" CHECK(state = 'staging' OR (ingested_at IS NOT NULL AND length(digest) = 32))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `generations_one_published` ON `generations` (`state`) WHERE state = 'published';--> statement-breakpoint
CREATE TABLE `providers` (
	`provider` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`feed` text NOT NULL,
	`has_asks` integer NOT NULL,
	`has_bids` integer NOT NULL,
	`active` integer NOT NULL,
	FOREIGN KEY (`feed`) REFERENCES `feeds`(`feed`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "providers_kind" CHECK(kind IN ('main_platform', 'cash', 'trade')),
	CONSTRAINT "providers_flags" CHECK(has_asks IN (0, 1) AND has_bids IN (0, 1) AND active IN (0, 1)),
	CONSTRAINT "providers_slug" CHECK(provider GLOB '[a-z0-9]*' AND provider NOT GLOB '*[^a-z0-9-]*' AND length(provider) <= 60)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `market_state` (
	`one` integer PRIMARY KEY NOT NULL,
	`current_generation_id` integer,
	`catalog_version` integer NOT NULL,
	`cursor_key` blob NOT NULL,
	`demo_anchor_at` integer,
	`note` text,
	CONSTRAINT "market_state_one" CHECK(one = 1),
	CONSTRAINT "market_state_cursor_key" CHECK(length(cursor_key) = 32)
) STRICT;
