import { closeSync, existsSync, openSync, readSync, realpathSync, rmSync } from "node:fs";
import type SqliteDatabase from "better-sqlite3";
import { digestsOf } from "../../client/digest.ts";
import type { Market, SnapshotItem, SnapshotQuote } from "../../client/index.ts";
import { openBare } from "../../store/file/bare.ts";
import { isSqliteError } from "../../store/file/refusal.ts";
import { dayMs } from "../../values/time/calendar.ts";
import { PartFile } from "../export/part-file.ts";
import {
  indexes,
  insertFacts,
  insertTerms,
  itemInserter,
  providersTable,
  SqliteDraft,
  tables,
} from "../export/sqlite-writer.ts";
import type { ProviderTerms } from "../export/writer.ts";
import { CopyFile, changedMeanwhile, damaged, foreign, type StoredMarket } from "./copy-file.ts";
import { maxItemIdOf } from "./ndjson-copy.ts";

/** "ITPC" distinguishes a copy from other SQLite files. It has a fixed offset in the file's header. */
const applicationId = 0x49545043;
const applicationIdOffset = 68;
const headBytes = 72;
const magic = "SQLite format 3\0";
const busyMs = 10_000;
const addBaseUrl = "ALTER TABLE export ADD COLUMN base_url TEXT";
const addTermsTime = "ALTER TABLE export ADD COLUMN terms_at TEXT";
const copyTables = `${tables} ALTER TABLE export ADD COLUMN identity_digest TEXT; ${addBaseUrl}; ${addTermsTime}`;

type ItemRow = Pick<SnapshotItem, "item_id" | "market_hash_name" | "phase" | "availability">;
type QuoteRow = SnapshotQuote & { item_id: number; side: "ask" | "bid" };
/** Older files lack the columns `base_url` and `terms_at`. `terms_at` is when the terms of providers were read. */
type Facts = {
  generation: string;
  digest: string;
  identity_digest: string;
  base_url?: string | null;
  terms_at?: string | null;
};

/**
 * The tables of an export as SQLite. `export` also has `identity_digest` and `base_url`. Each state is one transaction. The first one is
 * written to a temporary file. Readers see either the old or the new state.
 */
export class SqliteCopy extends CopyFile {
  read(): StoredMarket | null {
    if (!existsSync(this.path)) return null;
    const why = otherThanCopy(this.path);
    if (why !== null) throw foreign(this.path, why);
    return this.#opened((database) => {
      const facts = factsOf(database);
      const items = itemsOf(database);
      const own = digestsOf(items.values());
      if (facts === null || own.digest !== facts.digest || own.identityDigest !== facts.identity_digest) {
        throw damaged(this.path, "the digests of its items and its table export differ");
      }
      return { generation: facts.generation, items, baseUrl: facts.base_url ?? null, ...own };
    });
  }

  override needsTerms({ items, generatedAt }: Market, stored: StoredMarket | null): boolean {
    if (stored === null) return true;
    return this.#opened((database) => {
      const { terms_at } = factsOf(database) ?? {};
      if (terms_at == null || Date.parse(generatedAt) - Date.parse(terms_at) >= dayMs) return true;
      const known = new Set(database.prepare<[], string>("SELECT provider FROM providers").pluck().all());
      for (const { asks, bids } of items.values())
        for (const { provider } of [...asks, ...bids]) if (!known.has(provider)) return true;
      return false;
    });
  }

  write(market: Market, stored: StoredMarket | null, terms: readonly ProviderTerms[] | null = null): string | null {
    if (stored === null) return this.#writeAnew(market, terms ?? []);
    this.#opened((database) => {
      database.exec("BEGIN IMMEDIATE");
      const facts = factsOf(database);
      if (facts?.digest !== stored.digest || facts.identity_digest !== stored.identityDigest) {
        throw changedMeanwhile(this.path);
      }
      const { changes, items } = market;
      if (changes === null) {
        database.exec("DELETE FROM quotes; DELETE FROM items");
        insert(database, items.values());
      } else {
        const ids = [...changes.items, ...changes.removed];
        for (const table of ["quotes", "items"]) {
          const remove = database.prepare(`DELETE FROM ${table} WHERE item_id = ?`);
          for (const itemId of ids) remove.run(itemId);
        }
        insert(
          database,
          changes.items.map((itemId) => items.get(itemId)!),
        );
      }
      if (facts.base_url === undefined) database.exec(addBaseUrl);
      if (facts.terms_at === undefined) database.exec(`${addTermsTime}; ${providersTable}`);
      if (terms !== null) insertTerms(database, terms);
      database.exec("DELETE FROM export");
      const termsAt = terms === null ? (facts.terms_at ?? null) : market.generatedAt;
      insertFacts(database, { ...factsRow(database, market), terms_at: termsAt });
      database.exec("COMMIT");
    });
    return null;
  }

  #writeAnew(market: Market, terms: readonly ProviderTerms[]): string | null {
    const part = new PartFile(this.path, { mayReplace: this.mayReplace });
    try {
      const draft = new SqliteDraft(part.path, copyTables, [`application_id = ${applicationId}`]);
      try {
        insert(draft.database, market.items.values());
        draft.commit({ ...factsRow(draft.database, market), terms_at: market.generatedAt }, terms, indexes);
      } finally {
        draft.abandon();
      }
      // Logs of an earlier file must go, because SQLite would apply them to the new one.
      const place = existsSync(this.path) ? realpathSync(this.path) : this.path;
      for (const log of ["-journal", "-wal", "-shm"]) rmSync(`${place}${log}`, { force: true });
      return part.publish();
    } finally {
      part.remove();
    }
  }

  /** Runs `work` on the file. Uncommitted changes are rolled back. */
  #opened<T>(work: (database: SqliteDatabase.Database) => T): T {
    const database = openBare(this.path, { fileMustExist: true, timeout: busyMs });
    try {
      database.pragma("synchronous = FULL");
      return work(database);
    } catch (error) {
      if (isSqliteError(error) && /^SQLITE_(?:CORRUPT|NOTADB|ERROR)/.test(error.code)) {
        throw damaged(this.path, error.message);
      }
      throw error;
    } finally {
      database.close();
    }
  }
}

/**
 * Returns the reason why the file is not a copy, null for a copy. It reads only the header, because SQLite might change another program's
 * file.
 */
function otherThanCopy(path: string): string | null {
  const head = Buffer.alloc(headBytes);
  const file = openSync(path, "r");
  try {
    readSync(file, head, 0, headBytes, 0);
  } finally {
    closeSync(file);
  }
  if (head.toString("latin1", 0, magic.length) !== magic) return "it is not a SQLite file";
  return head.readUInt32BE(applicationIdOffset) === applicationId ? null : "it is another program's SQLite file";
}

function factsOf(database: SqliteDatabase.Database): Facts | null {
  const rows = database.prepare<[], Facts>("SELECT * FROM export").all();
  return rows.length === 1 ? rows[0]! : null;
}

function itemsOf(database: SqliteDatabase.Database): Map<number, SnapshotItem> {
  const items = new Map<number, SnapshotItem>();
  const rows = database.prepare<[], ItemRow>(
    "SELECT item_id, market_hash_name, phase, availability FROM items ORDER BY item_id",
  );
  for (const row of rows.iterate()) items.set(row.item_id, { ...row, asks: [], bids: [] });
  const quotes = database.prepare<[], QuoteRow>("SELECT * FROM quotes ORDER BY item_id, side, position");
  for (const row of quotes.iterate()) {
    const { item_id, side, provider, amount, currency, minor_units, quantity, url, as_of } = row;
    const quote = { provider, amount, currency, minor_units, quantity, url, as_of };
    items.get(item_id)?.[side === "ask" ? "asks" : "bids"].push(quote);
  }
  return items;
}

function insert(database: SqliteDatabase.Database, items: Iterable<SnapshotItem>): void {
  const add = itemInserter(database);
  for (const item of items) add(item);
}

/** Returns the row of the table `export` for `market`, with the number of quotes in the file. */
function factsRow(database: SqliteDatabase.Database, market: Market) {
  const { generation, ingestedAt, generatedAt, requestId, baseUrl, digest, identityDigest, items } = market;
  return {
    generation,
    ingested_at: ingestedAt,
    generated_at: generatedAt,
    request_id: requestId,
    price_as_of: null,
    consistency: "single_price_generation",
    catalog_max_item_id: maxItemIdOf(market),
    items: items.size,
    quotes: Number(database.prepare("SELECT count(*) FROM quotes").pluck().get()),
    digest,
    digest_checked: 1,
    identity_digest: identityDigest,
    base_url: baseUrl,
  };
}
