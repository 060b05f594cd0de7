import {
  chmodSync,
  copyFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { expect } from "chai";
import { boundDefaults, examine } from "../../src/cli/doctor/doctor.ts";
import type { Finding } from "../../src/cli/doctor/finding.ts";
import { releasePartPath } from "../../src/releases/assemble.ts";
import { downloadStatePath } from "../../src/releases/fetch.ts";
import { openSource } from "../../src/releases/source.ts";
import { ReleaseState } from "../../src/releases/state.ts";
import { parseTrust, readNewest, trustStatePath } from "../../src/releases/trust.ts";
import { holdLock } from "../../src/store/file/lock.ts";
import { dayMs } from "../../src/values/time/calendar.ts";
import { Signer } from "../releases/signer.ts";
import { smallManifest } from "../releases/small-manifest.ts";
import { runCli, runHere } from "../support/cli.ts";
import { temporaryFolder } from "../support/files.ts";
import { demoFewDaysFile } from "../support/kept-files.ts";
import { hasPostgres, type SharedPostgres, sharedPostgres } from "../support/postgres.ts";
import { needPosix, skipForWant } from "../support/skip.ts";
import { useWorld } from "../support/world.ts";
import {
  alone,
  brokenSetUps,
  makeSetUp,
  mirrorConfig,
  publisher,
  type SetUp,
  someTrust,
  sql,
} from "./broken-setups.ts";

/** An id that owns no file. */
const ordinaryId = 65_534;
const hourMs = 3_600_000;

describe("itemtape doctor", () => {
  let setUp: SetUp;
  beforeEach(() => {
    setUp = makeSetUp();
  });
  afterEach(() => rmSync(setUp.folder, { recursive: true, force: true }));

  it("reports a good setup as ok, and warns of a stopped server", async () => {
    // The guards judge its feeds: they have items enough.
    copyFileSync(demoFewDaysFile().path, setUp.db);
    const findings = await look(setUp);
    expect(findings.map(({ check, status }) => `${check} ${status}`)).to.deep.equal([
      "node ok",
      "sqlite ok",
      "file ok",
      "clock ok",
      "catalog ok",
      "feeds ok",
      "ledger ok",
      "server warning",
      "permissions ok",
      "space ok",
      "backups ok",
      "mirror ok",
    ]);
    expect(textOf(findings, "feeds")).to.equal(
      "3 feeds, the oldest checked 10 min ago, the oldest saved 10 min ago (steam); generation 5 published 10 min ago",
    );
    const source = "@ianlucas/cs2-lib 7.33.1";
    expect(textOf(findings, "catalog")).to.include(
      `its items are of the shipped list of 2026-05-16 (${source}); \`npm `,
    );
    expect(textOf(findings, "ledger")).to.equal(
      "nothing was charged yet; 0 units of 0 accounts agree with their sums of 2026-01",
    );
    expect(textOf(findings, "sqlite")).to.match(/^SQLite 3\.\d+\.\d+ is loaded$/);
  });

  for (const { title, check, status = "failed", says, spoil } of brokenSetUps) {
    it(`${title}: ${check} is \`${status}\` with a fix, and nothing changes`, async function () {
      if (check === "permissions") needPosix(this);
      const spoilt = { ...setUp, ...((await spoil(setUp)) as Partial<SetUp> | undefined) };
      const before = stateOf(setUp.folder);
      const findings = await look(spoilt);
      const found = findings.find((finding) => finding.check === check);
      expect(found?.status).to.equal(status);
      expect(`${found?.found}; ${found?.fix}`).to.match(says);
      const failed = findings.filter((finding) => finding !== found && finding.status === "failed");
      expect(failed).to.deep.equal([]);
      expect(stateOf(setUp.folder)).to.deep.equal(before);
    });
  }

  it("reports a publisher for its own nodes as ok under any terms", async () => {
    sql(setUp.db, "UPDATE providers SET redistribution = 'not_allowed' WHERE provider = 'steam'");
    const own = { ...setUp, ...(await publisher(setUp, {})), releaseOwnNodes: "on" as const };
    expect(textOf(await look(own), "releases")).to.match(/releases is signed until 20/);
  });

  it("counts the backups beside a broken link", async () => {
    symlinkSync(join(setUp.folder, "gone.db"), join(setUp.backups, "two.db"));
    expect(textOf(await look(setUp), "backups")).to.match(/^the newest of 1 is /);
  });

  it("calls nothing in the file ok if it cannot open the file", async () => {
    rmSync(setUp.db);
    const findings = await look(setUp);
    for (const check of ["clock", "catalog", "feeds", "ledger"]) {
      expect(findings.find((finding) => finding.check === check)).to.include({
        status: "warning",
        found: "not checked, because the file cannot be used",
      });
    }
  });

  it("reports a folder without access in each check, not missing files", async function () {
    needPosix(this);
    // Loaded before the rights are given up.
    await import("../../src/cli/doctor/data.ts");
    const isRoot = process.geteuid?.() === 0;
    chmodSync(setUp.folder, 0o711);
    if (isRoot) process.seteuid?.(ordinaryId);
    else chmodSync(setUp.home, 0);
    const findings = await look(setUp).finally(() => {
      if (isRoot) process.seteuid?.(0);
      else chmodSync(setUp.home, 0o700);
    });
    for (const check of ["file", "server", "permissions", "space"]) {
      const found = findings.find((finding) => finding.check === check);
      expect(found, check).to.include({ status: "failed", fix: "run it as the server's user" });
      expect(found?.found, check).to.include("EACCES: permission denied");
    }
  });

  it("exits with 0 for warnings, 87 with --strict and 88 for failures", async () => {
    sql(setUp.db, `UPDATE feeds SET checked_at = ${Date.now()}, saved_at = NULL, changed_at = ${Date.now()}`);
    const words = ["doctor", "--db", setUp.db];
    const named = [...words, "--backups", setUp.backups];
    const warned = await runHere(named);
    expect([warned.code, warned.lines.at(-1)]).to.deep.equal([0, "12 checks: 11 ok, 1 warnings, 0 failed"]);
    expect((await runHere([...named, "--strict"])).code).to.equal(87);
    expect(warned.lines).to.include(
      "warning server      no server is running on the file; start one with `npx itemtape serve`",
    );
    const lock = holdLock(setUp.db, "serve");
    const well = await runHere(words, { env: { ITEMTAPE_BACKUPS: setUp.backups } });
    lock.release();
    expect([well.code, well.lines.at(-1)]).to.deep.equal([0, "12 checks: 12 ok, 0 warnings, 0 failed"]);
    const failed = await runHere([...named, "--backup-hours", "0", "--json"]);
    expect(failed.code).to.equal(88);
    const { checks, ...counts } = JSON.parse(failed.lines.join("\n")) as { checks: Finding[] };
    expect(counts).to.deep.equal({ ok: 10, warning: 1, failed: 1 });
    expect(checks.find(({ check }) => check === "backups")).to.have.keys("check", "status", "found", "fix");
    expect((await runHere([...words, "--feed-hours", "soon"])).code).to.equal(64);
  });
});

describe("itemtape doctor on a node", () => {
  let server: SharedPostgres | undefined;
  let setUp: SetUp;
  before(async function () {
    if (!hasPostgres()) skipForWant(this, "PostgreSQL is not installed");
    this.timeout(60_000);
    server = await sharedPostgres();
    const privateDb = await server.database();
    setUp = { ...makeSetUp(), privateDb };
  });
  after(async () => {
    rmSync(setUp?.folder ?? temporaryFolder(), { recursive: true, force: true });
  });

  it("checks PostgreSQL instead of the file's ledger; missing tables fail", async () => {
    const findings = await look(setUp);
    expect(findings.map(({ check }) => check))
      .to.include("private")
      .and.not.include.members(["clock", "ledger"]);
    expect(textOf(findings, "private")).to.match(/ answers, has the tables of this release and writes durably$/);
    const empty = await look({ ...setUp, privateDb: await server!.database(false) });
    expect(empty.find(({ check }) => check === "private")).to.include({ status: "failed" });
  });

  it("warns a follower of a missing or old release or foreign file", async () => {
    const follower = { ...setUp, follow: setUp.folder, trust: someTrust, backups: "" };
    const followed = async (more: Partial<SetUp> = {}) => {
      const findings = await look({ ...follower, ...more });
      const found = findings.find(({ check }) => check === "follow")!;
      return `${found.status} ${found.found}`;
    };
    expect(await followed({ db: join(setUp.home, "none.db") })).to.equal("warning no release was fetched yet");
    expect(await followed()).to.match(/^failed .* was not fetched from a release/);
    const state = new ReleaseState(downloadStatePath(setUp.db));
    const sealed_at = new Date(setUp.now - 30 * hourMs).toISOString();
    state.set("market", { number: 7, sha256: "0".repeat(64), next: null, generation: "g5", sealed_at });
    expect(await followed()).to.equal("failed release 7 was sealed 30 h ago, more than 24 h");
    expect(await followed({ followStaleHours: 31 })).to.equal("ok release 7 was sealed 30 h ago");
    // The follower ended between recording the next release and installing it.
    const before = { number: 7, generation: "g5", sealed_at };
    const next = "1".repeat(64);
    state.set("market", { number: 8, sha256: next, next, sealed_at: new Date(setUp.now).toISOString(), before });
    writeFileSync(releasePartPath(setUp.db), "");
    expect(await followed()).to.equal("failed release 7 was sealed 30 h ago, more than 24 h");
    const signer = new Signer(join(setUp.folder, "releases"));
    signer.clock.at = Date.now() - 700 * dayMs;
    await signer.init();
    signer.clock.at = Date.now();
    await signer.sign(smallManifest(1));
    const source = openSource(signer.folder, new AbortController().signal);
    await readNewest(source, parseTrust(signer.trust), trustStatePath(setUp.db));
    const inDays = (days: number) => followed({ now: Date.now() + days * dayMs });
    expect(await inDays(0)).to.match(/^warning the root of the releases expires at 20/);
    expect(await inDays(4)).to.match(/^failed the signatures of the releases expired at 20.*: nodes accept no release/);
    expect(await inDays(31)).to.match(/^failed the root of the releases expired at 20.*: nodes accept no release/);
    expect(textOf(await look(follower), "backups")).to.equal("not needed, because releases replace the file");
  });
});

describe("itemtape doctor beside a running server", () => {
  const world = useWorld({ fewItems: true });

  it("sees the server and its latest charges, and disturbs neither", async () => {
    const { secret: key } = world.account("builder");
    await world.client.call("listItems", { key });
    const before = readFileSync(world.path);
    const { code, stdout } = await runCli(["doctor", "--db", world.path, "--feed-hours", "1000000", "--json"]);
    expect(code).to.equal(0);
    const { checks } = JSON.parse(stdout) as { checks: Finding[] };
    expect(textOf(checks, "server")).to.equal("a server is running on the file");
    expect(textOf(checks, "ledger")).to.include(`the last charge was at ${new Date(world.clock.now()).toISOString()}`);
    expect(readFileSync(world.path).equals(before)).to.equal(true);
    expect((await world.client.call("listItems", { key })).status).to.equal(200);
  });

  it("reads the log of a killed server without changing it", async () => {
    const folder = temporaryFolder();
    const db = join(folder, "itemtape.db");
    for (const suffix of ["", "-wal"]) copyFileSync(world.path + suffix, db + suffix);
    const before = stateOf(folder, /-shm$/);
    const findings = await examine({ ...alone, db, mirrorConfig, backups: "" }, boundDefaults, world.clock.now());
    expect(textOf(findings, "ledger")).to.include(new Date(world.clock.now()).toISOString());
    expect(stateOf(folder, /-shm$/)).to.deep.equal(before);
  });
});

function look(setUp: SetUp): Promise<Finding[]> {
  return examine(setUp, setUp.bounds, setUp.now);
}

function textOf(findings: readonly Finding[], check: string): string | undefined {
  return findings.find((finding) => finding.check === check)?.found;
}

/** Name, mode, time and content of every file below `folder`. */
function stateOf(folder: string, except = /$^/): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => !except.test(name));
  return names.sort().map((name) => {
    const stat = statSync(join(folder, name));
    const content = stat.isFile() ? crc32(readFileSync(join(folder, name))) : "";
    return `${name} ${stat.mode} ${stat.isFile() ? stat.mtimeMs : ""} ${content}`;
  });
}
