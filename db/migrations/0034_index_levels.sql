ALTER TABLE `index_levels` ADD `revision` integer DEFAULT 1 NOT NULL;
--> statement-breakpoint
ALTER TABLE `index_levels` ADD `prices_digest` blob;
--> statement-breakpoint
DROP INDEX index_levels_seal;
--> statement-breakpoint
-- A seal (see 0002).
CREATE INDEX index_levels_seal ON index_levels (json_array(index_id, methodology_version, day, value, exact, capitalization_cents, constituent_count, priced_constituent_count, coverage_pct, membership_version, as_of, recorded_at, revision, hex(prices_digest)));
--> statement-breakpoint
CREATE TABLE `index_levels_past` (
	`index_id` text NOT NULL,
	`methodology_version` text NOT NULL,
	`day` integer NOT NULL,
	`value` text,
	`exact` text,
	`capitalization_cents` text,
	`constituent_count` integer NOT NULL,
	`priced_constituent_count` integer NOT NULL,
	`coverage_pct` text NOT NULL,
	`membership_version` integer NOT NULL,
	`as_of` integer,
	`recorded_at` integer NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`prices_digest` blob,
	`superseded_at` integer NOT NULL,
	PRIMARY KEY(`index_id`, `methodology_version`, `day`, `revision`),
	FOREIGN KEY (`index_id`) REFERENCES `indexes`(`index_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "index_levels_past_value" CHECK((value IS NULL) = (exact IS NULL)),
	CONSTRAINT "index_levels_past_counts" CHECK(priced_constituent_count BETWEEN 0 AND constituent_count)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX index_levels_past_seal ON index_levels_past (json_array(index_id, methodology_version, day, value, exact, capitalization_cents, constituent_count, priced_constituent_count, coverage_pct, membership_version, as_of, recorded_at, revision, hex(prices_digest), superseded_at));
--> statement-breakpoint
CREATE TRIGGER index_levels_past_never_change BEFORE UPDATE ON index_levels_past
BEGIN SELECT RAISE(ABORT, 'a superseded level stays as it was'); END;
--> statement-breakpoint
CREATE TRIGGER index_levels_past_never_vanish BEFORE DELETE ON index_levels_past
BEGIN SELECT RAISE(ABORT, 'a superseded level stays as it was'); END;
--> statement-breakpoint
CREATE TABLE `index_days_changed` (
	`index_id` text NOT NULL,
	`day` integer NOT NULL,
	PRIMARY KEY(`index_id`, `day`),
	FOREIGN KEY (`index_id`) REFERENCES `indexes`(`index_id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
-- Fires once for each day that is to be sealed again, not for each of its rows. No `OR IGNORE`: an upsert around it would overrule it.
CREATE TRIGGER index_days_changed_added AFTER INSERT ON unsealed_days
BEGIN
  INSERT INTO index_days_changed SELECT index_id, NEW.day FROM indexes i WHERE base_day <= NEW.day
    AND NOT EXISTS (SELECT 1 FROM index_days_changed c WHERE c.index_id = i.index_id AND c.day = NEW.day);
END;
