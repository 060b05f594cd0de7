import { expect } from "chai";
import { acceptClock } from "../../src/access/ledger/clock.ts";
import { UsageReader } from "../../src/access/usage.ts";
import { dayMs, hourMs, minuteMs } from "../../src/values/time/calendar.ts";
import { onEachStore } from "./stores.ts";
import { noon, type Person, World } from "./world.ts";

onEachStore("account usage", (world) => {
  let person: Person;
  beforeEach(async () => {
    person = await world.person("builder");
  });

  async function exported(at: number, how: "finished" | "released" = "finished"): Promise<void> {
    const leaseId = world.ids.requestId(at);
    await world.reserve(person, at, leaseId);
    await world.end(leaseId, how, at);
  }

  it("starts with the whole allowance", async () => {
    expect(await world.usage(person)).to.deep.equal({
      plan: "builder",
      planEndsAt: null,
      monthStartsAt: Date.UTC(2026, 0, 1),
      monthEndsAt: Date.UTC(2026, 1, 1),
      monthlyLimit: 10_000,
      monthlyUsed: 0,
      monthlyRemaining: 10_000,
      minuteLimit: 60,
      snapshotStartsUsed: 0,
      snapshotStartsLimit: 48,
      snapshotNextStartAt: null,
    });
  });

  it("counts units and starts, including a running export", async () => {
    await world.pay(person);
    await exported(noon, "released");
    await exported(noon);
    await world.reserve(person, noon + 1);
    const used = { monthlyUsed: 4, monthlyRemaining: 9_996, snapshotStartsUsed: 2 };
    expect(await world.usage(person, noon + 1)).to.include(used);
  });

  it("shows the operator the callers' figures, without a day's export as start", async () => {
    await exported(noon);
    await world.reserve(person, noon + 1, "req_day", { kind: "place", operation: "streamHistoryDay" });
    world.clock.at = noon + 2;
    const told = await world.usage(person);
    expect(told).to.include({ monthlyUsed: 2, snapshotStartsUsed: 1 });
    expect((await world.accounts.show(person.accountId)).usage).to.deep.equal(told);
    expect((await (await world.owners()).overview(person.accountId, world.clock.at)).usage).to.deep.equal(told);
  });

  it("states when the next start becomes free, and one is admitted then", async () => {
    await world.setStarts(person, 47, noon);
    await exported(noon + 47);
    const full = { snapshotStartsUsed: 48, snapshotNextStartAt: noon + dayMs };
    expect(await world.usage(person, noon + 100)).to.include(full);
    const free = { snapshotStartsUsed: 47, snapshotNextStartAt: null };
    expect(await world.usage(person, noon + dayMs)).to.include(free);
    expect(await world.reserve(person, noon + dayMs - 1)).to.include({ code: "snapshot_daily_limit" });
    expect(await world.reserve(person, noon + dayMs)).to.include({ kind: "charged" });
  });

  it("has no wait on Free, and never a negative allowance", async () => {
    await exported(noon);
    await world.setMonthUsed(person, 5_000);
    await world.accounts.setPlan(person.accountId, "free", null);
    expect(await world.usage(person)).to.include({
      plan: "free",
      monthlyUsed: 5_000,
      monthlyRemaining: 0,
      snapshotStartsUsed: 1,
      snapshotStartsLimit: 0,
      snapshotNextStartAt: null,
    });
  });

  it("starts a month at zero at its first millisecond", async () => {
    await world.pay(person);
    const february = Date.UTC(2026, 1, 1);
    const before = await world.usage(person, february - 1);
    expect(before).to.include({ monthlyUsed: 1, monthEndsAt: february });
    expect(await world.usage(person, february)).to.include({ monthlyUsed: 0, monthStartsAt: february });
  });
});

// A private database has no clock that a request's could be behind.
describe("account usage and the clock of the file's ledger", () => {
  let world: World;
  let usage: UsageReader;
  beforeEach(() => {
    world = new World();
    usage = new UsageReader(world.reader);
  });
  afterEach(() => world.close());

  const read = (person: Person, at = noon) => usage.read(world.identify(person, at), at);

  function exported(person: Person, at: number): void {
    const leaseId = world.ids.requestId(at);
    world.reserve(person, at, leaseId);
    world.end(leaseId, "finished", at);
  }

  it("counts starts up to the ledger's clock, not of a withdrawn future", () => {
    const person = world.person("builder");
    exported(person, noon);
    expect(read(person, noon - 1000)).to.include({ snapshotStartsUsed: 1 });
    for (let start = 0; start < 47; start += 1) exported(person, noon + hourMs + start);
    acceptClock(world.database, noon + 1);
    expect(read(person, noon + 1)).to.include({ snapshotStartsUsed: 1, snapshotNextStartAt: null });
    expect(world.reserve(person, noon + 1)).to.include({ kind: "charged" });
  });

  it("uses the ledger's month while the clock is behind a month's end", async () => {
    const person = world.person("builder");
    const february = Date.UTC(2026, 1, 1);
    world.pay(person, february - hourMs);
    for (let unit = 0; unit < 3; unit += 1) world.pay(person, february + 20 * minuteMs);
    const behind = february - 10 * minuteMs;
    const admission = await world.ask(person, { scope: null, plan: "free", monthlyUnits: 1, lease: false }, behind);
    expect(admission.allowance.quotaRemaining).to.equal(9_996);
    expect(read(person, behind)).to.include({ monthlyUsed: 4, monthlyRemaining: 9_996, monthStartsAt: february });
    const free = await world.ask(person, { scope: null, plan: "free", monthlyUnits: 0, lease: false }, behind);
    expect(free.allowance.quotaRemaining).to.equal(9_996);
  });

  it("uses the clock's month when the ledger is over an hour ahead", () => {
    const person = world.person("builder");
    const february = Date.UTC(2026, 1, 1);
    world.pay(person, february - dayMs);
    world.pay(person, february + 20 * minuteMs);
    const behind = february - 41 * minuteMs;
    expect(world.pay(person, behind)).to.include({ code: "service_unavailable" });
    expect(read(person, behind)).to.include({ monthlyUsed: 1, monthEndsAt: february });
    acceptClock(world.database, behind);
    expect(world.pay(person, behind)).to.include({ kind: "charged" });
    expect(read(person, behind)).to.include({ monthlyUsed: 2, monthEndsAt: february });
  });
});
