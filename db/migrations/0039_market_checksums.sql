CREATE TABLE `market_checksums` (
	`table_name` text NOT NULL,
	`row_key` text NOT NULL,
	`checksum` integer NOT NULL,
	PRIMARY KEY(`table_name`, `row_key`)
) STRICT, WITHOUT ROWID;
