CREATE TABLE `sealed_days` (
	`day` integer NOT NULL,
	`revision` integer NOT NULL,
	`sealed_at` integer NOT NULL,
	`superseded_at` integer,
	`condition` text NOT NULL,
	`feeds` text NOT NULL,
	`rows` integer NOT NULL,
	`bytes` integer NOT NULL,
	`digest` blob NOT NULL,
	`hourly` text NOT NULL,
	`hourly_rows` integer,
	`hourly_bytes` integer,
	`hourly_digest` blob,
	`item_id_max` integer NOT NULL,
	`named` text NOT NULL,
	PRIMARY KEY(`day`, `revision`),
	CONSTRAINT "sealed_days_counts" CHECK(revision >= 1 AND rows >= 0 AND bytes >= 0 AND item_id_max >= 0),
	CONSTRAINT "sealed_days_states" CHECK(condition IN ('complete', 'partial', 'empty') AND hourly IN ('available', 'pruned')),
	CONSTRAINT "sealed_days_digests" CHECK(length(digest) = 32 AND (hourly_digest IS NULL) = (hourly_rows IS NULL) AND (hourly_digest IS NULL) = (hourly_bytes IS NULL))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `sealed_days_current` ON `sealed_days` (`day`) WHERE superseded_at IS NULL;
--> statement-breakpoint
-- A seal (see 0002).
CREATE INDEX sealed_days_seal ON sealed_days (json_array(day, revision, sealed_at, superseded_at, condition, feeds, rows, bytes, hex(digest), hourly, hourly_rows, hourly_bytes, hex(hourly_digest), item_id_max, named));
--> statement-breakpoint
CREATE TABLE `unsealed_days` (
	`day` integer PRIMARY KEY NOT NULL
) STRICT;
--> statement-breakpoint
-- Days that are there already, and those between them, of which nothing stays that holds nothing. A step into the table for each item.
INSERT INTO unsealed_days
WITH RECURSIVE
  sides(side) AS (VALUES ('ask'), ('bid')),
  bounds AS (
    SELECT min((SELECT min(day) FROM daily_prices d WHERE d.item_id = i.item_id AND d.side = s.side)) AS first,
      max((SELECT max(day) FROM daily_prices d WHERE d.item_id = i.item_id AND d.side = s.side)) AS last
    FROM items i CROSS JOIN sides s
  ),
  days(day) AS (SELECT first FROM bounds WHERE first IS NOT NULL UNION ALL SELECT day + 1 FROM days WHERE day < (SELECT last FROM bounds))
SELECT day FROM days UNION SELECT day FROM feed_days;
--> statement-breakpoint
-- Whoever changes what a day holds marks it in the same transaction, without knowing of it: no export says an old digest.
CREATE TRIGGER unsealed_by_daily_added AFTER INSERT ON daily_prices
BEGIN INSERT INTO unsealed_days SELECT NEW.day WHERE NOT EXISTS (SELECT 1 FROM unsealed_days WHERE day = NEW.day); END;
--> statement-breakpoint
CREATE TRIGGER unsealed_by_daily_changed AFTER UPDATE ON daily_prices
BEGIN INSERT INTO unsealed_days SELECT NEW.day WHERE NOT EXISTS (SELECT 1 FROM unsealed_days WHERE day = NEW.day); END;
--> statement-breakpoint
CREATE TRIGGER unsealed_by_daily_removed AFTER DELETE ON daily_prices
BEGIN INSERT INTO unsealed_days SELECT OLD.day WHERE NOT EXISTS (SELECT 1 FROM unsealed_days WHERE day = OLD.day); END;
--> statement-breakpoint
CREATE TRIGGER unsealed_by_feed_added AFTER INSERT ON feed_days
BEGIN INSERT INTO unsealed_days SELECT NEW.day WHERE NOT EXISTS (SELECT 1 FROM unsealed_days WHERE day = NEW.day); END;
--> statement-breakpoint
CREATE TRIGGER unsealed_by_feed_changed AFTER UPDATE ON feed_days WHEN NEW.hours <> OLD.hours OR NEW.settled_at IS NULL
BEGIN INSERT INTO unsealed_days SELECT NEW.day WHERE NOT EXISTS (SELECT 1 FROM unsealed_days WHERE day = NEW.day); END;
--> statement-breakpoint
CREATE TRIGGER sealed_days_pruned AFTER UPDATE ON feed_days WHEN NEW.pruned_at IS NOT NULL
BEGIN UPDATE sealed_days SET hourly = 'pruned' WHERE day = NEW.day AND hourly <> 'pruned'; END;
--> statement-breakpoint
CREATE TRIGGER sealed_days_never_vanish BEFORE DELETE ON sealed_days
BEGIN SELECT RAISE(ABORT, 'the digest of a sealed day stays listed'); END;
