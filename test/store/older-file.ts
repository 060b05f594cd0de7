import { spawn } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { migrate } from "drizzle-orm/better-sqlite3/migrator";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { childProgram } from "../../scripts/support/child-program.ts";
import { migrationsFolder, openWriter } from "../../src/store/database.ts";
import { applicationId } from "../../src/store/file/header.ts";
import { change } from "../support/sql-file.ts";

const migrateChild = new URL("./migrate-child.ts", import.meta.url);
export const migrations = readMigrationFiles({ migrationsFolder });

/** Writes a file as a release with only the first `count` migrations left it. Returns the names of its contents. */
export function writeOlder(path: string, count: number): string[] {
  const older = `${path}-migrations`;
  cpSync(migrationsFolder, older, { recursive: true });
  const journalPath = join(older, "meta", "_journal.json");
  const journal = JSON.parse(readFileSync(journalPath, "utf8"));
  writeFileSync(journalPath, JSON.stringify({ ...journal, entries: journal.entries.slice(0, count) }));
  writeFileSync(path, "", { mode: 0o600 });
  const database = openWriter(path, 0);
  database.$client.pragma(`application_id = ${applicationId}`);
  migrate(database, { migrationsFolder: older });
  database.$client.pragma(`user_version = ${count}`);
  database.$client.close();
  return schemaNames(path);
}

export function schemaNames(path: string): string[] {
  const client = new SqliteDatabase(path);
  const names = client.prepare(
    "SELECT name FROM sqlite_schema WHERE name <> '__drizzle_migrations' AND name NOT LIKE 'sqlite_%' ORDER BY name",
  );
  const found = names.pluck().all() as string[];
  client.close();
  return found;
}

export async function killedBefore(text: string, path: string): Promise<NodeJS.Signals | null> {
  const child = spawn(process.execPath, [...childProgram(migrateChild), path, text], { stdio: "inherit" });
  return new Promise((resolve) => child.once("exit", (_, signal) => resolve(signal)));
}

export function addOldItem(path: string, itemId: number, inCatalog: number): void {
  const columns =
    "item_id, identity_key, market_hash_name, slug, identity, origin, in_catalog, first_seen_at, search_text";
  const values = `${itemId}, ${itemId}, 'x', 'x', 'exact', 'catalog', ${inCatalog}, 1, 'x'`;
  change(path, `INSERT INTO items (${columns}) VALUES (${values})`);
}
