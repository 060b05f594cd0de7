import { existsSync } from "node:fs";
import { liveDatabase, settings } from "../config/config.ts";
import type { Database } from "../store/database.ts";
import { exitCodes, OperatorError } from "../values/failure/operator-error.ts";
import { systemIds } from "../values/ids.ts";
import { systemClock, toTimestamp } from "../values/time/clock.ts";
import { type Call, commandsOf, secretJson } from "./command.ts";
import { accountSettings, isDemoFile, localAddress, pathOf, refuseUnlessShown, withAccounts } from "./open.ts";
import { printResult } from "./print.ts";

/** A one-time sign-in link. */
type Link = { accountId: string; path: string; expiresAt: number };

/** The command `sign-in`. */
export const signInCommands = commandsOf(
  [...accountSettings, "host", "port", "publicUrl"],
  [
    {
      usage: "sign-in [ACCOUNT]",
      flags: { json: secretJson },
      description: "print a one-time sign-in link for this machine",
      example: "sign-in",
      run: signIn,
    },
  ],
);

async function signIn(given: Call): Promise<void> {
  refuseUnlessShown(given);
  const call = await onServedFile(given);
  const link = await makeLink(call, call.operands[0]);
  if (link === null)
    throw new OperatorError(
      "name an account; `npx itemtape accounts list` lists them, `npx itemtape start --live` makes one",
      exitCodes.usage,
    );
  const url = `${localAddress(call.config)}${link.path}`;
  const expires = toTimestamp(link.expiresAt);
  printResult(call, { account_id: link.accountId, url, expires_at: expires }, linkLines(url));
}

/** Returns the lines that show a link. */
export function linkLines(url: string): string[] {
  return ["Sign in with this link, once and within ten minutes:", `  ${url}`];
}

/**
 * Creates a sign-in link for the account `named`, else for the owner's account, or in a demo the Builder's. Returns null if the account
 * does not exist.
 * @throws {OperatorError} when other machines reach the server, or the named account is unknown.
 */
export async function makeLink(call: Call, named?: string): Promise<Link | null> {
  const [{ Accounts, ownerName }, { makeSignInLink }] = await Promise.all([
    import("../access/accounts.ts"),
    import("../access/owners/sign-in-links.ts"),
  ]);
  const isDemo = await isDemoFile(await pathOf(call));
  return withAccounts(call, "all", (database: Database) => {
    const parts = { database, clock: systemClock, ids: systemIds() };
    const accounts = new Accounts(parts);
    const own = () => {
      const all = accounts.list();
      return (all.find(({ name }) => name === ownerName) ?? (isDemo ? all[0] : undefined))?.accountId ?? null;
    };
    const accountId = named === undefined ? own() : accounts.idOf(named);
    return accountId === null ? null : makeSignInLink(parts, call.config, { accountId });
  });
}

/** Returns the call on the file that a server uses, if the database is not set: the live file or the demo's. */
async function onServedFile(call: Call): Promise<Call> {
  if (call.isGiven("db")) return call;
  const { isLocked } = await import("../store/file/lock.ts");
  const files = [liveDatabase, settings.db.fallback].filter((path) => existsSync(path));
  const db = files.find((path) => isLocked(path, "serve")) ?? call.config.db;
  return { ...call, config: { ...call.config, db } };
}
