CREATE TABLE "itemtape"."node_secrets" (
	"one" smallint PRIMARY KEY NOT NULL,
	"cursor_key" "bytea" NOT NULL,
	CONSTRAINT "node_secrets_one" CHECK (one = 1),
	CONSTRAINT "node_secrets_cursor_key" CHECK (length(cursor_key) = 32)
);--> statement-breakpoint
INSERT INTO "itemtape"."node_secrets" ("one", "cursor_key") VALUES (1, sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')));
