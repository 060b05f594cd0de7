import type { Pool } from "pg";
import { PostgresOwnerReads } from "../../store/postgres/owner-reads.ts";
import { valuedAt } from "../../store/read/portfolios.ts";
import { Failure } from "../../values/failure/failure.ts";
import { type AccountOverview, accountAt } from "../accounts.ts";
import type { Caller } from "../credentials.ts";
import { type Key, keyView } from "../keys.ts";
import {
  type InviteState,
  inviteStateOf,
  type OpenSession,
  type OwnerActivity,
  type OwnerKey,
  type OwnerPortfolio,
  openSessionOf,
  type PortfolioValue,
  type ReadsOwners,
  type ShownDays,
} from "../owners/owner-reads.ts";
import { type IdentifiesPages, pageCaller } from "../owners/page-credentials.ts";
import { hashToken, type Session } from "../owners/sessions.ts";
import type { CountsUsage } from "../owners/usage-cache.ts";
import type { UsageCounts, UsageRequest } from "../owners/usage-worker.ts";
import { refusalDetails } from "../refusals.ts";
import type { ReadsUsage } from "../usage.ts";
import { unavailableRefusal } from "./owner-refusals.ts";
import { NodesSignInThrottle } from "./sign-in-throttle.ts";

type KeyRow = Parameters<typeof keyView>[0];

/** Reads an owner's data in PostgreSQL. Instants are by the database's clock, so that a session of one node is open on all nodes. */
export class NodesOwners implements ReadsOwners, IdentifiesPages, CountsUsage {
  readonly signIns: NodesSignInThrottle;
  /** Returns the main platform of the current market, which is not stored in PostgreSQL. */
  mainPlatform: () => string | null = () => null;
  readonly #reads: PostgresOwnerReads;
  readonly #usage: ReadsUsage;

  constructor(pool: Pool, usage: ReadsUsage) {
    this.#reads = new PostgresOwnerReads(pool);
    this.signIns = new NodesSignInThrottle(pool);
    this.#usage = usage;
  }

  async openSession(cookie: string): Promise<OpenSession | null> {
    const hash = hashToken(cookie);
    if (hash === null) return null;
    const row = await reached(this.#reads.session(hash));
    if (row === undefined) return null;
    const { at, ...session } = row;
    return openSessionOf(hash, session, at);
  }

  async invite(token: string): Promise<InviteState | null> {
    const hash = hashToken(token);
    const row = hash === null ? undefined : await reached(this.#reads.invite(hash));
    return row === undefined ? null : inviteStateOf(row, row.at);
  }

  async overview(accountId: string): Promise<AccountOverview> {
    const { account, keys, at } = await this.#account(accountId);
    return { ...account, keys, usage: await reached(this.#usage.read(account, at)) };
  }

  async liveKeys(accountId: string): Promise<OwnerKey[]> {
    return this.#withSelections(accountId, await reached(this.#reads.liveKeys(accountId)));
  }

  async endedKeys(
    accountId: string,
    _at: number,
    { limit, offset }: { limit: number; offset: number },
  ): Promise<OwnerKey[]> {
    return this.#withSelections(accountId, await reached(this.#reads.endedKeys(accountId, limit, offset)));
  }

  async key(accountId: string, keyId: string): Promise<OwnerKey | null> {
    const row = await reached(this.#reads.key(accountId, keyId));
    return row === undefined ? null : (await this.#withSelections(accountId, [row]))[0]!;
  }

  async newestKey(accountId: string): Promise<Pick<Key, "keyId" | "name" | "createdAt"> | null> {
    return (await reached(this.#reads.newestKey(accountId))) ?? null;
  }

  activity(
    accountId: string,
    { beforeId, limit }: { beforeId: number | null; limit: number },
  ): Promise<OwnerActivity[]> {
    return reached(this.#reads.activity(accountId, beforeId ?? Number.MAX_SAFE_INTEGER, limit));
  }

  async portfolios(accountId: string): Promise<OwnerPortfolio[]> {
    return reached(this.#reads.portfolios(accountId, await this.#valuedAt(accountId)));
  }

  async portfolio(accountId: string, portfolioId: string): Promise<OwnerPortfolio | null> {
    return (await this.portfolios(accountId)).find((one) => one.portfolioId === portfolioId) ?? null;
  }

  async valuations(accountId: string, portfolioId: string, days: ShownDays): Promise<PortfolioValue[]> {
    return reached(this.#reads.valuations(accountId, portfolioId, await this.#valuedAt(accountId), days));
  }

  async owner({ accountId, sessionHash }: Session): Promise<Caller> {
    const row = await this.#reads.pageAccount(accountId).catch(() => {
      throw new Failure("service_unavailable", { detail: refusalDetails.service_unavailable, retryAfterS: 1 });
    });
    return pageCaller(
      { accountId, session: sessionHash, scopes: ["market:read", "portfolio:read"] },
      row,
      row?.at ?? 0,
    );
  }

  /** Demos exist only in the file. */
  demoVisitor(): null {
    return null;
  }

  ask({ by, accountId, fromAt, untilAt }: UsageRequest): Promise<UsageCounts[keyof UsageCounts]> {
    return reached<UsageCounts[keyof UsageCounts]>(
      by === "day"
        ? this.#reads.useByDay(accountId, fromAt, untilAt)
        : this.#reads.useByKey(accountId, fromAt, untilAt),
    );
  }

  /** The node's other reads share the connections and close them. */
  async close(): Promise<void> {}

  async #account(accountId: string) {
    const found = await reached(this.#reads.account(accountId));
    if (found === undefined) throw new Error(`the account ${accountId} of an open session is gone`);
    const { row, keys, at } = found;
    return { account: accountAt(row, at), keys, at };
  }

  async #valuedAt(accountId: string): Promise<string | null> {
    return valuedAt((await this.#account(accountId)).account.plan, this.mainPlatform());
  }

  async #withSelections(accountId: string, rows: readonly KeyRow[]): Promise<OwnerKey[]> {
    const tokens = rows.filter(({ kind }) => kind === "personal").map(({ keyId }) => keyId);
    const selected = tokens.length === 0 ? [] : await reached(this.#reads.selections(accountId, tokens));
    return rows.map((row) => {
      const portfolios = selected
        .filter(({ keyId }) => keyId === row.keyId)
        .map(({ keyId: _keyId, ...portfolio }) => portfolio);
      const ids = portfolios.map(({ portfolioId }) => portfolioId);
      return { ...keyView(row, ids), portfolios };
    });
  }
}

/** @throws {OwnerRefusal} `unavailable` when the database is unreachable. */
async function reached<T>(asked: T | Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    throw ownFault.test(String((error as { code?: unknown }).code)) ? error : unavailableRefusal();
  }
}

/** PostgreSQL error codes of invalid statements, which are bugs of this program. */
const ownFault = /^(?:22|42)/;
