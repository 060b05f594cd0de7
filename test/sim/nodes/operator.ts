import type { Client } from "pg";
import type { Accounts } from "../../../src/access/accounts.ts";
import type { Keys } from "../../../src/access/keys.ts";
import type { Database } from "../../../src/store/database.ts";
import type { AccountSelector } from "../../../src/store/postgres/account-work.ts";
import type { Ids } from "../../../src/values/ids.ts";
import type { TestClock } from "../../support/clock.ts";
import type { PostgresRelay } from "../../support/postgres-relay.ts";
import { expectThat } from "../checker.ts";
import type { Model } from "../model.ts";
import { type PlanName, planAt } from "../model-types.ts";
import type { NodesDatabase } from "./database.ts";
import type { NodesOutcome } from "./outcomes.ts";
import type { Actor } from "./scheduler.ts";
import type { Act, NodesSetup } from "./steps.ts";
import type { NodesSubject } from "./subject.ts";

const dayMs = 86_400_000;
const keysPerAccount = 2;
const firstPlans: readonly PlanName[] = ["builder", "trader", "builder", "quant", "free"];

type KeyPlace = { keyId: string; secret: string; rotated: string | null };
/** The effect of an operator's command. The model applies it at the commit, and reports it at the response. */
type Change = { apply(): void; answered?(): void; outcome: NodesOutcome };

/** An operator at a separate terminal: accounts and keys by the commands' own code, one command at a time. */
export class Operator implements Actor {
  readonly name = "operator";
  readonly relay: PostgresRelay;
  readonly accountIds: string[] = [];
  /** Secrets that later requests may not use, each with its refusal code. */
  readonly dead = new Map<string, string>();
  readonly #subject: NodesSubject;
  readonly #setup: NodesSetup;
  readonly #parts: { clock: TestClock; ids: Ids };
  readonly #model: Model;
  readonly #database: NodesDatabase;
  readonly #places: KeyPlace[][] = [];
  #client!: Client;
  #queue: Promise<void> = Promise.resolve();
  #waiting = 0;
  #pending: Change | null = null;
  #worksOn: { database: Database; accounts: Accounts; keys: Keys } | null = null;

  constructor(
    subject: NodesSubject,
    setup: NodesSetup,
    relay: PostgresRelay,
    parts: { clock: TestClock; ids: Ids; model: Model; database: NodesDatabase },
  ) {
    this.#subject = subject;
    this.#setup = setup;
    this.relay = relay;
    this.#parts = { clock: parts.clock, ids: parts.ids };
    this.#model = parts.model;
    this.#database = parts.database;
  }

  async start(url: string): Promise<void> {
    const { accounts } = this.#setup;
    await this.connect(url);
    await this.#work([], (database) => {
      for (let index = 0; index < accounts; index += 1) {
        const { accountId } = this.#on(database).accounts.create(`account ${index}`);
        this.#model.accounts.set(accountId, { plan: "free", planEndsAt: null, disabledAt: null });
        this.accountIds.push(accountId);
        this.#places.push([]);
        for (let place = 0; place < keysPerAccount; place += 1) this.#newKey(database, index, place).apply();
        const plan = firstPlans[index % firstPlans.length] ?? "free";
        this.#on(database).accounts.setPlan(accountId, plan, null);
        this.#model.account(accountId).plan = plan;
      }
    });
  }

  async connect(url: string): Promise<void> {
    this.#client = await this.#database.connect(url);
  }

  readonly expects = (kind: "look" | "ledger"): boolean => kind === "ledger" && this.#waiting > 0;

  authorization(account: number, key: number, credential: "good" | "rotated" | "unknown" | "none"): string | null {
    const { secret, rotated } = this.#place(account, key);
    if (credential === "none") return null;
    if (credential === "rotated" && rotated !== null) return `Bearer ${rotated}`;
    if (credential !== "unknown") return `Bearer ${secret}`;
    const unknown = String(account * 10 + key).padStart(30, "x");
    return `Bearer ${this.#subject.credentials.composeKey("project", unknown)}`;
  }

  /** Queues a command. `done` receives its outcome at its end. */
  begin(act: Act, done: (outcome: NodesOutcome) => void): void {
    this.#waiting += 1;
    this.#queue = this.#queue.then(async () => {
      try {
        const { answered, outcome } = await this.#perform(act);
        answered?.();
        this.#waiting -= 1;
        done(outcome);
      } catch (error) {
        this.#waiting -= 1;
        throw error;
      }
    });
  }

  /** Resolves when all commands are done. */
  get idle(): Promise<void> {
    return this.#queue;
  }

  /** Called when a commit of the operator is done. */
  committed(): void {
    this.#pending?.apply();
    this.#pending = null;
  }

  async close(): Promise<void> {
    await this.#client.end().catch(() => {});
  }

  async #perform(act: Act): Promise<Change> {
    const accountId = "account" in act ? this.accountIds[act.account % this.accountIds.length]! : null;
    try {
      return await this.#work(accountId === null ? this.#everybody : { accountId }, (database) => {
        this.#pending = "account" in act ? this.#changed(act, accountId!, database) : this.#renew(database);
        return this.#pending;
      });
    } catch (error) {
      if (!(error instanceof Error) || error.name !== "OperatorError") throw error;
      return { apply() {}, outcome: "operator refused" };
    }
  }

  #changed(act: Extract<Act, { account: number }>, accountId: string, database: Database): Change {
    const account = this.#model.account(accountId);
    const { accounts } = this.#on(database);
    const now = this.#parts.clock.now();
    if (act.do === "revoke" || act.do === "rotate") return this.#changeKey(act, database);
    if (act.do === "setPlan") {
      const planEndsAt = act.plan === "free" || act.forMs === null ? null : now + act.forMs;
      accounts.setPlan(accountId, act.plan, planEndsAt);
      return { apply: () => void Object.assign(account, { plan: act.plan, planEndsAt }), outcome: "plan changed" };
    }
    if (act.do === "purchase") {
      const same = planAt(account, now) === act.plan;
      const { planEndsAt } = accounts.purchase(accountId, act.plan);
      const wanted = (same ? (account.planEndsAt ?? now) : now) + 30 * dayMs;
      expectThat("model", planEndsAt === wanted, `a purchase ends at ${planEndsAt}, it should at ${wanted}`);
      return { apply: () => void Object.assign(account, { plan: act.plan, planEndsAt }), outcome: "plan purchased" };
    }
    accounts[act.do](accountId);
    const disabledAt = act.do === "disable" ? now : null;
    return { apply: () => void Object.assign(account, { disabledAt }), outcome: "account disabled or enabled" };
  }

  #changeKey({ do: how, account, key }: Extract<Act, { key: number }>, database: Database): Change {
    const place = this.#place(account, key);
    const { keyId, secret } = place;
    const known = this.#model.key(keyId);
    const { keys } = this.#on(database);
    if (how === "revoke") {
      const { revokedAt } = keys.revoke(keyId);
      const answered = () => void this.dead.set(`Bearer ${secret}`, "revoked_api_key");
      return { apply: () => void Object.assign(known, { revokedAt }), answered, outcome: "key revoked" };
    }
    const rotated = keys.rotate(keyId).secret;
    const apply = () => {
      known.secret = rotated;
      Object.assign(place, { secret: rotated, rotated: secret });
    };
    return { apply, answered: () => void this.dead.set(`Bearer ${secret}`, "invalid_api_key"), outcome: "key rotated" };
  }

  /** Replaces the dead keys of every account. */
  #renew(database: Database): Change {
    const now = this.#parts.clock.now();
    const made = this.#places.flatMap((places, account) =>
      places.flatMap(({ keyId }, place) => {
        const { revokedAt, expiresAt } = this.#model.key(keyId);
        return revokedAt !== null || expiresAt <= now ? [this.#newKey(database, account, place)] : [];
      }),
    );
    const apply = () => {
      for (const key of made) key.apply();
    };
    return { apply, outcome: made.length > 0 ? "key made" : "operator refused" };
  }

  #newKey(database: Database, account: number, place: number): Change {
    const days = place === 0 ? 90 : 7;
    const accountId = this.accountIds[account]!;
    const { key, secret } = this.#on(database).keys.create(accountId, "key", days);
    const { keyId, expiresAt } = key;
    const apply = () => {
      this.#model.keys.set(keyId, { accountId, scopes: key.scopes.join(" "), secret, expiresAt, revokedAt: null });
      this.#places[account]![place] = { keyId, secret, rotated: null };
    };
    return { apply, outcome: "key made" };
  }

  get #everybody(): readonly AccountSelector[] {
    return this.accountIds.map((accountId) => ({ accountId }));
  }

  #work<T>(whose: AccountSelector | readonly AccountSelector[], work: (database: Database) => T): Promise<T> {
    return this.#subject.accountWork.workOnAccounts(this.#client, whose, work);
  }

  /** The commands' own code on the rows of an account. It caches its statements per database. */
  #on(database: Database): { accounts: Accounts; keys: Keys } {
    if (this.#worksOn?.database === database) return this.#worksOn;
    const parts = { database, ...this.#parts };
    const { accounts, keys } = this.#subject;
    this.#worksOn = { database, accounts: new accounts.Accounts(parts), keys: new keys.Keys(parts) };
    return this.#worksOn;
  }

  #place(account: number, key: number): KeyPlace {
    return this.#places[account % this.#places.length]![key % keysPerAccount]!;
  }
}
