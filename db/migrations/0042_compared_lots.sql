ALTER TABLE `main_valuations` ADD `compared_count` integer;--> statement-breakpoint
ALTER TABLE `main_valuations` ADD `compared_value_cents` integer;--> statement-breakpoint
ALTER TABLE `main_valuations` ADD `compared_cost_cents` integer;--> statement-breakpoint
ALTER TABLE `main_valuations` ADD `price_providers` text;--> statement-breakpoint
ALTER TABLE `portfolio_valuations` ADD `compared_count` integer;--> statement-breakpoint
ALTER TABLE `portfolio_valuations` ADD `compared_value_cents` integer;--> statement-breakpoint
ALTER TABLE `portfolio_valuations` ADD `compared_cost_cents` integer;--> statement-breakpoint
ALTER TABLE `portfolio_valuations` ADD `price_providers` text;
--> statement-breakpoint
-- Written by hand: seals (see 0008) with the new columns.
DROP INDEX main_valuations_seal;
--> statement-breakpoint
CREATE INDEX main_valuations_seal ON main_valuations (json_array(portfolio_id, account_id, day, value_cents, cost_basis_cents, holding_count, priced_holding_count, price_source, price_as_of, recorded_at, day_revision, compared_count, compared_value_cents, compared_cost_cents, price_providers));
--> statement-breakpoint
DROP INDEX portfolio_valuations_seal;
--> statement-breakpoint
CREATE INDEX portfolio_valuations_seal ON portfolio_valuations (json_array(portfolio_id, account_id, day, value_cents, cost_basis_cents, holding_count, priced_holding_count, price_source, price_as_of, recorded_at, day_revision, compared_count, compared_value_cents, compared_cost_cents, price_providers));
