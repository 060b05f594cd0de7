import type { Pool } from "pg";
import { dayMs } from "../../values/time/calendar.ts";
import type { DailyUse, KeyUse } from "../read/owner-reads.ts";
import type { AccountRow, ActivityRow, KeyRow } from "../write/accounts.ts";
import { msOf } from "./connection.ts";
import { valuesAt } from "./portfolios.ts";

/** The database's clock, UTC ms. */
const nowMs = msOf("now()");
const keyColumns = `k.key_id AS "keyId", k.account_id AS "accountId", kind, k.name, display_prefix AS "displayPrefix",
  last_four AS "lastFour", scopes, k.created_at AS "createdAt", expires_at AS "expiresAt", rotated_at AS "rotatedAt",
  revoked_at AS "revokedAt", u.day AS "lastUsedDay"`;
const keys = `SELECT ${keyColumns} FROM itemtape.api_keys k LEFT JOIN itemtape.key_uses u USING (key_id) WHERE k.account_id = $1`;
const newestFirst = 'ORDER BY created_at DESC, key_id COLLATE "C" DESC';
const valueColumns = `v.day, v.value_cents AS "valueCents", v.cost_basis_cents AS "costBasisCents", v.holding_count AS "holdingCount",
  v.priced_holding_count AS "pricedHoldingCount", v.compared_value_cents AS "comparedValueCents",
  v.compared_cost_cents AS "comparedCostCents", v.price_source AS "priceSource"`;

type SessionRow = {
  accountId: string;
  accountName: string;
  login: string;
  signedInAt: number;
  expiresAt: number;
  disabledAt: number | null;
  byLink: boolean;
};
type InviteRow = { login: string; accountName: string; expiresAt: number; usedAt: number | null };
type SelectionRow = { keyId: string; portfolioId: string; name: string | null; consentedAt: number };
type ValueRow = {
  day: number;
  valueCents: number | null;
  costBasisCents: number | null;
  holdingCount: number;
  pricedHoldingCount: number;
  comparedValueCents: number | null;
  comparedCostCents: number | null;
  priceSource: string | null;
};
type PortfolioRow = {
  portfolioId: string;
  name: string;
  displayCurrency: string;
  isPublic: boolean;
  priceSource: string;
  holdingCount: number;
  createdAt: number;
  updatedAt: number;
  latest: ValueRow | null;
};
type PageAccountRow = { plan: AccountRow["plan"]; planEndsAt: number | null; disabledAt: number | null; at: number };

/**
 * Reads the data of owners' pages from PostgreSQL, with one statement per read. Not built by Drizzle, because its instants are the
 * database's own.
 */
export class PostgresOwnerReads {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Returns an open session. `at` is the database's clock, UTC ms. */
  session(sessionHash: Buffer): Promise<(SessionRow & { at: number }) | undefined> {
    const text = `SELECT s.account_id AS "accountId", a.name AS "accountName", o.login, s.signed_in_at AS "signedInAt",
        s.expires_at AS "expiresAt", a.disabled_at AS "disabledAt", s.by_link AS "byLink", ${nowMs} AS at
      FROM itemtape.owner_sessions s JOIN itemtape.owners o USING (account_id) JOIN itemtape.accounts a USING (account_id)
      WHERE s.session_hash = $1 AND s.ended_at IS NULL AND s.expires_at > ${nowMs}`;
    return this.#first(text, [sessionHash], "session");
  }

  invite(tokenHash: Buffer): Promise<(InviteRow & { at: number }) | undefined> {
    const text = `SELECT coalesce(i.login, o.login) AS login, a.name AS "accountName", i.expires_at AS "expiresAt", i.used_at AS "usedAt",
        ${nowMs} AS at
      FROM itemtape.owner_invites i JOIN itemtape.owners o USING (account_id) JOIN itemtape.accounts a USING (account_id)
      WHERE i.token_hash = $1 AND NOT i.signs_in`;
    return this.#first(text, [tokenHash]);
  }

  /** Returns an account with its number of keys. */
  account(accountId: string): Promise<{ row: AccountRow; keys: number; at: number } | undefined> {
    const text = `SELECT json_build_object('accountId', account_id, 'name', name, 'plan', plan, 'planEndsAt', plan_ends_at,
        'disabledAt', disabled_at, 'createdAt', created_at) AS row,
        (SELECT count(*)::int FROM itemtape.api_keys WHERE account_id = $1) AS keys, ${nowMs} AS at
      FROM itemtape.accounts WHERE account_id = $1`;
    return this.#first(text, [accountId]);
  }

  /** Returns the plan and month of an account for a request of its pages. */
  pageAccount(accountId: string): Promise<(PageAccountRow & { monthUsed: number | null }) | undefined> {
    const text = `SELECT plan, plan_ends_at AS "planEndsAt", disabled_at AS "disabledAt", m.used AS "monthUsed", ${nowMs} AS at
      FROM itemtape.accounts a LEFT JOIN itemtape.usage_months m
        ON m.account_id = a.account_id AND m.month = to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM')
      WHERE a.account_id = $1`;
    return this.#first(text, [accountId], "page account");
  }

  key(accountId: string, keyId: string): Promise<KeyRow | undefined> {
    return this.#first(`${keys} AND k.key_id = $2`, [accountId, keyId]);
  }

  newestKey(accountId: string): Promise<Pick<KeyRow, "keyId" | "name" | "createdAt"> | undefined> {
    const text = `SELECT key_id AS "keyId", name, created_at AS "createdAt" FROM itemtape.api_keys WHERE account_id = $1 ${newestFirst} LIMIT 1`;
    return this.#first(text, [accountId]);
  }

  /** Returns the keys that are not revoked or expired, newest first. */
  liveKeys(accountId: string): Promise<KeyRow[]> {
    return this.#all(`${keys} AND revoked_at IS NULL AND expires_at > ${nowMs} ${newestFirst}`, [accountId]);
  }

  /** Returns revoked or expired keys, newest first, after skipping `offset` keys. */
  endedKeys(accountId: string, limit: number, offset: number): Promise<KeyRow[]> {
    const text = `${keys} AND (revoked_at IS NOT NULL OR expires_at <= ${nowMs}) ${newestFirst} LIMIT $2 OFFSET $3`;
    return this.#all(text, [accountId, limit, offset]);
  }

  /** Returns the portfolios selected for tokens, by key, then portfolio, like `AccountKeyReads.selection`. */
  selections(accountId: string, keyIds: readonly string[]): Promise<SelectionRow[]> {
    const text = `SELECT s.key_id AS "keyId", s.portfolio_id AS "portfolioId", p.name, s.consented_at AS "consentedAt"
      FROM itemtape.key_portfolios s LEFT JOIN itemtape.portfolios p
        ON p.portfolio_id = s.portfolio_id AND p.account_id = $1 AND p.deleted_at IS NULL
      WHERE s.key_id = ANY ($2::text[]) ORDER BY s.key_id COLLATE "C", s.portfolio_id COLLATE "C"`;
    return this.#all(text, [accountId, keyIds]);
  }

  /** Returns activity before `beforeId`, newest first. */
  activity(accountId: string, beforeId: number, limit: number): Promise<(ActivityRow & { keyName: string | null })[]> {
    const text = `SELECT v.activity_id AS "activityId", v.account_id AS "accountId", v.key_id AS "keyId", v.kind, v.at, v.detail,
        k.name AS "keyName"
      FROM itemtape.activity v LEFT JOIN itemtape.api_keys k USING (key_id)
      WHERE v.account_id = $1 AND v.activity_id < $2 ORDER BY v.activity_id DESC LIMIT $3`;
    return this.#all(text, [accountId, beforeId, limit]);
  }

  /** Returns the portfolios by name, then id, with the last value up to today. Values recorded for an earlier owner are excluded. */
  portfolios(accountId: string, source: string | null): Promise<PortfolioRow[]> {
    const text = `SELECT portfolio_id AS "portfolioId", name, display_currency AS "displayCurrency", is_public AS "isPublic",
        p.price_source AS "priceSource", created_at AS "createdAt", updated_at AS "updatedAt",
        (SELECT count(*)::int FROM itemtape.holdings h WHERE h.portfolio_id = p.portfolio_id) AS "holdingCount",
        (SELECT row_to_json(l) FROM (SELECT ${valueColumns} FROM ${valuesAt("$2")} v
          WHERE v.portfolio_id = p.portfolio_id AND v.account_id = p.account_id AND v.day <= ${nowMs} / ${dayMs}
          ORDER BY v.day DESC LIMIT 1) l) AS latest
      FROM itemtape.portfolios p WHERE account_id = $1 AND deleted_at IS NULL
      ORDER BY name COLLATE "C", portfolio_id COLLATE "C"`;
    return this.#all(text, [accountId, source]);
  }

  /** Returns the rows from `fromDay` to `toDay` (inclusive), ascending. Returns none if the portfolio belongs to another account. */
  valuations(
    accountId: string,
    portfolioId: string,
    source: string | null,
    { fromDay, toDay }: { fromDay: number; toDay: number },
  ): Promise<ValueRow[]> {
    const text = `SELECT ${valueColumns} FROM ${valuesAt("$5")} v JOIN itemtape.portfolios p USING (portfolio_id, account_id)
      WHERE v.account_id = $1 AND v.portfolio_id = $2 AND v.day BETWEEN $3 AND $4 AND p.deleted_at IS NULL ORDER BY v.day`;
    return this.#all(text, [accountId, portfolioId, fromDay, toDay, source]);
  }

  /** Returns units by UTC day, then operation, from `fromAt` until before `untilAt`. */
  useByDay(accountId: string, fromAt: number, untilAt: number): Promise<DailyUse[]> {
    const text = `SELECT to_char(to_timestamp(at / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, operation, count(*)::int AS units,
        (count(*) FILTER (WHERE starts_with(key_id, 'pages_')))::int AS pages
      FROM itemtape.usage_events ${inWindow} GROUP BY 1, 2 ORDER BY 1, operation COLLATE "C"`;
    return this.#all(text, [accountId, fromAt, untilAt]);
  }

  /** Returns the units of each key with any. */
  useByKey(accountId: string, fromAt: number, untilAt: number): Promise<KeyUse[]> {
    const text = `SELECT key_id AS "keyId", count(*)::int AS units FROM itemtape.usage_events ${inWindow} GROUP BY 1`;
    return this.#all(text, [accountId, fromAt, untilAt]);
  }

  async #all<Row>(text: string, values: readonly unknown[]): Promise<Row[]> {
    return (await this.#pool.query<Row>(text, values)).rows;
  }

  /** `name` makes a frequent statement prepared. */
  async #first<Row>(text: string, values: readonly unknown[], name?: string): Promise<Row | undefined> {
    const query = name === undefined ? { text, values } : { name, text, values };
    return (await this.#pool.query<Row>(query)).rows[0];
  }
}

/** Filters by the months of the window, which are indexed, and then by its instants. */
const inWindow = `WHERE account_id = $1 AND at >= $2 AND at < $3
  AND month BETWEEN to_char(to_timestamp($2 / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM') AND to_char(to_timestamp($3 / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM')`;
