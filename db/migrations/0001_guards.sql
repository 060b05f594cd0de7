-- Written by hand: what the schema language cannot say.
CREATE TRIGGER usage_months_never_fall BEFORE UPDATE ON usage_months
WHEN NEW.used < OLD.used OR NEW.account_id <> OLD.account_id OR NEW.month <> OLD.month
BEGIN SELECT RAISE(ABORT, 'usage never falls'); END;
--> statement-breakpoint
CREATE TRIGGER usage_months_never_vanish BEFORE DELETE ON usage_months
BEGIN SELECT RAISE(ABORT, 'usage never falls'); END;
--> statement-breakpoint
CREATE TRIGGER usage_events_never_change BEFORE UPDATE ON usage_events
BEGIN SELECT RAISE(ABORT, 'a charged unit is never changed'); END;
--> statement-breakpoint
CREATE TRIGGER items_are_never_deleted BEFORE DELETE ON items
BEGIN SELECT RAISE(ABORT, 'an item id is never given back'); END;
--> statement-breakpoint
INSERT INTO market_state (one, current_generation_id, catalog_version, cursor_key, demo_anchor_at, note)
VALUES (1, NULL, 0, randomblob(32), NULL, NULL);
--> statement-breakpoint
INSERT INTO ledger_clock (one, high_water_at) VALUES (1, 0);
