import type { Context } from "mocha";
import { Accounts } from "../../src/access/accounts.ts";
import { type AccessRule, type Admission, Admissions } from "../../src/access/admission.ts";
import type { Caller, Identifies } from "../../src/access/credentials.ts";
import { Keys } from "../../src/access/keys.ts";
import { GroupCommitLedger } from "../../src/access/ledger/group-commit.ts";
import { type BatchWriter, type LedgerReply, type LedgerRequest, leaseMs } from "../../src/access/ledger/ledger.ts";
import type { LedgerOptions } from "../../src/access/ledger/transactions.ts";
import { NodesAdmissions } from "../../src/access/nodes/admissions.ts";
import { type NodesCharge, NodesLedger, type UncertainWriter } from "../../src/access/nodes/ledger.ts";
import type { ReadsOwners } from "../../src/access/owners/owner-reads.ts";
import type { IdentifiesPages } from "../../src/access/owners/page-credentials.ts";
import type { CountsUsage } from "../../src/access/owners/usage-cache.ts";
import { type Plan, plans } from "../../src/access/plans.ts";
import { RateLimiter } from "../../src/access/rate-limiter.ts";
import type { ReadsUsage, Usage } from "../../src/access/usage.ts";
import type { Database } from "../../src/store/database.ts";
import type { AccountSelection, AccountSelector } from "../../src/store/postgres/account-work.ts";
import { systemIds } from "../../src/values/ids.ts";
import type { ArmedFailpoints } from "../support/armed-failpoints.ts";
import { TestClock } from "../support/clock.ts";
import { FileStore } from "./file-store.ts";
import { PostgresStores } from "./postgres-stores.ts";
import { noon, type Person } from "./world.ts";

/** Engines that may store private data. The same tests run on each. */
export const engines = ["the file", "PostgreSQL"] as const;
type Engine = (typeof engines)[number];

/** Settings of the ledger that a test may choose. */
export type StoreOptions = Pick<LedgerOptions, "plans">;

// biome-ignore lint/suspicious/noExplicitAny: a test reads the fields that it expects.
export type Row = Record<string, any>;

/** The differences between the stores. */
export interface Store {
  readonly writer: BatchWriter;
  readonly credentials: Identifies;
  readonly usage: ReadsUsage;
  readonly owners: ReadsOwners & IdentifiesPages & Pick<CountsUsage, "ask">;
  readonly failpoints: ArmedFailpoints;
  /** True if many nodes count an account's minute together, by the store's own clock. */
  readonly isShared: boolean;
  /** Sets the store's own clock to `at`, if it has one. */
  tell(at: number): Promise<void>;
  /** Runs a statement with `?` for its values. Tables have the same names as in the file. */
  sql(text: string, values: readonly unknown[]): Promise<Row[]>;
  /** Runs an operator's work on the accounts of `selector`, as a command does. */
  operate<T>(selector: AccountSelection, work: (database: Database) => T, month: string | null): Promise<T>;
  /** Runs an owner's work on the rows of `selector`, as a node does. Its instant is from the store's own clock, or `at` without one. */
  act<T>(selector: readonly AccountSelector[], at: number, work: (database: Database, at: number) => T): Promise<T>;
  /** Adds accounts and their keys, without the cost of a command. */
  plant<T>(work: (database: Database) => T): Promise<T>;
  /** Returns another writer, as it is after a restart. */
  another(): Promise<BatchWriter>;
  close(): Promise<void>;
}

/** The methods of `T` with promises of their results. */
type Later<T> = {
  readonly [Name in keyof T]: T[Name] extends (...words: infer Words) => infer Result
    ? (...words: Words) => Promise<Result>
    : never;
};

/** Opens stores for the tests of the block around the call. One PostgreSQL server serves them, from the first that needs it. */
export function useStores(): (test: Context, engine: Engine, options?: StoreOptions) => Promise<AccessStore> {
  const postgres = new PostgresStores();
  after(() => postgres.close());
  return async (test, engine, options = {}) =>
    new AccessStore(engine === "the file" ? new FileStore(options) : await postgres.open(test, options), options);
}

/** Describes tests on each store. Each test has a separate empty store, which `world` wraps. */
export function onEachStore(
  title: string,
  define: (world: AccessStore, engine: Engine) => void,
  options: StoreOptions = {},
): void {
  describe(`${title} on each store`, () => {
    const open = useStores();
    for (const engine of engines) {
      describe(`${title} on ${engine}`, () => {
        let current: AccessStore | null = null;
        beforeEach(async function () {
          current = await open(this, engine, options);
        });
        afterEach(() => current?.close());
        define(
          openedLater(() => current!),
          engine,
        );
      });
    }
  });
}

/** Passes everything on to the object that is open at the time. */
function openedLater<T extends object>(current: () => T): T {
  return new Proxy({} as T, {
    get(_target, name) {
      const value = Reflect.get(current(), name, current());
      return typeof value === "function" ? value.bind(current()) : value;
    },
    set: (_target, name, value) => Reflect.set(current(), name, value, current()),
  });
}

/** The access layer on a store. Requests have the instant of the test's clock, or an explicit one. The store's clock is set to it. */
export class AccessStore {
  readonly clock = new TestClock(noon);
  /** Elapsed part of the millisecond on a store's own clock, which is finer than the test's. */
  partOfMs = 0;
  readonly ids = systemIds();
  readonly limiter = new RateLimiter();
  readonly ledger: GroupCommitLedger;
  readonly admissions: Admissions;
  readonly accounts: Later<Accounts>;
  readonly keys: Later<Keys>;
  readonly #store: Store;

  constructor(store: Store, options: StoreOptions) {
    this.#store = store;
    const parts = { limiter: this.limiter, clock: this.clock, ...options };
    if (store.isShared) {
      const ledger = new NodesLedger(store.writer as UncertainWriter);
      this.ledger = ledger;
      this.admissions = new NodesAdmissions({ ...parts, ledger });
    } else {
      this.ledger = new GroupCommitLedger(store.writer);
      this.admissions = new Admissions({ ...parts, ledger: this.ledger });
    }
    this.accounts = later<Accounts>((name, words) =>
      store.operate(
        whoseAccount(name, words),
        (database) => run(this.#accountsOf(database), name, words),
        monthOf(name, words),
      ),
    );
    this.keys = later<Keys>((name, words) =>
      store.operate(
        name === "rotate" || name === "revoke" ? { keyId: String(words[0]) } : { accountId: String(words[0]) },
        (database) => run(this.#keysOf(database), name, words),
        null,
      ),
    );
  }

  get writer(): BatchWriter {
    return this.#store.writer;
  }

  get failpoints(): ArmedFailpoints {
    return this.#store.failpoints;
  }

  /** The owners' view at the test's clock, and their identification. */
  async owners(at = this.clock.at): Promise<Store["owners"]> {
    await this.#store.tell(at + this.partOfMs);
    return this.#store.owners;
  }

  /** An account with one key. */
  async person(plan: Plan = "builder"): Promise<Person> {
    return (await this.people(1, plan))[0]!;
  }

  /** Several accounts with one key each. */
  people(count: number, plan: Plan): Promise<Person[]> {
    return this.#store.plant((database) =>
      Array.from({ length: count }, () => {
        const accounts = this.#accountsOf(database);
        const { accountId } = accounts.create(`${plan} account`);
        if (plan !== "free") accounts.setPlan(accountId, plan, null);
        const { key, secret } = this.#keysOf(database).create(accountId, "key", 30);
        return { accountId, keyId: key.keyId, secret };
      }),
    );
  }

  /** An account without a key. Returns its id. */
  account(name: string): Promise<string> {
    return this.#store.plant((database) => this.#accountsOf(database).create(name).accountId);
  }

  /** Adds rows that refer to existing rows, without the cost of a command. */
  plant<T>(work: (database: Database) => T): Promise<T> {
    return this.#store.plant(work);
  }

  /** Runs an operator's work on the rows of an account, for work without a command. */
  operate<T>(accountId: string, work: (database: Database) => T, more: readonly AccountSelector[] = []): Promise<T> {
    return this.#store.operate([{ accountId }, ...more], work, null);
  }

  /** Runs an owner's work at the test's clock. */
  async act<T>(selector: readonly AccountSelector[], work: (database: Database, at: number) => T): Promise<T> {
    const { at } = this.clock;
    await this.#store.tell(at + this.partOfMs);
    return this.#store.act(selector, at, work);
  }

  charge(person: Person, at = this.clock.at, more: Partial<NodesCharge> = {}): NodesCharge {
    const { accountId, keyId } = person;
    const requestId = this.ids.requestId(at);
    return { kind: "charge", requestId, accountId, keyId, operation: "getItem", plan: "free", at, ...more };
  }

  /** Commits a batch of requests at one instant. A store with its own clock allows only one instant per batch. */
  async commit(batch: readonly LedgerRequest[], writer = this.writer): Promise<readonly LedgerReply[]> {
    const [at, ...others] = new Set(batch.map((request) => request.at));
    if (at === undefined || others.length > 0) throw new Error("a batch is of one instant");
    await this.#store.tell(at + this.partOfMs);
    return writer.commit(batch);
  }

  /** One charge in a separate transaction. */
  async pay(person: Person, at = this.clock.at, more: Partial<NodesCharge> = {}): Promise<LedgerReply> {
    return (await this.commit([this.charge(person, at, more)]))[0]!;
  }

  /** One reservation in a separate transaction. */
  async reserve(
    person: Person,
    at = this.clock.at,
    requestId = this.ids.requestId(at),
    more: Partial<NodesCharge> = {},
  ): Promise<LedgerReply> {
    return this.pay(person, at, {
      kind: "reserve",
      plan: "paid",
      operation: "streamMarketSnapshot",
      requestId,
      ...more,
    });
  }

  async end(leaseId: string, how: "finished" | "released", at = this.clock.at): Promise<LedgerReply> {
    return (await this.commit([{ kind: "end", leaseId, how, at }]))[0]!;
  }

  /** The additional field of a reply if many nodes count a minute together: the requests left in it. */
  leftInMinute(remainingInMinute: number): { remainingInMinute?: number } {
    return this.#store.isShared ? { remainingInMinute } : {};
  }

  /** Another writer, as it is after a restart. The caller closes it. */
  another(): Promise<BatchWriter> {
    return this.#store.another();
  }

  async identify({ secret }: Pick<Person, "secret">, at = this.clock.at): Promise<Caller> {
    await this.#store.tell(at + this.partOfMs);
    return this.#store.credentials.identify(`Bearer ${secret}`, at);
  }

  /** The access layer's part of a whole request. */
  async ask(person: Person, rule: AccessRule, at = this.clock.at): Promise<Admission> {
    const caller = await this.identify(person, at);
    return this.admissions.admit({ requestId: this.ids.requestId(at), operation: "getItem", rule, caller, at });
  }

  async usage(person: Person, at = this.clock.at): Promise<Usage> {
    return this.#store.usage.read(await this.identify(person, at), at);
  }

  /** Attempts of an account that the minute of `at` has counted. */
  async attempts({ accountId }: Person, at = this.clock.at): Promise<number> {
    const most = plans.quant.requestsPerMinute;
    const counted = most - this.limiter.remaining(accountId, most, at);
    if (!this.#store.isShared) return counted;
    const text = "SELECT used FROM minute_uses WHERE account_id = ? AND minute = ?";
    const [row] = await this.sql(text, accountId, Math.floor(at / 60_000));
    if ((row?.used ?? 0) !== counted) throw new Error(`the nodes count ${row?.used} attempts, this one ${counted}`);
    return counted;
  }

  async monthUsed({ accountId }: Person, month = "2026-01"): Promise<number> {
    const text = "SELECT used FROM usage_months WHERE account_id = ? AND month = ?";
    return (await this.sql(text, accountId, month))[0]?.used ?? 0;
  }

  async events({ accountId }: Person): Promise<number> {
    return (await this.sql("SELECT count(*) AS n FROM usage_events WHERE account_id = ?", accountId))[0]!.n;
  }

  async setMonthUsed({ accountId }: Person, used: number, month = "2026-01"): Promise<void> {
    const text = `INSERT INTO usage_months (account_id, month, used) VALUES (?, ?, ?)
      ON CONFLICT (account_id, month) DO UPDATE SET used = excluded.used`;
    await this.sql(text, accountId, month, used);
  }

  /** Records export starts that are over, a millisecond each, one after another from `at`. */
  async setStarts({ accountId }: Person, count: number, at: number): Promise<void> {
    const text = `INSERT INTO snapshot_leases (lease_id, account_id, slot, state, admitted_at, expires_at, ended_at)
      WITH RECURSIVE n(i, at) AS (SELECT 1, CAST(? AS bigint) UNION ALL SELECT i + 1, at + 1 FROM n WHERE i < CAST(? AS int))
      SELECT 'start' || i, ?, 1, 'finished', at, at + ${leaseMs}, at + 1 FROM n`;
    await this.sql(text, at, count, accountId);
  }

  async lease(leaseId: string): Promise<Row | undefined> {
    return (await this.sql("SELECT * FROM snapshot_leases WHERE lease_id = ?", leaseId))[0];
  }

  /** Runs a statement with `?` for its values. Tables have the same names as in the file. */
  sql(text: string, ...values: readonly unknown[]): Promise<Row[]> {
    return this.#store.sql(text, values);
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  #accountsOf(database: Database): Accounts {
    return new Accounts({ database, clock: this.clock, ids: this.ids });
  }

  #keysOf(database: Database): Keys {
    return new Keys({ database, clock: this.clock, ids: this.ids });
  }
}

/** The owner of the rows that the command passes to the method. */
function whoseAccount(name: keyof Accounts, [accountId]: readonly unknown[]): AccountSelection {
  if (name === "create") return [];
  const isOfAll = name === "list" || name === "find" || name === "currentMonth" || name === "monthUse";
  return isOfAll ? "all" : { accountId: String(accountId) };
}

/** The month of the charges that the command also passes to the method, or null without one. */
function monthOf(name: keyof Accounts, words: readonly unknown[]): string | null {
  if (name === "monthUse") return String(words[0]);
  return name === "dayUse" ? String(words[1]) : null;
}

function later<T extends object>(call: (name: keyof T, words: readonly unknown[]) => Promise<unknown>): Later<T> {
  return new Proxy({} as Later<T>, {
    get:
      (_target, name) =>
      async (...words: readonly unknown[]) =>
        call(name as keyof T, words),
  });
}

function run<T extends object>(of: T, name: keyof T, words: readonly unknown[]): unknown {
  return (of[name] as (...given: readonly unknown[]) => unknown).apply(of, [...words]);
}
