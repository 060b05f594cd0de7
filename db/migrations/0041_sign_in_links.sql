ALTER TABLE `owner_invites` ADD `signs_in` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `owner_sessions` ADD `by_link` integer DEFAULT false NOT NULL;