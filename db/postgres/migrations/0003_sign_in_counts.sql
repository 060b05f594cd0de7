CREATE TABLE "itemtape"."sign_in_counts" (
	"key_hash" "bytea" PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"failures" integer NOT NULL,
	"last_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX "sign_in_counts_by_age" ON "itemtape"."sign_in_counts" USING btree ("kind","last_at");