import type { Database } from "../../store/database.ts";
import { PageCredentialReads } from "../../store/read/credentials.ts";
import { Failure } from "../../values/failure/failure.ts";
import type { MaybePromise } from "../../values/maybe-promise.ts";
import { type Caller, pagesKeyId, type Scope } from "../credentials.ts";
import { LedgerTime } from "../ledger/months.ts";
import { effectivePlan } from "../plans.ts";
import { refusalDetails } from "../refusals.ts";
import type { Session } from "./sessions.ts";

/** Turns an owner's session, or a visit of a demo, into a caller. */
export interface IdentifiesPages {
  owner(session: Session, at: number): MaybePromise<Caller>;
  demoVisitor(at: number): Caller | null;
}

/** Turns an owner's session, or a visit of a demo, into a caller with one read of the file per request. It caches nothing. */
export class PageCredentials implements IdentifiesPages {
  readonly #reads: PageCredentialReads;
  readonly #ledgerTime: LedgerTime;

  /** `database` may be read-only. */
  constructor(database: Database) {
    this.#reads = new PageCredentialReads(database);
    this.#ledgerTime = new LedgerTime(database);
  }

  /**
   * Returns the owner of an open session at `at` (UTC ms), with the scopes that a personal token could have.
   * @throws {Failure} `account_disabled`.
   */
  owner(session: Session, at: number): Caller {
    return this.#caller(session.accountId, session.sessionHash, ["market:read", "portfolio:read"], at);
  }

  /**
   * Returns the caller for a visitor of a demo at `at` (UTC ms). It uses the demo's paid account and reads only the market. Returns null if
   * the file is not a demo or has received imports.
   * @throws {Failure} `account_disabled`.
   */
  demoVisitor(at: number): Caller | null {
    const accountId = this.#reads.demoAccountId();
    return accountId === null ? null : this.#caller(accountId, null, ["market:read"], at);
  }

  #caller(accountId: string, session: string | null, scopes: readonly Scope[], at: number): Caller {
    const account = this.#reads.account(accountId, this.#ledgerTime.month(at).month);
    return pageCaller({ accountId, session, scopes }, account, at);
  }
}

type PageAccount = NonNullable<ReturnType<PageCredentialReads["account"]>>;

/**
 * Returns the caller of a page for an account in its state at `at` (UTC ms). Pass undefined for an unknown account.
 * @throws {Failure} `account_disabled`, or `invalid_api_key` without an account.
 */
export function pageCaller(
  { accountId, session, scopes }: { accountId: string; session: string | null; scopes: readonly Scope[] },
  account: PageAccount | undefined,
  at: number,
): Caller {
  if (account === undefined) throw new Failure("invalid_api_key", { detail: refusalDetails.invalid_api_key });
  const { plan, planEndsAt, disabledAt, monthUsed } = account;
  if (disabledAt !== null) throw new Failure("account_disabled", { detail: "the account is disabled" });
  const planAt = effectivePlan(plan, planEndsAt, at);
  return {
    accountId,
    keyId: pagesKeyId(accountId),
    kind: "pages",
    scopes,
    plan: planAt,
    planEndsAt: planAt === plan ? planEndsAt : null,
    monthUsed: monthUsed ?? 0,
    session,
  };
}
