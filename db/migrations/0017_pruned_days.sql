ALTER TABLE `feed_days` ADD `pruned_at` integer;
--> statement-breakpoint
-- A seal (see 0002).
DROP INDEX feed_days_seal;
--> statement-breakpoint
CREATE INDEX feed_days_seal ON feed_days (json_array(day, feed, hours, settled_at, pruned_at));
--> statement-breakpoint
-- A new frame would have its day derived again, from that frame alone.
CREATE TRIGGER pruned_days_never_change BEFORE UPDATE ON feed_days WHEN OLD.pruned_at IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'the hours of a pruned day never change'); END;
--> statement-breakpoint
CREATE TRIGGER feed_days_pruned BEFORE UPDATE ON feed_days WHEN OLD.pruned_at IS NULL AND NEW.pruned_at IS NOT NULL AND NEW.settled_at IS NULL
BEGIN SELECT RAISE(ABORT, 'a day without daily rows is not pruned'); END;
