import { type Database, readTransaction } from "../../store/database.ts";
import { AccountKeyReads } from "../../store/read/account-keys.ts";
import { OwnerPageReads } from "../../store/read/owner-reads.ts";
import { valuedAt } from "../../store/read/portfolios.ts";
import { ProvidersStore } from "../../store/read/providers.ts";
import { AccountStore, type KeyRow } from "../../store/write/accounts.ts";
import type { MaybePromise } from "../../values/maybe-promise.ts";
import { dayOf } from "../../values/time/calendar.ts";
import { type AccountOverview, type Activity, accountAt, knownAccount } from "../accounts.ts";
import { type Key, keyView } from "../keys.ts";
import type { Plan } from "../plans.ts";
import { UsageReader } from "../usage.ts";
import { type DisplayRate, type Holdings, OwnerHoldings } from "./holdings.ts";
import { hashToken, isOpen, type Session } from "./sessions.ts";

/** Current state of a link to set a password. */
export type InviteState = { login: string; accountName: string; state: "open" | "used" | "expired" };

/** A portfolio selected for a token. `name` is null if the account does not own the portfolio any more. */
type SelectedPortfolio = { portfolioId: string; name: string | null; consentedAt: number };

/** `keyName` is null if the activity is not about a key. */
export type OwnerActivity = Activity & { keyName: string | null };

export type OwnerKey = Key & { portfolios: readonly SelectedPortfolio[] };

/** Value of a portfolio at the end of the UTC day `day` (days since 1970), in USD cents. Null if unknown. */
export type PortfolioValue = {
  day: number;
  valueCents: number | null;
  costBasisCents: number | null;
  holdingCount: number;
  pricedHoldingCount: number;
  /** Sum over the lots with a price and a cost. Null without such lots, or if an earlier release wrote the row. */
  comparedValueCents: number | null;
  comparedCostCents: number | null;
  priceSource: string | null;
};

/** A portfolio as its owner sees it. `latest` is null before the first valuation. */
export type OwnerPortfolio = {
  portfolioId: string;
  name: string;
  displayCurrency: string;
  isPublic: boolean;
  priceSource: string;
  holdingCount: number;
  createdAt: number;
  updatedAt: number;
  latest: PortfolioValue | null;
};

/** A portfolio with its holdings. `rate` is null if its amounts are shown only in US dollars. */
export type ValuedPortfolio = { portfolio: OwnerPortfolio; holdings: Holdings; rate: DisplayRate | null };

/** The providers that an owner can choose, null on Free. */
export type PriceSources = readonly { provider: string; name: string }[] | null;

/** An open session and the instant that counts, UTC ms. */
export type OpenSession = { session: Session; at: number };

/** UTC days since 1970, both inclusive, and the instant that determines the plan in force. */
export type ShownDays = { fromDay: number; toDay: number; at: number };

/** Reads an owner's account data for each page, from the file or from PostgreSQL. */
export interface ReadsOwners {
  openSession(cookie: string, at: number): MaybePromise<OpenSession | null>;
  invite(token: string, at: number): MaybePromise<InviteState | null>;
  overview(accountId: string, at: number): MaybePromise<AccountOverview>;
  liveKeys(accountId: string, at: number): MaybePromise<OwnerKey[]>;
  endedKeys(accountId: string, at: number, page: { limit: number; offset: number }): MaybePromise<OwnerKey[]>;
  key(accountId: string, keyId: string): MaybePromise<OwnerKey | null>;
  newestKey(accountId: string): MaybePromise<Pick<Key, "keyId" | "name" | "createdAt"> | null>;
  activity(accountId: string, page: { beforeId: number | null; limit: number }): MaybePromise<OwnerActivity[]>;
  portfolios(accountId: string, at: number): MaybePromise<OwnerPortfolio[]>;
  portfolio(accountId: string, portfolioId: string, at: number): MaybePromise<OwnerPortfolio | null>;
  valuations(accountId: string, portfolioId: string, days: ShownDays): MaybePromise<PortfolioValue[]>;
}

/** Reads the data of an owner's own account. */
export class OwnerReads implements ReadsOwners {
  readonly #reads: OwnerPageReads;
  readonly #accounts: AccountStore;
  readonly #keys: AccountKeyReads;
  readonly #usage: UsageReader;
  readonly #holdings: OwnerHoldings;
  readonly #providers: ProvidersStore;
  readonly #database: Database;

  /** `database` may be read-only. */
  constructor(database: Database) {
    this.#database = database;
    this.#holdings = new OwnerHoldings(database);
    this.#providers = new ProvidersStore(database);
    this.#reads = new OwnerPageReads(database);
    this.#accounts = new AccountStore(database);
    this.#keys = new AccountKeyReads(database);
    this.#usage = new UsageReader(database);
  }

  /** Reads the session of a cookie. Returns null if it is unknown or has ended by `at` (UTC ms). */
  session(cookie: string, at: number): Session | null {
    const hash = hashToken(cookie);
    const row = hash === null ? undefined : this.#reads.session(hash, at);
    return hash === null || row === undefined ? null : (openSessionOf(hash, row, at)?.session ?? null);
  }

  openSession(cookie: string, at: number): OpenSession | null {
    const session = this.session(cookie, at);
    return session === null ? null : { session, at };
  }

  /** Reads a one-time link. Returns null if it is unknown. */
  invite(token: string, at: number): InviteState | null {
    const hash = hashToken(token);
    const row = hash === null ? undefined : this.#reads.invite(hash);
    return row === undefined ? null : inviteStateOf(row, at);
  }

  overview(accountId: string, at: number): AccountOverview {
    const account = accountAt(knownAccount(this.#accounts, accountId), at);
    return { ...account, keys: this.#accounts.countKeys(accountId), usage: this.#usage.read(account, at) };
  }

  /** Lists the keys that are neither revoked nor expired at `at`, newest first. */
  liveKeys(accountId: string, at: number): OwnerKey[] {
    return this.#keys.live(accountId, at).map((row) => this.#ownerKey(row));
  }

  /** Lists the keys that are revoked, or expired at `at`. The newest is first; `offset` keys are skipped. */
  endedKeys(accountId: string, at: number, { limit, offset }: { limit: number; offset: number }): OwnerKey[] {
    return this.#keys.ended(accountId, at, limit, offset).map((row) => this.#ownerKey(row));
  }

  /** Reads a key. Returns null if the account does not have it. */
  key(accountId: string, keyId: string): OwnerKey | null {
    const row = this.#keys.key(accountId, keyId);
    return row === undefined ? null : this.#ownerKey(row);
  }

  /** Reads the newest key. Returns null if the account has no keys. */
  newestKey(accountId: string): { keyId: string; name: string; createdAt: number } | null {
    return this.#keys.newest(accountId) ?? null;
  }

  /** Lists activity, newest first. Pass null as `beforeId` to start with the newest. */
  activity(accountId: string, { beforeId, limit }: { beforeId: number | null; limit: number }): OwnerActivity[] {
    return this.#reads.activity(accountId, beforeId ?? Number.MAX_SAFE_INTEGER, limit);
  }

  /** Lists the portfolios by name, then id. */
  portfolios(accountId: string, at: number): OwnerPortfolio[] {
    const source = this.#valuedAt(accountId, at);
    return this.#reads.portfolios(accountId).map((row) => ({
      ...row,
      latest: this.#reads.latestValuation(accountId, row.portfolioId, source, dayOf(at)) ?? null,
    }));
  }

  /** Reads a portfolio. Returns null if the account does not have it. */
  portfolio(accountId: string, portfolioId: string, at: number): OwnerPortfolio | null {
    return this.portfolios(accountId, at).find((portfolio) => portfolio.portfolioId === portfolioId) ?? null;
  }

  /** Lists the portfolios by name with their totals, without rows. */
  valuedPortfolios(accountId: string, at: number): ValuedPortfolio[] {
    return readTransaction(this.#database, () => {
      const plan = this.planOf(accountId, at);
      const valued = this.portfolios(accountId, at).map((portfolio) => this.#valued(portfolio, plan, at, 1));
      return valued.map((one) => ({ ...one, holdings: { ...one.holdings, rows: [] } }));
    });
  }

  /** Reads a portfolio with a page (from 1) of its holdings. Returns null if the account does not have it. */
  valuedPortfolio(accountId: string, portfolioId: string, page: number, at: number): ValuedPortfolio | null {
    return readTransaction(this.#database, () => {
      const portfolio = this.portfolio(accountId, portfolioId, at);
      const plan = this.planOf(accountId, at);
      return portfolio === null ? null : this.#valued(portfolio, plan, at, page);
    });
  }

  /** Lists the values from the first to the last day, ascending. The list is empty if the portfolio is not the account's. */
  valuations(accountId: string, portfolioId: string, { fromDay, toDay, at }: ShownDays): PortfolioValue[] {
    return this.#reads.valuations(accountId, portfolioId, this.#valuedAt(accountId, at), fromDay, toDay);
  }

  /** Returns the plan of an account at `at`, UTC ms. */
  planOf(accountId: string, at: number): Plan {
    return accountAt(knownAccount(this.#accounts, accountId), at).plan;
  }

  /** Lists the providers that an owner may choose to value portfolios. Returns null on Free. */
  priceSources(accountId: string, at: number): PriceSources {
    return this.planOf(accountId, at) === "free" ? null : this.#providers.withAsks();
  }

  #valuedAt(accountId: string, at: number): string | null {
    return valuedAt(this.planOf(accountId, at), this.#providers.mainPlatform());
  }

  #valued(portfolio: OwnerPortfolio, plan: Plan, at: number, page: number): ValuedPortfolio {
    const holdings = this.#holdings.of(portfolio, plan, at, page);
    return { portfolio, holdings, rate: this.#holdings.rate(portfolio, plan, at) };
  }

  #ownerKey(row: KeyRow): OwnerKey {
    const portfolios = row.kind === "personal" ? this.#keys.selection(row.accountId, row.keyId) : [];
    const ids = portfolios.map(({ portfolioId }) => portfolioId);
    return { ...keyView(row, ids), portfolios };
  }
}

/** Returns the session of a stored row unless it has ended by `at` (UTC ms). */
export function openSessionOf(hash: Buffer, row: Omit<Session, "sessionHash">, at: number): OpenSession | null {
  return isOpen(row, at) ? { session: { sessionHash: hash.toString("hex"), ...row }, at } : null;
}

/** Returns the state of a stored link at `at` (UTC ms). */
export function inviteStateOf(
  { login, accountName, usedAt, expiresAt }: Omit<InviteState, "state"> & { usedAt: number | null; expiresAt: number },
  at: number,
): InviteState {
  return { login, accountName, state: usedAt !== null ? "used" : at >= expiresAt ? "expired" : "open" };
}
