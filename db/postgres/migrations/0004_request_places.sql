CREATE TABLE "itemtape"."request_places" (
	"request_id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"account_id" text NOT NULL,
	"taken_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	CONSTRAINT "request_places_kind" CHECK (kind IN ('changes', 'waiting')),
	CONSTRAINT "request_places_period" CHECK (expires_at > taken_at)
);
--> statement-breakpoint
CREATE INDEX "request_places_by_account" ON "itemtape"."request_places" USING btree ("account_id");--> statement-breakpoint
CREATE UNIQUE INDEX "request_places_changes" ON "itemtape"."request_places" USING btree ("account_id") WHERE kind = 'changes';