CREATE TABLE `owner_invites` (
	`token_hash` blob PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`login` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `owners`(`account_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "owner_invites_hash" CHECK(length(token_hash) = 32)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `owner_sessions` (
	`session_hash` blob PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`signed_in_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`ended_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `owners`(`account_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "owner_sessions_hash" CHECK(length(session_hash) = 32)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `owner_sessions_by_account` ON `owner_sessions` (`account_id`);--> statement-breakpoint
CREATE TABLE `owners` (
	`account_id` text PRIMARY KEY NOT NULL,
	`login` text NOT NULL,
	`password_hash` text,
	`password_set_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`account_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "owners_login" CHECK(login = lower(login) AND length(login) BETWEEN 3 AND 254)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `owners_login_unique` ON `owners` (`login`);--> statement-breakpoint
CREATE TABLE `holdings` (
	`portfolio_id` text NOT NULL,
	`holding_id` text NOT NULL,
	`item_id` integer NOT NULL,
	`quantity` integer NOT NULL,
	`unit_cost_cents` integer,
	`cost_estimated` integer NOT NULL,
	`acquired_day` integer,
	`origin` text NOT NULL,
	`notes` text,
	`external_account_id` text,
	`integration_ref` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`portfolio_id`, `holding_id`),
	FOREIGN KEY (`portfolio_id`) REFERENCES `portfolios`(`portfolio_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`item_id`) REFERENCES `items`(`item_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "holdings_quantity" CHECK(quantity BETWEEN 1 AND 1000000000),
	CONSTRAINT "holdings_cost" CHECK(unit_cost_cents BETWEEN 0 AND 9007199254740991 AND cost_estimated IN (0, 1)),
	CONSTRAINT "holdings_origin" CHECK(origin IN ('manual', 'import', 'transaction'))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `holdings_holding_id_unique` ON `holdings` (`holding_id`);--> statement-breakpoint
CREATE TABLE `key_portfolios` (
	`key_id` text NOT NULL,
	`portfolio_id` text NOT NULL,
	`consented_at` integer NOT NULL,
	`consent_version` text NOT NULL,
	PRIMARY KEY(`key_id`, `portfolio_id`),
	FOREIGN KEY (`key_id`) REFERENCES `api_keys`(`key_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`portfolio_id`) REFERENCES `portfolios`(`portfolio_id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `portfolio_transactions` (
	`portfolio_id` text NOT NULL,
	`account_id` text NOT NULL,
	`occurred_day` integer NOT NULL,
	`transaction_id` text NOT NULL,
	`holding_id` text,
	`kind` text NOT NULL,
	`item_id` integer NOT NULL,
	`quantity` integer NOT NULL,
	`unit_amount_cents` integer,
	`fee_cents` integer,
	`total_amount_cents` integer,
	`cost_estimated` integer NOT NULL,
	`provider` text,
	`occurred_at` integer,
	`recorded_at` integer NOT NULL,
	`notes` text,
	`external_account_id` text,
	`integration_ref` text,
	PRIMARY KEY(`portfolio_id`, `account_id`, `occurred_day`, `transaction_id`),
	FOREIGN KEY (`portfolio_id`) REFERENCES `portfolios`(`portfolio_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`account_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`item_id`) REFERENCES `items`(`item_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "portfolio_transactions_kind" CHECK(kind IN ('buy', 'sell', 'transfer_in', 'transfer_out', 'adjustment')),
	CONSTRAINT "portfolio_transactions_flags" CHECK(cost_estimated IN (0, 1) AND quantity <> 0)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `portfolio_transactions_transaction_id_unique` ON `portfolio_transactions` (`transaction_id`);--> statement-breakpoint
CREATE TABLE `portfolio_valuations` (
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
	PRIMARY KEY(`portfolio_id`, `account_id`, `day`),
	FOREIGN KEY (`portfolio_id`) REFERENCES `portfolios`(`portfolio_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`account_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "portfolio_valuations_counts" CHECK(priced_holding_count BETWEEN 0 AND holding_count),
	CONSTRAINT "portfolio_valuations_value" CHECK((value_cents IS NULL) = (priced_holding_count = 0))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `portfolios` (
	`portfolio_id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`name` text NOT NULL,
	`display_currency` text NOT NULL,
	`is_public` integer NOT NULL,
	`price_source` text NOT NULL,
	`notes` text,
	`external_account_id` text,
	`integration_ref` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`account_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "portfolios_id" CHECK(portfolio_id GLOB 'pf_*' AND length(portfolio_id) BETWEEN 19 AND 35),
	CONSTRAINT "portfolios_flags" CHECK(is_public IN (0, 1) AND display_currency GLOB '[A-Z][A-Z][A-Z]')
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `portfolios_by_account` ON `portfolios` (`account_id`,`portfolio_id`);--> statement-breakpoint
CREATE INDEX `api_keys_unrevoked` ON `api_keys` (`account_id`,`created_at`) WHERE revoked_at IS NULL;