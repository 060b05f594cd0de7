-- A row of a day that is marked already costs a look, not a statement of its own: an import adds hundreds of thousands.
DROP TRIGGER unsealed_by_daily_added;
--> statement-breakpoint
DROP TRIGGER unsealed_by_daily_changed;
--> statement-breakpoint
DROP TRIGGER unsealed_by_daily_removed;
--> statement-breakpoint
CREATE TRIGGER unsealed_by_daily_added AFTER INSERT ON daily_prices
WHEN NOT EXISTS (SELECT 1 FROM unsealed_days WHERE day = NEW.day) BEGIN INSERT INTO unsealed_days VALUES (NEW.day); END;
--> statement-breakpoint
CREATE TRIGGER unsealed_by_daily_changed AFTER UPDATE ON daily_prices
WHEN NOT EXISTS (SELECT 1 FROM unsealed_days WHERE day = NEW.day) BEGIN INSERT INTO unsealed_days VALUES (NEW.day); END;
--> statement-breakpoint
CREATE TRIGGER unsealed_by_daily_removed AFTER DELETE ON daily_prices
WHEN NOT EXISTS (SELECT 1 FROM unsealed_days WHERE day = OLD.day) BEGIN INSERT INTO unsealed_days VALUES (OLD.day); END;
