CREATE TABLE `quote_levels` (
	`hour` integer NOT NULL,
	`provider_id` integer NOT NULL,
	`side` text NOT NULL,
	`count` integer NOT NULL,
	`first_level` integer NOT NULL,
	`last_level` integer NOT NULL,
	PRIMARY KEY(`hour`, `provider_id`, `side`),
	CONSTRAINT "quote_levels_side" CHECK(side IN ('asks', 'bids') AND count >= 1)
) STRICT, WITHOUT ROWID;
