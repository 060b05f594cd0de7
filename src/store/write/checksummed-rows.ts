import { crc32 } from "node:zlib";
import type SqliteDatabase from "better-sqlite3";
import { databaseSchema } from "../../../generated/database-schema.ts";

type Client = SqliteDatabase.Database;

/**
 * Tables with a checksum per row, by the table of their checksums, and their excluded columns. Checksums of market tables go into releases.
 * Columns that each publication writes are excluded. Other tables have their own digests, or the guide lists them.
 */
const checksummed = {
  market_checksums: {
    currencies: [],
    daily_imports: [],
    data_events: [],
    exchange_rates: [],
    frame_retractions: [],
    frames: [],
    index_levels: [],
    index_levels_past: [],
    index_members: [],
    index_memberships: [],
    indexes: [],
    openables: [],
    providers: ["quotes_as_of"],
    roi_runs: [],
    sealed_days: [],
  },
  row_checksums: {
    activity: [],
    holdings: [],
    key_portfolios: [],
    last_imports: [],
    main_valuations: [],
    openable_drafts: [],
    owner_invites: [],
    owner_sessions: [],
    owners: [],
    portfolio_transactions: [],
    portfolio_valuations: [],
    portfolios: [],
    removed_lots: [],
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** Selects tables of the market, private tables, or both. */
export type ChecksumScope = "all" | "market" | "private";
const stores = { market: "market_checksums", private: "row_checksums" } as const;

// Not built by Drizzle: triggers and checksums use the stored values of all columns.
/** One table with row checksums. `key` and `text` return SQL for the key and the values of a row. `columns` is the order for paging. */
type ChecksummedTable = { table: string; store: string; key: Written; text: Written; columns: readonly string[] };
type Written = (row: string) => string;

/** Returns the tables with row checksums, with the columns of this file. */
export function checksummedTables(client: Client, kept: ChecksumScope = "all"): ChecksummedTable[] {
  const chosen = Object.entries(checksummed).filter(([store]) => kept === "all" || store === stores[kept]);
  return chosen.flatMap(([store, tables]) =>
    Object.entries<readonly string[]>(tables).map(([table, without]) => {
      const infos = client.pragma(`table_info(${table})`) as { name: string; pk: number; type: string }[];
      const keys = infos.filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk);
      const names = infos.map(({ name }) => name).filter((name) => !without.includes(name));
      const quoted = (list: readonly string[]) => (row: string) =>
        list.map((name) => `quote(${row}.${name})`).join(" || ' ' || ");
      const isRowid = keys.length === 1 && keys[0]!.type.toLowerCase() === "integer";
      const key = keys.map(({ name }) => name);
      return { table, store, key: quoted(key), text: quoted(names), columns: isRowid ? ["rowid"] : key };
    }),
  );
}

/** Returns the CRC-32 of the values of a row. */
export function rowChecksum(text: string): number {
  return crc32(text);
}

/**
 * Updates the checksum of each row that this connection writes, by temporary triggers. `db check` finds rows that other programs wrote.
 * Does nothing on a file of another schema version.
 */
export function maintainRowChecksums(client: Client, kept: ChecksumScope = "all"): void {
  if (client.pragma("user_version", { simple: true }) !== databaseSchema.version) return;
  defineChecksum(client);
  let triggers = triggersOf.get(kept);
  if (triggers === undefined) {
    triggers = makeTriggers(client, kept);
    triggersOf.set(kept, triggers);
  }
  // One savepoint for all, because each statement alone would commit a transaction. It does not write or lock the file.
  client.exec(`SAVEPOINT kept; ${triggers} RELEASE kept`);
}

/** Triggers by selection. All files of this version have the same columns in the same order. */
const triggersOf = new Map<ChecksumScope, string>();

function makeTriggers(client: Client, kept: ChecksumScope): string {
  const triggers = checksummedTables(client, kept).map(({ table, store, key, text }) => {
    const forget = `DELETE FROM ${store} WHERE table_name = '${table}' AND row_key = ${key("old")};`;
    const note = `DELETE FROM ${store} WHERE table_name = '${table}' AND row_key = ${key("new")};
      INSERT INTO ${store} VALUES ('${table}', ${key("new")}, row_checksum(${text("new")}));`;
    return `
      CREATE TEMP TRIGGER kept_${table}_insert AFTER INSERT ON main.${table} BEGIN ${note} END;
      CREATE TEMP TRIGGER kept_${table}_update AFTER UPDATE ON main.${table} WHEN ${text("old")} <> ${text("new")}
        BEGIN ${forget} ${note} END;
      CREATE TEMP TRIGGER kept_${table}_delete AFTER DELETE ON main.${table} BEGIN ${forget} END;`;
  });
  return triggers.join("");
}

/** Writes the checksums of all rows after a migration. */
export function recordRows(client: Client): void {
  defineChecksum(client);
  for (const { table, store, key, text } of checksummedTables(client)) {
    client.prepare(`DELETE FROM ${store} WHERE table_name = ?`).run(table);
    client
      .prepare(`INSERT INTO ${store} SELECT ?, ${key("kept")}, row_checksum(${text("kept")}) FROM ${table} AS kept`)
      .run(table);
  }
}

function defineChecksum(client: Client): void {
  client.function("row_checksum", { deterministic: true }, (text) => rowChecksum(text as string));
}
