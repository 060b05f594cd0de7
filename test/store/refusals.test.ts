import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { expect } from "chai";
import { createDatabase } from "../../src/store/file/file.ts";
import type { RefusalKind } from "../../src/store/file/refusal.ts";
import { systemClock } from "../../src/values/time/clock.ts";
import { runCli, runHere } from "../support/cli.ts";
import { temporaryFolder } from "../support/files.ts";
import { casesBySize, itLong } from "../support/size.ts";
import { needOrdinaryUser } from "../support/skip.ts";

const pageBytes = 4 * 1024;

/** Kinds of refusals, each with its exit code and a word of its fix. */
const refusals: Partial<Record<RefusalKind, [exitCode: number, fix: string]>> = {
  missing: [66, "itemtape start"],
  empty: [81, "restore a backup"],
  foreign: [82, "--db"],
  corrupt: [83, "db restore"],
  newer: [84, "run that release"],
  older: [85, "itemtape db migrate"],
  readable_by_others: [77, "chmod 600"],
};

/** Ways to spoil a valid file at `path`. */
const spoiled: Record<string, [kind: RefusalKind, spoil: (path: string) => void]> = {
  "a missing file": ["missing", (path) => rmSync(path)],
  "an empty file": ["empty", (path) => truncateSync(path)],
  "a text file": ["foreign", (path) => writeFileSync(path, "name,price\n".repeat(1000))],
  "a folder": [
    "foreign",
    (path) => {
      rmSync(path);
      mkdirSync(path);
    },
  ],
  "a SQLite file of another program": [
    "foreign",
    (path) => {
      rmSync(path);
      change(path, "CREATE TABLE bookmarks (url TEXT)");
      chmodSync(path, 0o600);
    },
  ],
  "a flipped bit in the file's first bytes": ["foreign", flip(5)],
  "a flipped bit in the first page's header": ["corrupt", flip(100)],
  "a flipped bit in a later page's header": ["corrupt", flip(pageBytes * 3)],
  "a file cut short": ["corrupt", (path) => truncateSync(path, pageBytes * 5)],
  "a file with an extra table": ["corrupt", (path) => change(path, "CREATE TABLE extra (x TEXT)")],
  "a file without one of its triggers": ["corrupt", (path) => change(path, "DROP TRIGGER usage_months_never_fall")],
  "a file of a newer release": ["newer", (path) => change(path, "PRAGMA user_version = 9999")],
  "a file of an older release": ["older", (path) => change(path, "PRAGMA user_version = 1")],
  "a file readable by other users": ["readable_by_others", (path) => chmodSync(path, 0o644)],
};

const isRoot = process.getuid?.() === 0;
const ordinaryId = 65534;

describe("refused files", () => {
  const folder = temporaryFolder();
  const good = join(folder, "good.db");
  let count = 0;
  const spoiltFile = (name: keyof typeof spoiled) => {
    const path = join(folder, `spoilt-${++count}.db`);
    copyFileSync(good, path);
    spoiled[name]![1](path);
    return path;
  };

  before(() => createDatabase(good, () => {}));

  for (const [name, [kind]] of Object.entries(spoiled)) {
    const [exitCode, fix] = refusals[kind]!;
    it(`end the server with ${exitCode} and a fix for ${name}`, async () => {
      const path = spoiltFile(name);
      const startedMs = systemClock.monotonicMs();
      const { code, notes, lines } = await runHere(["serve", "--db", path, "--port", "0"]);
      expect(systemClock.monotonicMs() - startedMs, "milliseconds").to.be.below(2000);
      expect({ code, lines }, kind).to.deep.equal({ code: exitCode, lines: [] });
      expect(notes).to.have.length(1);
      expect(notes[0]).to.not.include("\n");
      expect(notes[0]).to.include(path).and.to.include(fix);
    });
  }

  it("have a distinct exit code for each kind", () => {
    const codes = Object.values(refusals).map(([exitCode]) => exitCode);
    expect(new Set(codes).size).to.equal(codes.length);
    expect(new Set(Object.values(spoiled).map(([kind]) => kind)).size).to.equal(codes.length);
  });

  it("have the same message from commands that write", async () => {
    const path = spoiltFile("a flipped bit in a later page's header");
    const served = await runHere(["serve", "--db", path, "--port", "0"]);
    const before = readFileSync(path);
    for (const words of [
      ["accounts", "create", "A"],
      ["db", "check"],
      ["db", "backup", join(folder, "to.db")],
    ]) {
      expect(await runHere([...words, "--db", path]), words.join(" ")).to.deep.equal(served);
    }
    expect(readFileSync(path).equals(before)).to.equal(true);
  });

  it("end the program with one error line and create no file", async () => {
    const missing = join(folder, "nowhere.db");
    const [absent, corrupt] = await Promise.all([
      runCli(["serve", "--db", missing]),
      runCli(["serve", "--db", spoiltFile("a file cut short")]),
    ]);
    expect(absent).to.include({ code: 66, stdout: "" });
    expect(absent.stderr).to.match(/^itemtape: .*nowhere\.db: the file does not exist; .*\n$/);
    expect(corrupt).to.include({ code: 83, stdout: "" });
    expect(corrupt.stderr.split("\n")).to.have.length(2);
    expect(() => readFileSync(missing)).to.throw("ENOENT");
  });

  for (const [what, folderToo] of [
    ["in a writable folder", false],
    ["in a read-only folder", true],
  ] as const) {
    itLong(`end the server with exit code 74 if read-only ${what}`, async function () {
      needOrdinaryUser(this);
      const place = temporaryFolder();
      const path = join(place, "itemtape.db");
      copyFileSync(good, path);
      if (isRoot) for (const name of [path, place]) chownSync(name, ordinaryId, ordinaryId);
      chmodSync(path, 0o400);
      if (folderToo) chmodSync(place, 0o500);
      try {
        const user = isRoot ? { uid: ordinaryId, gid: ordinaryId } : {};
        const { code, stdout, stderr } = await runCli(["serve", "--db", path, "--port", "0"], user);
        expect({ code, stdout }, stderr).to.deep.equal({ code: 74, stdout: "" });
        expect(stderr.trimEnd().split("\n")).to.have.length(1);
        expect(stderr).to.include(path).and.to.include("cannot be written");
      } finally {
        chmodSync(place, 0o700);
        rmSync(place, { recursive: true, force: true });
      }
    });
  }

  itLong("end every command with code 74 if they belong to another user", async function () {
    needOrdinaryUser(this);
    const place = temporaryFolder();
    const path = join(place, "itemtape.db");
    copyFileSync(good, path);
    if (isRoot) chownSync(place, ordinaryId, ordinaryId);
    const user = isRoot ? { uid: ordinaryId, gid: ordinaryId } : {};
    try {
      const list = ["accounts", "list", "--db", path];
      const restore = ["db", "restore", path, "--db", join(place, "other.db")];
      const unreadFile = [0o000, 0o700] as const;
      const closedFolder = [0o600, 0o000] as const;
      const cases = [
        [unreadFile, list],
        [unreadFile, restore],
        [closedFolder, list],
        [closedFolder, restore],
      ] as const;
      for (const [[mode, folderMode], words] of casesBySize(cases, 2)) {
        chmodSync(path, mode);
        chmodSync(place, folderMode);
        const { code, stderr } = await runCli(words, user);
        expect(code, `${words.join(" ")}: ${stderr}`).to.equal(74);
        expect(stderr.trimEnd().split("\n"), stderr).to.have.length(1);
        expect(stderr).to.include("EACCES").and.to.include("the file's owner");
      }
    } finally {
      chmodSync(place, 0o700);
      rmSync(place, { recursive: true, force: true });
    }
  });
});

function change(path: string, sql: string): void {
  const client = new SqliteDatabase(path);
  client.exec(sql);
  client.close();
}

function flip(offset: number): (path: string) => void {
  return (path) => {
    const bytes = readFileSync(path);
    bytes[offset]! ^= 1;
    writeFileSync(path, bytes);
  };
}
