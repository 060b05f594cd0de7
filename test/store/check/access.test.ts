import { closeSync, copyFileSync, cpSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { expect } from "chai";
import { drizzle } from "drizzle-orm/better-sqlite3";
import { migrate } from "drizzle-orm/better-sqlite3/migrator";
import { checkDatabase, checkDatabaseInChunks } from "../../../src/store/check/check.ts";
import { migrationsFolder } from "../../../src/store/database.ts";
import { migrateDatabase } from "../../../src/store/file/file.ts";
import { applicationId } from "../../../src/store/file/header.ts";
import { checkedTables } from "../../../src/store/write/row-checksums.ts";
import { noon, World } from "../../access/world.ts";
import { temporaryFolder } from "../../support/files.ts";
import { casesBySize, itLong } from "../../support/size.ts";

/** The tables and the number of rows of each that `fill` writes. */
const tables = { accounts: 3, api_keys: 3, purchases: 1, usage_events: 9, usage_months: 3, snapshot_leases: 3 };

describe("check of access rows", () => {
  let folder: string;
  let path: string;
  let sound: string;

  before(() => {
    folder = temporaryFolder();
    sound = join(folder, "sound.db");
    fill(sound);
  });
  beforeEach(() => {
    path = join(folder, "itemtape.db");
    rmSync(path, { force: true });
    copyFileSync(sound, path);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  function change(sql: string, ...values: unknown[]): number {
    const client = new SqliteDatabase(path);
    client.exec("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON");
    for (const trigger of client
      .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
      .pluck()
      .all()) {
      if (trigger.startsWith("usage_")) client.exec(`DROP TRIGGER ${trigger}`);
    }
    const { changes } = client.prepare(sql).run(...values);
    client.close();
    return changes;
  }

  /** All faults except missing triggers that a test had to drop. */
  const faults = () => checkDatabase(path).faults.filter((fault) => !fault.startsWith("tables:"));

  it("finds no fault in the program's own rows, whole or in pieces", () => {
    expect(checkDatabase(path).faults).to.deep.equal([]);
    const { facts, faults: inPieces } = checkDatabaseInChunks(path);
    expect(inPieces).to.deep.equal([]);
    expect(facts).to.include("access: 10 accounts, keys, purchases and export leases are unchanged");
  });

  itLong("ends although a flipped bit made a key smaller", () => {
    const file = readFileSync(path);
    for (const [table, key] of [
      ["accounts", "account_id"],
      ["api_keys", "key_id"],
      ["usage_events", "request_id"],
      ["row_checksums", "row_key"],
    ] as const) {
      const client = new SqliteDatabase(path, { readonly: true });
      const last = client.prepare<[], string>(`SELECT max(${key}) FROM ${table}`).pluck().get()!;
      client.close();
      let places = 0;
      for (let at = file.indexOf(last); at >= 0; at = file.indexOf(last, at + 1)) {
        places += 1;
        const damaged = Buffer.from(file);
        damaged[at]! &= ~0x20;
        writeFileSync(path, damaged);
        expect(checkDatabase(path).faults, `${last} of ${table} at ${at}`).to.not.deep.equal([]);
        writeFileSync(path, file);
      }
      expect(places, table).to.be.above(1);
    }
  });

  it("reports any change to any column of any row", () => {
    const client = new SqliteDatabase(path);
    const cells = Object.entries(tables).flatMap(([table, count]) => {
      expect(client.prepare(`SELECT count(*) FROM ${table}`).pluck().get(), table).to.equal(count);
      const columns = client.pragma(`table_info(${table})`) as { name: string }[];
      return columns.map(({ name }) => ({ table, name }));
    });
    client.close();
    expect(cells.length).to.be.at.least(40);
    for (const { table, name } of casesBySize(cells, 16)) {
      copyFileSync(sound, path);
      const changed = `CASE typeof(${name}) WHEN 'text' THEN ${name} || 'x' WHEN 'integer' THEN ${name} + 1 WHEN 'null' THEN 7 ELSE randomblob(32) END`;
      const key = table in checkedTables ? checkedTables[table as keyof typeof checkedTables] : "account_id";
      expect(
        change(`UPDATE ${table} SET ${name} = ${changed} WHERE ${key} = (SELECT max(${key}) FROM ${table})`),
        name,
      ).to.be.above(0);
      expect(faults(), `${table}.${name}`).not.to.deep.equal([]);
    }
  });

  for (const [what, sql, description] of [
    [
      "a changed plan",
      "UPDATE accounts SET plan = 'quant' WHERE plan = 'builder'",
      /access: \d rows of accounts that were changed/,
    ],
    ["a removed key", "DELETE FROM api_keys WHERE revoked_at IS NOT NULL", /access: 1 rows of api_keys that are gone/],
    [
      "an added purchase",
      "INSERT INTO purchases SELECT NULL, account_id, plan, purchased_at, starts_at, ends_at FROM purchases",
      /access: 1 rows of purchases that the program did not write/,
    ],
    ["a changed operation", "UPDATE usage_events SET operation = 'listItems'", /ledger: charged units were changed/],
    ["an operation", "UPDATE usage_events SET operation = 'listItems'", /ledger: charged units were changed/],
  ] as const) {
    it(`reports ${what}`, () => {
      change(sql);
      expect(faults().join("\n")).to.match(description);
    });
  }

  it("accepts an older file after its migration adds checksums once", () => {
    rmSync(path);
    makeOldFile(path, join(folder, "migrations"));
    expect(migrateDatabase(path)).to.be.above(0);
    expect(checkDatabase(path).faults).to.deep.equal([]);
    expect(checkDatabase(path).facts).to.include(
      "ledger: 2 charged units agree with the sums of their months, the last at 2026-01-15T12:00:00.000Z",
    );
    const client = new SqliteDatabase(path);
    client.exec("UPDATE accounts SET plan = 'quant'");
    client.close();
    expect(migrateDatabase(path)).to.equal(0);
    expect(checkDatabase(path).faults).to.have.length(1);
  });
});

/** Makes a file with the migrations before the checksums, and rows as that release wrote them. */
function makeOldFile(path: string, migrations: string): void {
  cpSync(migrationsFolder, migrations, { recursive: true });
  const journalPath = join(migrations, "meta", "_journal.json");
  const journal = JSON.parse(readFileSync(journalPath, "utf8")) as { entries: { tag: string }[] };
  const before = journal.entries.findIndex(({ tag }) => tag.endsWith("_access_checksums"));
  journal.entries = journal.entries.slice(0, before);
  writeFileSync(journalPath, JSON.stringify(journal));
  closeSync(openSync(path, "wx", 0o600));
  const client = new SqliteDatabase(path);
  client.pragma("page_size = 4096");
  client.pragma(`application_id = ${applicationId}`);
  migrate(drizzle({ client }), { migrationsFolder: migrations });
  client.pragma(`user_version = ${before}`);
  client.exec(`
    INSERT INTO accounts VALUES ('acc', 'A', 'builder', NULL, NULL, 1);
    INSERT INTO api_keys VALUES ('key', 'acc', 'project', 'k', 'p', 'l', randomblob(32), 'market:read', 1, 2, NULL, NULL);
    INSERT INTO usage_events VALUES ('req_a', 'acc', 'key', 'getItem', '2026-01', ${noon}), ('req_b', 'acc', 'key', 'getItem', '2026-01', ${noon});
    INSERT INTO usage_months VALUES ('acc', '2026-01', 2);
    INSERT INTO snapshot_leases VALUES ('req_b', 'acc', 1, 'finished', ${noon}, ${noon + 120_000}, ${noon + 1});
    UPDATE ledger_clock SET high_water_at = ${noon}`);
  client.close();
}

/** Accounts, keys, a purchase, charges and export leases, all written by the program. */
function fill(path: string): void {
  const world = new World();
  const people = [world.person("builder"), world.person("quant"), world.person("free")];
  world.accounts.purchase(people[2]!.accountId, "trader");
  for (const person of people) {
    world.pay(person);
    world.pay(person);
    const leaseId = world.ids.requestId(world.clock.at);
    world.reserve(person, world.clock.at, leaseId);
    if (person !== people[0]) world.end(leaseId, "finished", world.clock.at + 5);
  }
  world.keys.revoke(people[1]!.keyId);
  world.database.$client.prepare("VACUUM INTO ?").run(path);
  world.close();
}
