CREATE TABLE `main_valuations` (
	`portfolio_id` text NOT NULL,
	`account_id` text NOT NULL,
	`day` integer NOT NULL,
	`value_cents` integer,
	`cost_basis_cents` integer,
	`holding_count` integer NOT NULL,
	`priced_holding_count` integer NOT NULL,
	`price_source` text,
	`price_as_of` integer,
	`recorded_at` integer NOT NULL,
	`day_revision` integer,
	PRIMARY KEY(`portfolio_id`, `account_id`, `day`),
	FOREIGN KEY (`portfolio_id`) REFERENCES `portfolios`(`portfolio_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`account_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "main_valuations_counts" CHECK(priced_holding_count BETWEEN 0 AND holding_count AND price_source IS NOT NULL),
	CONSTRAINT "main_valuations_value" CHECK((value_cents IS NULL) = (priced_holding_count = 0))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `portfolio_valuations` ADD `day_revision` integer;
--> statement-breakpoint
-- Written by hand: seals (see 0008) of the new table and column.
CREATE INDEX main_valuations_seal ON main_valuations (json_array(portfolio_id, account_id, day, value_cents, cost_basis_cents, holding_count, priced_holding_count, price_source, price_as_of, recorded_at, day_revision));
--> statement-breakpoint
DROP INDEX portfolio_valuations_seal;
--> statement-breakpoint
CREATE INDEX portfolio_valuations_seal ON portfolio_valuations (json_array(portfolio_id, account_id, day, value_cents, cost_basis_cents, holding_count, priced_holding_count, price_source, price_as_of, recorded_at, day_revision));
