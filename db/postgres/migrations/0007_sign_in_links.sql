ALTER TABLE "itemtape"."owner_invites" ADD COLUMN "signs_in" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "itemtape"."owner_sessions" ADD COLUMN "by_link" boolean DEFAULT false NOT NULL;
