CREATE TABLE `frame_retractions` (
	`hour` integer NOT NULL,
	`feed` text NOT NULL,
	`reason` text NOT NULL,
	`retracted_at` integer NOT NULL,
	`replaced_at` integer,
	`ingested_at` integer,
	`checked_at` integer,
	`items` integer,
	`quotes` integer,
	`providers` text,
	`refused_names` integer,
	PRIMARY KEY(`hour`, `feed`),
	FOREIGN KEY (`hour`,`feed`) REFERENCES `frames`(`hour`,`feed`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "frame_retractions_reason" CHECK(length(reason) BETWEEN 1 AND 300),
	CONSTRAINT "frame_retractions_replaced" CHECK((replaced_at IS NULL) = (items IS NULL) AND (items IS NULL) = (quotes IS NULL) AND (items IS NULL) = (checked_at IS NULL))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `retracted_segments` (
	`hour` integer NOT NULL,
	`item_id` integer NOT NULL,
	`feed` text NOT NULL,
	`changes` blob NOT NULL,
	PRIMARY KEY(`hour`, `feed`, `item_id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
-- A seal (see 0002).
CREATE INDEX frame_retractions_seal ON frame_retractions (json_array(hour, feed, reason, retracted_at, replaced_at, ingested_at, checked_at, items, quotes, providers, refused_names));
--> statement-breakpoint
CREATE TRIGGER frame_retractions_never_vanish BEFORE DELETE ON frame_retractions
BEGIN SELECT RAISE(ABORT, 'a retraction stays as it was'); END;
--> statement-breakpoint
CREATE TRIGGER frame_retractions_replaced_once BEFORE UPDATE ON frame_retractions WHEN OLD.replaced_at IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'a frame is replaced once'); END;
--> statement-breakpoint
CREATE VIEW frames_now AS
SELECT f.hour, f.feed,
  coalesce(r.ingested_at, f.ingested_at) AS ingested_at,
  coalesce(r.checked_at, f.checked_at) AS checked_at,
  coalesce(r.replaced_at, f.recorded_at) AS recorded_at,
  coalesce(r.items, f.items) AS items,
  coalesce(r.quotes, f.quotes) AS quotes,
  iif(r.replaced_at IS NULL, f.providers, r.providers) AS providers,
  iif(r.replaced_at IS NULL, f.refused_names, r.refused_names) AS refused_names,
  iif(r.replaced_at IS NULL, r.retracted_at, NULL) AS retracted_at
FROM frames f LEFT JOIN frame_retractions r ON r.hour = f.hour AND r.feed = f.feed;
