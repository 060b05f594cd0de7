-- Written by hand: a published definition stays as it is, and each row of a small table has its seal (see 0002).
CREATE TRIGGER pool_revisions_never_change BEFORE UPDATE ON pool_revisions
BEGIN SELECT RAISE(ABORT, 'a published pool never changes: its next definition is a new revision'); END;
--> statement-breakpoint
CREATE TRIGGER pool_revisions_never_vanish BEFORE DELETE ON pool_revisions
BEGIN SELECT RAISE(ABORT, 'a published pool never vanishes'); END;
--> statement-breakpoint
CREATE TRIGGER pool_outcomes_never_change BEFORE UPDATE ON pool_outcomes
BEGIN SELECT RAISE(ABORT, 'a published pool never changes: its next definition is a new revision'); END;
--> statement-breakpoint
CREATE TRIGGER pool_outcomes_never_vanish BEFORE DELETE ON pool_outcomes
BEGIN SELECT RAISE(ABORT, 'a published pool never vanishes'); END;
--> statement-breakpoint
CREATE INDEX openables_seal ON openables (json_array(slug, item_id, state, type, released_day, retired_day, requires_key, key_cost_cents, revision_id, created_at, changed_at));
--> statement-breakpoint
CREATE INDEX openable_drafts_seal ON openable_drafts (json_array(slug, definition, provenance, drafted_at));
--> statement-breakpoint
CREATE INDEX roi_runs_seal ON roi_runs (json_array(calculated_at, methodology_version, generation_id, published, unchanged, withheld));
