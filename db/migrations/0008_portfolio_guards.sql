-- Written by hand: each row of a small table has its seal (see 0002).
CREATE INDEX portfolios_seal ON portfolios (json_array(portfolio_id, account_id, name, display_currency, is_public, price_source, notes, external_account_id, integration_ref, created_at, updated_at, deleted_at));
--> statement-breakpoint
CREATE INDEX holdings_seal ON holdings (json_array(portfolio_id, holding_id, item_id, quantity, unit_cost_cents, cost_estimated, acquired_day, origin, notes, external_account_id, integration_ref, created_at, updated_at));
--> statement-breakpoint
CREATE INDEX portfolio_transactions_seal ON portfolio_transactions (json_array(portfolio_id, account_id, occurred_day, transaction_id, holding_id, kind, item_id, quantity, unit_amount_cents, fee_cents, total_amount_cents, cost_estimated, provider, occurred_at, recorded_at, notes, external_account_id, integration_ref));
--> statement-breakpoint
CREATE INDEX portfolio_valuations_seal ON portfolio_valuations (json_array(portfolio_id, account_id, day, value_cents, cost_basis_cents, holding_count, priced_holding_count, price_source, price_as_of, recorded_at));
--> statement-breakpoint
CREATE INDEX key_portfolios_seal ON key_portfolios (json_array(key_id, portfolio_id, consented_at, consent_version));
--> statement-breakpoint
CREATE INDEX owners_seal ON owners (json_array(account_id, login, password_hash, password_set_at, created_at));
--> statement-breakpoint
CREATE INDEX owner_invites_seal ON owner_invites (json_array(hex(token_hash), account_id, login, created_at, expires_at, used_at));
--> statement-breakpoint
CREATE INDEX owner_sessions_seal ON owner_sessions (json_array(hex(session_hash), account_id, signed_in_at, expires_at, ended_at));
