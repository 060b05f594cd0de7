import { Accounts } from "../access/accounts.ts";
import { type Key, Keys, keyDays, type NewSecret } from "../access/keys.ts";
import { portfolioConsent } from "../access/owners/consent.ts";
import type { Database } from "../store/database.ts";
import type { Whose } from "../store/postgres/account-work.ts";
import { dayText } from "../values/calendar.ts";
import { systemClock, toTimestamp, toTimestampOrNull } from "../values/clock.ts";
import { systemIds } from "../values/ids.ts";
import { type Call, usageError } from "./command.ts";
import { refuseUnlessShown, withAccounts } from "./open.ts";
import { printJson, printTable } from "./print.ts";

const activityRowsMax = 200;

/** Runs `keys create`: prints the secret of a new key, once. */
export async function create(call: Call): Promise<number> {
  const [accountId] = call.operands as [string];
  const days = daysOf(call.flag("days"));
  const portfolios = call.flag("portfolios");
  if (!call.has("personal")) {
    if (portfolios !== undefined || call.has("consent")) {
      throw usageError("--portfolios and --consent belong to a personal token; add --personal");
    }
    return showSecret(call, { accountId }, (keys) => keys.create(accountId, call.flag("name") ?? "key", days));
  }
  const portfolioIds = (portfolios ?? "").split(",").filter((id) => id !== "");
  if (portfolioIds.length === 0) throw usageError("--personal: name what it may read with --portfolios ID,ID");
  if (!call.has("consent"))
    throw usageError(`--personal: needs --consent, which agrees to this: ${portfolioConsent.text}`);
  const name = call.flag("name") ?? "token";
  return showSecret(call, { accountId }, (keys) => keys.createPersonal(accountId, name, days, portfolioIds, true));
}

/** Runs `keys rotate`: revokes a key and prints the secret of its successor, once. */
export async function rotate(call: Call): Promise<number> {
  return showSecret(call, { keyId: call.operands[0]! }, (keys) => keys.rotate(call.operands[0]!));
}

/** Runs `keys revoke`: the key is refused from now on. */
export async function revoke(call: Call): Promise<number> {
  const [keyId] = call.operands as [string];
  const key = await withAccounts(call, { keyId }, (database) => keysOf(database).revoke(keyId));
  if (call.has("json")) printJson(call, keyJson(key));
  else call.out.line(`${key.keyId} is revoked`);
  return 0;
}

async function showSecret(call: Call, whose: Whose, work: (keys: Keys) => NewSecret): Promise<number> {
  refuseUnlessShown(call);
  const { key, secret } = await withAccounts(call, whose, (database) => work(keysOf(database)));
  if (call.has("json")) {
    printJson(call, { ...keyJson(key), secret });
    return 0;
  }
  call.out.line(`key      ${key.keyId} (${key.name})`);
  if (key.kind === "personal") call.out.line(`reads    ${key.portfolioIds.join(", ")}`);
  call.out.line(`expires  ${toTimestamp(key.expiresAt)}`);
  call.out.line(`secret   ${secret}`);
  call.out.line("The secret is not stored and cannot be shown again.");
  return 0;
}

/** Runs `keys list`: prints a line for each key of an account, never its secret. */
export async function list(call: Call): Promise<number> {
  const [accountId] = call.operands as [string];
  const keys = await withAccounts(call, { accountId }, (database) => keysOf(database).list(accountId));
  if (call.has("json")) printJson(call, keys.map(keyJson));
  else {
    const rows = keys.map((key) => [key.keyId, key.name, key.display, key.scopes.join(" "), usedOf(key), stateOf(key)]);
    printTable(call, ["KEY", "NAME", "SECRET", "SCOPES", "LAST USED", "STATE"], rows);
  }
  return 0;
}

/** Runs `keys activity`: prints what was done with an account and its keys, newest first. */
export async function activity(call: Call): Promise<number> {
  const rows = await withAccounts(call, { accountId: call.operands[0]! }, (database) =>
    new Accounts({ database, clock: systemClock, ids: systemIds() }).activity(call.operands[0]!, activityRowsMax),
  );
  if (call.has("json"))
    printJson(
      call,
      rows.map(({ kind, keyId, at, detail }) => ({ at: toTimestamp(at), kind, key_id: keyId, detail })),
    );
  else
    printTable(
      call,
      ["AT", "WHAT", "KEY", "DETAIL"],
      rows.map(({ kind, keyId, at, detail }) => [toTimestamp(at), kind, keyId ?? "-", detail ?? ""]),
    );
  return 0;
}

function keysOf(database: Database): Keys {
  return new Keys({ database, clock: systemClock, ids: systemIds() });
}

/** Returns the UTC day of the latest charge; `-`: nothing was charged to the key. */
function usedOf({ lastUsedDay }: Key): string {
  return lastUsedDay === null ? "-" : dayText(lastUsedDay);
}

function stateOf(key: Key): string {
  if (key.revokedAt !== null) return `revoked ${toTimestamp(key.revokedAt)}`;
  return systemClock.now() >= key.expiresAt
    ? `expired ${toTimestamp(key.expiresAt)}`
    : `until ${toTimestamp(key.expiresAt)}`;
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
    last_used_on: key.lastUsedDay === null ? null : dayText(key.lastUsedDay),
  };
}

function daysOf(days: string | undefined): number {
  if (days === undefined) return 30;
  if (!keyDays.some((known) => String(known) === days))
    throw usageError(`--days: takes ${keyDays.join(", ")}, not \`${days}\``);
  return Number(days);
}
