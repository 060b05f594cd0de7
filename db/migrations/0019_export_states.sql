CREATE TABLE `export_states` (
	`state_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`generation_id` integer NOT NULL,
	`identity_digest` blob NOT NULL,
	`export_bytes` integer NOT NULL,
	`since` integer NOT NULL,
	`changed_items` blob NOT NULL,
	FOREIGN KEY (`generation_id`) REFERENCES `generations`(`generation_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "export_states_identity" CHECK(length(identity_digest) = 32 AND export_bytes >= 0)
) STRICT;
--> statement-breakpoint
CREATE INDEX `export_states_by_generation` ON `export_states` (`generation_id`);
--> statement-breakpoint
-- A seal (see 0002).
CREATE INDEX export_states_seal ON export_states (json_array(generation_id, hex(identity_digest), export_bytes, since, hex(changed_items)));
--> statement-breakpoint
CREATE TRIGGER export_states_never_change BEFORE UPDATE ON export_states
BEGIN SELECT RAISE(ABORT, 'a state of the market never changes'); END;
