ALTER TABLE "itemtape"."main_valuations" ADD COLUMN "compared_count" integer;--> statement-breakpoint
ALTER TABLE "itemtape"."main_valuations" ADD COLUMN "compared_value_cents" bigint;--> statement-breakpoint
ALTER TABLE "itemtape"."main_valuations" ADD COLUMN "compared_cost_cents" bigint;--> statement-breakpoint
ALTER TABLE "itemtape"."main_valuations" ADD COLUMN "price_providers" text;--> statement-breakpoint
ALTER TABLE "itemtape"."portfolio_valuations" ADD COLUMN "compared_count" integer;--> statement-breakpoint
ALTER TABLE "itemtape"."portfolio_valuations" ADD COLUMN "compared_value_cents" bigint;--> statement-breakpoint
ALTER TABLE "itemtape"."portfolio_valuations" ADD COLUMN "compared_cost_cents" bigint;--> statement-breakpoint
ALTER TABLE "itemtape"."portfolio_valuations" ADD COLUMN "price_providers" text;
--> statement-breakpoint
CREATE TABLE "itemtape"."last_imports" (
	"portfolio_id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"imported_at" bigint NOT NULL,
	"state" text NOT NULL,
	"before" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "itemtape"."last_imports" ADD CONSTRAINT "last_imports_portfolio_id_portfolios_portfolio_id_fk" FOREIGN KEY ("portfolio_id") REFERENCES "itemtape"."portfolios"("portfolio_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "itemtape"."last_imports" ADD CONSTRAINT "last_imports_account_id_accounts_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "itemtape"."accounts"("account_id") ON DELETE no action ON UPDATE no action;
