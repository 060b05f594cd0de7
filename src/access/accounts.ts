import { type Database, writeTransaction } from "../store/database.ts";
import { AccountReads, type DayUseRow, type ListedAccountRow, type MonthUseRow } from "../store/read/accounts.ts";
import { type AccountRow, AccountStore, type ActivityKind, type ActivityRow } from "../store/write/accounts.ts";
import { exitCodes, OperatorError } from "../values/failure/operator-error.ts";
import type { Ids } from "../values/ids.ts";
import { lazy } from "../values/lazy.ts";
import { dayMs, monthBounds } from "../values/time/calendar.ts";
import { type Clock, toTimestamp } from "../values/time/clock.ts";
import { clockRegressionMax, LedgerTime } from "./ledger/months.ts";
import { effectivePlan, type Plan, planNames } from "./plans.ts";
import { type Usage, UsageReader } from "./usage.ts";

/** A prepaid purchase lasts this long and does not renew itself. */
export const purchaseMs = 30 * dayMs;

export const nameCharactersMax = 80;

/** The name of the account that `start --live` makes for the person who runs the server. */
export const ownerName = "owner";

/**
 * Current state of an account. `plan` is in force now. `planEndsAt` is null if the plan has no end. `disabledAt` is null if the account is
 * enabled.
 */
export type Account = {
  accountId: string;
  name: string;
  plan: Plan;
  planEndsAt: number | null;
  disabledAt: number | null;
  createdAt: number;
};

export type AccountOverview = Account & { keys: number; usage: Usage };

/** `keys` are neither revoked nor expired, `used` are units of the current month. `login` is null if the account has no owner. */
export type ListedAccount = Account & Pick<ListedAccountRow, "login" | "keys" | "used">;

/** An event of an account or a key. It never contains a secret. */
export type Activity = ActivityRow;

type Parts = { database: Database; clock: Clock; ids: Ids };

/** Creates and changes accounts, on a writing handle. A change of plan never resets the used units. */
export class Accounts {
  readonly #database: Database;
  readonly #store: AccountStore;
  readonly #reads: AccountReads;
  readonly #usage: () => UsageReader;
  readonly #clock: Clock;
  readonly #ids: Ids;

  constructor({ database, clock, ids }: Parts) {
    this.#database = database;
    this.#store = new AccountStore(database);
    this.#reads = new AccountReads(database);
    this.#usage = lazy(() => new UsageReader(database));
    this.#clock = clock;
    this.#ids = ids;
  }

  /**
   * Creates a Free account.
   * @throws {OperatorError} when the name cannot be shown on one line.
   */
  create(name: string): Account {
    const at = this.#clock.now();
    const row: AccountRow = {
      accountId: this.#ids.handle("acc_"),
      name: checkedName("account", name),
      plan: "free",
      planEndsAt: null,
      disabledAt: null,
      createdAt: at,
    };
    return this.#write(() => {
      this.#store.addAccount(row);
      this.#record(row.accountId, "account_created", at, null);
      return row;
    });
  }

  /**
   * Reads the account with its usage.
   * @throws {OperatorError} when the id is unknown.
   */
  show(accountId: string): AccountOverview {
    const at = this.#clock.now();
    const account = accountAt(this.#known(accountId), at);
    return { ...account, keys: this.#store.countKeys(accountId), usage: this.#usage().read(account, at) };
  }

  /** Lists all accounts, oldest first. */
  list(): ListedAccount[] {
    const at = this.#clock.now();
    return this.#reads.list(at, this.currentMonth()).map((row) => ({ ...row, ...accountAt(row, at) }));
  }

  /**
   * Lists the accounts with `text` in their name or login, ignoring case, or at the start of their id or a key id.
   * @throws {OperatorError} when the text is empty.
   */
  find(text: string): ListedAccount[] {
    const wanted = caseless(text.trim());
    if (wanted === "") throw new OperatorError("the text to search for is empty", exitCodes.usage);
    const start = text.trim();
    const byKey = new Set(start.startsWith("key_") ? this.#reads.withKey(start) : []);
    return this.list().filter(
      ({ accountId, name, login }) =>
        caseless(name).includes(wanted) ||
        caseless(login ?? "").includes(wanted) ||
        (start.startsWith("acc_") && accountId.startsWith(start)) ||
        byKey.has(accountId),
    );
  }

  /**
   * Renames the account.
   * @throws {OperatorError} when the id is unknown, the name cannot be shown on one line, or the name is unchanged.
   */
  rename(accountId: string, name: string): Account {
    const at = this.#clock.now();
    const after = checkedName("account", name);
    return this.#write(() => {
      const before = this.#known(accountId).name;
      if (before === after) throw new OperatorError(`account ${accountId} already has the name \`${after}\``);
      return this.#change(accountId, { name: after }, "account_renamed", at, `${before} → ${after}`);
    });
  }

  /**
   * Returns the id of an account, given its id or its unique name. Returns an unknown text unchanged.
   * @throws {OperatorError} when several accounts have the name.
   */
  idOf(idOrName: string): string {
    if (idOrName.startsWith("acc_")) return idOrName;
    const named = this.list().filter(({ name }) => name === idOrName);
    if (named.length > 1) throw new OperatorError(`${named.length} accounts have this name; name one by its id`);
    return named[0]?.accountId ?? idOrName;
  }

  /** Returns the UTC month (`YYYY-MM`) in which the ledger would count a charge now. */
  currentMonth(): string {
    return new LedgerTime(this.#database).month(this.#clock.now()).month;
  }

  /** Lists the accounts that were charged in `month` (`YYYY-MM`), by id. */
  monthUse(month: string): MonthUseRow[] {
    return this.#reads.monthUse(month);
  }

  /**
   * Lists an account's units in `month` (`YYYY-MM`) by day, operation and key.
   * @throws {OperatorError} when the id is unknown.
   */
  dayUse(accountId: string, month: string): DayUseRow[] {
    this.#known(accountId);
    return this.#reads.dayUse(accountId, { month, ...monthBounds(month) }, clockRegressionMax);
  }

  /** Sets a plan by hand until `endsAt` (null if it has no end). It replaces the current plan at once. */
  setPlan(accountId: string, plan: string, endsAt: number | null): Account {
    const at = this.#clock.now();
    const checked = checkedPlan(plan);
    if (checked === "free" && endsAt !== null) {
      throw new OperatorError("plan `free` has no end; leave the end out", exitCodes.usage);
    }
    if (endsAt !== null && endsAt <= at) {
      throw new OperatorError(`the plan's end ${toTimestamp(endsAt)} is not in the future`, exitCodes.usage);
    }
    const until = endsAt === null ? "" : ` until ${toTimestamp(endsAt)}`;
    return this.#write(() =>
      this.#change(accountId, { plan: checked, planEndsAt: endsAt }, "plan_changed", at, `${checked}${until}`),
    );
  }

  /** Records a purchase of 30 days. The same plan is extended from its end; another plan replaces the current one at once. */
  purchase(accountId: string, plan: string): Account {
    const at = this.#clock.now();
    const checked = checkedPlan(plan);
    if (checked === "free") throw new OperatorError("plan `free` cannot be bought; set it instead", exitCodes.usage);
    return this.#write(() => {
      const before = accountAt(this.#known(accountId), at);
      const same = before.plan === checked;
      if (same && before.planEndsAt === null) {
        throw new OperatorError(`account ${accountId} has plan \`${checked}\` without end; it cannot be extended`);
      }
      const startsAt = same ? (before.planEndsAt ?? at) : at;
      const endsAt = startsAt + purchaseMs;
      this.#store.addPurchase({ accountId, plan: checked, purchasedAt: at, startsAt, endsAt });
      const change = { plan: checked, planEndsAt: endsAt };
      return this.#change(accountId, change, "plan_purchased", at, `${checked} until ${toTimestamp(endsAt)}`);
    });
  }

  /** Refuses every request of the account from now on. Its keys stay as they are. */
  disable(accountId: string): Account {
    return this.#write(() => {
      const at = this.#clock.now();
      if (this.#known(accountId).disabledAt !== null)
        throw new OperatorError(`account ${accountId} is already disabled`);
      return this.#change(accountId, { disabledAt: at }, "account_disabled", at, null);
    });
  }

  enable(accountId: string): Account {
    return this.#write(() => {
      const at = this.#clock.now();
      if (this.#known(accountId).disabledAt === null) throw new OperatorError(`account ${accountId} is not disabled`);
      return this.#change(accountId, { disabledAt: null }, "account_enabled", at, null);
    });
  }

  /** Lists activity, newest first. */
  activity(accountId: string, limit: number): Activity[] {
    this.#known(accountId);
    return this.#store.activity(accountId, limit);
  }

  #change(
    accountId: string,
    change: Parameters<AccountStore["changeAccount"]>[1],
    kind: ActivityKind,
    at: number,
    detail: string | null,
  ): Account {
    this.#known(accountId);
    this.#store.changeAccount(accountId, change);
    this.#record(accountId, kind, at, detail);
    return accountAt(this.#known(accountId), at);
  }

  #record(accountId: string, kind: ActivityKind, at: number, detail: string | null) {
    this.#store.addActivity({ accountId, keyId: null, kind, at, detail });
  }

  #known(accountId: string): AccountRow {
    return knownAccount(this.#store, accountId);
  }

  #write<T>(work: () => T): T {
    return writeTransaction(this.#database, work);
  }
}

/**
 * Reads the account.
 * @throws {OperatorError} when the id is unknown.
 */
export function knownAccount(store: AccountStore, accountId: string): AccountRow {
  const row = store.account(accountId);
  if (row !== undefined) return row;
  const hint = accountId.startsWith("acc_") ? "" : "; write its id, as `npx itemtape accounts list` shows it";
  throw new OperatorError(`unknown account \`${accountId}\`${hint}`);
}

/**
 * Returns the trimmed name of 1 to 80 characters without control characters.
 * @throws {OperatorError} when the name is invalid.
 */
export function checkedName(thing: string, name: string): string {
  const trimmed = name.trim();
  if (trimmed.length > 0 && trimmed.length <= nameCharactersMax && !/\p{C}/u.test(trimmed)) return trimmed;
  throw new OperatorError(
    `the ${thing}'s name must have 1 to ${nameCharactersMax} characters and no control characters`,
    exitCodes.usage,
  );
}

function caseless(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

function checkedPlan(plan: string): Plan {
  const known = planNames.find((name) => name === plan);
  if (known === undefined) {
    throw new OperatorError(`unknown plan \`${plan}\`; the plans are ${planNames.join(", ")}`, exitCodes.usage);
  }
  return known;
}

/** Returns the account with the plan in force at `at` (UTC ms). */
export function accountAt(row: AccountRow, at: number): Account {
  const plan = effectivePlan(row.plan, row.planEndsAt, at);
  return { ...row, plan, planEndsAt: plan === row.plan ? row.planEndsAt : null };
}
