import { spawn } from "node:child_process";
import { copyFileSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { expect } from "chai";
import { childProgram } from "../../scripts/support/child-program.ts";
import { checkDatabase } from "../../src/store/check/check.ts";
import { addChecksum } from "../../src/store/codec/access-checksum.ts";
import { openReader, openWriter } from "../../src/store/database.ts";
import { backupDatabase, restoreDatabase } from "../../src/store/file/backup.ts";
import { refuseUnlessValid } from "../../src/store/file/file.ts";
import { StoreRefusal } from "../../src/store/file/refusal.ts";
import { MarketStateStore } from "../../src/store/read/market-state.ts";
import { LedgerStore } from "../../src/store/write/ledger.ts";
import { RowChecksums } from "../../src/store/write/row-checksums.ts";
import { OperatorError } from "../../src/values/failure/operator-error.ts";
import { newDatabase, recordChecksums, temporaryFolder } from "../support/files.ts";
import { change, noteOf, noteSql } from "../support/sql-file.ts";

const backupChild = new URL("./backup-child.ts", import.meta.url);

describe("backup and restore", () => {
  let folder: string;
  let path: string;
  let copy: string;
  beforeEach(() => {
    folder = temporaryFolder();
    path = join(folder, "itemtape.db");
    copy = join(folder, "copy.db");
    newDatabase(path);
    change(path, noteSql("first"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  describe("backup", () => {
    it("creates one private file with the database's content, including its log", async () => {
      const writer = openWriter(path, 0);
      writer.$client.exec(noteSql("in the log"));
      const bytes = await backupDatabase(path, copy);
      expect(statSync(copy).size).to.equal(bytes);
      expect(filesOf(folder, "copy.db")).to.deep.equal(["copy.db"]);
      if (process.platform !== "win32") expect(statSync(copy).mode & 0o777).to.equal(0o600);
      refuseUnlessValid(copy);
      expect(noteOf(copy)).to.equal("in the log");
      writer.$client.close();
    });

    it("finishes with one consistent state under constant writes", async () => {
      const database = openWriter(path, 1000);
      const { $client: client } = database;
      const ledger = new LedgerStore(database);
      client.exec(
        "CREATE TEMP TABLE many AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) SELECT i FROM n",
      );
      client.exec("INSERT INTO usage_events SELECT 'req_' || i, 'acc', 'key', 'getItem', '2026-01', i FROM many");
      client.exec(
        "INSERT INTO accounts VALUES ('acc', 'A', 'free', NULL, NULL, 1); INSERT INTO usage_months VALUES ('acc', '2026-01', 20000)",
      );
      new RowChecksums(database).recordAll();
      let charged = 20_000;
      let isDone = false;
      const charge = () => {
        if (isDone) return;
        charged += 1;
        client.transaction(() => {
          const charge = { requestId: `req_${charged}`, accountId: "acc", keyId: "key", operation: "getItem" };
          const checksum = ledger.addEvent(charge, "2026-01", 1);
          ledger.setClock(1, addChecksum(ledger.clock().unitsChecksum, checksum));
          client.exec(`UPDATE usage_months SET used = ${charged}`);
        })();
        setImmediate(charge);
      };
      charge();
      await backupDatabase(path, copy);
      isDone = true;
      client.close();
      const reader = new SqliteDatabase(copy, { readonly: true });
      const counted = reader
        .prepare("SELECT used, (SELECT count(*) FROM usage_events) AS events FROM usage_months")
        .get();
      reader.close();
      expect(counted).to.have.property("used").within(20_001, charged);
      expect((counted as { events: number }).events).to.equal((counted as { used: number }).used);
    });

    it("never overwrites a file, and rejects a missing folder", async () => {
      writeFileSync(copy, "precious");
      const [taken, nowhere] = await Promise.all([
        refusal(backupDatabase(path, copy)),
        refusal(backupDatabase(path, join(folder, "no", "b.db"))),
      ]);
      expect(taken).to.be.instanceOf(OperatorError).with.property("message").that.includes(`${copy}: the file exists`);
      expect(nowhere).to.be.instanceOf(OperatorError).with.property("message").that.includes("name another folder");
      expect(readFileSync(copy, "utf8")).to.equal("precious");
    });

    it("rejects a damaged database and creates no file", async () => {
      change(path, "INSERT INTO usage_months VALUES ('acc', '2026-01', 5)");
      const error = await refusal(backupDatabase(path, copy));
      expect(error)
        .to.be.instanceOf(StoreRefusal)
        .with.property("message")
        .that.matches(/itemtape\.db: .*another sum than their charged units/);
      expect(filesOf(folder, "copy.db")).to.deep.equal([]);
    });

    it("leaves no file under the final name if killed before verification", async () => {
      await Promise.all(
        ["journal_mode = DELETE", "quick_check", "foreign_key_check"].map(async (text, index) => {
          const to = join(folder, `killed-${index}.db`);
          const child = spawn(process.execPath, [...childProgram(backupChild), path, to, text], { stdio: "inherit" });
          expect(await new Promise((resolve) => child.once("exit", (_, signal) => resolve(signal))), text).to.equal(
            "SIGKILL",
          );
          expect(readdirSync(folder)).to.not.include(`killed-${index}.db`);
        }),
      );
    });
  });

  describe("restore", () => {
    beforeEach(async () => {
      await backupDatabase(path, copy);
      change(path, noteSql("second"));
    });

    it("creates a missing file, ignoring a deleted file's log", () => {
      const left = logOf(path, "left behind");
      rmSync(path);
      writeFileSync(`${path}-wal`, left);
      expect(restoreDatabase(copy, path, false)).to.deep.equal({ kept: null, reapplied: [], reopened: [] });
      refuseUnlessValid(path);
      expect(noteOf(path)).to.equal("first");
    });

    it("replaces a file only with force, and keeps the old one", () => {
      expect(() => restoreDatabase(copy, path, false)).to.throw(OperatorError, "--force");
      expect(noteOf(path)).to.equal("second");
      const { kept } = restoreDatabase(copy, path, true);
      expect(kept).to.match(/itemtape\.db\.before-\d{8}T\d{9}Z$/);
      expect([noteOf(path), noteOf(kept!)]).to.deep.equal(["first", "second"]);
      const { kept: again } = restoreDatabase(copy, path, true);
      expect(again).to.not.equal(kept);
      expect(noteOf(kept!)).to.equal("second");
      if (process.platform !== "win32") expect(statSync(path).mode & 0o777).to.equal(0o600);
    });

    it("preserves the old file's log without applying it to the new file", () => {
      const left = logOf(path, "only in the log");
      writeFileSync(`${path}-wal`, left);
      const { kept } = restoreDatabase(copy, path, true);
      expect(noteOf(path)).to.equal("first");
      expect(noteOf(kept!)).to.equal("only in the log");
    });

    it("replaces a damaged file, and keeps it unchanged with its log", () => {
      const broken = Buffer.from("not a database any more".repeat(100));
      writeFileSync(path, broken);
      writeFileSync(`${path}-wal`, "its log");
      const { kept } = restoreDatabase(copy, path, true);
      expect(noteOf(path)).to.equal("first");
      expect(readFileSync(kept!).equals(broken)).to.equal(true);
      expect(readFileSync(`${kept}-wal`, "utf8")).to.equal("its log");
    });

    it("rejects a damaged backup and changes nothing", () => {
      const bytes = readFileSync(copy);
      for (const [what, spoilt] of [
        ["cut short", bytes.subarray(0, bytes.length >> 1)],
        ["no database", Buffer.from("x".repeat(5000))],
      ] as const) {
        const bad = join(folder, "bad.db");
        writeFileSync(bad, spoilt, { mode: 0o600 });
        expect(() => restoreDatabase(bad, path, true), what).to.throw(StoreRefusal, bad);
      }
      change(copy, "INSERT INTO usage_months VALUES ('acc', '2026-01', 5)");
      expect(() => restoreDatabase(copy, path, true)).to.throw(StoreRefusal, `${copy}: the file is damaged`);
      expect(noteOf(path)).to.equal("second");
      expect(filesOf(folder, "itemtape.db")).to.deep.equal(["itemtape.db"]);
    });

    it("ends only owners' sessions and links when requested", () => {
      change(
        copy,
        `INSERT INTO accounts (account_id, name, plan, created_at) VALUES ('acc', 'A', 'free', 1);
         INSERT INTO owners VALUES ('acc', 'a@b.c', NULL, NULL, 1);
         INSERT INTO owner_sessions VALUES (zeroblob(32), 'acc', 1, 9000, NULL, 0), (randomblob(32), 'acc', 2, 9000, 3, 0);
         INSERT INTO owner_invites VALUES (zeroblob(32), 'acc', NULL, 4, 9000, NULL, 0), (randomblob(32), 'acc', NULL, 5, 9000, 6, 0)`,
      );
      recordChecksums(copy);
      const state = () => [
        rowsOf(path, "SELECT signed_in_at, expires_at, ended_at FROM owner_sessions ORDER BY 1"),
        rowsOf(path, "SELECT created_at, expires_at, used_at FROM owner_invites ORDER BY 1"),
      ];
      restoreDatabase(copy, path, true, { signOutAt: 50 });
      expect(state()).to.deep.equal([
        [
          [1, 9000, 50],
          [2, 9000, 3],
        ],
        [
          [4, 4, null],
          [5, 9000, 6],
        ],
      ]);
      refuseUnlessValid(path);
      expect(checkDatabase(path).faults).to.deep.equal([]);
      restoreDatabase(copy, path, true);
      expect(state().map(([first]) => first)).to.deep.equal([
        [1, 9000, null],
        [4, 9000, null],
      ]);
    });

    it("keeps the cursor key, so that earlier cursors still work", () => {
      const before = cursorKeyOf(path);
      restoreDatabase(copy, path, true);
      expect(cursorKeyOf(path)).to.equal(before);
    });

    it("includes the log of a hand-copied backup of an open file", () => {
      const left = logOf(path, "in the log of the copy");
      const byHand = join(folder, "by-hand.db");
      copyFileSync(path, byHand);
      writeFileSync(`${byHand}-wal`, left, { mode: 0o600 });
      restoreDatabase(byHand, join(folder, "new.db"), false);
      expect(noteOf(join(folder, "new.db"))).to.equal("in the log of the copy");
    });
  });
});

/** Sets a note in the write-ahead log only. Returns that log. The file itself does not contain the note. */
function logOf(path: string, note: string): Buffer {
  const main = readFileSync(path);
  const { $client: client } = openWriter(path, 0);
  client.pragma("wal_checkpoint(TRUNCATE)");
  client.exec(noteSql(note));
  const log = readFileSync(`${path}-wal`);
  client.close();
  writeFileSync(path, main);
  return log;
}

function cursorKeyOf(path: string): string {
  const reader = openReader(path);
  const key = new MarketStateStore(reader).cursorKey().toString("hex");
  reader.$client.close();
  return key;
}

function rowsOf(path: string, query: string): unknown[] {
  const client = new SqliteDatabase(path, { readonly: true });
  const rows = client.prepare(query).raw(true).all();
  client.close();
  return rows;
}

function filesOf(folder: string, start: string): string[] {
  return readdirSync(folder).filter((name) => name.startsWith(start));
}

async function refusal(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("it was not refused");
}
