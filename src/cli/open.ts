import type { Client } from "pg";
import type { Config } from "../config/config.ts";
import type { Database } from "../store/database.ts";
import type { AccountSelection } from "../store/postgres/account-work.ts";
import type { BatchStats } from "../store/write/batches.ts";
import { exitCodes, OperatorError } from "../values/failure/operator-error.ts";
import { type Progress, progressOn } from "../values/progress.ts";
import { systemClock } from "../values/time/clock.ts";
import { type Call, usageError } from "./command.ts";
import { privateAddress, requiredAddress } from "./private-address.ts";

/** Settings of commands that read or change accounts, in the file or in PostgreSQL. */
export const accountSettings = ["db", "privateDb", "privateDbFile"] as const;
/** Maximum wait for the lock while a server or an import writes, in ms. */
const commandBusyMs = 5000;

/** Returns the path of the call's database. */
export async function pathOf(call: Call): Promise<string> {
  const { databasePath } = await import("../store/file/file.ts");
  return databasePath(call.config.db);
}

/** Returns the path of the call's database. Refuses a file of another program. */
export async function ownFile(call: Call): Promise<string> {
  const { refuseUnlessValid } = await import("../store/file/file.ts");
  const path = await pathOf(call);
  refuseUnlessValid(path);
  return path;
}

/** Runs `work` with the progress of a long command on standard error. */
export async function withProgress<T>(work: (progress: Progress) => Promise<T>): Promise<T> {
  const progress = progressOn(process.stderr, systemClock);
  return work(progress).finally(() => progress.end());
}

/** Runs batches on the call's file, so that a server's charges run in between. */
export async function inBatches<T>(call: Call, begin: (database: Database) => Generator<BatchStats, T>): Promise<T> {
  const { importing } = await import("../import/run-import.ts");
  const { runBatches } = await import("../store/write/batches.ts");
  const { value } = await importing(await pathOf(call), (database) => runBatches(begin(database)));
  return value;
}

/** Opens the call's database while `work` runs, for writing, or for reading on a read-only disk. Refuses a file of another program. */
export async function withDatabase<T>(call: Call, work: (database: Database) => T | Promise<T>): Promise<T> {
  const path = await ownFile(call);
  const { closeDatabase, openReader, openWriter } = await import("../store/database.ts");
  const { isOnReadOnlyDisk } = await import("../store/file/read-only.ts");
  const database = isOnReadOnlyDisk(path) ? openReader(path) : openWriter(path, commandBusyMs);
  try {
    return await work(database);
  } finally {
    closeDatabase(database);
  }
}

/** Opens the file at `path` for reading while `work` runs. */
export async function reading<T>(path: string, work: (database: Database) => T): Promise<T> {
  const { closeDatabase, openReader } = await import("../store/database.ts");
  const database = openReader(path);
  try {
    return work(database);
  } finally {
    closeDatabase(database);
  }
}

/**
 * Passes accounts and their data to `work`, from the file or from PostgreSQL. With PostgreSQL it passes a copy in memory of the rows in
 * `selector`, which is written back. `month` (`YYYY-MM`) adds the charges of that month.
 */
export async function withAccounts<T>(
  call: Call,
  selector: AccountSelection,
  work: (database: Database) => T,
  month: string | null = null,
): Promise<T> {
  if (privateAddress(call.config) === null) return withDatabase(call, work);
  const { workOnAccounts } = await import("../store/postgres/account-work.ts");
  return withPrivate(call, (client) => workOnAccounts(client, selector, work, month));
}

/**
 * Connects to the call's PostgreSQL database while `work` runs.
 * @throws {OperatorError} when it is not set, unreachable, not of this program, or could lose acknowledged commits.
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

/** Returns whether the file at `path` contains only the demo world, without later imports. */
export async function isDemoFile(path: string): Promise<boolean> {
  const { isDemo } = await import("../store/write/demo-mark.ts");
  return reading(path, isDemo);
}

/** Refuses to print a secret except to a terminal or with `--json`, before it changes anything. */
export function refuseUnlessShown(call: Call): void {
  if (call.out.isTerminal || call.has("json")) return;
  throw usageError("the secret is shown once, and standard output is not a terminal; --json prints it anyway");
}

/** Returns the service's address on this machine. `port` replaces the configured port. */
export function localAddress(
  { host, port: configured }: Pick<Config, "host" | "port">,
  port: number = configured,
): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Returns the error for an address that cannot be listened on. Returns any other error unchanged. */
export function cannotListen(error: unknown, host: string, port: number): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall !== "listen" && syscall !== "getaddrinfo") return error;
  const inUse = code === "EADDRINUSE";
  const why = inUse ? "the port is in use" : `the address cannot be used (${code})`;
  const message = `${host}:${port}: ${why}; choose another with --host and --port`;
  return new OperatorError(message, inUse ? exitCodes.temporary : exitCodes.usage);
}

/** Returns the service's address for the owners of accounts. */
export function publicAddress(config: Pick<Config, "host" | "port" | "publicUrl">, port?: number): string {
  return config.publicUrl === "" ? localAddress(config, port) : config.publicUrl;
}
