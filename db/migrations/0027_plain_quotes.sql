CREATE TABLE `best_asks` (
	`item_id` integer PRIMARY KEY NOT NULL,
	`ask_cents` integer,
	`provider_id` integer,
	`changed_at` integer,
	`quote_bytes` integer NOT NULL,
	CONSTRAINT "best_asks_ask" CHECK((ask_cents IS NULL) = (provider_id IS NULL) AND (ask_cents IS NULL) = (changed_at IS NULL)),
	CONSTRAINT "best_asks_bytes" CHECK(quote_bytes BETWEEN 1 AND 250000)
) STRICT;
--> statement-breakpoint
CREATE TABLE `quote_urls` (
	`provider_id` integer NOT NULL,
	`item_id` integer NOT NULL,
	`side` text NOT NULL,
	`url` text NOT NULL,
	PRIMARY KEY(`provider_id`, `item_id`, `side`),
	CONSTRAINT "quote_urls_side" CHECK(side IN ('ask', 'bid'))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `quotes` (
	`provider_id` integer NOT NULL,
	`item_id` integer NOT NULL,
	`ask_cents` integer,
	`ask_quantity` integer,
	`ask_as_of` integer,
	`ask_since` integer,
	`bid_cents` integer,
	`bid_quantity` integer,
	`bid_as_of` integer,
	PRIMARY KEY(`provider_id`, `item_id`),
	FOREIGN KEY (`provider_id`) REFERENCES `frame_providers`(`number`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "quotes_sides" CHECK(coalesce(ask_cents, bid_cents) IS NOT NULL AND (ask_cents > 0) IS NOT 0 AND (bid_cents > 0) IS NOT 0),
	CONSTRAINT "quotes_ask" CHECK(ask_cents IS NOT NULL OR coalesce(ask_quantity, ask_as_of, ask_since) IS NULL),
	CONSTRAINT "quotes_bid" CHECK(bid_cents IS NOT NULL OR coalesce(bid_quantity, bid_as_of) IS NULL)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `generations` ADD `quotes` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `generations` ADD `times_checksum` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `providers` ADD `quotes_as_of` integer;
--> statement-breakpoint
-- Written by hand: seals (see 0002) that cover the new columns.
DROP INDEX providers_seal;
--> statement-breakpoint
CREATE INDEX providers_seal ON providers (json_array(provider, name, kind, feed, has_asks, has_bids, active, quotes_as_of));
--> statement-breakpoint
DROP INDEX generations_seal;
--> statement-breakpoint
CREATE INDEX generations_seal ON generations (json_array(state, created_at, ingested_at, items, bytes, hex(digest), hex(rest_digest), quotes, times_checksum));
