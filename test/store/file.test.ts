import {
  closeSync,
  copyFileSync,
  openSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { expect } from "chai";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { databaseSchema } from "../../generated/database-schema.ts";
import { migrationsFolder, openReader, openWriter } from "../../src/store/database.ts";
import { createDatabase, databasePath, recordCleanStop, refuseUnlessValid } from "../../src/store/file/file.ts";
import { holdLock } from "../../src/store/file/lock.ts";
import { StoreRefusal } from "../../src/store/file/refusal.ts";
import { temporaryFolder } from "../support/files.ts";
import { needPosix } from "../support/skip.ts";
import { change, noteOf, noteSql } from "../support/sql-file.ts";

const migrations = readMigrationFiles({ migrationsFolder });

describe("database file", () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = temporaryFolder();
    path = join(folder, "itemtape.db");
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("uses a SQLite with the log fix and the required build options", () => {
    const client = new SqliteDatabase(":memory:");
    const version = client.prepare("SELECT sqlite_version()").pluck().get() as string;
    const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
    expect(major * 1_000_000 + minor * 1000 + patch, version).to.be.at.least(3_051_003);
    const options = client.pragma("compile_options") as { compile_options: string }[];
    const built = options.map((row) => row.compile_options);
    expect(built).to.include("THREADSAFE=2");
    expect(client.prepare("SELECT concat('a', octet_length('é'), json_array(1))").pluck().get()).to.equal("a2[1]");
    client.close();
  });

  it("is durable and guarded at every opening for writing", () => {
    createDatabase(path, () => {});
    for (let opening = 1; opening <= 3; opening += 1) {
      const { $client: client } = openWriter(path, 50);
      const pragma = (name: string) => client.pragma(name, { simple: true });
      expect(pragma("journal_mode")).to.equal("wal");
      const names = ["synchronous", "foreign_keys", "secure_delete", "trusted_schema", "cell_size_check", "mmap_size"];
      const values = names.map((name) => pragma(name) ?? 0);
      expect(values, `opening ${opening}`).to.deep.equal([2, 1, 1, 0, 1, 0]);
      expect(pragma("busy_timeout")).to.equal(50);
      client.close();
    }
  });

  it("rejects every kind of write by a reader", () => {
    createDatabase(path, () => {});
    const { $client: client } = openReader(path);
    expect(() => client.exec(noteSql("x"))).to.throw("readonly");
    client.pragma("query_only = 0");
    expect(() => client.exec(noteSql("x"))).to.throw("readonly");
    client.close();
  });

  it("has one lock path through any link", function () {
    needPosix(this);
    createDatabase(path, () => {});
    const own = realpathSync(path);
    symlinkSync(path, join(folder, "alias.db"));
    symlinkSync(folder, join(folder, "linked"));
    for (const name of ["itemtape.db", "alias.db", "linked/itemtape.db", "linked/alias.db"])
      expect(databasePath(join(folder, name)), name).to.equal(own);
    const lock = holdLock(databasePath(path), "serve");
    expect(() => holdLock(databasePath(join(folder, "alias.db")), "serve")).to.throw(
      StoreRefusal,
      "a server is running",
    );
    lock.release();
    expect(databasePath(join(folder, "new.db"))).to.equal(join(folder, "new.db"));
  });

  it("is never created by opening it", () => {
    for (const open of [() => openReader(path), () => openWriter(path, 0), () => refuseUnlessValid(path)]) {
      expect(open).to.throw(StoreRefusal, "does not exist");
    }
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  it("is whole, private and without a log when new", () => {
    createDatabase(path, (database) => void database.$client.exec(noteSql("filled")));
    expect(readdirSync(folder)).to.deep.equal(["itemtape.db"]);
    if (process.platform !== "win32") expect(statSync(path).mode & 0o777).to.equal(0o600);
    expect(refuseUnlessValid(path)).to.equal(migrations.length);
    expect(noteOf(path)).to.equal("filled");
  });

  it("names a missing folder in one line when created", () => {
    const nowhere = join(folder, "nowhere", "itemtape.db");
    expect(() => createDatabase(nowhere, () => {})).to.throw(
      StoreRefusal,
      `${nowhere}: the file cannot be written (the folder does not exist: ${join(folder, "nowhere")}; create it first)`,
    );
  });

  it("leaves nothing behind if it cannot be filled", () => {
    const fill = () => {
      throw new Error("no room");
    };
    expect(() => createDatabase(path, fill)).to.throw("no room");
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  it("never replaces or changes an existing file", () => {
    createDatabase(path, () => {});
    const { $client: client } = openWriter(path, 50);
    client.exec(noteSql("first"));
    expect(() => createDatabase(path, () => {})).to.throw("the file exists");
    client.close();
    expect(noteOf(path)).to.equal("first");
    expect(readdirSync(folder)).to.deep.equal(["itemtape.db"]);
  });

  it("ignores the log of a deleted file with its name", () => {
    createDatabase(path, () => {});
    const { $client: client } = openWriter(path, 50);
    client.exec(noteSql("old"));
    copyFileSync(`${path}-wal`, join(folder, "left"));
    client.close();
    rmSync(path);
    copyFileSync(join(folder, "left"), `${path}-wal`);
    createDatabase(path, (database) => void database.$client.exec(noteSql("new")));
    expect(noteOf(path)).to.equal("new");
  });

  it("is checked at start unless unchanged since a clean stop", async () => {
    createDatabase(path, () => {});
    const start = () => refuseUnlessValid(path, { trustsCleanStop: true });
    const damage = () => {
      const file = openSync(path, "r+");
      writeSync(file, Buffer.alloc(8000, 0xff), 0, 8000, 5 * 4096);
      closeSync(file);
    };
    holdLock(path, "serve").release();
    await recordCleanStop(path);
    const { atime, mtimeMs } = statSync(path);
    damage();
    expect(start, "its time has changed").to.throw(StoreRefusal, "damaged");
    // In the middle of its millisecond: seconds are stored as a fraction that is cut off.
    utimesSync(path, atime, (Math.floor(mtimeMs) + 0.5) / 1000);
    expect(start()).to.equal(databaseSchema.version);
    expect(() => refuseUnlessValid(path), "other commands trust nothing").to.throw(StoreRefusal, "damaged");
    writeFileSync(`${path}-wal`, "a log");
    expect(start, "its log was left").to.throw(StoreRefusal, "damaged");
  });

  it("accepts Litestream's two tables, but not a view in their place", () => {
    createDatabase(path, () => {});
    change(
      path,
      `CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER);
       CREATE TABLE _litestream_lock (id INTEGER);
       INSERT INTO _litestream_seq VALUES (1, 5)`,
    );
    expect(refuseUnlessValid(path)).to.equal(migrations.length);
    change(path, "DROP TABLE _litestream_lock; CREATE VIEW _litestream_lock AS SELECT 1");
    expect(() => refuseUnlessValid(path)).to.throw(StoreRefusal, "its tables differ from this release");
  });
});
