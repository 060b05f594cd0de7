import { rmSync } from "node:fs";
import { join } from "node:path";
import { Accounts } from "../../src/access/accounts.ts";
import { type AccessRule, Admissions } from "../../src/access/admission.ts";
import { Credentials } from "../../src/access/credentials.ts";
import { Keys } from "../../src/access/keys.ts";
import { GroupCommitLedger } from "../../src/access/ledger/group-commit.ts";
import { type BatchWriter, CommitFailure, type LedgerReply } from "../../src/access/ledger/ledger.ts";
import { type LedgerOptions, LedgerTransactions } from "../../src/access/ledger/transactions.ts";
import type { NodesCharge } from "../../src/access/nodes/ledger.ts";
import { RateLimiter } from "../../src/access/rate-limiter.ts";
import { type Database, openReader, openWriter } from "../../src/store/database.ts";
import { withClient } from "../../src/store/postgres/connection.ts";
import { importPrivate } from "../../src/store/postgres/copy.ts";
import { type Ids, systemIds } from "../../src/values/ids.ts";
import { ArmedFailpoints } from "../support/armed-failpoints.ts";
import { TestClock } from "../support/clock.ts";
import { newDatabase, temporaryFolder } from "../support/files.ts";
import type { SharedPostgres } from "../support/postgres.ts";

export const noon = Date.UTC(2026, 0, 15, 12, 0, 0);

/** Creates a database on the PostgreSQL server with the rows of a new world: one person on the plan Quant. */
export async function sharedWorld(server: SharedPostgres): Promise<{ url: string; world: World; person: Person }> {
  const url = await server.database();
  const world = new World();
  world.clock.at = Date.now();
  const person = world.person("quant");
  await withClient(url, (client) => importPrivate(world.database, client));
  return { url, world, person };
}

export type Person = { accountId: string; keyId: string; secret: string };

/** The access layer on a real file: the ledger's transactions run in this thread, so that a test can step them. */
export class World {
  readonly folder = temporaryFolder();
  readonly path = join(this.folder, "itemtape.db");
  readonly clock = new TestClock(noon);
  readonly ids: Ids = systemIds();
  readonly failpoints = new ArmedFailpoints();
  readonly limiter = new RateLimiter();
  readonly database: Database;
  readonly reader: Database;
  readonly accounts: Accounts;
  readonly keys: Keys;
  readonly credentials: Credentials;
  readonly transactions: LedgerTransactions;
  readonly ledger: GroupCommitLedger;
  readonly admissions: Admissions;

  constructor(options: LedgerOptions = {}) {
    newDatabase(this.path);
    this.database = openWriter(this.path, 50);
    this.reader = openReader(this.path);
    const parts = { database: this.database, clock: this.clock, ids: this.ids };
    this.accounts = new Accounts(parts);
    this.keys = new Keys(parts);
    this.credentials = new Credentials(this.reader, this.failpoints);
    this.transactions = new LedgerTransactions(this.database, { failpoints: this.failpoints, ...options });
    this.ledger = new GroupCommitLedger(inThisThread(this.transactions));
    this.admissions = new Admissions({
      ledger: this.ledger,
      limiter: this.limiter,
      clock: this.clock,
      ...(options.plans === undefined ? {} : { plans: options.plans }),
    });
  }

  /** An account with one key. */
  person(plan = "builder"): Person {
    const { accountId } = this.accounts.create(`${plan} account`);
    if (plan !== "free") this.accounts.setPlan(accountId, plan, null);
    const { key, secret } = this.keys.create(accountId, "key", 30);
    return { accountId, keyId: key.keyId, secret };
  }

  charge(person: Person, at = this.clock.at, more: Partial<NodesCharge> = {}): NodesCharge {
    const { accountId, keyId } = person;
    const requestId = this.ids.requestId(at);
    return { kind: "charge", requestId, accountId, keyId, operation: "getItem", plan: "free", at, ...more };
  }

  /** One charge in a separate transaction. */
  pay(person: Person, at = this.clock.at, more: Partial<NodesCharge> = {}): LedgerReply {
    return only(this.transactions.commit([this.charge(person, at, more)]));
  }

  /** One reservation in a separate transaction. */
  reserve(person: Person, at = this.clock.at, requestId = this.ids.requestId(at)): LedgerReply {
    const charge = this.charge(person, at, {
      kind: "reserve",
      plan: "paid",
      operation: "streamMarketSnapshot",
      requestId,
    });
    return only(this.transactions.commit([charge]));
  }

  end(leaseId: string, how: "finished" | "released", at = this.clock.at): LedgerReply {
    return only(this.transactions.commit([{ kind: "end", leaseId, how, at }]));
  }

  identify(person: Person, at = this.clock.at) {
    return this.credentials.identify(`Bearer ${person.secret}`, at);
  }

  /** The access layer's part of a whole request. */
  async ask(person: Person, rule: AccessRule, at = this.clock.at) {
    const caller = this.identify(person, at);
    return this.admissions.admit({ requestId: this.ids.requestId(at), operation: "getItem", rule, caller, at });
  }

  monthUsed(person: Person, month = "2026-01"): number {
    const row = this.database.$client
      .prepare("SELECT used FROM usage_months WHERE account_id = ? AND month = ?")
      .get(person.accountId, month) as { used: number } | undefined;
    return row?.used ?? 0;
  }

  events(person: Person): number {
    const count = this.database.$client.prepare("SELECT count(*) FROM usage_events WHERE account_id = ?").pluck();
    return count.get(person.accountId) as number;
  }

  lease(leaseId: string) {
    return this.database.$client.prepare("SELECT * FROM snapshot_leases WHERE lease_id = ?").get(leaseId) as
      | { state: string; slot: number; expires_at: number; ended_at: number | null }
      | undefined;
  }

  close(): void {
    this.reader.$client.close();
    this.database.$client.close();
    rmSync(this.folder, { recursive: true });
  }
}

/** Commits in this thread, with the same failures as the ledger's thread. */
export function inThisThread(transactions: LedgerTransactions): BatchWriter {
  return {
    async commit(batch) {
      try {
        return transactions.commit(batch);
      } catch (error) {
        throw CommitFailure.from(error);
      }
    },
    lost: new Promise(() => {}),
    async close() {},
  };
}

export const pointRead: AccessRule = { scope: "market:read", plan: "free", monthlyUnits: 1, lease: false };
export const paidRead: AccessRule = { scope: "market:read", plan: "paid", monthlyUnits: 1, lease: false };
export const freeOfCharge: AccessRule = { scope: null, plan: "free", monthlyUnits: 0, lease: false };
export const exportRule: AccessRule = { scope: "market:read", plan: "paid", monthlyUnits: 1, lease: true };

/** The error that `work` rejects or throws with. */
export async function failureOf(
  work: () => unknown,
): Promise<{ code: string; facts: { retryAfterS?: number } } & Error> {
  try {
    await work();
  } catch (error) {
    return error as { code: string; facts: { retryAfterS?: number } } & Error;
  }
  throw new Error("it did not fail");
}

function only<T>(list: readonly T[]): T {
  return list[0] as T;
}
