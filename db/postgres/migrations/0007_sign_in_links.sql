ALTER TABLE "itemtape"."owner_invites" ADD COLUMN "signs_in" boolean NOT NULL DEFAULT false;--> statement-breakpoint
ALTER TABLE "itemtape"."owner_sessions" ADD COLUMN "by_link" boolean NOT NULL DEFAULT false;
