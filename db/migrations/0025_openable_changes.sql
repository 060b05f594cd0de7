CREATE TABLE `openable_changes` (
	`one` integer PRIMARY KEY NOT NULL,
	`changes` integer NOT NULL,
	CONSTRAINT "openable_changes_one" CHECK(one = 1)
) STRICT;
--> statement-breakpoint
-- Written by hand: lists show what these tables hold of containers. Drafts are in no list.
INSERT INTO openable_changes VALUES (1, 0);
--> statement-breakpoint
CREATE TRIGGER openable_changes_by_openable_added AFTER INSERT ON openables WHEN NEW.state <> 'draft'
BEGIN UPDATE openable_changes SET changes = changes + 1; END;
--> statement-breakpoint
CREATE TRIGGER openable_changes_by_openable_changed AFTER UPDATE ON openables WHEN NEW.state <> 'draft' OR OLD.state <> 'draft'
BEGIN UPDATE openable_changes SET changes = changes + 1; END;
--> statement-breakpoint
CREATE TRIGGER openable_changes_by_openable_removed AFTER DELETE ON openables WHEN OLD.state <> 'draft'
BEGIN UPDATE openable_changes SET changes = changes + 1; END;
--> statement-breakpoint
CREATE TRIGGER openable_changes_by_calculation_added AFTER INSERT ON roi_calculations
BEGIN UPDATE openable_changes SET changes = changes + 1; END;
--> statement-breakpoint
CREATE TRIGGER openable_changes_by_calculation_changed AFTER UPDATE ON roi_calculations
BEGIN UPDATE openable_changes SET changes = changes + 1; END;
--> statement-breakpoint
CREATE TRIGGER openable_changes_by_calculation_removed AFTER DELETE ON roi_calculations
BEGIN UPDATE openable_changes SET changes = changes + 1; END;
--> statement-breakpoint
CREATE TRIGGER openable_changes_by_name AFTER UPDATE OF market_hash_name, image_url ON items
WHEN (NEW.market_hash_name <> OLD.market_hash_name OR NEW.image_url IS NOT OLD.image_url)
  AND EXISTS (SELECT 1 FROM openables WHERE item_id = NEW.item_id)
BEGIN UPDATE openable_changes SET changes = changes + 1; END;
