import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import SqliteDatabase from "better-sqlite3";
import { expect } from "chai";
import { CountingIds } from "../../scripts/support/example-world.ts";
import { Credentials } from "../../src/access/credentials.ts";
import { Keys } from "../../src/access/keys.ts";
import { plans } from "../../src/access/plans.ts";
import { openReader } from "../../src/store/database.ts";
import { createDatabase } from "../../src/store/file/file.ts";
import { Failure } from "../../src/values/failure/failure.ts";
import { runCli, runHere } from "../support/cli.ts";
import { temporaryFolder } from "../support/files.ts";
import { demoFewItemsFile, demoFile } from "../support/kept-files.ts";
import { itLong } from "../support/size.ts";
import { needPosix } from "../support/skip.ts";
import { World } from "../support/world.ts";

describe("itemtape db", function () {
  this.timeout(180_000);
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = temporaryFolder();
    path = join(folder, "itemtape.db");
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const here = (...words: string[]) => runHere([...words, "--db", path]);

  itLong("a backup under load contains every charge confirmed before it began", async () => {
    const builder = { ...plans.builder, requestsPerMinute: 1_000_000, requestsPerMonth: 1_000_000 };
    const world = await World.start({ fewItems: true, instead: { plans: { ...plans, builder } } });
    try {
      const { secret, key } = world.account("builder");
      world.change((database) =>
        new Keys({ database, clock: world.clock, ids: new CountingIds("gone") }).revoke(key.keyId),
      );
      const { answered, stop } = load(world);
      await answered.atLeast(40);
      const before = [...answered.requestIds];
      const copy = join(folder, "copy.db");
      const backup = await runCli(["db", "backup", copy, "--db", world.path]);
      const after = [...answered.requestIds];
      await stop();
      expect(backup, backup.stderr).to.include({ code: 0, stderr: "" });
      expect(backup.stdout).to.match(/copy\.db written and verified, \d+ bytes/);
      expect(after.length, "charges while the backup ran").to.be.above(before.length);
      const restored = await here("db", "restore", copy);
      expect(restored.code).to.equal(0);
      expect(restored.lines.join("\n"))
        .to.include("revoke keys and accounts again if needed")
        .and.include("Passwords changed");
      expect((await here("db", "check")).notes).to.deep.equal([]);
      const charged = new Set(column(path, "SELECT request_id FROM usage_events"));
      expect(before.filter((requestId) => !charged.has(requestId))).to.deep.equal([]);
      const reader = openReader(path);
      expect(() => new Credentials(reader).identify(`Bearer ${secret}`, world.clock.at))
        .to.throw(Failure)
        .with.property("code", "revoked_api_key");
      reader.$client.close();
    } finally {
      await world.stop();
    }
  });

  it("db check exits with 0 or 65 and lists its findings", async () => {
    createDatabase(path, () => {});
    const sound = await here("db", "check");
    expect(sound).to.deep.include({ code: 0, notes: [] });
    expect(sound.lines.every((line) => line.startsWith("ok    "))).to.equal(true);
    change(path, "INSERT INTO usage_months VALUES ('acc', '2026-01', 5)");
    const faulty = await runCli(["db", "check", "--db", path]);
    expect(faulty).to.include({ code: 65, stderr: "" });
    expect(faulty.stdout).to.match(/^FAULT ledger: 1 months .*acc 2026-01 \(5 stated, 0 charged\)$/m);
  });

  it("backup and restore refuse to overwrite, with exit code 73", async () => {
    createDatabase(path, () => {});
    const copy = join(folder, "copy.db");
    expect((await here("db", "backup", copy)).code).to.equal(0);
    for (const words of [
      ["db", "backup", copy],
      ["db", "restore", copy],
    ]) {
      const { code, notes } = await here(...words);
      expect(code, words.join(" ")).to.equal(73);
      expect(notes[0]).to.include("the file exists");
    }
    const forced = await here("db", "restore", copy, "--force");
    expect(forced.lines[0]).to.match(/restored; the file before is .*\.before-/);
    expect((await here("db", "restore", join(folder, "nothing.db"), "--force")).code).to.equal(66);
  });

  it("restore never replaces a folder or pipe, and names it", async function () {
    needPosix(this);
    const copy = join(folder, "copy.db");
    createDatabase(copy, () => {});
    const places = { folder: join(folder, "folder"), file: join(folder, "pipe") };
    mkdirSync(places.folder);
    execFileSync("mkfifo", [places.file]);
    for (const [what, place] of Object.entries(places)) {
      const before = lstatSync(place).ino;
      for (const force of [[], ["--force"]]) {
        const { code, notes } = await runHere(["db", "restore", copy, ...force, "--db", place]);
        expect(code, place).to.equal(82);
        expect(notes.join("\n"))
          .to.match(new RegExp(`^itemtape: ${place}: .*it is (?:a|not a) ${what}`))
          .and.not.include("\n");
      }
      expect(lstatSync(place).ino, place).to.equal(before);
    }
  });

  itLong("a path that cannot become a file is refused in one line", async function () {
    needPosix(this);
    const copy = join(folder, "copy.db");
    createDatabase(copy, () => {});
    const link = join(folder, "link.db");
    symlinkSync(join(folder, "nothing.db"), link);
    writeFileSync(join(folder, "text"), "");
    const long = join(folder, `${"n".repeat(300)}.db`);
    for (const [place, codes] of [
      [link, [73, 73, 73, 73]],
      [join(folder, "text", "x.db"), [74, 74, 74, 74]],
      [long, [74, 74, 74, 74]],
    ] as const) {
      const tries = [
        ["db", "create", "--db", place],
        ["start", "--port", "0", "--db", place],
        ["db", "backup", place, "--db", copy],
        ["db", "restore", copy, "--db", place],
      ];
      for (const [index, words] of tries.entries()) {
        const { code, notes } = await runHere(words);
        const last = notes.at(-1) ?? "";
        expect(code, `${words.join(" ")}: ${last}`).to.equal(codes[index]);
        expect(last)
          .to.match(/^itemtape: /)
          .and.not.include("\n");
      }
    }
    expect(existsSync(join(folder, "nothing.db"))).to.equal(false);
  });

  it("commands that need the file alone exit with 75 beside a server", async () => {
    const world = await World.start({ fewItems: true });
    try {
      const { path: template } = demoFewItemsFile();
      const before = readFileSync(world.path);
      for (const words of [
        ["serve", "--port", "0"],
        ["db", "restore", template, "--force"],
        ["db", "migrate"],
        ["db", "demo", "--reset"],
      ]) {
        const { code, lines, notes } = await runHere([...words, "--db", world.path]);
        expect({ code, lines }, words.join(" ")).to.deep.equal({ code: 75, lines: [] });
        expect(notes[0]).to.include("(a server is running on it); stop that process first");
      }
      expect(readFileSync(world.path).equals(before)).to.equal(true);
      expect((await runHere(["db", "check", "--db", world.path])).code).to.equal(0);
    } finally {
      await world.stop();
    }
  });

  it("db demo --reset refuses a file of real data without a change", async () => {
    createDatabase(path, () => {});
    const before = readFileSync(path);
    const { code, lines, notes } = await here("db", "demo", "--reset");
    expect({ code, lines }).to.deep.equal({ code: 65, lines: [] });
    expect(notes[0]).to.include(`${path}: not the demo world`);
    expect(readFileSync(path).equals(before)).to.equal(true);
  });

  itLong("db demo --reset recreates the demo world with new keys, leaving nothing", async () => {
    copyFileSync(demoFile().path, path);
    const { code, lines, notes } = await here("db", "demo", "--reset");
    expect(code, notes.join()).to.equal(0);
    const text = lines.join("\n");
    expect(text)
      .to.match(/all prices and all providers except Steam are invented/)
      .and.to.match(/Builder {2}\S+_live_/);
    for (const secret of Object.values(demoFile().keys)) expect(text).to.not.include(secret);
    for (const left of [".demo", "-wal", ".demo-wal"]) expect(existsSync(path + left), left).to.equal(false);
    expect((await here("db", "check")).code).to.equal(0);
  });

  it("db migrate updates a file to this release, and does nothing again", async () => {
    createDatabase(path, () => {});
    expect((await here("db", "migrate")).lines).to.deep.equal(["nothing to migrate"]);
    change(path, "PRAGMA user_version = 1");
    expect((await here("db", "check")).code).to.equal(85);
    expect((await here("db", "migrate")).lines[0]).to.match(/migrations applied/);
    expect((await here("db", "check")).code).to.equal(0);
  });

  it("db clock reports a ledger ahead and resets it with --accept only", async () => {
    createDatabase(path, () => {});
    const future = Date.UTC(2100, 0, 1);
    change(path, `UPDATE ledger_clock SET high_water_at = ${future}`);
    expect((await here("db", "clock")).lines.at(-1)).to.include("--accept accepts it");
    expect(column(path, "SELECT high_water_at FROM ledger_clock")).to.deep.equal([future]);
    expect((await here("db", "clock", "--accept")).lines.at(-1)).to.match(/^accepted/);
    expect(column(path, "SELECT high_water_at FROM ledger_clock")[0]).to.be.below(future);
    expect((await here("db", "clock")).lines).to.have.length(2);
  });
});

/** Reads one item again and again on four connections, and remembers each answer that was charged. */
function load(world: World) {
  const requestIds: string[] = [];
  let isDone = false;
  const one = async () => {
    while (!isDone) {
      const response = await fetch(`${world.base}/v1/items/1`, {
        headers: { authorization: `Bearer ${world.keys.builder}` },
      });
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`answered ${response.status}`);
      requestIds.push(response.headers.get("x-request-id") ?? "");
      // Leaves most of the processor to the backup.
      await wait(10);
    }
  };
  const all = Promise.all([one(), one()]);
  const atLeast = async (count: number) => {
    while (requestIds.length < count) await Promise.race([all, wait(10)]);
  };
  return {
    answered: { requestIds, atLeast },
    async stop() {
      isDone = true;
      await all;
    },
  };
}

function change(path: string, sql: string): void {
  const client = new SqliteDatabase(path);
  client.exec(sql);
  client.close();
}

function column(path: string, query: string): unknown[] {
  const client = new SqliteDatabase(path, { readonly: true });
  const values = client.prepare(query).pluck().all();
  client.close();
  return values;
}
