-- Written by hand: without foreign keys, and in the order of the new key, so that no page is split. The program has moved the rows of
-- a large file before, a day at a time.
CREATE TABLE IF NOT EXISTS `__new_frame_segments` (
	`day` integer NOT NULL,
	`item_id` integer NOT NULL,
	`feed` text NOT NULL,
	`changes` blob NOT NULL,
	PRIMARY KEY(`day`, `feed`, `item_id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_frame_segments` SELECT * FROM frame_segments ORDER BY day, feed, item_id;
--> statement-breakpoint
DROP TABLE `frame_segments`;
--> statement-breakpoint
ALTER TABLE `__new_frame_segments` RENAME TO `frame_segments`;
