import type { Client } from "pg";
import type { Config } from "../config.ts";
import { closeDatabase, type Database, openReader, openWriter } from "../store/database.ts";
import { databasePath, refuseUnlessOurs } from "../store/file.ts";
import type { Whose } from "../store/postgres/account-work.ts";
import { isDemo } from "../store/write/demo-mark.ts";
import { type Call, usageError } from "./command.ts";
import { privateAddress, requiredAddress } from "./private-address.ts";

/** Longest wait for the lock while a server or an import is writing, in ms. */
const commandBusyMs = 5000;

/** Opens the call's database for writing, hands it to `work` and closes it. Refuses a file that is not ours. */
export function withDatabase<T>(call: Call, work: (database: Database) => T): T {
  const path = databasePath(call.config.db);
  refuseUnlessOurs(path);
  const database = openWriter(path, commandBusyMs);
  try {
    return work(database);
  } finally {
    closeDatabase(database);
  }
}

/** Opens the call's database for writing while `work` runs, and closes it then. Refuses a file that is not ours. */
export async function withFile<T>(call: Call, work: (database: Database) => Promise<T>): Promise<T> {
  const path = databasePath(call.config.db);
  refuseUnlessOurs(path);
  const database = openWriter(path, commandBusyMs);
  try {
    return await work(database);
  } finally {
    closeDatabase(database);
  }
}

/**
 * Hands what belongs to accounts to `work`: of the file, or of the private database where one is set. There it is a copy in memory of
 * the rows of `whose`, which is written back. `month` (`YYYY-MM`): also the charges of that month.
 */
export async function withAccounts<T>(
  call: Call,
  whose: Whose,
  work: (database: Database) => T,
  month: string | null = null,
): Promise<T> {
  if (privateAddress(call.config) === null) return withDatabase(call, work);
  const { workOnAccounts } = await import("../store/postgres/account-work.ts");
  return withPrivate(call, (client) => workOnAccounts(client, whose, work, month));
}

/**
 * Connects to the private database of the call while `work` runs.
 * @throws {OperatorError} when there is none, it cannot be reached, is not ours or would lose what it has answered.
 */
export async function withPrivate<T>(call: Call, work: (client: Client) => Promise<T>): Promise<T> {
  const address = requiredAddress(call.config);
  const { refuseUnlessDurable, refuseUnlessPrivate, withClient } = await import("../store/postgres/connection.ts");
  return withClient(address, async (client) => {
    await refuseUnlessDurable(client, address);
    await refuseUnlessPrivate(client, address);
    return work(client);
  });
}

/** Returns whether the file at `path` holds the demo world and nothing that was imported since. */
export function isDemoFile(path: string): boolean {
  const database = openReader(path);
  try {
    return isDemo(database);
  } finally {
    closeDatabase(database);
  }
}

/** Refuses to print a secret except to a terminal or with `--json`, before anything is changed. */
export function refuseUnlessShown(call: Call): void {
  if (call.out.isTerminal || call.has("json")) return;
  throw usageError("the secret is shown once and standard output is no terminal; --json prints it all the same");
}

/** Returns the address that this machine reaches the service by; `port` where it took another than the settings say. */
export function localAddress(
  { host, port: configured }: Pick<Config, "host" | "port">,
  port: number = configured,
): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Returns the address that the owners of accounts reach the service by. */
export function publicAddress(config: Pick<Config, "host" | "port" | "publicUrl">, port?: number): string {
  return config.publicUrl === "" ? localAddress(config, port) : config.publicUrl;
}
