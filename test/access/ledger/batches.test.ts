import { expect } from "chai";
import { batchRequestsMax, GroupCommitLedger } from "../../../src/access/ledger/group-commit.ts";
import { type BatchWriter, CommitFailure, type LedgerReply } from "../../../src/access/ledger/ledger.ts";
import {
  type DoubtfulWriter,
  type NodesCharge,
  NodesLedger,
  type NodesRequest,
} from "../../../src/access/nodes/ledger.ts";
import { plans } from "../../../src/access/plans.ts";
import { until } from "../../support/until.ts";
import { type AccessStore, engines, useStores } from "../stores.ts";
import { doubtfulOver, failureOf, inThisThread, noon, type Person, World } from "../world.ts";

const leaseMs = 120_000;
type Report = Parameters<NonNullable<ConstructorParameters<typeof NodesLedger>[1]>>[0];

const few = { ...plans, trader: { ...plans.trader, requestsPerMinute: 3 } };

/** Requests of a person with three in a minute, and of one on Free, decided one by one. */
async function expectMinuteToBind(
  decide: (who: "person" | "free", more?: Partial<NodesCharge>) => Promise<LedgerReply>,
): Promise<void> {
  const first = { kind: "charged", used: 1, limit: 100_000, expiresAt: null, remainingInMinute: 2 };
  expect(await decide("person")).to.deep.equal(first);
  expect(await decide("person", { isFree: true })).to.include({ kind: "charged", used: 1, remainingInMinute: 1 });
  const reserved = { expiresAt: noon + leaseMs, used: 2, remainingInMinute: 0 };
  expect(await decide("person", { kind: "reserve", plan: "paid" })).to.include(reserved);
  const refused = { kind: "refused", code: "rate_limited", retryAfterS: 60, month: null };
  for (const more of [{}, { isFree: true }, { kind: "place" }] as const)
    expect(await decide("person", more), JSON.stringify(more)).to.deep.equal(refused);
  expect(await decide("free", { plan: "paid" })).to.include({ code: "plan_upgrade_required" });
}

describe("batches of the ledger on each store", () => {
  const open = useStores();

  it("a minute that is counted with the ledger's rows binds charges and requests without a unit, after the plan", async function () {
    const world = await open(this, "a private database", { plans: few });
    const people = { person: await world.person("trader"), free: await world.person("free") };
    await expectMinuteToBind((who, more) => world.pay(people[who], noon, more));
    expect(await world.sql("SELECT account_id, used FROM minute_uses")).to.deep.equal([
      { account_id: people.person.accountId, used: 3 },
    ]);
    expect([await world.events(people.person), await world.monthUsed(people.person)]).to.deep.equal([2, 2]);
  });

  for (const engine of engines) {
    describe(`batches of the ledger on ${engine}`, () => {
      let world: AccessStore;
      let person: Person;
      beforeEach(async function () {
        world = await open(this, engine, { plans: few });
        person = await world.person("trader");
      });
      afterEach(() => world?.close());

      it("a report of a batch has its size, what was charged in it and what refused all of it", async () => {
        const reports: Report[] = [];
        const ledger = new GroupCommitLedger(world.writer, (report) => void reports.push(report));
        const nobody = { ...person, keyId: "key_x" };
        const beganMs = performance.now();
        await Promise.allSettled([
          ledger.charge(world.charge(person, noon, { operation: "getItem" })),
          ledger.charge(world.charge(nobody, noon, { operation: "listMarkets" })),
          ledger.endLease("req_x", "finished", noon),
          ledger.charge(world.charge(person, noon, { operation: "listItems" })),
        ]);
        world.failpoints.arm("admit.charged", () => {
          throw new CommitFailure("refused", "locked");
        });
        await failureOf(() => ledger.charge(world.charge(person)));
        const tookMs = performance.now() - beganMs;
        const isWithin = (ms: number) => ms >= 0 && ms <= tookMs;
        const told = reports.map(({ duration_ms, ...report }) => ({ ...report, isWithin: isWithin(duration_ms) }));
        expect(told).to.deep.equal([
          { requests: 4, charged: ["getItem", "listItems"], failure: null, isWithin: true },
          { requests: 1, charged: [], failure: "refused", isWithin: true },
        ]);
      });
    });
  }
});

// How requests are gathered is the same above any writer, and the clock that is taken back is the file's.
describe("batches of the ledger", () => {
  let world: World;
  let person: Person;
  beforeEach(() => {
    world = new World();
    person = world.person("trader");
  });
  afterEach(() => world.close());

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

  it("what a batch that was refused in doubt has charged is told when it is known, and the places that it took are given back", async () => {
    const reports: Report[] = [];
    const inner = inThisThread(world.transactions);
    let inDoubt: Parameters<NonNullable<DoubtfulWriter["onSettled"]>> | null = null;
    const writer = doubtfulOver(inner, {
      async commit(batch: readonly NodesRequest[]) {
        const replies = await inner.commit(batch);
        if (inDoubt !== null) return replies;
        inDoubt = [batch, replies];
        throw new CommitFailure("refused", "nobody knows yet");
      },
    });
    const ledger = new NodesLedger(writer, (report) => void reports.push(report));
    // Places are given back at the instant of the system's clock.
    world.clock.at = Date.now();
    const asked = (["charge", "count", "place", "reserve"] as const).map((name) => {
      const kind = name === "count" ? ({ isFree: true } as const) : { kind: name };
      const more = { ...kind, plan: "paid", operation: `${name}It`, requestId: `req_${name}` } as const;
      return ledger.charge(world.charge(world.person("trader"), world.clock.at, more));
    });
    expect((await Promise.allSettled(asked)).map(({ status }) => status)).to.deep.equal(Array(4).fill("rejected"));
    const states = () => ["req_place", "req_reserve"].map((id) => world.lease(id)?.state);
    expect(states()).to.deep.equal(["reserved", "reserved"]);
    const [requests, replies] = inDoubt!;
    writer.onSettled?.(requests, replies);
    await until("the places are given back", () => states().every((state) => state === "released"));
    const told = { requests: 4, duration_ms: 0, failure: null };
    expect(reports[1]).to.deep.equal({ ...told, charged: ["chargeIt", "placeIt", "reserveIt"], settled: "charged" });
    const batches = reports.length;
    writer.onSettled?.(requests, null);
    expect(reports.slice(batches)).to.deep.equal([{ ...told, charged: [], settled: "undone" }]);
    await ledger.close();
    expect(reports, "what was undone has no places to give back").to.have.length(batches + 1);
  });

  it("what waits while a batch is refused for now is committed after it", async () => {
    let failures = 1;
    const inner = inThisThread(world.transactions);
    const commit: BatchWriter["commit"] = (batch) => {
      failures -= 1;
      return failures >= 0 ? Promise.reject(new CommitFailure("refused", "locked")) : inner.commit(batch);
    };
    const ledger = new GroupCommitLedger(writerOf({ commit }));
    const asked = Array.from({ length: batchRequestsMax + 3 }, () => ledger.charge(world.charge(person)));
    const told = (await Promise.allSettled(asked)).map(({ status }) => status);
    expect(told.filter((one) => one === "rejected")).to.have.length(batchRequestsMax);
    expect(world.events(person)).to.equal(3);
  });
});
