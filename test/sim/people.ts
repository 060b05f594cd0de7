import type { Accounts } from "../../src/access/accounts.ts";
import type { Keys } from "../../src/access/keys.ts";
import { type Checker, expectThat } from "./checker.ts";
import type { Model } from "./model.ts";
import { type ModelKey, type PlanName, planAt } from "./model-types.ts";
import type { Credential, Operation, Setup } from "./operations.ts";
import type { OutcomeCounts } from "./outcomes.ts";
import type { World } from "./world.ts";

const dayMs = 86_400_000;
const keysPerAccount = 3;
const firstPlans: readonly PlanName[] = ["builder", "trader", "builder", "quant", "free"];

/** One position of a key. A renewal changes the key and keeps the position, so that operations can name it. */
type KeyPlace = { keyId: string; secret: string; rotated: string | null };

/** Accounts and their keys, as an operator changes them: each action is done to the real system and to the model. */
export class People {
  readonly accountIds: string[] = [];
  readonly #places: KeyPlace[][] = [];
  readonly #world: World;
  readonly #model: Model;
  readonly #checker: Checker;
  readonly #counts: OutcomeCounts;
  #worksOn: { database: World["operator"]; accounts: Accounts; keys: Keys } | null = null;

  constructor(setup: Setup, parts: { world: World; model: Model; checker: Checker; counts: OutcomeCounts }) {
    this.#world = parts.world;
    this.#model = parts.model;
    this.#checker = parts.checker;
    this.#counts = parts.counts;
    for (let index = 0; index < setup.accounts; index += 1) {
      const { accountId } = this.#accounts.create(`account ${index}`);
      this.#model.accounts.set(accountId, { plan: "free", planEndsAt: null, disabledAt: null });
      this.accountIds.push(accountId);
      const places = Array.from({ length: keysPerAccount }, (_, place) => this.#newKey(index, place));
      this.#places.push(places);
      this.#setPlan(accountId, firstPlans[index % firstPlans.length] ?? "free", null);
    }
  }

  accountId(account: number): string {
    return this.accountIds[account % this.accountIds.length] ?? "";
  }

  /** The account and position of a key, for operations that name them. */
  placeOf(keyId: string): { account: number; key: number } | null {
    for (const [account, places] of this.#places.entries()) {
      const key = places.findIndex((place) => place.keyId === keyId);
      if (key !== -1) return { account, key };
    }
    return null;
  }

  /** The `Authorization` header of a request, or null without one. */
  authorization(account: number, key: number, credential: Credential): string | null {
    const { secret, rotated } = this.#place(account, key);
    if (credential === "none") return null;
    if (credential === "scheme") return `Basic ${secret}`;
    if (credential === "rotated" && rotated !== null) return `Bearer ${rotated}`;
    if (credential === "checksum") return `Bearer ${secret.slice(0, -1)}${secret.endsWith("0") ? "1" : "0"}`;
    if (credential === "good") return `Bearer ${secret}`;
    const { composeKey } = this.#world.subject.credentials;
    return `Bearer ${composeKey("project", String(account * 10 + key).padStart(30, "x"))}`;
  }

  /** Every secret that was ever issued. */
  get secrets(): string[] {
    return this.#issued;
  }
  readonly #issued: string[] = [];

  act(operation: Operation): void {
    if (operation.do === "renew") this.renew();
    else if (operation.do === "revoke") this.#revoke(this.#place(operation.account, operation.key));
    else if (operation.do === "rotate") this.#rotate(this.#place(operation.account, operation.key));
    else if (!("account" in operation)) throw new Error(`${operation.do} is nothing an operator does`);
    else {
      const accountId = this.accountId(operation.account);
      if (operation.do === "setPlan") this.#setPlan(accountId, operation.plan, operation.forMs);
      else if (operation.do === "purchase") this.#purchase(accountId, operation.plan);
      else this.#able(accountId, operation.do);
    }
  }

  /** Replaces dead keys. */
  renew(): void {
    for (const [account, places] of this.#places.entries()) {
      for (const [index, place] of places.entries()) {
        const key = this.#model.key(place.keyId);
        if (key.revokedAt !== null || key.expiresAt <= this.#now) places[index] = this.#newKey(account, index);
      }
    }
  }

  /** Reopens every account with a plan without end, so that only its own use can limit it. */
  makeWell(): void {
    this.renew();
    for (const accountId of this.accountIds) {
      if (this.#model.account(accountId).disabledAt !== null) this.#able(accountId, "enable");
      this.#setPlan(accountId, "trader", null);
    }
  }

  #revoke({ keyId, secret }: KeyPlace): void {
    this.#keys.revoke(keyId);
    const key = this.#model.key(keyId);
    if (key.revokedAt === null) {
      key.revokedAt = this.#now;
      this.#checker.keyDied(secret, "revoked_api_key");
      this.#counts.add("key revoked");
    }
  }

  #rotate(place: KeyPlace): void {
    const key = this.#model.key(place.keyId);
    const dead = key.revokedAt !== null || key.expiresAt <= this.#now;
    const before = this.#keyRow(place.keyId);
    const rotated = this.#attempt(() => this.#keys.rotate(place.keyId));
    expectThat(
      "model",
      (rotated === null) === dead,
      `a ${dead ? "dead" : "live"} key was rotated: ${rotated !== null}`,
    );
    if (rotated === null) return;
    expectThat("I25", this.#keyRow(place.keyId) === before, `rotation changed key ${place.keyId}`);
    expectThat("I25", rotated.secret !== place.secret, "rotation kept the secret");
    this.#checker.keyDied(place.secret, "invalid_api_key");
    place.rotated = place.secret;
    place.secret = rotated.secret;
    key.secret = rotated.secret;
    this.#issued.push(rotated.secret);
    this.#counts.add("key rotated");
  }

  #setPlan(accountId: string, plan: PlanName, forMs: number | null): void {
    const endsAt = plan === "free" || forMs === null ? null : this.#now + forMs;
    this.#accounts.setPlan(accountId, plan, endsAt);
    const account = this.#model.account(accountId);
    account.plan = plan;
    account.planEndsAt = endsAt;
  }

  #purchase(accountId: string, plan: PlanName): void {
    const same = planAt(this.#model.account(accountId), this.#now) === plan;
    const bought = this.#attempt(() => this.#accounts.purchase(accountId, plan));
    const endsAt = this.#model.purchase(accountId, plan, this.#now);
    const got = bought?.planEndsAt ?? null;
    expectThat("model", got === endsAt, `a purchase of ${plan} ends at ${got}, it should at ${endsAt}`);
    this.#counts.add(endsAt === null ? "purchase refused" : same ? "plan extended" : "plan purchased anew");
  }

  #able(accountId: string, how: "disable" | "enable"): void {
    const account = this.#model.account(accountId);
    const changed = this.#attempt(() => this.#accounts[how](accountId)) !== null;
    const disabled = account.disabledAt !== null;
    expectThat("model", changed === (disabled === (how === "enable")), `${how} of ${accountId}: ${changed}`);
    if (changed) account.disabledAt = how === "disable" ? this.#now : null;
  }

  /** Positions 0 and 1 hold project keys, the last one a personal token. */
  #newKey(account: number, place: number): KeyPlace {
    const accountId = this.accountId(account);
    const days = place === 0 ? 90 : place === 1 && account % 2 === 0 ? 7 : 30;
    const { keyId, secret, scopes } = place < 2 ? this.#project(accountId, days) : this.#personal(account, days);
    const expiresAt = this.#now + days * dayMs;
    this.#model.keys.set(keyId, { accountId, scopes, secret, expiresAt, revokedAt: null } satisfies ModelKey);
    this.#issued.push(secret);
    this.#counts.add("key made");
    return { keyId, secret, rotated: null };
  }

  #project(accountId: string, days: number) {
    const { key, secret } = this.#keys.create(accountId, "key", days);
    return { keyId: key.keyId, secret, scopes: key.scopes.join(" ") };
  }

  #personal(account: number, days: number) {
    const { subject, ids, operator } = this.#world;
    const keyId = ids.handle("key_");
    const secret = subject.credentials.composeKey("personal", ids.secret(30));
    const scopes = account % 2 === 0 ? "portfolio:read" : "market:read portfolio:read";
    new subject.accountStore.AccountStore(operator).addKey({
      keyId,
      accountId: this.accountId(account),
      kind: "personal",
      name: "token",
      displayPrefix: "xxxx",
      lastFour: secret.slice(-4),
      secretHash: subject.credentials.hashKey(secret),
      scopes,
      createdAt: this.#now,
      expiresAt: this.#now + days * dayMs,
    });
    return { keyId, secret, scopes };
  }

  /** The fields that a rotation must not change. */
  #keyRow(keyId: string): string {
    const row = this.#world.operator.$client
      .prepare(
        `SELECT account_id, kind, name, scopes, created_at, expires_at, revoked_at FROM api_keys WHERE key_id = ?`,
      )
      .get(keyId);
    return JSON.stringify(row);
  }

  /** Returns null if the operator was refused. */
  #attempt<T>(action: () => T): T | null {
    try {
      return action();
    } catch (error) {
      if (error instanceof Error && error.name === "OperatorError") return null;
      throw error;
    }
  }

  #place(account: number, key: number): KeyPlace {
    const places = this.#places[account % this.#places.length] ?? [];
    const place = places[key % keysPerAccount];
    if (place === undefined) throw new Error(`there is no key ${key} of account ${account}`);
    return place;
  }

  get #now(): number {
    return this.#world.clock.now();
  }

  /** The operator's stores, on a new connection after each crash. */
  get #work() {
    const { operator: database, clock, ids, subject } = this.#world;
    if (this.#worksOn?.database !== database) {
      const parts = { database, clock, ids };
      this.#worksOn = { database, accounts: new subject.accounts.Accounts(parts), keys: new subject.keys.Keys(parts) };
    }
    return this.#worksOn;
  }

  get #accounts() {
    return this.#work.accounts;
  }

  get #keys() {
    return this.#work.keys;
  }
}
