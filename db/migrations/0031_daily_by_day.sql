-- Edited by hand. A file keeps its daily rows, also the ones of the last two months, in the order of items: to move them takes more than a moment.
-- A writer therefore looks for the row of a key in both tables. SQLite renames the table in its triggers too.
ALTER TABLE `daily_prices` RENAME TO `daily_by_item`;
--> statement-breakpoint
CREATE TABLE `daily_by_day` (
	`item_id` integer NOT NULL,
	`side` text NOT NULL,
	`day` integer NOT NULL,
	`provider` text NOT NULL,
	`amount` integer NOT NULL,
	`low_amount` integer NOT NULL,
	`high_amount` integer NOT NULL,
	`observations` integer NOT NULL,
	`quantity` integer,
	`source_observed_at` integer,
	`recorded_at` integer NOT NULL,
	`import_id` integer,
	`seal` integer NOT NULL,
	PRIMARY KEY(`day`, `provider`, `item_id`, `side`),
	CONSTRAINT "daily_prices_side" CHECK(side IN ('ask', 'bid')),
	CONSTRAINT "daily_prices_amounts" CHECK(low_amount BETWEEN 1 AND amount AND amount <= high_amount AND high_amount <= 9007199254740991),
	CONSTRAINT "daily_prices_observations" CHECK(observations >= 1 AND quantity >= 1)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `recent_days` (
	`day` integer NOT NULL,
	`provider` text NOT NULL,
	`moved_to` integer NOT NULL,
	PRIMARY KEY(`day`, `provider`),
	CONSTRAINT "recent_days_moved_to" CHECK(moved_to >= 0)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `daily_item_order` (
	`id` integer PRIMARY KEY NOT NULL,
	`last_day` integer NOT NULL,
	CONSTRAINT "daily_item_order_one" CHECK(id = 1)
) STRICT;
--> statement-breakpoint
-- A seal (see 0002).
CREATE INDEX daily_item_order_seal ON daily_item_order (json_array(last_day));
--> statement-breakpoint
-- Each day with rows is sealed or is to be sealed.
INSERT INTO daily_item_order
SELECT 1, ifnull(max(day), 0) FROM (SELECT max(day) AS day FROM sealed_days UNION ALL SELECT max(day) FROM unsealed_days);
--> statement-breakpoint
CREATE TRIGGER daily_item_order_raised AFTER INSERT ON daily_by_item WHEN NEW.day > (SELECT last_day FROM daily_item_order)
BEGIN UPDATE daily_item_order SET last_day = NEW.day; END;
--> statement-breakpoint
-- A seal (see 0002).
CREATE INDEX recent_days_seal ON recent_days (json_array(day, provider, moved_to));
--> statement-breakpoint
-- A reader of an item looks its row up for each recent day and provider: without them it would go over all rows of these days.
CREATE VIEW daily_prices AS
SELECT item_id, side, day, provider, amount, low_amount, high_amount, observations, quantity, source_observed_at, recorded_at, import_id, seal
FROM daily_by_item
UNION ALL
SELECT d.item_id, d.side, r.day, r.provider, d.amount, d.low_amount, d.high_amount, d.observations, d.quantity, d.source_observed_at, d.recorded_at, d.import_id, d.seal
FROM recent_days AS r CROSS JOIN daily_by_day AS d ON d.day = r.day AND d.provider = r.provider AND d.item_id > r.moved_to;
--> statement-breakpoint
CREATE TRIGGER recent_days_added AFTER INSERT ON daily_by_day
WHEN NOT EXISTS (SELECT 1 FROM recent_days WHERE day = NEW.day AND provider = NEW.provider)
BEGIN INSERT INTO recent_days VALUES (NEW.day, NEW.provider, 0); END;
--> statement-breakpoint
-- A change of a row marks its day (see 0018). A copy that takes the place of the same row changes no day, nor does the end of that row.
DROP TRIGGER unsealed_by_daily_added;
--> statement-breakpoint
CREATE TRIGGER unsealed_by_daily_added AFTER INSERT ON daily_by_item
WHEN NOT EXISTS (SELECT 1 FROM unsealed_days WHERE day = NEW.day)
  AND NOT EXISTS (SELECT 1 FROM daily_by_day WHERE day = NEW.day AND provider = NEW.provider AND item_id = NEW.item_id AND side = NEW.side AND seal = NEW.seal)
BEGIN INSERT INTO unsealed_days VALUES (NEW.day); END;
--> statement-breakpoint
CREATE TRIGGER unsealed_by_recent_added AFTER INSERT ON daily_by_day
WHEN NOT EXISTS (SELECT 1 FROM unsealed_days WHERE day = NEW.day) BEGIN INSERT INTO unsealed_days VALUES (NEW.day); END;
--> statement-breakpoint
CREATE TRIGGER unsealed_by_recent_changed AFTER UPDATE ON daily_by_day
WHEN NOT EXISTS (SELECT 1 FROM unsealed_days WHERE day = NEW.day) BEGIN INSERT INTO unsealed_days VALUES (NEW.day); END;
--> statement-breakpoint
CREATE TRIGGER unsealed_by_recent_removed AFTER DELETE ON daily_by_day
WHEN NOT EXISTS (SELECT 1 FROM unsealed_days WHERE day = OLD.day)
  AND NOT EXISTS (SELECT 1 FROM recent_days WHERE day = OLD.day AND provider = OLD.provider AND moved_to >= OLD.item_id)
BEGIN INSERT INTO unsealed_days VALUES (OLD.day); END;
