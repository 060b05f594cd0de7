import { Accounts } from "../access/accounts.ts";
import { hashKey, type KeyKind } from "../access/credentials.ts";
import { Keys } from "../access/keys.ts";
import type { Plan } from "../access/plans.ts";
import type { DemoKeys } from "../demo/demo.ts";
import { PortfolioManager } from "../import/portfolios/manage.ts";
import type { Database } from "../store/database.ts";
import { CredentialReads } from "../store/read/credentials.ts";
import { PortfolioWriter } from "../store/write/portfolios.ts";
import type { Ids } from "../values/ids.ts";
import type { Clock } from "../values/time/clock.ts";
import { Journal } from "./journal.ts";
import { ControlRefusal, Script, type Step } from "./scripts.ts";

/** Lifetime of a key, in days. */
const keyDays = 90;
/** Maximum number of keys in one sandbox. */
const keysMax = 10_000;

/** A key with its script and journal. Only the response that creates the key shows `secret`. */
export type ScriptedKey = {
  readonly keyId: string;
  readonly secret: string;
  readonly accountId: string;
  readonly plan: Plan;
  readonly kind: KeyKind;
  script: Script;
  readonly journal: Journal;
};

type Parts = { database: Database; clock: Clock; ids: Ids };

/** Creates keys, each with its own account, and finds them by secret. */
export class ScriptedKeys {
  readonly #clock: Clock;
  readonly #accounts: Accounts;
  readonly #keys: Keys;
  readonly #portfolios: PortfolioManager;
  /** The demo account with portfolios, and the portfolios that its token may read. Null without a demo. */
  readonly #owner: { accountId: string; portfolioIds: string[] } | null;
  readonly #bySecret = new Map<string, ScriptedKey>();
  readonly #byId = new Map<string, ScriptedKey>();

  constructor(parts: Parts, demo: DemoKeys | null) {
    this.#clock = parts.clock;
    this.#accounts = new Accounts(parts);
    this.#keys = new Keys(parts);
    this.#portfolios = new PortfolioManager(parts);
    this.#owner = demo === null ? null : ownerOf(parts.database, this.#keys, demo);
  }

  /** Creates an account on `plan` with one key. A personal token reads the demo's portfolios, or else an empty portfolio. */
  make(plan: Plan, kind: KeyKind, steps: readonly Step[]): ScriptedKey {
    if (this.#byId.size >= keysMax) throw new ControlRefusal(`a sandbox makes at most ${keysMax} keys`, 409);
    const owner = kind === "personal" ? this.#owner : null;
    const accountId = owner?.accountId ?? this.#accounts.create(`Sandbox ${plan}`).accountId;
    if (owner === null && plan !== "free") this.#accounts.setPlan(accountId, plan, null);
    const { key, secret } =
      kind === "project"
        ? this.#keys.create(accountId, "sandbox", keyDays)
        : this.#keys.createPersonal(
            accountId,
            "sandbox",
            keyDays,
            owner?.portfolioIds ?? [this.#shelf(accountId)],
            true,
          );
    const made: ScriptedKey = {
      keyId: key.keyId,
      secret,
      accountId,
      plan: owner === null ? plan : "builder",
      kind,
      script: new Script(steps),
      journal: new Journal(this.#clock),
    };
    this.#bySecret.set(secret, made);
    this.#byId.set(made.keyId, made);
    return made;
  }

  /** Creates an empty portfolio. */
  #shelf(accountId: string): string {
    const facts = { accountId, isFree: false, name: "Sandbox", displayCurrency: "USD" };
    return this.#portfolios.create(facts).portfolioId;
  }

  /** Returns the first key with one of these secrets. Null if the sandbox has no such key. */
  bySecrets(secrets: readonly string[]): ScriptedKey | null {
    for (const secret of secrets) {
      const key = this.#bySecret.get(secret);
      if (key !== undefined) return key;
    }
    return null;
  }

  /**
   * Returns the key with this id.
   * @throws {ControlRefusal} when the sandbox has no such key.
   */
  byId(keyId: string): ScriptedKey {
    const key = this.#byId.get(keyId);
    if (key === undefined) throw new ControlRefusal("this sandbox does not have the key", 404);
    return key;
  }

  /** Removes the scripts of all keys and clears their journals. */
  reset(): void {
    for (const key of this.#byId.values()) {
      key.script = new Script([]);
      key.journal.clear();
    }
  }
}

function ownerOf(database: Database, keys: Keys, { builder }: DemoKeys) {
  const accountId = new CredentialReads(database).byHash(hashKey(builder), "")?.[1];
  if (accountId === undefined) throw new Error("the demo file has no account of its Builder key");
  const token = keys.list(accountId).find(({ kind }) => kind === "personal");
  const owned = new Set(new PortfolioWriter(database).list(accountId).map(({ portfolioId }) => portfolioId));
  return { accountId, portfolioIds: (token?.portfolioIds ?? []).filter((id) => owned.has(id)) };
}
