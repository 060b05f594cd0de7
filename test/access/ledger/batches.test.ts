import { expect } from "chai";
import { acceptClock } from "../../../src/access/ledger/clock.ts";
import { GroupCommitLedger } from "../../../src/access/ledger/group-commit.ts";
import { type BatchWriter, CommitFailure } from "../../../src/access/ledger/ledger.ts";
import { LedgerStore } from "../../../src/store/write/ledger.ts";
import { failureOf, inThisThread, noon, type Person, World } from "../world.ts";

const leaseMs = 120_000;
type Report = Parameters<NonNullable<ConstructorParameters<typeof GroupCommitLedger>[1]>>[0];

describe("batches of the ledger", () => {
  let world: World;
  let person: Person;
  beforeEach(() => {
    world = new World();
    person = world.person("trader");
  });
  afterEach(() => world.close());

  it("a report of a batch has its size, what was charged in it and what refused all of it", async () => {
    const reports: Report[] = [];
    const ledger = new GroupCommitLedger(inThisThread(world.transactions), (report) => void reports.push(report));
    const nobody = { ...person, keyId: "key_x" };
    await Promise.allSettled([
      ledger.charge(world.charge(person, noon, { operation: "getItem" })),
      ledger.charge(world.charge(nobody, noon, { operation: "listMarkets" })),
      ledger.endLease("req_x", "finished", noon),
      ledger.charge(world.charge(person, noon, { operation: "listItems" })),
    ]);
    world.failpoints.arm("admit.commit.before", () => {
      throw new CommitFailure("refused", "locked");
    });
    await failureOf(() => ledger.charge(world.charge(person)));
    expect(reports.map(({ duration_ms, ...report }) => ({ ...report, isLong: duration_ms < 0 }))).to.deep.equal([
      { requests: 4, charged: ["getItem", "listItems"], failure: null, isLong: false },
      { requests: 1, charged: [], failure: "refused", isLong: false },
    ]);
  });

  const writerOf = (parts: Partial<BatchWriter>): BatchWriter => ({ ...inThisThread(world.transactions), ...parts });

  it("the ledger stops when its writer is lost, or a probe finds that it cannot write any more", async () => {
    const lost = new GroupCommitLedger(writerOf({ lost: Promise.resolve(new Error("the thread died")) }));
    expect((await lost.fatal).message).to.equal("the thread died");
    const broken = new GroupCommitLedger(
      writerOf({ commit: () => Promise.reject(new CommitFailure("fatal", "torn")) }),
    );
    expect((await failureOf(() => broken.probe())).message).to.equal("torn");
    expect((await broken.fatal).message).to.equal("torn");
    for (const ledger of [lost, broken]) {
      expect((await failureOf(() => ledger.charge(world.charge(person)))).code).to.equal("service_unavailable");
      expect((await failureOf(() => ledger.probe())).message).to.contain("has stopped");
    }
  });

  it("a probe that is refused for now stops nothing", async () => {
    let isBusy = true;
    const inner = inThisThread(world.transactions);
    const commit: BatchWriter["commit"] = (batch) =>
      isBusy ? Promise.reject(new CommitFailure("refused", "locked")) : inner.commit(batch);
    const ledger = new GroupCommitLedger(writerOf({ commit }));
    expect((await failureOf(() => ledger.probe())).message).to.equal("locked");
    isBusy = false;
    await ledger.probe();
    expect((await ledger.charge(world.charge(person))).used).to.equal(1);
  });

  it("a charge that gets the answer to the end of a lease is a fault", async () => {
    const ledger = new GroupCommitLedger(writerOf({ commit: async () => [{ kind: "ended", ended: true }] }));
    expect((await failureOf(() => ledger.charge(world.charge(person)))).message).to.contain("answered another request");
  });

  it("a clock that is taken back leaves a lease of the present to its holder", () => {
    world.reserve(person, noon, "req_a");
    world.pay(person, noon + 3_600_000);
    expect(acceptClock(world.database, noon + 1000)).to.deep.equal({ aheadMs: 3_599_000, leasesEnded: 0 });
    expect(world.lease("req_a")).to.include({ state: "reserved" });
    expect(acceptClock(world.database, noon + 5000)).to.deep.equal({ aheadMs: 0, leasesEnded: 0 });
    expect(new LedgerStore(world.database).highWater()).to.equal(noon + 1000);
  });

  it("a lease that expires in a refused request counts as written at that instant", () => {
    const other = world.person("trader");
    world.reserve(other, noon, "req_a");
    world.setMonthUsed(person, 100_000);
    expect(world.reserve(person, noon + leaseMs)).to.include({ kind: "refused", code: "monthly_quota_exceeded" });
    expect(world.lease("req_a")).to.include({ state: "expired" });
    expect(new LedgerStore(world.database).highWater()).to.equal(noon + leaseMs);
  });
});
