CREATE TABLE `guard_acceptances` (
	`acceptance_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`feed` text NOT NULL,
	`guard` text NOT NULL,
	`accepted_at` integer NOT NULL,
	`used_at` integer,
	`finding` text
) STRICT;
--> statement-breakpoint
ALTER TABLE `feeds` ADD `joined_ppm` integer;