import { expect } from "chai";
import { acceptClock } from "../../../src/access/ledger/clock.ts";
import { LedgerTransactions } from "../../../src/access/ledger/transactions.ts";
import { type Plan, plans } from "../../../src/access/plans.ts";
import { openWriter } from "../../../src/store/database.ts";
import { LedgerStore } from "../../../src/store/write/ledger.ts";
import { dayMs, hourMs } from "../../../src/values/calendar.ts";
import { failureOf, noon, type Person, World } from "../world.ts";

const scaled = {
  free: { ...plans.free, requestsPerMonth: 3 },
  builder: { ...plans.builder, requestsPerMonth: 5 },
  trader: { ...plans.trader, requestsPerMonth: 8 },
  quant: plans.quant,
};

describe("the ledger's charge", () => {
  let world: World;
  let person: Person;
  beforeEach(() => {
    world = new World({ plans: scaled });
    person = world.person("builder");
  });
  afterEach(() => world.close());

  function payAll(count: number, at = world.clock.at): void {
    for (let paid = 0; paid < count; paid += 1) expect(world.pay(person, at).kind).to.equal("charged");
  }

  it("a charge is one event and one unit, and returns the units used", () => {
    expect(world.pay(person)).to.deep.equal({ kind: "charged", used: 1, limit: 5, expiresAt: null });
    expect(world.pay(person)).to.include({ used: 2 });
    expect([world.monthUsed(person), world.events(person)]).to.deep.equal([2, 2]);
  });

  it("each charge is in the ledger's checksum, also the second one of a millisecond", () => {
    const sums = [1, 2].map(() => {
      world.pay(person, noon);
      return new LedgerStore(world.database).clock();
    });
    expect(sums.map(({ at }) => at)).to.deep.equal([noon, noon]);
    expect(new Set([0, ...sums.map(({ unitsChecksum }) => unitsChecksum)]).size).to.equal(3);
  });

  it("a key's last used day is that of its latest charge, written once a day and only with the charge", () => {
    const usedDay = () => world.keys.list(person.accountId).find(({ keyId }) => keyId === person.keyId)?.lastUsedDay;
    const writes = () => world.database.$client.prepare("SELECT total_changes()").pluck().get() as number;
    const costOf = (at: number) => {
      const before = writes();
      world.pay(person, at);
      return writes() - before;
    };
    expect(usedDay()).to.equal(null);
    world.failpoints.arm("admit.commit.before", () => {
      throw new Error("the disk is gone");
    });
    expect(() => world.pay(person)).to.throw();
    world.failpoints.disarm("admit.commit.before");
    expect(usedDay()).to.equal(null);
    const first = costOf(noon);
    expect(usedDay()).to.equal(noon / dayMs - 0.5);
    expect(costOf(noon + 1)).to.equal(first - 1);
    world.pay(person, noon + dayMs / 2 - 1);
    expect(usedDay()).to.equal(noon / dayMs - 0.5);
    expect(costOf(noon + dayMs / 2)).to.equal(first);
    expect(usedDay()).to.equal(noon / dayMs + 0.5);
    expect(world.pay(person, noon + dayMs).kind).to.equal("charged");
    expect(world.pay(person, noon + 3 * dayMs).kind).to.equal("refused");
    expect(usedDay()).to.equal(noon / dayMs + 0.5);
  });

  it("charges stop at the quota and write nothing more", () => {
    payAll(5);
    const month = { used: 5, limit: 5 };
    const retryAfterS = (Date.UTC(2026, 1, 1) - noon) / 1000;
    expect(world.pay(person)).to.deep.equal({ kind: "refused", code: "monthly_quota_exceeded", retryAfterS, month });
    expect([world.monthUsed(person), world.events(person)]).to.deep.equal([5, 5]);
  });

  it("a charge is granted in order to as many of a batch as the quota has room for, also across the account's keys", () => {
    payAll(3);
    const other = { ...person, keyId: world.keys.create(person.accountId, "second", 7).key.keyId };
    const bystander = world.person("builder");
    const batch = [person, other, bystander, person, other].map((who) => world.charge(who));
    const replies = world.transactions.commit(batch);
    expect(replies.map((reply) => (reply.kind === "charged" ? reply.used : reply.kind))).to.deep.equal([
      4,
      5,
      1,
      "refused",
      "refused",
    ]);
    expect([world.monthUsed(person), world.events(person)]).to.deep.equal([5, 5]);
  });

  it("charges begin a new month at its first millisecond, leap days included", () => {
    for (const [before, month, next] of [
      [Date.UTC(2026, 1, 1) - 1, "2026-01", "2026-02"],
      [Date.UTC(2027, 0, 1) - 1, "2026-12", "2027-01"],
      [Date.UTC(2028, 1, 29), "2028-02", "2028-02"],
      [Date.UTC(2028, 2, 1) - 1, "2028-02", "2028-03"],
    ] as const) {
      const someone = world.person("trader");
      world.database.$client.prepare("UPDATE api_keys SET expires_at = ?").run(before + dayMs);
      const had = world.monthUsed(someone, month);
      expect(world.pay(someone, before)).to.include({ kind: "charged", used: had + 1 });
      world.pay(someone, before + 1);
      expect(world.monthUsed(someone, month)).to.equal(month === next ? had + 2 : had + 1);
      expect(world.monthUsed(someone, next)).to.equal(month === next ? had + 2 : 1);
    }
  });

  it("one batch is split at the month's boundary", () => {
    const february = Date.UTC(2026, 1, 1);
    const batch = [february - 1, february, february + 1].map((at) => world.charge(person, at));
    world.transactions.commit(batch);
    expect([world.monthUsed(person), world.monthUsed(person, "2026-02")]).to.deep.equal([1, 2]);
  });

  it("a refused charge states a wait that ends with the month, at least one second and never more than 31 days", () => {
    payAll(5);
    expect(world.pay(person, Date.UTC(2026, 1, 1) - 1)).to.include({ retryAfterS: 1 });
    world.database.$client.prepare("UPDATE api_keys SET expires_at = ?").run(noon + 365 * dayMs);
    const march = Date.UTC(2026, 2, 1);
    payAll(5, march);
    expect(world.pay(person, march)).to.include({ retryAfterS: 31 * 86_400 });
    expect(world.pay(person, march - hourMs)).to.include({ retryAfterS: 31 * 86_400 });
  });

  it("the month's units stay through a change of plan, a purchase and an end of plan", () => {
    payAll(5);
    world.accounts.setPlan(person.accountId, "trader", noon + 1000);
    expect(world.pay(person)).to.include({ kind: "charged", used: 6, limit: 8 });
    expect(world.pay(person, noon + 1000)).to.deep.include({ kind: "refused", month: { used: 6, limit: 3 } });
    world.clock.at = noon + 2000;
    world.accounts.purchase(person.accountId, "trader");
    expect(world.pay(person, noon + 2000)).to.include({ kind: "charged", used: 7 });
  });

  it("the month's units never count down: the file itself refuses it", () => {
    payAll(2);
    const { $client: client } = world.database;
    expect(() => client.exec("UPDATE usage_months SET used = used - 1")).to.throw("usage never falls");
    expect(() => client.exec("DELETE FROM usage_months")).to.throw("usage never falls");
    expect(() => client.exec("UPDATE usage_months SET month = '2025-01'")).to.throw("usage never falls");
    expect(() => client.exec("UPDATE usage_events SET at = 0")).to.throw("never changed");
  });

  it("a request id that was charged before is refused, with everything else in its batch", () => {
    const charge = world.charge(person);
    world.transactions.commit([charge]);
    const batch = [world.charge(person), charge];
    expect(() => world.transactions.commit(batch)).to.throw("UNIQUE");
    expect([world.monthUsed(person), world.events(person)]).to.deep.equal([1, 1]);
  });

  it("a batch looks at key, account and plan again, once", () => {
    const look = () => world.pay(person, noon, { plan: "paid" });
    expect(look()).to.include({ kind: "charged" });
    world.accounts.setPlan(person.accountId, "free", null);
    expect(look()).to.include({ code: "plan_upgrade_required", retryAfterS: null });
    world.accounts.disable(person.accountId);
    expect(look()).to.include({ code: "account_disabled" });
    expect(world.pay(person, noon + 30 * dayMs)).to.include({ code: "expired_api_key" });
    world.keys.revoke(person.keyId);
    expect(look()).to.include({ code: "revoked_api_key" });
    expect(world.pay({ ...person, keyId: "key_nobody" })).to.include({ code: "invalid_api_key" });
    expect(world.pay({ ...person, accountId: world.person().accountId })).to.include({ code: "invalid_api_key" });
    expect(world.events(person)).to.equal(1);
  });

  for (const [plan, limit] of [
    ["free", 1_000],
    ["builder", 10_000],
    ["trader", 100_000],
    ["quant", 1_000_000],
  ] as [Plan, number][]) {
    it(`a charge gives plan ${plan} ${limit} units a month, not one more`, () => {
      const real = new World();
      const someone = real.person(plan);
      real.setMonthUsed(someone, limit - 1);
      expect(real.pay(someone)).to.include({ kind: "charged", used: limit, limit });
      expect(real.pay(someone)).to.include({ code: "monthly_quota_exceeded" });
      real.close();
    });
  }
});

describe("the ledger's clock", () => {
  let world: World;
  let person: Person;
  beforeEach(() => {
    world = new World();
    person = world.person("builder");
  });
  afterEach(() => world.close());

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
});

describe("the ledger's transaction", () => {
  let world: World;
  let person: Person;
  beforeEach(() => {
    world = new World();
    person = world.person("builder");
  });
  afterEach(() => world.close());

  for (const name of ["admit.leaseInserted", "admit.charged", "admit.commit.before"] as const) {
    it(`the ledger's transaction leaves neither lease nor unit when it fails at ${name}`, async () => {
      world.failpoints.arm(name, () => {
        throw new Error("armed");
      });
      expect((await failureOf(() => world.reserve(person, noon, "req_a"))).message).to.equal("armed");
      expect([world.monthUsed(person), world.events(person)]).to.deep.equal([0, 0]);
      expect(world.lease("req_a")).to.equal(undefined);
      world.failpoints.disarm(name);
      expect(world.reserve(person, noon, "req_a")).to.include({ kind: "charged", used: 1 });
    });
  }

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
