ALTER TABLE "itemtape"."main_valuations" ADD COLUMN "compared_count" integer;--> statement-breakpoint
ALTER TABLE "itemtape"."main_valuations" ADD COLUMN "compared_value_cents" bigint;--> statement-breakpoint
ALTER TABLE "itemtape"."main_valuations" ADD COLUMN "compared_cost_cents" bigint;--> statement-breakpoint
ALTER TABLE "itemtape"."main_valuations" ADD COLUMN "price_providers" text;--> statement-breakpoint
ALTER TABLE "itemtape"."portfolio_valuations" ADD COLUMN "compared_count" integer;--> statement-breakpoint
ALTER TABLE "itemtape"."portfolio_valuations" ADD COLUMN "compared_value_cents" bigint;--> statement-breakpoint
ALTER TABLE "itemtape"."portfolio_valuations" ADD COLUMN "compared_cost_cents" bigint;--> statement-breakpoint
ALTER TABLE "itemtape"."portfolio_valuations" ADD COLUMN "price_providers" text;