CREATE TABLE `feed_drops` (
	`drop_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`feed` text NOT NULL,
	`dropped_at` integer NOT NULL,
	`checked_at` integer,
	`quotes` integer NOT NULL,
	`items` integer NOT NULL,
	CONSTRAINT "feed_drops_counts" CHECK(quotes > 0 AND items > 0)
) STRICT;
--> statement-breakpoint
CREATE INDEX `feed_drops_feed` ON `feed_drops` (`feed`);