DROP TABLE `item_details`;--> statement-breakpoint
ALTER TABLE `items` ADD `checksum` integer;