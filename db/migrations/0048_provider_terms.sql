ALTER TABLE `providers` ADD `terms_url` text;
--> statement-breakpoint
ALTER TABLE `providers` ADD `terms_read_on` text;
--> statement-breakpoint
ALTER TABLE `providers` ADD `redistribution` text DEFAULT 'unknown' NOT NULL
	CONSTRAINT "providers_redistribution" CHECK(redistribution IN ('allowed', 'not_allowed', 'unknown'));
--> statement-breakpoint
ALTER TABLE `providers` ADD `attribution` text;
--> statement-breakpoint
ALTER TABLE `providers` ADD `operator_terms` text DEFAULT '[]' NOT NULL;
--> statement-breakpoint
-- Written by hand: the seal (see 0002).
DROP INDEX providers_seal;
--> statement-breakpoint
CREATE INDEX providers_seal ON providers (json_array(provider, name, kind, feed, has_asks, has_bids, active, quotes_as_of, price_ceiling_cents,
	terms_url, terms_read_on, redistribution, attribution, operator_terms));
