import { and, eq, isNull, sql } from "drizzle-orm";
import { accounts, apiKeys, keyUses, ledgerClock, usageEvents, usageMonths } from "../../../db/schema/access.ts";
import { ownerSessions } from "../../../db/schema/owners.ts";
import { unitChecksum } from "../codec/access-checksum.ts";
import { type Database, writeTransaction } from "../database.ts";
import { arrayRows, objectRows } from "../statement.ts";

/**
 * Columns of `LedgerStore.keyStatus`, in the order of the query. `monthUsed` is null before the month's first unit, `usedDay` before the
 * key's first charge.
 */
export type KeyStatusRow = [
  accountId: string,
  expiresAt: number,
  revokedAt: number | null,
  disabledAt: number | null,
  plan: (typeof accounts.$inferSelect)["plan"],
  planEndsAt: number | null,
  monthUsed: number | null,
  usedDay: number | null,
];

/** The same columns for a page request. `endsAt` is the end of the session, or null without an open one. */
type PagesStatusRow = KeyStatusRow extends [infer Account, number, ...infer Rest]
  ? [account: Account, endsAt: number | null, ...rest: Rest]
  : never;

/** The latest instant that the ledger has written (UTC ms), and the CRC-32 sum of all charged units, modulo 2^32. */
export type LedgerClock = { at: number; unitsChecksum: number };

/** A request to charge. */
type ChargedRequest = { requestId: string; accountId: string; keyId: string; operation: string };

/**
 * Reads and writes key status, months, events and clock in the ledger's transactions, on its own writing handle. Statements that run for
 * every charge are built by Drizzle but executed directly, because mapping columns doubles their cost.
 */
export class LedgerStore {
  readonly #keyStatus;
  readonly #pagesStatus;
  readonly #setMonthUsed;
  readonly #setKeyUsed;
  readonly #addEvent;
  readonly #highWater;
  readonly #setHighWater;
  readonly #clock;
  readonly #setClock;

  constructor(database: Database) {
    const setMonthUsed = database
      .insert(usageMonths)
      .values({ accountId: "", month: "", used: 0 })
      .onConflictDoUpdate({ target: [usageMonths.accountId, usageMonths.month], set: { used: sql`excluded.used` } });
    const setKeyUsed = database
      .insert(keyUses)
      .values({ keyId: "", day: 0 })
      .onConflictDoUpdate({ target: keyUses.keyId, set: { day: sql`excluded.day` } });
    const addEvent = database
      .insert(usageEvents)
      .values({ requestId: "", accountId: "", keyId: "", operation: "", month: "", at: 0 });
    const { $client: client } = database;
    this.#keyStatus = arrayRows<KeyStatusRow, [string, string]>(database, selectKeyStatus(database));
    this.#pagesStatus = arrayRows<PagesStatusRow, [Buffer | null, string, string, string]>(
      database,
      selectPagesStatus(database),
    );
    this.#setMonthUsed = client.prepare<[string, string, number]>(setMonthUsed.toSQL().sql);
    this.#setKeyUsed = client.prepare<[string, number]>(setKeyUsed.toSQL().sql);
    this.#addEvent = client.prepare<[string, string, string, string, string, number]>(addEvent.toSQL().sql);
    this.#highWater = database.select({ at: ledgerClock.highWaterAt }).from(ledgerClock).prepare();
    this.#setHighWater = database
      .update(ledgerClock)
      .set({ highWaterAt: sql`${sql.placeholder("at")}` })
      .prepare();
    const clock = database
      .select({
        at: sql`${ledgerClock.highWaterAt}`.as("at"),
        unitsChecksum: sql`${ledgerClock.unitsChecksum}`.as("unitsChecksum"),
      })
      .from(ledgerClock);
    this.#clock = objectRows<LedgerClock, []>(database, clock);
    const setClock = database.update(ledgerClock).set({ highWaterAt: 0, unitsChecksum: 0 });
    this.#setClock = client.prepare<[number, number]>(setClock.toSQL().sql);
  }

  /** Reads the current state of key, account and month. Returns undefined for an unknown key. */
  keyStatus(keyId: string, month: string): KeyStatusRow | undefined {
    return this.#keyStatus.get(month, keyId);
  }

  /**
   * Reads the current state of account and month. Pass the hash of an open session (hex), or null without one. Returns undefined if the
   * account or the session does not exist.
   */
  pagesStatus(
    { accountId, keyId }: Pick<ChargedRequest, "accountId" | "keyId">,
    session: string | null,
    month: string,
  ): KeyStatusRow | undefined {
    const hash = session === null ? null : Buffer.from(session, "hex");
    const row = this.#pagesStatus.get(hash, month, keyId, accountId);
    if (row === undefined) return undefined;
    const [account, endsAt, ...rest] = row;
    if (session !== null && endsAt === null) return undefined;
    return [account, endsAt ?? Number.MAX_SAFE_INTEGER, ...rest];
  }

  setMonthUsed(accountId: string, month: string, used: number): void {
    this.#setMonthUsed.run(accountId, month, used);
  }

  /** Stores the day (days since 1970) of the key's latest charge. */
  setKeyUsed(keyId: string, day: number): void {
    this.#setKeyUsed.run(keyId, day);
  }

  /** Adds a charged unit. Returns its checksum. */
  addEvent({ requestId, accountId, keyId, operation }: ChargedRequest, month: string, at: number): number {
    this.#addEvent.run(requestId, accountId, keyId, operation, month, at);
    return unitChecksum({ requestId, accountId, keyId, operation, month, at });
  }

  /** Reads the latest instant that the ledger has written. */
  highWater(): number {
    return this.#highWater.get()?.at ?? 0;
  }

  setHighWater(at: number): void {
    this.#setHighWater.run({ at });
  }

  /** Reads the ledger's clock with the checksum of all charged units. */
  clock(): LedgerClock {
    return this.#clock.get() ?? { at: 0, unitsChecksum: 0 };
  }

  setClock(at: number, unitsChecksum: number): void {
    this.#setClock.run(at, unitsChecksum);
  }
}

/** Updates the clock to its current value in a transaction of its own, which fails on a read-only file. SQLite writes no page. */
export function rewriteClock(database: Database): void {
  const unchanged = { highWaterAt: sql`${ledgerClock.highWaterAt}` };
  writeTransaction(database, () => database.update(ledgerClock).set(unchanged).run());
}

/** Returns the query for a key with its account and the units of a month. */
function selectKeyStatus(database: Database) {
  return database
    .select({
      accountId: apiKeys.accountId,
      expiresAt: apiKeys.expiresAt,
      revokedAt: apiKeys.revokedAt,
      disabledAt: accounts.disabledAt,
      plan: accounts.plan,
      planEndsAt: accounts.planEndsAt,
      monthUsed: usageMonths.used,
      usedDay: keyUses.day,
    })
    .from(apiKeys)
    .innerJoin(accounts, eq(accounts.accountId, apiKeys.accountId))
    .leftJoin(
      usageMonths,
      and(eq(usageMonths.accountId, apiKeys.accountId), eq(usageMonths.month, sql.placeholder("month"))),
    )
    .leftJoin(keyUses, eq(keyUses.keyId, apiKeys.keyId))
    .where(eq(apiKeys.keyId, sql.placeholder("keyId")));
}

/** Returns the query for an account with the units of a month and with its open session, if one is given. */
function selectPagesStatus(database: Database) {
  return database
    .select({
      accountId: accounts.accountId,
      endsAt: ownerSessions.expiresAt,
      endedAt: ownerSessions.endedAt,
      disabledAt: accounts.disabledAt,
      plan: accounts.plan,
      planEndsAt: accounts.planEndsAt,
      monthUsed: usageMonths.used,
      usedDay: keyUses.day,
    })
    .from(accounts)
    .leftJoin(
      ownerSessions,
      and(
        eq(ownerSessions.sessionHash, sql.placeholder("session")),
        eq(ownerSessions.accountId, accounts.accountId),
        isNull(ownerSessions.endedAt),
      ),
    )
    .leftJoin(
      usageMonths,
      and(eq(usageMonths.accountId, accounts.accountId), eq(usageMonths.month, sql.placeholder("month"))),
    )
    .leftJoin(keyUses, eq(keyUses.keyId, sql.placeholder("keyId")))
    .where(eq(accounts.accountId, sql.placeholder("accountId")));
}
