CREATE TABLE `frame_names` (
	`day` integer NOT NULL,
	`feed` text NOT NULL,
	`changes` blob NOT NULL,
	PRIMARY KEY(`day`, `feed`),
	FOREIGN KEY (`feed`) REFERENCES `feeds`(`feed`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `refused_names` (
	`name_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`feed` text NOT NULL,
	`name` text NOT NULL,
	`phase` text NOT NULL,
	FOREIGN KEY (`feed`) REFERENCES `feeds`(`feed`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "refused_names_name" CHECK(length(name) BETWEEN 1 AND 300 AND length(phase) <= 300)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `refused_names_by_name` ON `refused_names` (`name`,`phase`,`feed`);--> statement-breakpoint
ALTER TABLE `frames` ADD `providers` text;--> statement-breakpoint
ALTER TABLE `frames` ADD `refused_names` integer;