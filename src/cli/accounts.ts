import { type Account, Accounts } from "../access/accounts.ts";
import { Owners } from "../access/owners/owners.ts";
import { systemClock, toTimestamp, toTimestampOrNull } from "../values/clock.ts";
import { systemIds } from "../values/ids.ts";
import { type Call, usageError } from "./command.ts";
import { publicAddress, refuseUnlessShown, withDatabase } from "./open.ts";
import { printJson } from "./print.ts";

export function create(call: Call): number {
  return change(call, (accounts, [name]) => accounts.create(name!));
}

export function setPlan(call: Call): number {
  const endsAt = untilOf(call.flag("until"));
  return change(call, (accounts, [accountId, plan]) => accounts.setPlan(accountId!, plan!, endsAt));
}

export function purchase(call: Call): number {
  return change(call, (accounts, [accountId, plan]) => accounts.purchase(accountId!, plan!));
}

export function disable(call: Call): number {
  return change(call, (accounts, [accountId]) => accounts.disable(accountId!));
}

export function enable(call: Call): number {
  return change(call, (accounts, [accountId]) => accounts.enable(accountId!));
}

/** Prints a one-time link, which is as good as the password that it sets. `--public-url`, or `--host` and `--port`, are the server's, which is not asked. */
export function invite(call: Call): number {
  refuseUnlessShown(call);
  const made = withDatabase(call, (database) =>
    new Owners({ database, clock: systemClock, ids: systemIds() }).invite(
      call.operands[0]!,
      call.flag("login") ?? null,
    ),
  );
  const path = `/dashboard/invite/${made.token}`;
  const url = publicAddress(call.config) + path;
  if (call.has("json")) {
    printJson(call, {
      account_id: made.accountId,
      login: made.login,
      path,
      url,
      expires_at: toTimestamp(made.expiresAt),
    });
    return 0;
  }
  call.out.line(`login    ${made.login}${made.replaces === null ? "" : `, until the link is used ${made.replaces}`}`);
  call.out.line(`expires  ${toTimestamp(made.expiresAt)}`);
  call.out.line(`link     ${url}`);
  call.out.line(
    "The link works once and ends those before it. Where the server is reached under another name, say it with --public-url.",
  );
  return 0;
}

function change(call: Call, work: (accounts: Accounts, operands: readonly string[]) => Account): number {
  const account = withDatabase(call, (database) =>
    work(new Accounts({ database, clock: systemClock, ids: systemIds() }), call.operands),
  );
  if (call.has("json")) printJson(call, accountJson(account));
  else for (const line of accountLines(account)) call.out.line(line);
  return 0;
}

export function show(call: Call): number {
  const account = withDatabase(call, (database) =>
    new Accounts({ database, clock: systemClock, ids: systemIds() }).show(call.operands[0]!),
  );
  const { usage } = account;
  if (call.has("json")) {
    const { monthlyUsed, monthlyLimit, minuteLimit, snapshotStartsUsed, snapshotStartsLimit } = usage;
    printJson(call, {
      ...accountJson(account),
      keys: account.keys,
      monthly_used: monthlyUsed,
      monthly_limit: monthlyLimit,
      minute_limit: minuteLimit,
      snapshot_starts_used: snapshotStartsUsed,
      snapshot_starts_limit: snapshotStartsLimit,
    });
    return 0;
  }
  for (const line of accountLines(account)) call.out.line(line);
  call.out.line(
    `month    ${usage.monthlyUsed} of ${usage.monthlyLimit} requests, until ${toTimestamp(usage.monthEndsAt)}`,
  );
  call.out.line(`minute   ${usage.minuteLimit} requests`);
  call.out.line(`exports  ${usage.snapshotStartsUsed} of ${usage.snapshotStartsLimit} starts in 24 hours`);
  call.out.line(`keys     ${account.keys}`);
  return 0;
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

function untilOf(date: string | undefined): number | null {
  if (date === undefined) return null;
  const at = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(`${date}T00:00:00.000Z`) : Number.NaN;
  if (Number.isNaN(at) || toTimestamp(at).slice(0, 10) !== date)
    throw usageError(`--until: takes a day such as 2026-12-31, not \`${date}\``);
  return at;
}
