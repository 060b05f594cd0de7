import { setImmediate as turn } from "node:timers/promises";
import { expect } from "chai";
import { acceptClock } from "../../../src/access/ledger/clock.ts";
import { batchRequestsMax, GroupCommitLedger } from "../../../src/access/ledger/group-commit.ts";
import { type BatchWriter, CommitFailure, type LedgerReply } from "../../../src/access/ledger/ledger.ts";
import { NodesDecisions } from "../../../src/access/nodes/decisions.ts";
import {
  type DoubtfulWriter,
  type NodesCharge,
  NodesLedger,
  type NodesRequest,
} from "../../../src/access/nodes/ledger.ts";
import { plans, serviceSlots } from "../../../src/access/plans.ts";
import { RateLimiter } from "../../../src/access/rate-limiter.ts";
import { writeTransaction } from "../../../src/store/database.ts";
import { LeaseStore } from "../../../src/store/write/leases.ts";
import { LedgerStore } from "../../../src/store/write/ledger.ts";
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

/** The methods of a store, as they can be taken apart. */
function bound<T extends object>(store: T): T {
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(store)).filter((name) => name !== "constructor");
  const methods = store as Record<string, (...words: unknown[]) => unknown>;
  return Object.fromEntries(names.map((name) => [name, methods[name]!.bind(store)])) as T;
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

      it("the store refuses a lease in a slot that the service does not have", async () => {
        const { accountId } = person;
        const lease = (slot: number) =>
          world.sql(
            "INSERT INTO snapshot_leases (lease_id, account_id, slot, state, admitted_at, expires_at) VALUES (?, ?, ?, 'reserved', 1, 2) RETURNING slot",
            "req_slot",
            accountId,
            slot,
          );
        for (const slot of [0, serviceSlots + 1])
          expect(await lease(slot).catch((error: Error) => error.message)).to.contain("snapshot_leases_slot");
        expect(await lease(serviceSlots)).to.deep.equal([{ slot: serviceSlots }]);
      });

      it("what arrives in one turn is decided in its order, and each is answered with what it was", async () => {
        await world.reserve(person, noon, "req_a");
        const asked = [
          world.ledger.charge(world.charge(person, noon, { kind: "reserve", plan: "paid" })),
          world.ledger.endLease("req_a", "finished", noon),
          world.ledger.charge(world.charge(person, noon, { kind: "place", plan: "paid" })),
        ];
        const told = (await Promise.allSettled(asked)).map((one) =>
          one.status === "fulfilled" ? (one.value?.used ?? "ended") : one.reason.code,
        );
        expect(told).to.deep.equal(["snapshot_busy", "ended", 2]);
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

  it("many who wait are with the writer before those of the batch before them are answered, few go with whoever asks again", async () => {
    for (const waiting of [16, 15]) {
      const order: string[] = [];
      const inner = inThisThread(world.transactions);
      const commit: BatchWriter["commit"] = async (batch) => {
        order.push(`${batch.length} are committed`);
        const replies = await inner.commit(batch);
        await turn();
        return replies;
      };
      const ledger = new GroupCommitLedger(writerOf({ commit }));
      const ask = (name: string) => ledger.charge(world.charge(person)).then(() => order.push(name));
      const asked = [ask("answered").then(() => ask("asked again"))];
      await turn();
      asked.push(...Array.from({ length: waiting }, () => ask("had waited")));
      await Promise.all(asked);
      const begun = waiting === 16 ? ["16 are committed", "answered"] : ["answered", "16 are committed"];
      expect(order.slice(0, 3)).to.deep.equal(["1 are committed", ...begun]);
    }
  });

  it("a minute that is counted with the file's rows would bind as one in a private database does", async () => {
    const minutes = new RateLimiter();
    const places = { held: () => [], hold: () => {}, leave: () => false };
    const rows = Object.assign(bound(new LedgerStore(world.database)), bound(new LeaseStore(world.database)));
    const shared = { take: minutes.take.bind(minutes), places, hasSecret: () => true };
    const decisions = new NodesDecisions(Object.assign(rows, shared), { plans: few });
    const people = { person, free: world.person("free") };
    await expectMinuteToBind(
      async (who, more) =>
        writeTransaction(world.database, () => decisions.decide([world.charge(people[who], noon, more)]))[0]!,
    );
    expect(minutes.remaining(people.free.accountId, 10, noon)).to.equal(10);
    expect([world.events(person), world.monthUsed(person)]).to.deep.equal([2, 2]);
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
