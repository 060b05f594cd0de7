import { hash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Database } from "../store/database.ts";
import { CredentialReads } from "../store/read/credentials.ts";
import { type Failpoints, noFailpoints } from "../values/failpoints.ts";
import { Failure } from "../values/failure/failure.ts";
import type { MaybePromise } from "../values/maybe-promise.ts";
import { LedgerTime } from "./ledger/months.ts";
import { effectivePlan, type Plan } from "./plans.ts";
import { refusalDetails } from "./refusals.ts";

export type Scope = "market:read" | "portfolio:read";
export type KeyKind = "project" | "personal";

/**
 * The caller of a request, read at the instant of the request. `plan` is in force then. `planEndsAt` is null if the plan has no end.
 * `monthUsed` are the units of the ledger's current month.
 */
export type Caller = {
  accountId: string;
  keyId: string;
  kind: KeyKind | "pages";
  scopes: readonly Scope[];
  plan: Plan;
  planEndsAt: number | null;
  monthUsed: number;
  /** Set for page requests only: the hash (hex) of the owner's session, null for a visitor of a demo. */
  session?: string | null;
};

/** Returns the ledger's key id for page requests of an account. No real key has this id. */
export function pagesKeyId(accountId: string): string {
  return `pages_${accountId}`;
}

export const keyPrefixes: Readonly<Record<KeyKind, string>> = { project: "itemtape_live_", personal: "itemtape_pat_" };
export const secretDigits = 30;
const checksumDigits = 6;

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const bearer = /^[Bb][Ee][Aa][Rr][Ee][Rr] (itemtape_(?:live|pat)_)([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;
const scopeSets: ReadonlyMap<string, readonly Scope[]> = new Map([
  ["market:read", ["market:read"]],
  ["portfolio:read", ["portfolio:read"]],
  ["market:read portfolio:read", ["market:read", "portfolio:read"]],
]);

/** Turns the `Authorization` header into a caller with one read of the file per request. It caches nothing. */
export class Credentials implements Identifies {
  readonly #reads: CredentialReads;
  readonly #failpoints: Failpoints;
  readonly #ledgerTime: LedgerTime;

  /** `database` may be read-only. */
  constructor(database: Database, failpoints: Failpoints = noFailpoints) {
    this.#reads = new CredentialReads(database);
    this.#ledgerTime = new LedgerTime(database);
    this.#failpoints = failpoints;
  }

  /**
   * Returns the caller of `Bearer <key>` at `at` (UTC ms).
   * @throws {Failure} `invalid_api_key` unless the credential is the secret of a key; `revoked_api_key`, `expired_api_key` or
   * `account_disabled` for such a secret.
   */
  identify(authorization: string | undefined, at: number): Caller {
    const secretHash = hashOfHeader(authorization);
    this.#failpoints.hit("auth.lookup");
    return callerOf(this.#reads.byHash(secretHash, this.#ledgerTime.month(at).month), at);
  }
}

/** Authenticates requests. */
export interface Identifies {
  identify(authorization: string | undefined, at: number): MaybePromise<Caller>;
}

/** A key with its account and month. */
export type CredentialRow = NonNullable<ReturnType<CredentialReads["byHash"]>>;

/**
 * Returns the caller of a key at `at` (UTC ms). Pass undefined as `row` for an unknown key.
 * @throws {Failure} as `Credentials` does.
 */
export function callerOf(row: CredentialRow | undefined, at: number): Caller {
  if (row === undefined) throw invalidKey();
  const [keyId, accountId, kind, scopes, expiresAt, revokedAt, plan, planEndsAt, disabledAt, monthUsed] = row;
  const refusal = keyRefusal({ expiresAt, revokedAt, disabledAt }, at);
  if (refusal !== null) throw new Failure(refusal, { detail: refusalDetails[refusal] });
  const planAt = effectivePlan(plan, planEndsAt, at);
  return {
    accountId,
    keyId,
    kind,
    scopes: scopeSets.get(scopes) ?? [],
    plan: planAt,
    planEndsAt: planAt === plan ? planEndsAt : null,
    monthUsed: monthUsed ?? 0,
  };
}

/**
 * Requires that the caller holds `scope`. Pass null to accept any valid key.
 * @throws {Failure} `insufficient_scope`.
 */
export function requireScope(caller: Caller, scope: Scope | null): void {
  if (scope === null || caller.scopes.includes(scope)) return;
  throw new Failure("insufficient_scope", { detail: `the key lacks the scope \`${scope}\`` });
}

/** Returns the reason why an existing key is unusable at `at`, null if it is usable. Revocation is permanent, so it is checked first. */
export function keyRefusal(
  key: { expiresAt: number; revokedAt: number | null; disabledAt: number | null },
  at: number,
): "revoked_api_key" | "expired_api_key" | "account_disabled" | null {
  if (key.revokedAt !== null) return "revoked_api_key";
  if (at >= key.expiresAt) return "expired_api_key";
  return key.disabledAt === null ? null : "account_disabled";
}

/** Returns the complete key for `secret` (30 random base62 characters). */
export function composeKey(kind: KeyKind, secret: string): string {
  return keyPrefixes[kind] + secret + checksum(secret);
}

/** Returns the SHA-256 of the complete key. Only this hash is stored. */
export function hashKey(key: string): Buffer {
  return Buffer.from(hash("sha256", key, "hex"), "hex");
}

/** Returns the key in an `Authorization` header, null for any other scheme, form or checksum. */
export function keyOfHeader(authorization: string): string | null {
  const found = bearer.exec(authorization);
  if (found === null) return null;
  const [, prefix = "", secret = "", sum = ""] = found;
  return checksum(secret) === sum ? prefix + secret + sum : null;
}

/** @throws {Failure} `invalid_api_key` if the header does not contain a key. */
function hashOfHeader(authorization: string | undefined): Buffer {
  const key = authorization === undefined ? null : keyOfHeader(authorization);
  if (key === null) throw invalidKey();
  return hashKey(key);
}

function checksum(secret: string): string {
  let rest = crc32(secret);
  let digits = "";
  for (let place = 0; place < checksumDigits; place += 1) {
    digits = base62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** Builds the refusal for an unknown or malformed secret. */
export function invalidKey(): Failure {
  return new Failure("invalid_api_key", { detail: refusalDetails.invalid_api_key });
}
