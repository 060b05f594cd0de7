-- Written by hand. The program has made plain rows of what these tables held, between the migration before this one and this one.
DROP TRIGGER items_take_their_export_page;
--> statement-breakpoint
DROP TRIGGER new_items_take_their_export_page;
--> statement-breakpoint
DROP TABLE export_pages;
--> statement-breakpoint
DROP TABLE generation_quotes;
--> statement-breakpoint
ALTER TABLE items DROP COLUMN export_head;
