import { fork } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import SqliteDatabase from "better-sqlite3";
import { expect } from "chai";
import { tableKinds } from "../../db/schema/kinds.ts";
import { closeDatabase, openWriter } from "../../src/store/database.ts";
import { hasExpectedSchema } from "../../src/store/file/file.ts";
import { MarketImage } from "../../src/store/file/market-image.ts";
import { entryFlags } from "../../src/values/root.ts";
import { temporaryFolder } from "../support/files.ts";
import { demoFewItemsFile } from "../support/kept-files.ts";
import { itLong } from "../support/size.ts";
import { marketLoad } from "./market-load.ts";

/** Content of rows that another program deleted without overwriting them. */
const canary = "CANARY-of-a-deleted-row";

describe("market image", function () {
  this.timeout(120_000);
  const folder = temporaryFolder();
  const path = join(folder, "itemtape.db");
  const imagePath = join(folder, "image.db");
  let image: Buffer;

  before(() => {
    copyFileSync(demoFewItemsFile().path, path);
    plantPrivateRows(path);
    image = imageOf(path);
    writeFileSync(imagePath, image);
  });

  it("is a database with the file's schema, without free pages or log", () => {
    withDatabase(imagePath, (client) => {
      expect(client.pragma("integrity_check", { simple: true })).to.equal("ok");
      expect(client.pragma("foreign_key_check")).to.deep.equal([]);
      expect(client.pragma("journal_mode", { simple: true })).to.equal("delete");
      expect(hasExpectedSchema(client)).to.equal(true);
    });
  });

  it("holds all market rows and no count of private rows", () => {
    withDatabase(path, (client) => {
      client.prepare("ATTACH ? AS image").run(imagePath);
      const differences = [...tableKinds.market, "sqlite_sequence"].filter((table) => {
        const [mine, theirs] = ["main", "image"].map((schema) => `SELECT * FROM ${schema}.${table}`);
        const other = `SELECT EXISTS (${mine} EXCEPT ${theirs}) OR EXISTS (${theirs} EXCEPT ${mine})`;
        return client.prepare(other).pluck().get() === 1;
      });
      expect(differences).to.deep.equal([]);
      const counted = client.prepare("SELECT name FROM sqlite_sequence").pluck().all();
      expect(tableKinds.market).to.include.members(counted);
    });
  });

  it("has no row in any private table", () => {
    withDatabase(imagePath, (client) => {
      for (const table of tableKinds.private)
        expect(client.prepare(`SELECT * FROM ${table}`).all(), table).to.deep.equal([]);
    });
  });

  it("contains no private or deleted value in any byte", () => {
    const secrets = privateValues(path);
    const file = readFileSync(path);
    // The values are in the file, so that the search can find them.
    expect(secrets.length).to.be.greaterThan(30);
    expect(secrets.filter((secret) => !file.includes(secret)).map(String)).to.deep.equal([]);
    expect(file.includes(canary)).to.equal(true);
    expect(secrets.filter((secret) => image.includes(secret)).map(String)).to.deep.equal([]);
    expect(image.includes(canary)).to.equal(false);
  });

  it("keeps its bytes when only private rows change", () => {
    const database = openWriter(path, 0);
    database.$client.exec(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
       INSERT INTO usage_events SELECT 'req_more' || i, 'acc', 'key', 'getItem', '2026-01', i FROM n;
       UPDATE accounts SET name = name || ' the second'`,
    );
    database.$client.close();
    expect(imageOf(path).equals(image)).to.equal(true);
  });

  it("equals the image of a copy beside charges, publications and checkpoints", async () => {
    const database = openWriter(path, 0);
    const { $client: client } = database;
    client.pragma("synchronous = OFF");
    client.pragma("wal_autocheckpoint = 0");
    const write = marketLoad(client);
    const met = new Set<string>();
    // The log is empty, longer than its checkpoint, wholly written back, and begun again.
    for (const mode of ["TRUNCATE", "NOOP", "PASSIVE", "RESTART"]) {
      const [before] = client.pragma(`wal_checkpoint(${mode})`) as { log: number; checkpointed: number }[];
      met.add(before!.log === 0 ? "empty" : before!.log === before!.checkpointed ? "written" : "longer");
      const taken = MarketImage.open(path);
      const expected = imageOfCopy(path, folder);
      let steps = 0;
      const bytes = bytesOf(taken, () => {
        steps += 1;
        if (steps % 7 === 0) write(steps);
        if (steps % 14 === 0) client.pragma("wal_checkpoint(PASSIVE)");
      });
      taken.close();
      expect(bytes.equals(await expected), mode).to.equal(true);
      for (let step = 0; step < 5; step += 1) write(step);
    }
    closeDatabase(database);
    expect([...met].sort()).to.deep.equal(["empty", "longer", "written"]);
  });

  itLong("equals the image of a copy beside another process", async () => {
    const load = fork(fileURLToPath(new URL("market-load.ts", import.meta.url)), [path], { execArgv: [...entryFlags] });
    await once(load, "message");
    let snapshots = 0;
    try {
      while (snapshots < 40) {
        const taken = MarketImage.open(path);
        const copy = imageOfCopy(path, folder);
        const bytes = bytesOf(taken, () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1));
        const { checkedAt } = taken.facts;
        const other = await copy;
        // Not earlier: it drops the locks of all connections of this process.
        taken.close();
        // A publication between both snapshots.
        if (checkedAtOf(other) !== checkedAt) continue;
        expect(bytes.equals(other)).to.equal(true);
        snapshots += 1;
      }
    } finally {
      load.kill("SIGKILL");
    }
  });

  it("leaves no file if writing it is aborted", async () => {
    const place = join(folder, "aborted.db");
    const aborted = MarketImage.open(path);
    const ended = await aborted.write(place, AbortSignal.abort()).catch((error: Error) => error.name);
    aborted.close();
    expect([ended, existsSync(place)]).to.deep.equal(["AbortError", false]);
  });
});

function imageOf(path: string): Buffer {
  const image = MarketImage.open(path);
  try {
    return bytesOf(image);
  } finally {
    image.close();
  }
}

/** Returns the image of a copy by SQLite of the snapshot that a reader sees now. */
async function imageOfCopy(path: string, folder: string): Promise<Buffer> {
  const reader = new SqliteDatabase(path, { readonly: true });
  reader.exec("BEGIN");
  reader.prepare("SELECT count(*) FROM sqlite_schema").get();
  const copy = join(folder, "copy.db");
  await reader.backup(copy);
  reader.close();
  const image = imageOf(copy);
  rmSync(copy);
  return image;
}

/** Assembles the pages of all chunks. Missing pages are zero. `between` runs after each chunk. */
function bytesOf(image: MarketImage, between = () => {}): Buffer {
  const bytes = Buffer.alloc(image.pages * image.pageBytes);
  for (const numbers of image.chunks()) {
    for (const number of numbers) image.read([number]).copy(bytes, (number - 1) * image.pageBytes);
    between();
  }
  return bytes;
}

function withDatabase(path: string, work: (client: SqliteDatabase.Database) => void): void {
  const client = new SqliteDatabase(path);
  try {
    work(client);
  } finally {
    client.close();
  }
}

/** Rows of every private table that the demo world leaves empty, and rows that other programs deleted without overwriting them. */
function plantPrivateRows(path: string): void {
  const { $client: client } = openWriter(path, 0);
  client.pragma("synchronous = OFF");
  client.pragma("foreign_keys = OFF");
  client.pragma("secure_delete = OFF");
  const kept = client.prepare<[], string>("SELECT sql FROM sqlite_schema WHERE name = 'usage_events_never_vanish'");
  const trigger = kept.pluck().get()!;
  const series = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000)";
  client.exec(
    `${series} INSERT INTO usage_events SELECT 'req_${canary}' || i, 'acc', 'key', 'getItem', '2026-01', i FROM n;
     ${series} INSERT INTO activity (account_id, kind, at, detail) SELECT 'acc', 'key_created', i, '${canary}' || i FROM n;
     ${series} INSERT INTO key_uses SELECT '${canary}' || i, i FROM n;
     DROP TRIGGER usage_events_never_vanish;
     DELETE FROM usage_events WHERE request_id LIKE 'req_${canary}%' AND at % 3 > 0;
     DELETE FROM usage_events WHERE request_id LIKE 'req_${canary}%';
     ${trigger};
     DELETE FROM activity WHERE detail LIKE '${canary}%';
     DELETE FROM key_uses;
     UPDATE providers SET name = '${canary}' || name;
     UPDATE providers SET name = substr(name, 1 + length('${canary}'));
     ${series} INSERT INTO refused_names (feed, name, phase) SELECT (SELECT min(feed) FROM feeds), 'A name ' || i, '' FROM n;
     INSERT INTO openable_drafts VALUES ('a-secret-draft', 3200, '{"secret":"definition"}', 'a-secret-source', 1);
     INSERT INTO usage_events VALUES ('req_0000000000000000000000001', 'acc_of_the_ledger', 'key_of_the_ledger', 'getItem', '2026-01', 1);
     INSERT INTO usage_months VALUES ('acc_of_the_months', '2026-01', 1);
     INSERT INTO key_uses VALUES ('key_of_the_uses', 20000);
     INSERT INTO guard_acceptances (feed, guard, accepted_at, finding) VALUES ('a-secret-feed', 'a-secret-guard', 1, 'a secret finding');
     INSERT INTO owner_sessions VALUES (randomblob(32), 'acc_of_the_session', 1, 2, NULL, 0);
     UPDATE owners SET password_hash = 'scrypt$1$8$1$0123456789abcdef$fedcba9876543210';
     UPDATE portfolios SET notes = 'a private note ' || portfolio_id, external_account_id = 'a private account', integration_ref = 'a private integration';
     UPDATE holdings SET notes = 'a private note ' || holding_id, source = 'steam:730:2:a private account';
     INSERT INTO removed_lots VALUES ('pf_of_the_removed', 'acc_of_the_removed', 'a removed reference', 'hl_of_the_removed', 1, 1, 0, 1, 'a note of the removed', 'an account of the removed', 1, 1);
     INSERT INTO last_imports VALUES ('pf_of_the_import', 'acc_of_the_import', 1, 'a state after the import', 'lots before the import');
     INSERT INTO snapshot_leases VALUES ('req_of_the_lease', 'acc_of_the_lease', 1, 'finished', 1, 2, 2);
     INSERT INTO purchases (account_id, plan, purchased_at, starts_at, ends_at) VALUES ('acc_of_the_purchase', 'quant', 1, 2, 3);
     INSERT INTO row_checksums VALUES ('accounts', 'acc_of_the_checksum', 7)`,
  );
  client.pragma("wal_checkpoint(TRUNCATE)");
  client.close();
}

/** Returns a text or hash from each column of each private table. No market table or schema contains one of them. */
function privateValues(path: string): Buffer[] {
  const client = new SqliteDatabase(path, { readonly: true });
  try {
    const rowsOf = (table: string) => client.prepare(`SELECT * FROM ${table}`).raw(true).all() as unknown[][];
    const known = new Set([...tableKinds.market, "sqlite_schema"].flatMap((table) => textsIn(rowsOf(table).flat())));
    const text = textsIn(rowsOf("sqlite_schema").flat()).join("\n");
    const isOwn = (value: string) => value.length >= 8 && !known.has(value) && !text.includes(value);
    const own = tableKinds.private.flatMap((table) => {
      const rows = rowsOf(table);
      const columns = (rows[0] ?? []).map((_, column) => textsIn(rows.map((row) => row[column])).filter(isOwn));
      const found = columns.flatMap((values) => values.slice(0, 1));
      if (found.length === 0 && table !== "ledger_clock") throw new Error(`${table} has nothing to look for`);
      return found;
    });
    return [...new Set(own)].map((secret) => Buffer.from(secret, "latin1"));
  } finally {
    client.close();
  }
}

/** Returns the last check of a feed that an image records. */
function checkedAtOf(image: Buffer): number | null {
  const client = new SqliteDatabase(image);
  try {
    return client.prepare<[], number | null>("SELECT max(checked_at) FROM feeds").pluck().get() ?? null;
  } finally {
    client.close();
  }
}

function textsIn(values: unknown[]): string[] {
  const found = values.filter((value): value is string | Buffer => typeof value === "string" || Buffer.isBuffer(value));
  return found.map((value) => Buffer.from(value as string).toString("latin1"));
}
