import type { Account, Accounts, ListedAccount } from "../access/accounts.ts";
import type { AccountSelection } from "../store/postgres/account-work.ts";
import type { DayUseRow, MonthUseRow } from "../store/read/accounts.ts";
import { OperatorError } from "../values/failure/operator-error.ts";
import { systemIds } from "../values/ids.ts";
import { csvRecord } from "../values/text/csv.ts";
import { displayText } from "../values/text/display-text.ts";
import { dayMs, parseDay, utcMonth } from "../values/time/calendar.ts";
import { systemClock, toTimestamp, toTimestampOrNull } from "../values/time/clock.ts";
import { type Call, commandsOf, json, secretJson, usageError } from "./command.ts";
import { accountSettings, publicAddress, refuseUnlessShown, withAccounts } from "./open.ts";
import { printList, printResult } from "./print.ts";

export const accountCommands = commandsOf(accountSettings, [
  {
    usage: "accounts create NAME",
    flags: { json },
    description: "make a Free account",
    example: "accounts create 'Ann Trader'",
    run: (call) => change(call, (accounts, name) => accounts.create(name)),
  },
  {
    usage: "accounts list",
    flags: { json },
    description: "list accounts with plan and usage",
    example: "accounts list",
    run: async (call) => printAccounts(call, await read(call, "all", (accounts) => accounts.list())),
  },
  {
    usage: "accounts find TEXT",
    flags: { json },
    description: "find accounts by name, login, or account or key id",
    example: "accounts find ann",
    run: find,
  },
  {
    usage: "accounts rename ACCOUNT NAME",
    flags: { json },
    description: "rename an account",
    example: "accounts rename acc_000000000000000demo1 'Ann & Co'",
    run: (call) => change(call, (accounts, accountId, name) => accounts.rename(accountId, name)),
  },
  {
    usage: "accounts usage [ACCOUNT]",
    flags: {
      "month MONTH": "UTC month, YYYY-MM (default: this month)",
      csv: "print CSV",
      json,
    },
    description: "list a month's units by account, or one account's",
    example: "accounts usage --month 2026-01 --csv",
    run: usage,
  },
  {
    usage: "accounts show ACCOUNT",
    flags: { json },
    description: "show an account's plan, usage and keys",
    example: "accounts show acc_000000000000000demo1",
    run: show,
  },
  {
    usage: "accounts plan ACCOUNT PLAN",
    flags: {
      "until DATE": "first UTC day without the plan, YYYY-MM-DD (default: no end)",
      json,
    },
    description: "set a plan; usage stays counted",
    example: "accounts plan acc_000000000000000demo1 trader --until 2027-01-01",
    run: setPlan,
  },
  {
    usage: "accounts purchase ACCOUNT PLAN",
    flags: { json },
    description: "record a purchase of 30 days",
    example: "accounts purchase acc_000000000000000demo1 builder",
    run: (call) => change(call, (accounts, accountId, plan) => accounts.purchase(accountId, plan)),
  },
  {
    usage: "accounts disable ACCOUNT",
    flags: { json },
    description: "refuse an account's requests",
    example: "accounts disable acc_000000000000000demo1",
    run: (call) => change(call, (accounts, accountId) => accounts.disable(accountId)),
  },
  {
    usage: "accounts enable ACCOUNT",
    flags: { json },
    description: "enable a disabled account",
    example: "accounts enable acc_000000000000000demo1",
    run: (call) => change(call, (accounts, accountId) => accounts.enable(accountId)),
  },
  {
    usage: "accounts invite ACCOUNT",
    flags: {
      "login NAME": "the owner's login; required for the first link",
      json: secretJson,
    },
    settings: [...accountSettings, "host", "port", "publicUrl"],
    description: "make a one-time link to set a password",
    example: "accounts invite acc_000000000000000demo1 --login ann",
    run: invite,
  },
]);

/** Prints the accounts that match the text. Fails without a match, so that a script notices. */
async function find(call: Call): Promise<void> {
  const text = call.operands[0]!;
  const found = await read(call, "all", (accounts) => accounts.find(text));
  if (found.length > 0) return printAccounts(call, found);
  throw new OperatorError(
    `no account has \`${displayText(text)}\` in its name or login, and no account or key id begins with it`,
  );
}

async function usage(call: Call): Promise<void> {
  if (call.has("csv") && call.has("json")) throw usageError("--csv and --json exclude each other");
  const [accountId] = call.operands;
  const asked = monthOf(call.flag("month"));
  const selector = accountId === undefined ? "all" : { accountId };
  const work = (accounts: Accounts) => {
    const month = asked ?? accounts.currentMonth();
    return { month, rows: accountId === undefined ? accounts.monthUse(month) : accounts.dayUse(accountId, month) };
  };
  const { month, rows } = await read(call, selector, work, asked ?? utcMonth(systemClock.now()));
  const columns = accountId === undefined ? monthColumns : dayColumns;
  const names = columns.map(({ name }) => name);
  const values = rows.map((row) => columns.map(({ of }) => of(row as MonthUseRow & DayUseRow, month)));
  if (call.has("csv")) {
    for (const row of [names, ...values]) call.out.line(csvRecord(row));
    return;
  }
  const records = values.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index]])));
  const head = names.map((name) => name.toUpperCase().replace("_", " "));
  const shown = values.map((row) => row.map((value) => displayText(String(value))));
  printList(call, records, head, shown);
}

type UsageColumn = { name: string; of(row: MonthUseRow & DayUseRow, month: string): string | number };

const monthColumns: readonly UsageColumn[] = [
  { name: "month", of: (_row, month) => month },
  { name: "account_id", of: ({ accountId }) => accountId },
  { name: "name", of: ({ name }) => name },
  { name: "units", of: ({ units }) => units },
];
const dayColumns: readonly UsageColumn[] = [
  { name: "date", of: ({ day }) => day },
  { name: "operation", of: ({ operation }) => operation },
  { name: "key_id", of: ({ keyId }) => keyId },
  { name: "units", of: ({ units }) => units },
];

async function setPlan(call: Call): Promise<void> {
  const endsAt = untilOf(call.flag("until"));
  return change(call, (accounts, accountId, plan) => accounts.setPlan(accountId, plan, endsAt));
}

/**
 * Prints a one-time link, which is as sensitive as the password that it sets. `--public-url`, or `--host` and `--port`, must match the
 * server's, because the command does not contact it.
 */
async function invite(call: Call): Promise<void> {
  refuseUnlessShown(call);
  const [accountId] = call.operands as [string];
  const login = call.flag("login") ?? null;
  const { normalLogin } = await import("../access/owners/passwords.ts");
  const { Owners } = await import("../access/owners/owners.ts");
  const selector = [{ accountId }, ...(login === null ? [] : [{ login: normalLogin(login) }])];
  const made = await withAccounts(call, selector, (database) =>
    new Owners({ database, clock: systemClock, ids: systemIds() }).invite(accountId, login),
  );
  const path = `/dashboard/invite/${made.token}`;
  const url = publicAddress(call.config) + path;
  const expires = toTimestamp(made.expiresAt);
  printResult(call, { account_id: made.accountId, login: made.login, path, url, expires_at: expires }, [
    `login    ${made.login}${made.replaces === null ? "" : `, until the link is used ${made.replaces}`}`,
    `expires  ${expires}`,
    `link     ${url}`,
    "The link works once and replaces earlier links. If the server has another address, name it with --public-url.",
  ]);
}

async function read<T>(
  call: Call,
  selector: AccountSelection,
  work: (accounts: Accounts) => T,
  month: string | null = null,
): Promise<T> {
  const { Accounts } = await import("../access/accounts.ts");
  const parts = { clock: systemClock, ids: systemIds() };
  return withAccounts(call, selector, (database) => work(new Accounts({ database, ...parts })), month);
}

function printAccounts(call: Call, accounts: readonly ListedAccount[]): void {
  const records = accounts.map((account) => ({
    ...accountJson(account),
    login: account.login,
    keys_in_use: account.keys,
    monthly_used: account.used,
  }));
  const rows = accounts.map((account) => [
    account.accountId,
    account.plan,
    account.planEndsAt === null ? "-" : toTimestamp(account.planEndsAt).slice(0, 10),
    String(account.keys),
    String(account.used),
    account.disabledAt === null ? "-" : toTimestamp(account.disabledAt).slice(0, 10),
    displayText(account.login ?? "-"),
    displayText(account.name),
  ]);
  printList(call, records, ["ACCOUNT", "PLAN", "UNTIL", "KEYS", "MONTH", "DISABLED", "LOGIN", "NAME"], rows);
}

type Change = (accounts: Accounts, first: string, second: string) => Account;

/** Changes an account by the operands of the call, and prints it. */
async function change(call: Call, work: Change): Promise<void> {
  const [first, second] = call.operands as [string, string];
  const account = await read(call, { accountId: first }, (accounts) => work(accounts, first, second));
  printResult(call, accountJson(account), accountLines(account));
}

async function show(call: Call): Promise<void> {
  const [accountId] = call.operands as [string];
  const { usage, keys, ...account } = await read(call, { accountId }, (accounts) => accounts.show(accountId));
  const { monthlyUsed, monthlyLimit, minuteLimit, snapshotStartsUsed, snapshotStartsLimit, monthEndsAt } = usage;
  const record = {
    ...accountJson(account),
    keys,
    monthly_used: monthlyUsed,
    monthly_limit: monthlyLimit,
    minute_limit: minuteLimit,
    snapshot_starts_used: snapshotStartsUsed,
    snapshot_starts_limit: snapshotStartsLimit,
  };
  printResult(call, record, [
    ...accountLines(account),
    `month    ${monthlyUsed} of ${monthlyLimit} requests, until ${toTimestamp(monthEndsAt)}`,
    `minute   ${minuteLimit} requests`,
    `exports  ${snapshotStartsUsed} of ${snapshotStartsLimit} starts in 24 hours`,
    `keys     ${keys}`,
  ]);
}

function accountLines(account: Account): string[] {
  const end = account.planEndsAt === null ? "" : `, until ${toTimestamp(account.planEndsAt)}`;
  const state = account.disabledAt === null ? [] : [`disabled ${toTimestamp(account.disabledAt)}`];
  return [`account  ${account.accountId}`, `name     ${account.name}`, `plan     ${account.plan}${end}`, ...state];
}

function accountJson({ accountId, name, plan, planEndsAt, disabledAt, createdAt }: Account) {
  return {
    account_id: accountId,
    name,
    plan,
    plan_ends_at: toTimestampOrNull(planEndsAt),
    disabled_at: toTimestampOrNull(disabledAt),
    created_at: toTimestamp(createdAt),
  };
}

function monthOf(month: string | undefined): string | null {
  if (month === undefined) return null;
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) return month;
  throw usageError(`--month: must be a UTC month such as 2026-11, not \`${displayText(month)}\``);
}

function untilOf(date: string | undefined): number | null {
  if (date === undefined) return null;
  const day = parseDay(date);
  if (day === null) throw usageError(`--until: must be a day such as 2026-12-31, not \`${date}\``);
  return day * dayMs;
}
