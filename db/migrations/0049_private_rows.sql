-- Edited by hand. Rows of market tables are public: drafts and the key of cursors move to private tables. Private tables do not use
-- `sqlite_sequence`. Their last row is never deleted, so that no number is used again.
CREATE TABLE `node_secrets` (
	`one` integer PRIMARY KEY NOT NULL,
	`cursor_key` blob NOT NULL,
	CONSTRAINT "node_secrets_one" CHECK(one = 1),
	CONSTRAINT "node_secrets_cursor_key" CHECK(length(cursor_key) = 32)
) STRICT;
--> statement-breakpoint
INSERT INTO `node_secrets` SELECT `one`, `cursor_key` FROM `market_state`;
--> statement-breakpoint
CREATE TABLE `__new_openable_drafts` (
	`slug` text PRIMARY KEY NOT NULL,
	`item_id` integer NOT NULL,
	`definition` text NOT NULL,
	`provenance` text NOT NULL,
	`drafted_at` integer NOT NULL,
	FOREIGN KEY (`item_id`) REFERENCES `items`(`item_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "openable_drafts_slug" CHECK(slug GLOB '[a-z0-9]*' AND slug NOT GLOB '*[^a-z0-9-]*' AND length(slug) <= 120)
) STRICT;
--> statement-breakpoint
INSERT INTO `__new_openable_drafts` SELECT d.`slug`, o.`item_id`, d.`definition`, d.`provenance`, d.`drafted_at`
FROM `openable_drafts` d JOIN `openables` o ON o.`slug` = d.`slug`;
--> statement-breakpoint
DROP TABLE `openable_drafts`;
--> statement-breakpoint
ALTER TABLE `__new_openable_drafts` RENAME TO `openable_drafts`;
--> statement-breakpoint
CREATE UNIQUE INDEX `openable_drafts_item_id_unique` ON `openable_drafts` (`item_id`);
--> statement-breakpoint
-- Views and triggers refer to the next two tables, so that a renamed table cannot replace them.
CREATE TEMP TABLE moved AS SELECT * FROM `openables` WHERE `state` <> 'draft';
--> statement-breakpoint
DROP TABLE `openables`;
--> statement-breakpoint
CREATE TABLE `openables` (
	`slug` text PRIMARY KEY NOT NULL,
	`item_id` integer NOT NULL,
	`state` text NOT NULL,
	`type` text NOT NULL,
	`released_day` integer,
	`retired_day` integer,
	`requires_key` integer NOT NULL,
	`key_cost_cents` integer NOT NULL,
	`revision_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`changed_at` integer NOT NULL,
	FOREIGN KEY (`item_id`) REFERENCES `items`(`item_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "openables_state" CHECK(state IN ('active', 'retired')),
	CONSTRAINT "openables_type" CHECK(type IN ('case', 'souvenir_package', 'capsule', 'other')),
	CONSTRAINT "openables_key" CHECK(requires_key IN (0, 1) AND key_cost_cents >= 0 AND (requires_key = 1 OR key_cost_cents = 0)),
	CONSTRAINT "openables_slug" CHECK(slug GLOB '[a-z0-9]*' AND slug NOT GLOB '*[^a-z0-9-]*' AND length(slug) <= 120)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `openables` SELECT * FROM temp.moved;
--> statement-breakpoint
DROP TABLE temp.moved;
--> statement-breakpoint
CREATE UNIQUE INDEX `openables_item_id_unique` ON `openables` (`item_id`);
--> statement-breakpoint
CREATE TEMP TABLE moved AS SELECT `one`, `current_generation_id`, `catalog_version`, `demo_anchor_at`, `known_since` FROM `market_state`;
--> statement-breakpoint
DROP TABLE `market_state`;
--> statement-breakpoint
CREATE TABLE `market_state` (
	`one` integer PRIMARY KEY NOT NULL,
	`current_generation_id` integer,
	`catalog_version` integer NOT NULL,
	`demo_anchor_at` integer,
	`known_since` integer DEFAULT 0 NOT NULL,
	CONSTRAINT "market_state_one" CHECK(one = 1)
) STRICT;
--> statement-breakpoint
INSERT INTO `market_state` SELECT * FROM temp.moved;
--> statement-breakpoint
DROP TABLE temp.moved;
--> statement-breakpoint
CREATE TABLE `__new_activity` (
	`activity_id` integer PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`key_id` text,
	`kind` text NOT NULL,
	`at` integer NOT NULL,
	`detail` text,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`account_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "activity_kind" CHECK(kind IN ('account_created', 'account_disabled', 'account_enabled', 'plan_changed', 'plan_purchased', 'account_renamed', 'owner_changed', 'key_created', 'key_rotated', 'key_revoked'))
) STRICT;
--> statement-breakpoint
INSERT INTO `__new_activity` SELECT * FROM `activity`;
--> statement-breakpoint
DROP TABLE `activity`;
--> statement-breakpoint
ALTER TABLE `__new_activity` RENAME TO `activity`;
--> statement-breakpoint
CREATE INDEX `activity_by_account` ON `activity` (`account_id`,`activity_id`);
--> statement-breakpoint
CREATE TABLE `__new_purchases` (
	`purchase_id` integer PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`plan` text NOT NULL,
	`purchased_at` integer NOT NULL,
	`starts_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`account_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "purchases_plan" CHECK(plan IN ('builder', 'trader', 'quant')),
	CONSTRAINT "purchases_period" CHECK(ends_at > starts_at)
) STRICT;
--> statement-breakpoint
INSERT INTO `__new_purchases` SELECT * FROM `purchases`;
--> statement-breakpoint
DROP TABLE `purchases`;
--> statement-breakpoint
ALTER TABLE `__new_purchases` RENAME TO `purchases`;
--> statement-breakpoint
CREATE INDEX `purchases_by_account` ON `purchases` (`account_id`,`purchased_at`);
--> statement-breakpoint
CREATE TABLE `__new_guard_acceptances` (
	`acceptance_id` integer PRIMARY KEY NOT NULL,
	`feed` text NOT NULL,
	`guard` text NOT NULL,
	`accepted_at` integer NOT NULL,
	`used_at` integer,
	`finding` text
) STRICT;
--> statement-breakpoint
INSERT INTO `__new_guard_acceptances` SELECT * FROM `guard_acceptances`;
--> statement-breakpoint
DROP TABLE `guard_acceptances`;
--> statement-breakpoint
ALTER TABLE `__new_guard_acceptances` RENAME TO `guard_acceptances`;
--> statement-breakpoint
-- Seals (see 0002).
CREATE INDEX node_secrets_seal ON node_secrets (hex(cursor_key));
--> statement-breakpoint
CREATE INDEX openable_drafts_seal ON openable_drafts (json_array(slug, item_id, definition, provenance, drafted_at));
--> statement-breakpoint
CREATE INDEX openables_seal ON openables (json_array(slug, item_id, state, type, released_day, retired_day, requires_key, key_cost_cents, revision_id, created_at, changed_at));
--> statement-breakpoint
CREATE INDEX market_state_seal ON market_state (json_array(current_generation_id, catalog_version, demo_anchor_at, known_since));
--> statement-breakpoint
CREATE INDEX activity_seal ON activity (json_array(account_id, key_id, kind, at, detail));
--> statement-breakpoint
CREATE INDEX purchases_seal ON purchases (json_array(account_id, plan, purchased_at, starts_at, ends_at));
--> statement-breakpoint
CREATE TRIGGER openable_drafts_clash BEFORE INSERT ON openable_drafts
WHEN EXISTS (SELECT 1 FROM openables WHERE (slug = NEW.slug) <> (item_id = NEW.item_id))
BEGIN SELECT RAISE(ABORT, 'another container has the slug or the item'); END;
--> statement-breakpoint
CREATE TRIGGER openable_changes_by_openable_added AFTER INSERT ON openables
BEGIN UPDATE openable_changes SET changes = changes + 1; END;
--> statement-breakpoint
CREATE TRIGGER openable_changes_by_openable_changed AFTER UPDATE ON openables
BEGIN UPDATE openable_changes SET changes = changes + 1; END;
--> statement-breakpoint
CREATE TRIGGER openable_changes_by_openable_removed AFTER DELETE ON openables
BEGIN UPDATE openable_changes SET changes = changes + 1; END;
