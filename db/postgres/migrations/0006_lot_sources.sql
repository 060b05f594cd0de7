CREATE TABLE "itemtape"."removed_lots" (
	"portfolio_id" text NOT NULL,
	"account_id" text NOT NULL,
	"integration_ref" text NOT NULL,
	"holding_id" text NOT NULL,
	"item_id" integer NOT NULL,
	"unit_cost_cents" bigint,
	"cost_estimated" boolean NOT NULL,
	"acquired_day" integer,
	"notes" text,
	"external_account_id" text,
	"created_at" bigint NOT NULL,
	"removed_at" bigint NOT NULL,
	CONSTRAINT "removed_lots_portfolio_id_account_id_integration_ref_pk" PRIMARY KEY("portfolio_id","account_id","integration_ref")
);
--> statement-breakpoint
ALTER TABLE "itemtape"."holdings" ADD COLUMN "source" text;--> statement-breakpoint
ALTER TABLE "itemtape"."removed_lots" ADD CONSTRAINT "removed_lots_portfolio_id_portfolios_portfolio_id_fk" FOREIGN KEY ("portfolio_id") REFERENCES "itemtape"."portfolios"("portfolio_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "itemtape"."removed_lots" ADD CONSTRAINT "removed_lots_account_id_accounts_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "itemtape"."accounts"("account_id") ON DELETE no action ON UPDATE no action;