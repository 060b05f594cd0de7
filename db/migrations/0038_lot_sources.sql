CREATE TABLE `removed_lots` (
	`portfolio_id` text NOT NULL,
	`account_id` text NOT NULL,
	`integration_ref` text NOT NULL,
	`holding_id` text NOT NULL,
	`item_id` integer NOT NULL,
	`unit_cost_cents` integer,
	`cost_estimated` integer NOT NULL,
	`acquired_day` integer,
	`notes` text,
	`external_account_id` text,
	`created_at` integer NOT NULL,
	`removed_at` integer NOT NULL,
	PRIMARY KEY(`portfolio_id`, `account_id`, `integration_ref`),
	FOREIGN KEY (`portfolio_id`) REFERENCES `portfolios`(`portfolio_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`account_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`item_id`) REFERENCES `items`(`item_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "removed_lots_cost" CHECK(unit_cost_cents BETWEEN 0 AND 9007199254740991 AND cost_estimated IN (0, 1))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `holdings` ADD `source` text;
--> statement-breakpoint
DROP INDEX holdings_seal;
--> statement-breakpoint
CREATE INDEX holdings_seal ON holdings (json_array(portfolio_id, holding_id, item_id, quantity, unit_cost_cents, cost_estimated, acquired_day, origin, notes, external_account_id, integration_ref, created_at, updated_at, source));
--> statement-breakpoint
CREATE INDEX removed_lots_seal ON removed_lots (json_array(portfolio_id, account_id, integration_ref, holding_id, item_id, unit_cost_cents, cost_estimated, acquired_day, notes, external_account_id, created_at, removed_at));
