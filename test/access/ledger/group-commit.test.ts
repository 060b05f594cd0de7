import { once } from "node:events";
import { closeSync, existsSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import SqliteDatabase from "better-sqlite3";
import { expect } from "chai";
import { batchRequestsMax, GroupCommitLedger } from "../../../src/access/ledger/group-commit.ts";
import type { BatchWriter, LedgerRequest } from "../../../src/access/ledger/ledger.ts";
import { openWriter } from "../../../src/store/database.ts";
import { newDatabase } from "../../support/files.ts";
import { failureOf, inThisThread, noon, type Person, World } from "../world.ts";

describe("group commit", () => {
  let world: World;
  let person: Person;
  let batches: number[];
  let ledger: GroupCommitLedger;

  beforeEach(() => {
    world = new World();
    person = world.person("trader");
    batches = [];
    const inner = inThisThread(world.transactions);
    const writer: BatchWriter = {
      ...inner,
      commit(batch: readonly LedgerRequest[]) {
        batches.push(batch.length);
        return inner.commit(batch);
      },
    };
    ledger = new GroupCommitLedger(writer);
  });
  afterEach(() => world.close());

  function chargeMany(count: number) {
    return Promise.allSettled(Array.from({ length: count }, () => ledger.charge(world.charge(person))));
  }

  it("commits all charges of one tick together, 256 at most", async () => {
    const results = await chargeMany(2 * batchRequestsMax + 1);
    expect(results.every((result) => result.status === "fulfilled")).to.equal(true);
    expect(batches).to.deep.equal([256, 256, 1]);
    expect([world.monthUsed(person), world.events(person)]).to.deep.equal([513, 513]);
  });

  it("adds a charge that arrives during a commit to the next one", async () => {
    let late: Promise<unknown> | undefined;
    world.failpoints.arm("admit.commit.before", () => {
      late ??= chargeMany(5);
    });
    await chargeMany(3);
    await late;
    expect(batches).to.deep.equal([3, 5]);
  });

  it("refuses all waiting requests with service_unavailable when a commit fails", async () => {
    const other = openWriter(world.path, 0);
    other.$client.exec("BEGIN IMMEDIATE");
    const results = await chargeMany(7);
    other.$client.close();
    for (const result of results) {
      expect(result.status === "rejected" && result.reason).to.deep.include({
        code: "service_unavailable",
        facts: { retryAfterS: 1 },
      });
    }
    expect(batches).to.deep.equal([7]);
    expect(world.events(person)).to.equal(0);
    expect((await ledger.charge(world.charge(person))).used).to.equal(1);
  });

  it("charges again when a full disk has room", async () => {
    const { $client: client } = world.database;
    client.pragma(`max_page_count = ${client.pragma("page_count", { simple: true })}`);
    let answered = 0;
    for (let round = 0; round < 20; round += 1) {
      answered += (await chargeMany(100)).filter((result) => result.status === "fulfilled").length;
    }
    expect(answered).to.be.lessThan(2000);
    expect([world.monthUsed(person), world.events(person)]).to.deep.equal([answered, answered]);
    client.pragma("max_page_count = 100000");
    expect((await ledger.charge(world.charge(person))).used).to.equal(answered + 1);
  });

  for (const code of ["SQLITE_IOERR_FSYNC", "SQLITE_IOERR_WRITE", "SQLITE_CORRUPT", "SQLITE_NOTADB"]) {
    it(`stops for good at ${code} and refuses waiting and later charges`, async () => {
      let attempts = 0;
      world.failpoints.arm("admit.commit.before", () => {
        attempts += 1;
        throw new SqliteDatabase.SqliteError("disk I/O error", code);
      });
      const results = await chargeMany(batchRequestsMax + 5);
      expect(results.map((result) => result.status === "rejected" && result.reason.code)).to.deep.equal(
        Array.from({ length: batchRequestsMax + 5 }, () => "service_unavailable"),
      );
      expect((await ledger.fatal).message).to.contain(code);
      world.failpoints.disarm("admit.commit.before");
      expect((await failureOf(() => ledger.charge(world.charge(person)))).code).to.equal("service_unavailable");
      expect(attempts).to.equal(1);
      expect(world.events(person)).to.equal(0);
    });
  }

  it("tries three times to end a lease, then leaves it to expire", async () => {
    const { expiresAt } = await ledger.charge(
      world.charge(person, noon, { kind: "reserve", plan: "paid", requestId: "req_a" }),
    );
    expect(expiresAt).to.equal(noon + 120_000);
    let failures = 2;
    world.failpoints.arm("lease.release.before", () => {
      failures -= 1;
      if (failures >= 0) throw new SqliteDatabase.SqliteError("locked", "SQLITE_BUSY");
    });
    await ledger.endLease("req_a", "finished", noon + 1);
    expect(world.lease("req_a")).to.include({ state: "finished" });
    expect(batches).to.deep.equal([1, 1, 1, 1]);
    failures = 3;
    expect((await failureOf(() => ledger.endLease("req_a", "finished", noon + 1))).code).to.equal(
      "service_unavailable",
    );
  });

  it("commits waiting charges on close and refuses later ones", async () => {
    const waiting = chargeMany(300);
    await ledger.close();
    expect((await waiting).every((result) => result.status === "fulfilled")).to.equal(true);
    expect((await failureOf(() => ledger.charge(world.charge(person)))).code).to.equal("service_unavailable");
  });
});

describe("ledger thread", () => {
  let world: World;
  let person: Person;
  let ledger: GroupCommitLedger;
  beforeEach(async () => {
    world = new World();
    person = world.person("builder");
    ledger = await GroupCommitLedger.open(world.path);
  });
  afterEach(async () => {
    await ledger.close();
    world.close();
  });

  it("stops for good when it dies, and refuses waiting and later requests", async () => {
    const born = once(process, "worker") as Promise<[Worker]>;
    const doomed = await GroupCommitLedger.open(world.path);
    const [thread] = await born;
    const waiting = failureOf(() => doomed.charge(world.charge(person)));
    await thread.terminate();
    expect((await waiting).code).to.equal("service_unavailable");
    expect((await doomed.fatal).message).to.contain("thread ended");
    expect((await failureOf(() => doomed.charge(world.charge(person)))).code).to.equal("service_unavailable");
    await doomed.close();
  });

  it("leaves no log behind when it is closed", async () => {
    const path = join(world.folder, "alone.db");
    newDatabase(path);
    const alone = await GroupCommitLedger.open(path);
    await failureOf(() => alone.charge(world.charge(person)));
    expect(existsSync(`${path}-wal`)).to.equal(true);
    await alone.close();
    expect(existsSync(`${path}-wal`)).to.equal(false);
  });

  it("does not start on a read-only file", async () => {
    const path = join(world.folder, "read-only.db");
    newDatabase(path);
    const file = openSync(path, "r+");
    // The header's write version: above 2, SQLite reads the file and never writes it.
    writeSync(file, Buffer.of(3), 0, 1, 18);
    closeSync(file);
    expect(await failureOf(() => GroupCommitLedger.open(path))).to.include({ kind: "unwritable" });
  });

  it("does not start on a missing file", async () => {
    expect(await failureOf(() => GroupCommitLedger.open(`${world.path}.absent`))).to.include({ kind: "missing" });
  });
});
