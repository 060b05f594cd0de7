ALTER TABLE `items` ADD `words` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `items` ADD `words_ru` text;