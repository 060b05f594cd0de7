CREATE TABLE `row_checksums` (
	`table_name` text NOT NULL,
	`row_key` text NOT NULL,
	`checksum` integer NOT NULL,
	PRIMARY KEY(`table_name`, `row_key`)
) STRICT;
--> statement-breakpoint
ALTER TABLE `ledger_clock` ADD `units_checksum` integer DEFAULT 0 NOT NULL;