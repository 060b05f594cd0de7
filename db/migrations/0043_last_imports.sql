CREATE TABLE `last_imports` (
	`portfolio_id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`imported_at` integer NOT NULL,
	`state` text NOT NULL,
	`before` text NOT NULL,
	FOREIGN KEY (`portfolio_id`) REFERENCES `portfolios`(`portfolio_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`account_id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
-- Written by hand: the seal (see 0008).
CREATE INDEX last_imports_seal ON last_imports (json_array(portfolio_id, account_id, imported_at, state, before));
