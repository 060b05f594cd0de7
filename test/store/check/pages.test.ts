import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { expect } from "chai";
import { checkDatabaseInChunks } from "../../../src/store/check/check.ts";
import { checkPages } from "../../../src/store/check/pages.ts";
import { closeDatabase, openReader, openWriter, readTransaction } from "../../../src/store/database.ts";
import { temporaryFolder } from "../../support/files.ts";
import { demoFewDaysFile } from "../../support/kept-files.ts";
import { describeLong } from "../../support/size.ts";
import { edit } from "../../support/unguarded.ts";

const pageBytes = 4096;
/** Number of items in the largest tables: enough for several pages each. */
const itemsMax = 300;

describeLong("check of a file's pages in pieces", () => {
  const folder = temporaryFolder();
  const path = join(folder, "market.db");
  const kept = join(folder, "kept.db");
  before(() => {
    copyFileSync(demoFewDaysFile().path, kept);
    removeMostRows(kept);
  });
  beforeEach(() => {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
    copyFileSync(kept, path);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /**
   * Checks in chunks. Tables of more than `pagesMax` pages are read row by row. The write-ahead log is checkpointed between two
   * chunks.
   */
  function check(pagesMax: number): { chunks: number; found: string[] } {
    const [reader, writer] = [openReader(path), openWriter(path, 0)];
    let chunks = 0;
    try {
      const findings = checkPages(
        reader,
        (read) => {
          chunks += 1;
          const result = readTransaction(reader, read);
          writer.$client.prepare("UPDATE market_state SET catalog_version = ?").run(chunks);
          expect(writer.$client.pragma("wal_checkpoint(TRUNCATE)")).to.deep.equal([
            { busy: 0, log: 0, checkpointed: 0 },
          ]);
          return result;
        },
        pagesMax,
      );
      return { chunks, found: findings.map(({ description }) => description) };
    } finally {
      closeDatabase(reader);
      closeDatabase(writer);
    }
  }

  const sqlite = () => check(100_000).found;
  const walk = () => check(0).found;

  function change<T>(work: (client: SqliteDatabase.Database) => T): T {
    const client = new SqliteDatabase(path);
    try {
      client.unsafeMode();
      client.pragma("writable_schema = ON");
      client.pragma("foreign_keys = OFF");
      return work(client);
    } finally {
      client.close();
    }
  }

  /** Changes rows without their index, as a fault of the disk would. */
  function pastIndex(index: string, statement: string): void {
    const kept = change((client) => {
      const row = client.prepare("SELECT * FROM sqlite_schema WHERE name = ?").get(index);
      client.prepare("DELETE FROM sqlite_schema WHERE name = ?").run(index);
      return row;
    });
    change((client) => edit(client, statement));
    change((client) =>
      client.prepare("INSERT INTO sqlite_schema VALUES (@type, @name, @tbl_name, @rootpage, @sql)").run(kept),
    );
  }

  it("walks every table of a sound file, including expression and partial indexes", () => {
    const { chunks, found } = check(0);
    expect(found[0]).to.equal("structure, indexes, constraints and foreign keys hold");
    expect(found[1]).to.match(
      /^of __drizzle_migrations, accounts, .*, usage_months, which is large, each row is found/,
    );
    const tables = found[1]!.split(",").length - 2;
    // The size of each table, its rows, their end and its indexes.
    expect(chunks).to.be.greaterThan(3 * tables);
    expect(check(100_000)).to.deep.equal({ chunks: tables, found: [found[0]] });
  });

  it("walks a table that grew large beside a server, and reports it", () => {
    change((client) =>
      client.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
        INSERT INTO usage_events SELECT 'req_' || i, 'acc', 'key', hex(zeroblob(2000)), '2026-01', i FROM n`),
    );
    const { facts } = checkDatabaseInChunks(path);
    expect(facts.find((line) => line.includes("large"))).to.match(/^pages: of usage_events, which is large, each row/);
  });

  const faults: Record<string, { index: string; statement: string; found: RegExp }> = {
    "a row missing from an index": {
      index: "items_by_name",
      statement: "UPDATE items SET market_hash_name = 'else' WHERE item_id IN (1, 3000)",
      found: /^2 rows of items that are not found by items_by_name$/,
    },
    "an index entry without a row": {
      index: "activity_seal",
      statement: "DELETE FROM activity WHERE rowid = (SELECT max(rowid) FROM activity)",
      found: /^activity_seal has 8 entries, and activity 7 rows for it$/,
    },
    "an entry without a row in a larger index": {
      index: "activity_by_account",
      statement: "DELETE FROM activity WHERE rowid = (SELECT max(rowid) FROM activity)",
      found: /^activity_by_account has 8 entries, and activity 7 rows for it$/,
    },
    "a WITHOUT ROWID row missing from a partial index": {
      index: "feed_days_unsettled",
      statement: "UPDATE feed_days SET settled_at = NULL WHERE settled_at IS NOT NULL",
      found: /^6 rows of feed_days that are not found by feed_days_unsettled$/,
    },
    "a row missing from an expression index": {
      index: "accounts_seal",
      statement: "UPDATE accounts SET name = 'else'",
      found: /^2 rows of accounts that are not found by accounts_seal$/,
    },
    "a row missing from a partial index": {
      index: "api_keys_unrevoked",
      statement: "UPDATE api_keys SET created_at = created_at + 1 WHERE revoked_at IS NULL",
      found: /^4 rows of api_keys that are not found by api_keys_unrevoked$/,
    },
  };
  for (const [what, { index, statement, found }] of Object.entries(faults)) {
    it(`reports ${what}, as SQLite does`, () => {
      pastIndex(index, statement);
      expect(sqlite().join("\n")).to.include(`index ${index}`);
      expect(walk().filter((line) => found.test(line))).to.have.length(1);
    });
  }

  it("reports a partial-index entry without a row in a WITHOUT ROWID table", () => {
    pastIndex("feed_days_unsettled", "UPDATE feed_days SET settled_at = 1 WHERE settled_at IS NULL");
    expect(walk()).to.deep.equal(["feed_days_unsettled has 3 entries, and feed_days 0 rows for it"]);
  });

  it("reports a dangling foreign key, as SQLite does", () => {
    change((client) =>
      client.exec("DELETE FROM accounts WHERE account_id = (SELECT account_id FROM api_keys LIMIT 1)"),
    );
    expect(sqlite()).to.include("a row of api_keys names none of accounts");
    expect(walk().filter((line) => /^\d+ rows of api_keys that name none of accounts$/.test(line))).to.have.length(1);
  });

  /** Returns the file's leaf pages of a table, in the order of its key. */
  function leavesOf(table: string): number[] {
    const leaves = "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path";
    const pages = change((client) => client.prepare<[string], number>(leaves).pluck().all(table));
    return pages.map((page) => (page - 1) * pageBytes);
  }

  it("reports swapped pages of a table, as SQLite does", () => {
    const [one, other] = leavesOf("frame_segments") as [number, number];
    const sound = readFileSync(path);
    const swapped = Buffer.from(sound);
    sound.copy(swapped, one, other, other + pageBytes);
    sound.copy(swapped, other, one, one + pageBytes);
    writeFileSync(path, swapped);
    expect(sqlite().join("\n")).to.match(/frame_segments/);
    expect(walk().join("\n")).to.match(/rows of frame_segments that are not found by their key/);
  });

  it("reports rows out of order after a flipped bit enlarges a key", () => {
    const file = readFileSync(path);
    const key = file.indexOf("feral-predators-capsulesteam_gross", leavesOf("roi_history")[0]);
    file[key]! ^= 0x10;
    expect(file.toString("latin1", key, key + 5)).to.equal("veral");
    writeFileSync(path, file);
    expect(sqlite().join("\n")).to.match(/roi_history/);
    const unordered = "the rows of roi_history are not in the order of their key";
    expect(walk).to.throw(RangeError, unordered);
    expect(checkDatabaseInChunks(path).faults).to.include(`openables: cannot be read (${unordered})`);
  });
});

/** Each test walks over all tables, and needs few rows of any. */
function removeMostRows(path: string): void {
  const client = new SqliteDatabase(path);
  const triggers = client
    .prepare<[], { name: string; sql: string }>("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
    .all();
  for (const { name } of triggers) client.exec(`DROP TRIGGER ${name}`);
  for (const table of ["daily_by_day", "daily_by_item", "frame_segments", "quotes", "quote_urls", "best_asks"])
    client.prepare(`DELETE FROM ${table} WHERE item_id > ?`).run(itemsMax);
  for (const { sql } of triggers) client.exec(sql);
  client.exec("VACUUM");
  client.close();
}
