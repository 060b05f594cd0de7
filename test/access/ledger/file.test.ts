import { statSync } from "node:fs";
import { expect } from "chai";
import { acceptClock } from "../../../src/access/ledger/clock.ts";
import { LedgerTransactions } from "../../../src/access/ledger/transactions.ts";
import { openWriter } from "../../../src/store/database.ts";
import { Checkpoints } from "../../../src/store/file/checkpoints.ts";
import { LedgerStore } from "../../../src/store/write/ledger.ts";
import { dayMs, hourMs } from "../../../src/values/time/calendar.ts";
import { failureOf, noon, type Person, World } from "../world.ts";

const leaseMs = 120_000;

// A private database has a clock of its own, one instant a batch, and locks and checksums of PostgreSQL's: all of this is the file's alone.
describe("the ledger of the file", () => {
  let world: World;
  let person: Person;
  beforeEach(() => {
    world = new World();
    person = world.person("builder");
  });
  afterEach(() => world.close());

  it("each charge is in the ledger's checksum, also the second one of a millisecond", () => {
    const sums = [1, 2].map(() => {
      world.pay(person, noon);
      return new LedgerStore(world.database).clock();
    });
    expect(sums.map(({ at }) => at)).to.deep.equal([noon, noon]);
    expect(new Set([0, ...sums.map(({ unitsChecksum }) => unitsChecksum)]).size).to.equal(3);
  });

  it("the log is written back before it has more than its bound allows and a few charges, whether they come one by one or together", () => {
    const bytesMax = 8 * 1024 * 1024;
    const fewBytes = 12 * 16_408;
    world.database.$client.pragma("synchronous = OFF");
    for (const together of [1, 4]) {
      world.database.$client.pragma("wal_checkpoint(TRUNCATE)");
      const checkpoints = new Checkpoints(world.database, bytesMax, world.clock, () => {});
      for (let count = 0; count < 400; count += together) {
        world.transactions.commit(Array.from({ length: together }, () => world.charge(person)));
        checkpoints.afterCommit(together);
      }
      expect(statSync(`${world.path}-wal`).size, `${together} together`).to.be.within(
        bytesMax / 4,
        bytesMax / 2 + fewBytes,
      );
    }
  });

  it("a key's last used day is written once a day", () => {
    const writes = () => world.database.$client.prepare("SELECT total_changes()").pluck().get() as number;
    const costOf = (at: number) => {
      const before = writes();
      world.pay(person, at);
      return writes() - before;
    };
    const first = costOf(noon);
    expect(costOf(noon + 1)).to.equal(first - 1);
    expect(costOf(noon + dayMs / 2 - 1)).to.equal(first - 1);
    expect(costOf(noon + dayMs / 2)).to.equal(first);
  });

  it("one batch is split at the month's boundary", () => {
    const february = Date.UTC(2026, 1, 1);
    const batch = [february - 1, february, february + 1].map((at) => world.charge(person, at));
    world.transactions.commit(batch);
    expect([world.monthUsed(person), world.monthUsed(person, "2026-02")]).to.deep.equal([1, 2]);
  });

  it("a wait is never more than 31 days, whatever the ledger's clock is ahead of the request's", () => {
    world.database.$client.prepare("UPDATE api_keys SET expires_at = ?").run(noon + 365 * dayMs);
    const march = Date.UTC(2026, 2, 1);
    world.pay(person, march);
    world.setMonthUsed(person, 10_000, "2026-03");
    expect(world.pay(person, march - hourMs)).to.include({ retryAfterS: 31 * 86_400 });
  });

  it("the ledger's clock is at the end of a lease when it was ended last", () => {
    world.reserve(person, noon, "req_a");
    world.end("req_a", "finished", noon + 1000);
    expect(new LedgerStore(world.database).highWater()).to.equal(noon + 1000);
    expect(world.end("req_unknown", "finished", noon + 5000)).to.deep.equal({ kind: "ended", ended: false });
    expect(new LedgerStore(world.database).highWater()).to.equal(noon + 1000);
  });

  it("the ledger's clock never goes behind what was written: a later month is not left again", () => {
    world.database.$client.prepare("UPDATE api_keys SET expires_at = ?").run(noon + 90 * dayMs);
    const february = Date.UTC(2026, 1, 1);
    world.pay(person, february);
    expect(world.pay(person, february - 1)).to.include({ kind: "charged", used: 2 });
    expect(world.monthUsed(person)).to.equal(0);
  });

  it("a clock set back by exactly an hour still charges, by a millisecond more does not", () => {
    world.pay(person, noon);
    expect(world.pay(person, noon - hourMs)).to.include({ kind: "charged" });
    const refusal = world.pay(person, noon - hourMs - 1);
    expect(refusal).to.deep.equal({ kind: "refused", code: "service_unavailable", retryAfterS: 60, month: null });
    expect(world.reserve(person, noon - hourMs - 1)).to.include({ code: "service_unavailable" });
    expect(world.events(person)).to.equal(2);
  });

  it("the ledger's clock survives a restart", () => {
    world.pay(person, noon);
    const writer = openWriter(world.path, 50);
    const restarted = new LedgerTransactions(writer);
    const [reply] = restarted.commit([world.charge(person, noon - hourMs - 1)]);
    expect(reply).to.include({ code: "service_unavailable" });
    writer.$client.close();
  });

  it("the ledger's clock does not rise by what was refused", () => {
    world.pay(person, noon);
    world.pay(person, noon + 40 * dayMs);
    expect(world.pay(person, noon)).to.include({ kind: "charged", used: 2 });
  });

  it("a ledger's clock that ran ahead can be taken back by an operator, with the leases of that future", () => {
    world.database.$client.prepare("UPDATE api_keys SET expires_at = ?").run(noon + 90 * dayMs);
    world.reserve(person, noon + 40 * dayMs, "req_a");
    expect(world.pay(person, noon)).to.include({ code: "service_unavailable" });
    expect(acceptClock(world.database, noon)).to.deep.equal({ aheadMs: 40 * dayMs, leasesEnded: 1 });
    expect(world.pay(person, noon)).to.include({ kind: "charged", used: 1 });
    expect(world.reserve(person, noon)).to.include({ kind: "charged", used: 2 });
    expect(acceptClock(world.database, noon + 1)).to.deep.equal({ aheadMs: 0, leasesEnded: 0 });
    expect(world.reserve(person, noon + 1)).to.include({ code: "snapshot_busy" });
  });

  it("a key expires by the later of the two clocks", () => {
    const other = world.person("builder");
    const expiresAt = noon + 30 * dayMs;
    world.database.$client
      .prepare("UPDATE api_keys SET expires_at = ? WHERE key_id = ?")
      .run(expiresAt + 1, other.keyId);
    world.pay(other, expiresAt);
    expect(world.pay(person, expiresAt - 1)).to.include({ code: "expired_api_key" });
  });
  it("an export's lease lasts from the ledger's clock, whatever that of the request is", () => {
    world.reserve(person, noon, "req_a");
    world.end("req_a", "finished", noon - 60_000);
    expect(world.lease("req_a")).to.include({ state: "finished", ended_at: noon });
    expect(world.reserve(person, noon - 60_000)).to.include({ kind: "charged", expiresAt: noon + leaseMs });
  });

  it("an export's lease stays expired after the clock went back, because what was written counts", () => {
    world.reserve(person, noon, "req_a");
    world.setMonthUsed(person, 10_000);
    expect(world.reserve(person, noon + leaseMs)).to.include({ code: "monthly_quota_exceeded" });
    expect(world.lease("req_a")).to.include({ state: "expired" });
    const high = world.database.$client.prepare("SELECT high_water_at FROM ledger_clock").pluck().get();
    expect(high).to.equal(noon + leaseMs);
  });

  it("the ledger's transaction leaves neither lease nor unit when it fails before its commit", async () => {
    world.failpoints.arm("admit.commit.before", () => {
      throw new Error("armed");
    });
    expect((await failureOf(() => world.reserve(person, noon, "req_a"))).message).to.equal("armed");
    expect([world.monthUsed(person), world.events(person), world.lease("req_a")]).to.deep.equal([0, 0, undefined]);
  });

  it("the ledger's transaction has charged when it fails after its commit", async () => {
    world.failpoints.arm("admit.commit.after", () => {
      throw new Error("armed");
    });
    await failureOf(() => world.pay(person));
    expect([world.monthUsed(person), world.events(person)]).to.deep.equal([1, 1]);
  });

  it("the ledger's transaction is refused by another writer's lock, and writes nothing", async () => {
    const other = openWriter(world.path, 0);
    other.$client.exec("BEGIN IMMEDIATE");
    expect((await failureOf(() => world.pay(person))).code).to.equal("SQLITE_BUSY");
    other.$client.exec("COMMIT");
    other.$client.close();
    expect(world.pay(person)).to.include({ used: 1 });
  });

  it("the ledger's transaction is refused by a full disk as a whole, and succeeds when there is room", async () => {
    const { $client: client } = world.database;
    const pages = client.pragma("page_count", { simple: true }) as number;
    client.pragma(`max_page_count = ${pages}`);
    let failure: (Error & { code: string }) | null = null;
    let paid = 0;
    while (failure === null && paid < 5000) {
      const batch = Array.from({ length: 20 }, () => world.charge(person));
      try {
        paid += world.transactions.commit(batch).length;
      } catch (error) {
        failure = error as Error & { code: string };
      }
    }
    expect(failure?.code).to.equal("SQLITE_FULL");
    expect([world.monthUsed(person), world.events(person)]).to.deep.equal([paid, paid]);
    client.pragma(`max_page_count = ${pages + 1000}`);
    expect(world.pay(person)).to.include({ used: paid + 1 });
    expect(client.pragma("integrity_check", { simple: true })).to.equal("ok");
  });

  it("the ledger's transaction is durable however often the file is opened", () => {
    for (let opened = 0; opened < 3; opened += 1) {
      const writer = openWriter(world.path, 50);
      expect(writer.$client.pragma("synchronous", { simple: true })).to.equal(2);
      expect(writer.$client.pragma("journal_mode", { simple: true })).to.equal("wal");
      writer.$client.close();
    }
  });
});
