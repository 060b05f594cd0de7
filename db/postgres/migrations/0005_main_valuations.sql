CREATE TABLE "itemtape"."main_valuations" (
	"portfolio_id" text NOT NULL,
	"account_id" text NOT NULL,
	"day" integer NOT NULL,
	"value_cents" bigint,
	"cost_basis_cents" bigint,
	"holding_count" integer NOT NULL,
	"priced_holding_count" integer NOT NULL,
	"price_source" text,
	"price_as_of" bigint,
	"recorded_at" bigint NOT NULL,
	"day_revision" integer,
	CONSTRAINT "main_valuations_portfolio_id_account_id_day_pk" PRIMARY KEY("portfolio_id","account_id","day")
);
--> statement-breakpoint
ALTER TABLE "itemtape"."portfolio_valuations" ADD COLUMN "day_revision" integer;--> statement-breakpoint
ALTER TABLE "itemtape"."main_valuations" ADD CONSTRAINT "main_valuations_portfolio_id_portfolios_portfolio_id_fk" FOREIGN KEY ("portfolio_id") REFERENCES "itemtape"."portfolios"("portfolio_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "itemtape"."main_valuations" ADD CONSTRAINT "main_valuations_account_id_accounts_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "itemtape"."accounts"("account_id") ON DELETE no action ON UPDATE no action;