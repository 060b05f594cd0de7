CREATE TABLE `data_events` (
	`event_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`last_at` integer,
	`kind` text NOT NULL,
	`cause` text NOT NULL,
	`feed` text,
	`provider` text,
	`index_id` text,
	`openable` text,
	`item_ids` text NOT NULL,
	`day` integer NOT NULL,
	`from_at` integer NOT NULL,
	`to_at` integer NOT NULL,
	`hours` integer,
	`count` integer NOT NULL,
	`guard` text,
	`figure` text,
	`body_digest` blob,
	`before` text,
	`after` text,
	`changes` text NOT NULL,
	CONSTRAINT "data_events_window" CHECK(from_at >= day * 86400000 AND from_at < to_at AND to_at <= (day + 1) * 86400000),
	CONSTRAINT "data_events_count" CHECK(count >= 1 AND hours BETWEEN 1 AND 16777215 AND last_at >= at),
	CONSTRAINT "data_events_digest" CHECK(length(body_digest) = 32)
) STRICT;
--> statement-breakpoint
CREATE INDEX `data_events_by_time` ON `data_events` (`at`);
--> statement-breakpoint
CREATE INDEX `data_events_by_kind` ON `data_events` (`kind`,`at`);
--> statement-breakpoint
CREATE INDEX `data_events_by_day` ON `data_events` (`day`);
