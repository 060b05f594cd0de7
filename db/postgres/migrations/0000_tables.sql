CREATE SCHEMA IF NOT EXISTS "itemtape";
--> statement-breakpoint
CREATE TABLE "itemtape"."accounts" (
	"account_id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"plan" text NOT NULL,
	"plan_ends_at" bigint,
	"disabled_at" bigint,
	"created_at" bigint NOT NULL,
	CONSTRAINT "accounts_plan" CHECK (plan IN ('free', 'builder', 'trader', 'quant'))
);
--> statement-breakpoint
CREATE TABLE "itemtape"."activity" (
	"activity_id" bigserial PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"key_id" text,
	"kind" text NOT NULL,
	"at" bigint NOT NULL,
	"detail" text
);
--> statement-breakpoint
CREATE TABLE "itemtape"."api_keys" (
	"key_id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"display_prefix" text NOT NULL,
	"last_four" text NOT NULL,
	"secret_hash" "bytea" NOT NULL,
	"scopes" text NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"rotated_at" bigint,
	"revoked_at" bigint,
	CONSTRAINT "api_keys_secret_hash_unique" UNIQUE("secret_hash"),
	CONSTRAINT "api_keys_kind" CHECK (kind IN ('project', 'personal')),
	CONSTRAINT "api_keys_scopes" CHECK (scopes IN ('market:read', 'portfolio:read', 'market:read portfolio:read')),
	CONSTRAINT "api_keys_hash" CHECK (length(secret_hash) = 32)
);
--> statement-breakpoint
CREATE TABLE "itemtape"."export_slots" (
	"one" smallint PRIMARY KEY NOT NULL,
	CONSTRAINT "export_slots_one" CHECK (one = 1)
);
--> statement-breakpoint
CREATE TABLE "itemtape"."holdings" (
	"portfolio_id" text NOT NULL,
	"holding_id" text NOT NULL,
	"item_id" integer NOT NULL,
	"quantity" bigint NOT NULL,
	"unit_cost_cents" bigint,
	"cost_estimated" boolean NOT NULL,
	"acquired_day" integer,
	"origin" text NOT NULL,
	"notes" text,
	"external_account_id" text,
	"integration_ref" text,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "holdings_portfolio_id_holding_id_pk" PRIMARY KEY("portfolio_id","holding_id"),
	CONSTRAINT "holdings_holding_id_unique" UNIQUE("holding_id")
);
--> statement-breakpoint
CREATE TABLE "itemtape"."key_portfolios" (
	"key_id" text NOT NULL,
	"portfolio_id" text NOT NULL,
	"consented_at" bigint NOT NULL,
	"consent_version" text NOT NULL,
	CONSTRAINT "key_portfolios_key_id_portfolio_id_pk" PRIMARY KEY("key_id","portfolio_id")
);
--> statement-breakpoint
CREATE TABLE "itemtape"."key_uses" (
	"key_id" text PRIMARY KEY NOT NULL,
	"day" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "itemtape"."ledger_nodes" (
	"epoch" text PRIMARY KEY NOT NULL,
	"node" text NOT NULL,
	"started_at" bigint NOT NULL,
	"batch" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "itemtape"."minute_uses" (
	"account_id" text PRIMARY KEY NOT NULL,
	"minute" bigint NOT NULL,
	"used" integer NOT NULL,
	CONSTRAINT "minute_uses_used" CHECK (used >= 0)
);
--> statement-breakpoint
CREATE TABLE "itemtape"."owner_invites" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"login" text,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"used_at" bigint
);
--> statement-breakpoint
CREATE TABLE "itemtape"."owner_sessions" (
	"session_hash" "bytea" PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"signed_in_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"ended_at" bigint
);
--> statement-breakpoint
CREATE TABLE "itemtape"."owners" (
	"account_id" text PRIMARY KEY NOT NULL,
	"login" text NOT NULL,
	"password_hash" text,
	"password_set_at" bigint,
	"created_at" bigint NOT NULL,
	CONSTRAINT "owners_login_unique" UNIQUE("login")
);
--> statement-breakpoint
CREATE TABLE "itemtape"."portfolio_transactions" (
	"portfolio_id" text NOT NULL,
	"account_id" text NOT NULL,
	"occurred_day" integer NOT NULL,
	"transaction_id" text NOT NULL,
	"holding_id" text,
	"kind" text NOT NULL,
	"item_id" integer NOT NULL,
	"quantity" bigint NOT NULL,
	"unit_amount_cents" bigint,
	"fee_cents" bigint,
	"total_amount_cents" bigint,
	"cost_estimated" boolean NOT NULL,
	"provider" text,
	"occurred_at" bigint,
	"recorded_at" bigint NOT NULL,
	"notes" text,
	"external_account_id" text,
	"integration_ref" text,
	CONSTRAINT "portfolio_transactions_portfolio_id_account_id_occurred_day_transaction_id_pk" PRIMARY KEY("portfolio_id","account_id","occurred_day","transaction_id"),
	CONSTRAINT "portfolio_transactions_transaction_id_unique" UNIQUE("transaction_id")
);
--> statement-breakpoint
CREATE TABLE "itemtape"."portfolio_valuations" (
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
	CONSTRAINT "portfolio_valuations_portfolio_id_account_id_day_pk" PRIMARY KEY("portfolio_id","account_id","day")
);
--> statement-breakpoint
CREATE TABLE "itemtape"."portfolios" (
	"portfolio_id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"name" text NOT NULL,
	"display_currency" text NOT NULL,
	"is_public" boolean NOT NULL,
	"price_source" text NOT NULL,
	"notes" text,
	"external_account_id" text,
	"integration_ref" text,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"deleted_at" bigint
);
--> statement-breakpoint
CREATE TABLE "itemtape"."purchases" (
	"purchase_id" bigserial PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"plan" text NOT NULL,
	"purchased_at" bigint NOT NULL,
	"starts_at" bigint NOT NULL,
	"ends_at" bigint NOT NULL,
	CONSTRAINT "purchases_plan" CHECK (plan IN ('builder', 'trader', 'quant')),
	CONSTRAINT "purchases_period" CHECK (ends_at > starts_at)
);
--> statement-breakpoint
CREATE TABLE "itemtape"."snapshot_leases" (
	"lease_id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"slot" smallint NOT NULL,
	"state" text NOT NULL,
	"admitted_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"ended_at" bigint,
	CONSTRAINT "snapshot_leases_state" CHECK (state IN ('reserved', 'finished', 'released', 'expired')),
	CONSTRAINT "snapshot_leases_slot" CHECK (slot BETWEEN 1 AND 8),
	CONSTRAINT "snapshot_leases_period" CHECK (expires_at > admitted_at)
);
--> statement-breakpoint
CREATE TABLE "itemtape"."usage_events" (
	"request_id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"key_id" text NOT NULL,
	"operation" text NOT NULL,
	"month" text NOT NULL,
	"at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "itemtape"."usage_months" (
	"account_id" text NOT NULL,
	"month" text NOT NULL,
	"used" bigint NOT NULL,
	CONSTRAINT "usage_months_account_id_month_pk" PRIMARY KEY("account_id","month"),
	CONSTRAINT "usage_months_used" CHECK (used >= 0)
);
--> statement-breakpoint
ALTER TABLE "itemtape"."activity" ADD CONSTRAINT "activity_account_id_accounts_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "itemtape"."accounts"("account_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "itemtape"."api_keys" ADD CONSTRAINT "api_keys_account_id_accounts_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "itemtape"."accounts"("account_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "itemtape"."holdings" ADD CONSTRAINT "holdings_portfolio_id_portfolios_portfolio_id_fk" FOREIGN KEY ("portfolio_id") REFERENCES "itemtape"."portfolios"("portfolio_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "itemtape"."key_portfolios" ADD CONSTRAINT "key_portfolios_key_id_api_keys_key_id_fk" FOREIGN KEY ("key_id") REFERENCES "itemtape"."api_keys"("key_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "itemtape"."key_portfolios" ADD CONSTRAINT "key_portfolios_portfolio_id_portfolios_portfolio_id_fk" FOREIGN KEY ("portfolio_id") REFERENCES "itemtape"."portfolios"("portfolio_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "itemtape"."owner_invites" ADD CONSTRAINT "owner_invites_account_id_accounts_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "itemtape"."accounts"("account_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "itemtape"."owner_sessions" ADD CONSTRAINT "owner_sessions_account_id_accounts_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "itemtape"."accounts"("account_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "itemtape"."owners" ADD CONSTRAINT "owners_account_id_accounts_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "itemtape"."accounts"("account_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "itemtape"."portfolio_transactions" ADD CONSTRAINT "portfolio_transactions_portfolio_id_portfolios_portfolio_id_fk" FOREIGN KEY ("portfolio_id") REFERENCES "itemtape"."portfolios"("portfolio_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "itemtape"."portfolio_transactions" ADD CONSTRAINT "portfolio_transactions_account_id_accounts_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "itemtape"."accounts"("account_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "itemtape"."portfolio_valuations" ADD CONSTRAINT "portfolio_valuations_portfolio_id_portfolios_portfolio_id_fk" FOREIGN KEY ("portfolio_id") REFERENCES "itemtape"."portfolios"("portfolio_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "itemtape"."portfolio_valuations" ADD CONSTRAINT "portfolio_valuations_account_id_accounts_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "itemtape"."accounts"("account_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "itemtape"."portfolios" ADD CONSTRAINT "portfolios_account_id_accounts_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "itemtape"."accounts"("account_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "itemtape"."purchases" ADD CONSTRAINT "purchases_account_id_accounts_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "itemtape"."accounts"("account_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "activity_by_account" ON "itemtape"."activity" USING btree ("account_id","activity_id");--> statement-breakpoint
CREATE INDEX "api_keys_by_account" ON "itemtape"."api_keys" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE INDEX "owner_sessions_by_account" ON "itemtape"."owner_sessions" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "portfolios_by_account" ON "itemtape"."portfolios" USING btree ("account_id","portfolio_id");--> statement-breakpoint
CREATE INDEX "purchases_by_account" ON "itemtape"."purchases" USING btree ("account_id","purchased_at");--> statement-breakpoint
CREATE UNIQUE INDEX "snapshot_leases_live_account" ON "itemtape"."snapshot_leases" USING btree ("account_id") WHERE state = 'reserved';--> statement-breakpoint
CREATE UNIQUE INDEX "snapshot_leases_live_slot" ON "itemtape"."snapshot_leases" USING btree ("slot") WHERE state = 'reserved';--> statement-breakpoint
CREATE INDEX "snapshot_leases_by_account" ON "itemtape"."snapshot_leases" USING btree ("account_id","admitted_at");--> statement-breakpoint
CREATE INDEX "usage_events_by_account" ON "itemtape"."usage_events" USING btree ("account_id","month");--> statement-breakpoint
INSERT INTO "itemtape"."export_slots" ("one") VALUES (1);--> statement-breakpoint
CREATE FUNCTION "itemtape"."refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'charged units neither change nor vanish (%)', TG_TABLE_NAME; END $$;--> statement-breakpoint
CREATE TRIGGER "usage_months_stay" BEFORE UPDATE ON "itemtape"."usage_months" FOR EACH ROW WHEN (NEW.used < OLD.used OR NEW.account_id <> OLD.account_id OR NEW.month <> OLD.month) EXECUTE FUNCTION "itemtape"."refuse_change"();--> statement-breakpoint
CREATE TRIGGER "usage_months_kept" BEFORE DELETE ON "itemtape"."usage_months" FOR EACH ROW EXECUTE FUNCTION "itemtape"."refuse_change"();--> statement-breakpoint
CREATE TRIGGER "usage_events_kept" BEFORE UPDATE OR DELETE ON "itemtape"."usage_events" FOR EACH ROW EXECUTE FUNCTION "itemtape"."refuse_change"();
