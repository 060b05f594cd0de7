-- Written by hand: the seal of a frame (see 0002) covers what it remembers, and a name that frames refer to stays as it is. The
-- unique index of the names is their second copy.
DROP INDEX frames_seal;
--> statement-breakpoint
CREATE INDEX frames_seal ON frames (json_array(hour, feed, verified_by, ingested_at, checked_at, recorded_at, items, quotes, providers, refused_names));
--> statement-breakpoint
CREATE TRIGGER refused_names_never_change BEFORE UPDATE ON refused_names
BEGIN SELECT RAISE(ABORT, 'frames refer to a refused name'); END;
--> statement-breakpoint
CREATE TRIGGER refused_names_never_vanish BEFORE DELETE ON refused_names
BEGIN SELECT RAISE(ABORT, 'frames refer to a refused name'); END;
