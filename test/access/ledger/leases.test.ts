import { expect } from "chai";
import type { LedgerReply } from "../../../src/access/ledger/ledger.ts";
import { LedgerTransactions } from "../../../src/access/ledger/transactions.ts";
import { plans } from "../../../src/access/plans.ts";
import { openWriter } from "../../../src/store/database.ts";
import { LedgerStore } from "../../../src/store/write/ledger.ts";
import { dayMs, hourMs } from "../../../src/values/calendar.ts";
import { noon, type Person, World } from "../world.ts";

const leaseMs = 120_000;
const few = {
  ...plans,
  builder: { ...plans.builder, snapshotStartsPerDay: 3, requestsPerMonth: 6 },
  trader: { ...plans.trader, snapshotStartsPerDay: 4 },
};

function code(reply: LedgerReply): string {
  return reply.kind === "refused" ? reply.code : reply.kind;
}

function waitMs(reply: LedgerReply): number {
  if (reply.kind !== "refused" || reply.retryAfterS === null) throw new Error(`${code(reply)} has no wait`);
  return reply.retryAfterS * 1000;
}

describe("an export's lease", () => {
  let world: World;
  let person: Person;
  beforeEach(() => {
    world = new World({ plans: few });
    person = world.person("builder");
  });
  afterEach(() => world.close());

  /** An export of `who` that runs for a second. */
  function exported(who: Person, at: number, how: "finished" | "released" = "finished"): string {
    const leaseId = world.ids.requestId(at);
    expect(code(world.reserve(who, at, leaseId))).to.equal("charged");
    world.end(leaseId, how, at + 1000);
    return leaseId;
  }

  it("an export's lease is reserved together with its unit, for two minutes", () => {
    const reply = world.reserve(person, noon, "req_a");
    expect(reply).to.deep.equal({ kind: "charged", used: 1, limit: 6, expiresAt: noon + leaseMs });
    expect(world.lease("req_a")).to.include({ state: "reserved", slot: 1, expires_at: noon + leaseMs, ended_at: null });
    expect([world.monthUsed(person), world.events(person)]).to.deep.equal([1, 1]);
  });

  it("an export's lease keeps the account's other keys out until its last millisecond, and then lets them in", () => {
    world.reserve(person, noon, "req_a");
    const other = { ...person, keyId: world.keys.create(person.accountId, "second", 7).key.keyId };
    const refusal = world.reserve(other, noon + leaseMs - 1);
    expect(refusal).to.include({ code: "snapshot_busy", retryAfterS: 1 });
    expect(world.events(person)).to.equal(1);
    expect(code(world.reserve(other, noon + leaseMs))).to.equal("charged");
    expect(world.lease("req_a")).to.include({ state: "expired", ended_at: noon + leaseMs });
  });

  it("a refused lease states a wait after which a retry succeeds", () => {
    world.reserve(person, noon);
    const refusal = world.reserve(person, noon + 1500);
    expect(refusal).to.include({ code: "snapshot_busy", retryAfterS: 119 });
    expect(code(world.reserve(person, noon + 1500 + waitMs(refusal)))).to.equal("charged");
  });

  it("a refused lease states the longest of several waits: busy now, and then no start left", () => {
    exported(person, noon);
    exported(person, noon + 10_000);
    world.reserve(person, noon + 20_000);
    const refusal = world.reserve(person, noon + 30_000);
    expect(refusal).to.include({ code: "snapshot_busy", retryAfterS: (dayMs - 30_000) / 1000 });
    expect(code(world.reserve(person, noon + 30_000 + waitMs(refusal)))).to.equal("charged");
  });

  it("a place that is no start is taken when no start of the day is left, and waits for the account's lease alone", () => {
    for (let start = 0; start < 3; start += 1) exported(person, noon + 10_000 * start);
    const paid = { plan: "paid", operation: "streamChanges" } as const;
    const place = (at: number) => world.pay(person, at, { kind: "place", ...paid });
    expect(code(world.reserve(person, noon + 40_000))).to.equal("snapshot_daily_limit");
    expect(place(noon + 40_000)).to.include({ kind: "charged", expiresAt: noon + 40_000 + leaseMs });
    expect(place(noon + 41_000)).to.include({ code: "snapshot_busy", retryAfterS: 119 });
  });

  it("the ledger's clock is at the end of a lease when it was ended last", () => {
    exported(person, noon);
    expect(new LedgerStore(world.database).highWater()).to.equal(noon + 1000);
    expect(world.end("req_unknown", "finished", noon + 5000)).to.deep.equal({ kind: "ended", ended: false });
    expect(new LedgerStore(world.database).highWater()).to.equal(noon + 1000);
  });

  it("an export's lease frees its slot at once when it is finished or released", () => {
    for (const how of ["finished", "released"] as const) {
      const leaseId = exported(person, noon, how);
      expect(world.lease(leaseId)).to.include({ state: how, ended_at: noon + 1000 });
    }
    expect(code(world.reserve(person, noon + 1000))).to.equal("charged");
    expect(world.events(person)).to.equal(3);
  });

  it("an export's lease ends once: the second end changes nothing, and none touches another's lease", () => {
    const first = exported(person, noon, "finished");
    expect(world.end(first, "released", noon + 2000)).to.deep.equal({ kind: "ended", ended: false });
    expect(world.lease(first)).to.include({ state: "finished" });
    world.reserve(person, noon + 3000, "req_b");
    world.end(first, "released", noon + 4000);
    expect(world.lease("req_b")).to.include({ state: "reserved" });
    expect(world.end("req_nobody", "released", noon)).to.deep.equal({ kind: "ended", ended: false });
  });

  it("an export's lease cannot be released any more once it has expired", () => {
    world.reserve(person, noon, "req_a");
    expect(world.end("req_a", "released", noon + leaseMs)).to.include({ ended: false });
    world.reserve(person, noon + leaseMs, "req_b");
    expect(world.lease("req_a")).to.include({ state: "expired" });
    expect(world.lease("req_b")).to.include({ state: "reserved" });
  });

  it("an export's lease can be released in its last millisecond", () => {
    world.reserve(person, noon, "req_a");
    expect(world.end("req_a", "released", noon + leaseMs - 1)).to.include({ ended: true });
  });

  it("an export's lease survives a crash until it expires, and needs nothing to be freed then", () => {
    world.reserve(person, noon, "req_a");
    const writer = openWriter(world.path, 50);
    const restarted = new LedgerTransactions(writer, { plans: few });
    const reserve = (at: number) =>
      restarted.commit([world.charge(person, at, { kind: "reserve", plan: "paid" })])[0] as LedgerReply;
    expect(code(reserve(noon + leaseMs - 1))).to.equal("snapshot_busy");
    expect(code(reserve(noon + leaseMs))).to.equal("charged");
    writer.$client.close();
  });

  it("an export's lease is one of eight: the ninth account waits for the first to expire", () => {
    const people = Array.from({ length: 9 }, () => world.person("trader"));
    people.slice(0, 8).forEach((who, index) => {
      expect(code(world.reserve(who, noon + index * 1000, `req_${index}`))).to.equal("charged");
    });
    const slots = people.slice(0, 8).map((_, index) => world.lease(`req_${index}`)?.slot);
    expect(slots).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8]);
    const ninth = people[8] as Person;
    const refusal = world.reserve(ninth, noon + 8000);
    expect(refusal).to.include({ code: "snapshot_capacity", retryAfterS: 112 });
    expect([world.monthUsed(ninth), world.events(ninth)]).to.deep.equal([0, 0]);
    expect(code(world.reserve(ninth, noon + leaseMs - 1))).to.equal("snapshot_capacity");
    expect(code(world.reserve(ninth, noon + 8000 + waitMs(refusal), "req_9"))).to.equal("charged");
    expect(world.lease("req_9")).to.include({ slot: 1 });
  });

  it("a freed slot goes to the next export, and eight slots leaked by a crash all come back", () => {
    const people = Array.from({ length: 16 }, () => world.person("trader"));
    people.slice(0, 8).forEach((who, index) => void world.reserve(who, noon, `req_${index}`));
    world.end("req_4", "finished", noon + 1);
    world.reserve(people[8] as Person, noon + 1, "req_8");
    expect(world.lease("req_8")).to.include({ slot: 5 });
    const later = noon + 1 + leaseMs;
    for (const who of people.slice(8)) expect(code(world.reserve(who, later))).to.equal("charged");
  });

  it("a refused lease answers busy before capacity, capacity before the day, the day before the month", () => {
    for (let start = 0; start < 3; start += 1) exported(person, noon + start * 2000);
    for (let paid = 0; paid < 3; paid += 1) world.pay(person, noon + 6000);
    const at = noon + 7000;
    expect(code(world.reserve(person, at))).to.equal("snapshot_daily_limit");
    const others = Array.from({ length: 8 }, () => world.person("trader"));
    for (const who of others) world.reserve(who, at);
    expect(code(world.reserve(person, at))).to.equal("snapshot_capacity");
    expect(code(world.reserve(others[0] as Person, at))).to.equal("snapshot_busy");
    expect(code(world.reserve(person, noon + dayMs + 4001))).to.equal("monthly_quota_exceeded");
  });

  it("an export's lease is refused by the month without leaving a lease or a start", () => {
    for (let paid = 0; paid < 6; paid += 1) world.pay(person);
    const refusal = world.reserve(person, noon, "req_a");
    expect(refusal).to.deep.include({ code: "monthly_quota_exceeded", month: { used: 6, limit: 6 } });
    expect(world.lease("req_a")).to.equal(undefined);
    expect(code(world.reserve(person, Date.UTC(2026, 1, 1)))).to.equal("charged");
  });

  it("an export's lease counts starts over rolling 24 hours, to the millisecond", () => {
    for (const after of [0, 2, 4]) exported(person, noon + after * hourMs);
    const at = noon + 5 * hourMs;
    const refusal = world.reserve(person, at);
    expect(refusal).to.include({ code: "snapshot_daily_limit", retryAfterS: 19 * 3600 });
    expect(code(world.reserve(person, noon + dayMs - 1))).to.equal("snapshot_daily_limit");
    expect(code(world.reserve(person, at + waitMs(refusal)))).to.equal("charged");
    expect(code(world.reserve(person, noon + dayMs + leaseMs))).to.equal("snapshot_daily_limit");
  });

  it("an export's lease gives a released start back, but not its unit", () => {
    for (let start = 0; start < 5; start += 1) exported(person, noon + start * 2000, "released");
    expect(world.monthUsed(person)).to.equal(5);
    expect(code(world.reserve(person, noon + 10_000))).to.equal("charged");
  });

  it("an export's lease counts an expired start like a finished one", () => {
    for (let start = 0; start < 3; start += 1) world.reserve(person, noon + start * leaseMs);
    expect(code(world.reserve(person, noon + 3 * leaseMs))).to.equal("snapshot_daily_limit");
  });

  it("an export's lease obeys the plan of the moment: a smaller one waits for more starts to pass", () => {
    const trader = world.person("trader");
    for (let start = 0; start < 4; start += 1) exported(trader, noon + start * hourMs);
    world.accounts.setPlan(trader.accountId, "builder", null);
    const refusal = world.reserve(trader, noon + 4 * hourMs);
    expect(refusal).to.include({ code: "snapshot_daily_limit", retryAfterS: 21 * 3600 });
  });

  it("an export's lease is refused on Free", () => {
    const free = world.person("free");
    expect(code(world.reserve(free, noon, "req_a"))).to.equal("plan_upgrade_required");
    expect([world.events(free), world.lease("req_a")]).to.deep.equal([0, undefined]);
  });

  it("an export's lease is not shortened or doubled by a clock set back", () => {
    world.reserve(person, noon, "req_a");
    const refusal = world.reserve(person, noon - 60_000);
    expect(refusal).to.include({ code: "snapshot_busy", retryAfterS: 180 });
    world.end("req_a", "finished", noon - 60_000);
    expect(world.lease("req_a")).to.include({ state: "finished", ended_at: noon });
    const reply = world.reserve(person, noon - 60_000);
    expect(reply).to.include({ kind: "charged", expiresAt: noon + leaseMs });
  });

  it("an export's lease stays expired after the clock went back, because what was written counts", () => {
    world.reserve(person, noon, "req_a");
    for (let paid = 0; paid < 5; paid += 1) world.pay(person, noon);
    expect(code(world.reserve(person, noon + leaseMs))).to.equal("monthly_quota_exceeded");
    expect(world.lease("req_a")).to.include({ state: "expired" });
    const high = world.database.$client.prepare("SELECT high_water_at FROM ledger_clock").pluck().get();
    expect(high).to.equal(noon + leaseMs);
  });

  for (const [plan, starts] of [
    ["builder", 48],
    ["trader", 144],
    ["quant", 288],
  ] as const) {
    it(`an export's lease may start ${starts} times in 24 hours on plan ${plan}`, () => {
      const real = new World();
      const someone = real.person(plan);
      const starting = (at: number) => {
        const leaseId = real.ids.requestId(at);
        const reply = real.reserve(someone, at, leaseId);
        real.end(leaseId, "finished", at);
        return code(reply);
      };
      for (let start = 0; start < starts; start += 1) expect(starting(noon + start)).to.equal("charged");
      expect(starting(noon + starts)).to.equal("snapshot_daily_limit");
      expect(starting(noon + dayMs)).to.equal("charged");
      real.close();
    });
  }
});
