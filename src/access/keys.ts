import { type Database, writeTransaction } from "../store/database.ts";
import { AccountKeyReads } from "../store/read/account-keys.ts";
import { AccountStore, type KeyRow, type NewKeyRow } from "../store/write/accounts.ts";
import { exitCodes, OperatorError } from "../values/failure/operator-error.ts";
import type { Ids } from "../values/ids.ts";
import { plural } from "../values/text/counted.ts";
import { dayMs } from "../values/time/calendar.ts";
import { type Clock, toTimestamp } from "../values/time/clock.ts";
import { checkedName, knownAccount } from "./accounts.ts";
import { composeKey, hashKey, type KeyKind, keyPrefixes, type Scope, secretDigits } from "./credentials.ts";
import { portfolioConsent } from "./owners/consent.ts";

/** Allowed lifetimes of a key, in days. */
export const keyDays = [7, 30, 90] as const;

/** Time before its expiry at which an account's last key is reported. */
const endNamedMs = 14 * dayMs;

/**
 * Returns the project key that expires last if that is at most 14 days after `at` (UTC ms). Returns null without keys or if it expires
 * later.
 */
export function endingKey<K extends Pick<Key, "kind" | "expiresAt" | "revokedAt">>(
  keys: readonly K[],
  at: number,
): K | null {
  const project = keys.filter(({ kind, revokedAt }) => kind === "project" && revokedAt === null);
  const last = project.toSorted((one, other) => other.expiresAt - one.expiresAt)[0];
  return last === undefined || last.expiresAt - at > endNamedMs ? null : last;
}

/** Maximum keys of an account that are neither revoked nor expired. */
export const liveKeysMax = 100;

/** Maximum portfolios of one personal token. */
export const selectionMax = 200;

const displayDigits = 4;

/** A key without its secret. `display` identifies it to its owner: prefix, first four characters, last four characters. */
export type Key = {
  keyId: string;
  accountId: string;
  kind: KeyKind;
  name: string;
  display: string;
  scopes: readonly Scope[];
  /** Portfolios selected for a personal token, in ascending id. Each request checks that the account still owns them. */
  portfolioIds: readonly string[];
  createdAt: number;
  expiresAt: number;
  rotatedAt: number | null;
  revokedAt: number | null;
  /** UTC day (days since 1970) of the latest charged request, null before the first one. */
  lastUsedDay: number | null;
};

/** A key with its secret, which is not stored and cannot be shown again. */
export type NewSecret = { key: Key; secret: string };

type Parts = { database: Database; clock: Clock; ids: Ids };
type NewKey = { row: NewKeyRow; secret: string };

const scopeOf: Readonly<Record<KeyKind, Scope>> = { project: "market:read", personal: "portfolio:read" };

/** Creates and changes keys, on a writing handle. Every change applies to the next request. */
export class Keys {
  readonly #database: Database;
  readonly #store: AccountStore;
  readonly #reads: AccountKeyReads;
  readonly #clock: Clock;
  readonly #ids: Ids;

  constructor({ database, clock, ids }: Parts) {
    this.#database = database;
    this.#store = new AccountStore(database);
    this.#reads = new AccountKeyReads(database);
    this.#clock = clock;
    this.#ids = ids;
  }

  /**
   * Creates a project key that reads market data.
   * @throws {OperatorError} when the account is unknown or has 100 keys in use, or name or days are wrong.
   */
  create(accountId: string, name: string, days: number): NewSecret {
    return this.#add(this.#newKey("project", accountId, name, days), "");
  }

  /**
   * Creates a personal token that reads the portfolios in `portfolioIds`. The account must own all of them now.
   * @throws {OperatorError} when consent is missing, or as `create` does.
   */
  createPersonal(
    accountId: string,
    name: string,
    days: number,
    portfolioIds: readonly string[],
    consent: boolean,
  ): NewSecret {
    if (!consent) throw new OperatorError("a personal token needs your consent", exitCodes.usage);
    const selected = [...new Set(portfolioIds)];
    if (selected.length === 0) throw new OperatorError("a personal token needs a portfolio to read", exitCodes.usage);
    if (selected.length > selectionMax) {
      throw new OperatorError(`a personal token reads at most ${selectionMax} portfolios`, exitCodes.usage);
    }
    const made = this.#newKey("personal", accountId, name, days);
    const { keyId, createdAt: consentedAt } = made.row;
    const consentVersion = portfolioConsent.version;
    const counted = plural(selected.length, "portfolio");
    return writeTransaction(this.#database, () => {
      const token = this.#add(made, `, reads ${counted}, consent ${consentVersion}`);
      const owned = this.#store.ownedPortfolios(accountId, selected);
      const foreign = selected.find((portfolioId) => !owned.includes(portfolioId));
      if (foreign !== undefined) throw new OperatorError(`account ${accountId} has no portfolio \`${foreign}\``);
      this.#store.addSelection(selected.map((portfolioId) => ({ keyId, portfolioId, consentedAt, consentVersion })));
      return { ...token, key: this.#view(keyId) };
    });
  }

  /** Lists the keys of an account, the oldest first. */
  list(accountId: string): Key[] {
    knownAccount(this.#store, accountId);
    return this.#store.keys(accountId).map((row) => keyView(row, this.#store.selection(row.keyId)));
  }

  /** Returns the id of the account's newest key, "" if it has none. */
  newestId(accountId: string): string {
    return this.#reads.newest(accountId)?.keyId ?? "";
  }

  /** Replaces the secret of a key. Kind, scopes, selection and expiry are unchanged; the old secret is invalid at once. */
  rotate(keyId: string): NewSecret {
    const at = this.#clock.now();
    return writeTransaction(this.#database, () => {
      const row = this.#known(keyId);
      if (row.revokedAt !== null) throw new OperatorError(`key ${keyId} is revoked; create a new one`);
      if (at >= row.expiresAt) throw new OperatorError(`key ${keyId} has expired; create a new one`);
      const { secret, columns } = this.#newSecret(row.kind);
      this.#store.changeKey(keyId, { ...columns, rotatedAt: at });
      this.#record(row, "key_rotated", at, null);
      return { key: this.#view(keyId), secret };
    });
  }

  /** Revokes a key permanently. Revoking it again changes nothing. */
  revoke(keyId: string): Key {
    const at = this.#clock.now();
    return writeTransaction(this.#database, () => {
      const row = this.#known(keyId);
      if (row.revokedAt === null) {
        this.#store.changeKey(keyId, { revokedAt: at });
        this.#record(row, "key_revoked", at, null);
      }
      return this.#view(keyId);
    });
  }

  #newKey(kind: KeyKind, accountId: string, name: string, days: number): NewKey {
    if (!(keyDays as readonly number[]).includes(days)) {
      throw new OperatorError(`a key expires after ${keyDays.join(", ")} days, not ${days}`, exitCodes.usage);
    }
    const createdAt = this.#clock.now();
    const { secret, columns } = this.#newSecret(kind);
    const row = {
      keyId: this.#ids.handle("key_"),
      accountId,
      kind,
      name: checkedName("key", name),
      scopes: scopeOf[kind],
      createdAt,
      expiresAt: createdAt + days * dayMs,
      ...columns,
    };
    return { row, secret };
  }

  #add({ row, secret }: NewKey, more: string): NewSecret {
    return writeTransaction(this.#database, () => {
      knownAccount(this.#store, row.accountId);
      this.#refuseTooMany(row.accountId, row.createdAt);
      this.#store.addKey(row);
      this.#record(row, "key_created", row.createdAt, `expires ${toTimestamp(row.expiresAt)}${more}`);
      return { key: this.#view(row.keyId), secret };
    });
  }

  #refuseTooMany(accountId: string, at: number): void {
    if (this.#reads.countLive(accountId, at) < liveKeysMax) return;
    throw new OperatorError(`account ${accountId} has ${liveKeysMax} keys in use, the maximum; revoke one first`);
  }

  #newSecret(kind: KeyKind) {
    const random = this.#ids.secret(secretDigits);
    const secret = composeKey(kind, random);
    const columns = {
      secretHash: hashKey(secret),
      displayPrefix: random.slice(0, displayDigits),
      lastFour: secret.slice(-displayDigits),
    };
    return { secret, columns };
  }

  #record(
    key: { accountId: string; keyId: string },
    kind: "key_created" | "key_rotated" | "key_revoked",
    at: number,
    detail: string | null,
  ): void {
    this.#store.addActivity({ accountId: key.accountId, keyId: key.keyId, kind, at, detail });
  }

  #known(keyId: string): KeyRow {
    const row = this.#store.key(keyId);
    if (row === undefined) throw new OperatorError(`unknown key \`${keyId}\``);
    return row;
  }

  #view(keyId: string): Key {
    return keyView(this.#known(keyId), this.#store.selection(keyId));
  }
}

/** Returns a key without its secret. */
export function keyView(row: KeyRow, portfolioIds: readonly string[]): Key {
  const { displayPrefix: _prefix, lastFour: _last, scopes, ...rest } = row;
  return {
    ...rest,
    display: displayOf(row),
    scopes: scopes.split(" ") as Scope[],
    portfolioIds,
  };
}

/** Returns the prefix, the first and the last characters that identify a secret. */
export function displayOf({ kind, displayPrefix, lastFour }: KeyRow): string {
  return `${keyPrefixes[kind]}${displayPrefix}…${lastFour}`;
}
