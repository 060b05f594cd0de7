import { AccountStore, type KeyRow } from "../store/access-accounts.ts";
import { type Database, writeTransaction } from "../store/database.ts";
import { dayMs } from "../values/calendar.ts";
import { type Clock, toTimestamp } from "../values/clock.ts";
import type { Ids } from "../values/ids.ts";
import { exitCodes, OperatorError } from "../values/operator-error.ts";
import { checkedName, knownAccount } from "./accounts.ts";
import { composeKey, hashKey, type KeyKind, keyPrefixes, type Scope, secretDigits } from "./credentials.ts";

/** Days after which a key may be made to expire. */
export const keyDays = [7, 30, 90] as const;

const displayDigits = 4;

/** A key without its secret. `display` is enough to recognise it by: prefix, four digits, the last four. */
export type Key = {
  keyId: string;
  accountId: string;
  kind: KeyKind;
  name: string;
  display: string;
  scopes: readonly Scope[];
  createdAt: number;
  expiresAt: number;
  rotatedAt: number | null;
  revokedAt: number | null;
};

/** A key with its secret, which is not stored and cannot be shown again. */
export type NewSecret = { key: Key; secret: string };

type Parts = { database: Database; clock: Clock; ids: Ids };

/** What an operator does with keys, on a writing handle. Every change binds the next request. */
export class Keys {
  readonly #database: Database;
  readonly #store: AccountStore;
  readonly #clock: Clock;
  readonly #ids: Ids;

  constructor({ database, clock, ids }: Parts) {
    this.#database = database;
    this.#store = new AccountStore(database);
    this.#clock = clock;
    this.#ids = ids;
  }

  /** Makes a project key that reads market data. Throws OperatorError for an unknown account, a bad name or other days. */
  create(accountId: string, name: string, days: number): NewSecret {
    if (!(keyDays as readonly number[]).includes(days)) {
      throw new OperatorError(`a key expires after ${keyDays.join(", ")} days, not ${days}`, exitCodes.usage);
    }
    const at = this.#clock.now();
    const { secret, columns } = this.#newSecret("project");
    const row = {
      keyId: this.#ids.handle("key_"),
      accountId,
      kind: "project" as const,
      name: checkedName("key", name),
      scopes: "market:read" satisfies Scope,
      createdAt: at,
      expiresAt: at + days * dayMs,
      ...columns,
    };
    return writeTransaction(this.#database, () => {
      knownAccount(this.#store, accountId);
      this.#store.addKey(row);
      this.#record(row, "key_created", at, `expires ${toTimestamp(row.expiresAt)}`);
      return { key: this.#view(row.keyId), secret };
    });
  }

  /** Oldest first. */
  list(accountId: string): Key[] {
    knownAccount(this.#store, accountId);
    return this.#store.keys(accountId).map(keyView);
  }

  /** Replaces the secret in place: kind, scopes and expiry stay, the old secret ends at once. */
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

  /** Ends a key for good. Revoking it again changes nothing. */
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
    if (row === undefined) throw new OperatorError(`there is no key \`${keyId}\``);
    return row;
  }

  #view(keyId: string): Key {
    return keyView(this.#known(keyId));
  }
}

function keyView(row: KeyRow): Key {
  const { displayPrefix, lastFour, scopes, ...rest } = row;
  return {
    ...rest,
    display: `${keyPrefixes[row.kind]}${displayPrefix}…${lastFour}`,
    scopes: scopes.split(" ") as Scope[],
  };
}
