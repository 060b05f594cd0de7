import type { Config } from "../config.ts";
import { closeDatabase, type Database, openReader, openWriter } from "../store/database.ts";
import { databasePath, refuseUnlessOurs } from "../store/file.ts";
import { isDemo } from "../store/write/demo-mark.ts";
import { type Call, usageError } from "./command.ts";

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
