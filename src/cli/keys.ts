import type { Accounts } from "../access/accounts.ts";
import type { Key, Keys, keyDays, NewSecret } from "../access/keys.ts";
import { portfolioConsent } from "../access/owners/consent.ts";
import type { AccountSelection } from "../store/postgres/account-work.ts";
import { systemIds } from "../values/ids.ts";
import { dayTextOrNull } from "../values/time/calendar.ts";
import { systemClock, toTimestamp, toTimestampOrNull } from "../values/time/clock.ts";
import { type Call, commandsOf, json, secretJson, usageError, wordsOf } from "./command.ts";
import { accountSettings, refuseUnlessShown, withAccounts } from "./open.ts";
import { printList, printResult } from "./print.ts";

const activityRowsMax = 200;
const dayChoices: string[] = wordsOf<`${(typeof keyDays)[number]}`>({ 7: 0, 30: 0, 90: 0 });

export const keyCommands = commandsOf(accountSettings, [
  {
    usage: "keys create ACCOUNT",
    flags: {
      "name NAME": "purpose of the key",
      [`days ${dayChoices.join("|")}`]: "days until it expires (default: 30)",
      personal: "make a personal token, which reads portfolios only",
      "portfolios ID,ID": "portfolios that the token may read",
      consent: "consent to the token; without it the command prints the text",
      json: secretJson,
    },
    description: "make a project key or personal token",
    example: "keys create acc_000000000000000demo1 --name laptop",
    run: create,
  },
  {
    usage: "keys list ACCOUNT",
    flags: { json },
    description: "list the keys of an account",
    example: "keys list acc_000000000000000demo1",
    run: list,
  },
  {
    usage: "keys rotate KEY",
    flags: { json: secretJson },
    description: "replace a key's secret; its expiry stays",
    example: "keys rotate key_000000000000000000000001",
    run: (call) => showSecret(call, { keyId: call.operands[0]! }, (keys) => keys.rotate(call.operands[0]!)),
  },
  {
    usage: "keys revoke KEY",
    flags: { json },
    description: "end a key permanently",
    example: "keys revoke key_000000000000000000000001",
    run: revoke,
  },
  {
    usage: "keys activity ACCOUNT",
    flags: { json },
    description: "list an account's activity, newest first",
    example: "keys activity acc_000000000000000demo1",
    run: activity,
  },
]);

async function create(call: Call): Promise<void> {
  const [accountId] = call.operands as [string];
  const days = daysOf(call.flag("days"));
  const portfolios = call.flag("portfolios");
  if (!call.has("personal")) {
    if (portfolios !== undefined || call.has("consent")) {
      throw usageError("--portfolios and --consent belong to a personal token; add --personal");
    }
    const selector = accountId.startsWith("acc_") ? { accountId } : "all";
    return showSecret(call, selector, (keys, accounts) =>
      keys.create(accounts.idOf(accountId), call.flag("name") ?? "key", days),
    );
  }
  const portfolioIds = (portfolios ?? "").split(",").filter((id) => id !== "");
  if (portfolioIds.length === 0) throw usageError("--personal: name the portfolios to read with --portfolios ID,ID");
  if (!call.has("consent")) throw usageError(`--personal: needs --consent to this: ${portfolioConsent.text}`);
  const name = call.flag("name") ?? "token";
  return showSecret(call, { accountId }, (keys) => keys.createPersonal(accountId, name, days, portfolioIds, true));
}

async function revoke(call: Call): Promise<void> {
  const [keyId] = call.operands as [string];
  const key = await withKeys(call, { keyId }, (keys) => keys.revoke(keyId));
  printResult(call, keyJson(key), [`${key.keyId} is revoked`]);
}

async function showSecret(
  call: Call,
  selector: AccountSelection,
  work: (keys: Keys, accounts: Accounts) => NewSecret,
): Promise<void> {
  refuseUnlessShown(call);
  const { key, secret } = await withKeys(call, selector, work);
  printResult(call, { ...keyJson(key), secret }, [
    `key      ${key.keyId} (${key.name})`,
    ...(key.kind === "personal" ? [`reads    ${key.portfolioIds.join(", ")}`] : []),
    `expires  ${toTimestamp(key.expiresAt)}`,
    `secret   ${secret}`,
    "The secret is not stored and cannot be shown again.",
  ]);
}

async function list(call: Call): Promise<void> {
  const [accountId] = call.operands as [string];
  const keys = await withKeys(call, { accountId }, (keys) => keys.list(accountId));
  const rows = keys.map((key) => {
    // `-` means that nothing was charged to the key.
    const used = dayTextOrNull(key.lastUsedDay) ?? "-";
    return [key.keyId, key.name, key.display, key.scopes.join(" "), used, stateOf(key)];
  });
  printList(call, keys.map(keyJson), ["KEY", "NAME", "SECRET", "SCOPES", "LAST USED", "STATE"], rows);
}

async function activity(call: Call): Promise<void> {
  const [accountId] = call.operands as [string];
  const { Accounts } = await import("../access/accounts.ts");
  const found = await withAccounts(call, { accountId }, (database) =>
    new Accounts({ database, clock: systemClock, ids: systemIds() }).activity(accountId, activityRowsMax),
  );
  const records = found.map(({ kind, keyId, at, detail }) => ({ at: toTimestamp(at), kind, key_id: keyId, detail }));
  const rows = records.map(({ at, kind, key_id, detail }) => [at, kind, key_id ?? "-", detail ?? ""]);
  printList(call, records, ["AT", "WHAT", "KEY", "DETAIL"], rows);
}

async function withKeys<T>(
  call: Call,
  selector: AccountSelection,
  work: (keys: Keys, accounts: Accounts) => T,
): Promise<T> {
  const [{ Keys }, { Accounts }] = await Promise.all([import("../access/keys.ts"), import("../access/accounts.ts")]);
  return withAccounts(call, selector, (database) => {
    const parts = { database, clock: systemClock, ids: systemIds() };
    return work(new Keys(parts), new Accounts(parts));
  });
}

function stateOf(key: Key): string {
  if (key.revokedAt !== null) return `revoked ${toTimestamp(key.revokedAt)}`;
  return `${systemClock.now() >= key.expiresAt ? "expired" : "until"} ${toTimestamp(key.expiresAt)}`;
}

function keyJson(key: Key) {
  return {
    key_id: key.keyId,
    account_id: key.accountId,
    kind: key.kind,
    name: key.name,
    display: key.display,
    scopes: key.scopes,
    ...(key.kind === "personal" ? { portfolio_ids: key.portfolioIds } : {}),
    created_at: toTimestamp(key.createdAt),
    expires_at: toTimestamp(key.expiresAt),
    rotated_at: toTimestampOrNull(key.rotatedAt),
    revoked_at: toTimestampOrNull(key.revokedAt),
    last_used_on: dayTextOrNull(key.lastUsedDay),
  };
}

function daysOf(days: string | undefined): number {
  if (days === undefined) return 30;
  if (!dayChoices.includes(days)) throw usageError(`--days: must be ${dayChoices.join(", ")}, not \`${days}\``);
  return Number(days);
}
