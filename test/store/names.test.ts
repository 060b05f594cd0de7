import { execFileSync } from "node:child_process";
import { existsSync, linkSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { openReader, openWriter } from "../../src/store/database.ts";
import { backupDatabase, restoreDatabase } from "../../src/store/file/backup.ts";
import { createDatabase } from "../../src/store/file/file.ts";
import { removeAbandonedFiles } from "../../src/store/file/names.ts";
import { StoreRefusal } from "../../src/store/file/refusal.ts";
import { newDatabase, temporaryFolder } from "../support/files.ts";
import { needPosix } from "../support/skip.ts";

describe("names of a database file", () => {
  let folder: string;
  let path: string;
  /** Of a process that has ended. */
  let gone: string;

  before(() => {
    gone = execFileSync(process.execPath, ["-p", "process.pid"], { encoding: "utf8" }).trim();
  });
  beforeEach(() => {
    folder = temporaryFolder();
    path = join(folder, "a.db");
    newDatabase(path);
  });

  const names = () =>
    readdirSync(folder)
      .filter((name) => !/-(wal|shm)$/.test(name))
      .sort();

  it("must be single, and a refusal reports both", function () {
    needPosix(this);
    const other = join(folder, "b.db");
    linkSync(path, other);
    for (const open of [() => openReader(path), () => openWriter(other, 0)]) {
      expect(open)
        .to.throw(StoreRefusal, "second name")
        .with.property("message")
        .that.contains(path)
        .and.contains(other);
    }
    rmSync(other);
    openReader(path).$client.close();
  });

  it("are removed at opening if a killed command left them", function () {
    needPosix(this);
    for (const kind of ["old", "part", "new"]) {
      linkSync(path, `${path}.itemtape-${kind}-${gone}`);
      openReader(path).$client.close();
      expect(names(), kind).to.deep.equal(["a.db"]);
    }
  });

  it("are accepted if a running command is about to remove them", function () {
    needPosix(this);
    linkSync(path, `${path}.itemtape-part-${process.ppid}`);
    openReader(path).$client.close();
    expect(names()).to.have.length(2);
  });

  it("are removed for drafts of killed commands, not of running ones", async () => {
    const running = `c.db.itemtape-part-${process.ppid}`;
    const litter = () => {
      const drafts = [`a.db.itemtape-new-${gone}`, `c.db.itemtape-part-${gone}`, `.itemtape-part-${gone}-0aZ`, running];
      for (const name of [...drafts, `c.db.itemtape-part-${gone}-journal`]) writeFileSync(join(folder, name), "half");
    };
    litter();
    await backupDatabase(path, join(folder, "backup.db"));
    expect(names()).to.deep.equal(["a.db", "backup.db", running]);
    litter();
    createDatabase(join(folder, "new.db"), () => {});
    expect(names()).to.deep.equal(["a.db", "backup.db", running, "new.db"]);
    litter();
    restoreDatabase(join(folder, "backup.db"), join(folder, "new.db"), true, { keep: false });
    expect(names()).to.deep.equal(["a.db", "backup.db", running, "new.db"]);
  });

  it("include the replaced file and its log after a killed restore", () => {
    const place = join(folder, `gone.db.itemtape-old-${gone}`);
    writeFileSync(place, "the file before");
    writeFileSync(`${place}-wal`, "its log");
    removeAbandonedFiles(path);
    const kept = names().find((name) => name.startsWith("gone.db.before-"));
    expect(kept).to.match(/^gone\.db\.before-\d{8}T\d{9}Z$/);
    expect(existsSync(join(folder, `${kept}-wal`))).to.equal(true);
    expect(existsSync(place)).to.equal(false);
  });

  it("are refused for a file that was renamed while open", function () {
    needPosix(this);
    const held = openWriter(path, 0);
    held.$client.prepare("SELECT count(*) FROM accounts").get();
    const moved = join(folder, "moved.db");
    renameSync(path, moved);
    expect(() => openWriter(moved, 0)).to.throw(StoreRefusal, "under another name or path");
    held.$client.close();
    openWriter(moved, 0).$client.close();
  });
});
