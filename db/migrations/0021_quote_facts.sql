ALTER TABLE `generation_quotes` ADD `observed_at` integer;--> statement-breakpoint
ALTER TABLE `generation_quotes` ADD `providers` text;