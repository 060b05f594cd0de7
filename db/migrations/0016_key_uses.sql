-- The days of keys that were used before are those of their charges: the ledger has them all.
CREATE TABLE `key_uses` (
	`key_id` text PRIMARY KEY NOT NULL,
	`day` integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO key_uses (key_id, day) SELECT key_id, max(at) / 86400000 FROM usage_events GROUP BY key_id;
--> statement-breakpoint
-- A seal (see 0002).
CREATE INDEX key_uses_seal ON key_uses (json_array(key_id, day));
--> statement-breakpoint
CREATE TABLE `__new_activity` (
	`activity_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` text NOT NULL,
	`key_id` text,
	`kind` text NOT NULL,
	`at` integer NOT NULL,
	`detail` text,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`account_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "activity_kind" CHECK(kind IN ('account_created', 'account_disabled', 'account_enabled', 'plan_changed', 'plan_purchased', 'account_renamed', 'owner_changed', 'key_created', 'key_rotated', 'key_revoked'))
) STRICT;
--> statement-breakpoint
INSERT INTO `__new_activity`("activity_id", "account_id", "key_id", "kind", "at", "detail") SELECT "activity_id", "account_id", "key_id", "kind", "at", "detail" FROM `activity`;
--> statement-breakpoint
DROP TABLE `activity`;
--> statement-breakpoint
ALTER TABLE `__new_activity` RENAME TO `activity`;
--> statement-breakpoint
CREATE INDEX `activity_by_account` ON `activity` (`account_id`,`activity_id`);
--> statement-breakpoint
CREATE INDEX activity_seal ON activity (json_array(account_id, key_id, kind, at, detail));
