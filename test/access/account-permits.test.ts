import { expect } from "chai";
import { AccountPermits, type NoPermit, type Permit } from "../../src/access/account-permits.ts";
import type { Admission, AdmissionRefusal } from "../../src/access/admission.ts";
import { onEachStore } from "./stores.ts";
import { failureOf, noon, type Person, paidRead } from "./world.ts";

describe("permits for long requests", () => {
  let places: AccountPermits;
  beforeEach(() => {
    places = new AccountPermits();
  });
  const taken = (permit: Permit | NoPermit): Permit => {
    if ("code" in permit) throw new Error(`no place: ${permit.code}`);
    return permit;
  };

  it("gives each account one running stream of changes and four waiting requests", () => {
    taken(places.take("changes", "a", 100));
    expect(places.take("changes", "a", 200)).to.deep.equal({ code: "changes_busy", freeAtMs: 100 });
    for (const untilMs of [70, 50, 60, 80]) taken(places.take("waiting", "a", untilMs));
    expect(places.take("waiting", "a", 200)).to.deep.equal({ code: "waiting_limit", freeAtMs: 50 });
    taken(places.take("changes", "b", 10));
    for (let account = 0; account < 50; account += 1) taken(places.take("waiting", `other${account}`, 5));
  });

  it("admits eight streams of changes and reports when the first ends", () => {
    const held = [500, 300, 400, 900, 600, 700, 800, 1000].map((untilMs, index) =>
      taken(places.take("changes", `a${index}`, untilMs)),
    );
    expect(places.take("changes", "b", 1)).to.deep.equal({ code: "changes_capacity", freeAtMs: 300 });
    expect(places.take("changes", "a3", 1)).to.deep.equal({ code: "changes_busy", freeAtMs: 900 });
    held[1]?.leave();
    taken(places.take("changes", "b", 1100));
    expect(places.take("changes", "c", 1)).to.deep.equal({ code: "changes_capacity", freeAtMs: 400 });
  });

  it("ignores a second release of the same permit", () => {
    const first = taken(places.take("changes", "a", 100));
    first.leave();
    const second = taken(places.take("changes", "a", 200));
    first.leave();
    expect(places.take("changes", "a", 300)).to.deep.equal({ code: "changes_busy", freeAtMs: 200 });
    for (let account = 0; account < 7; account += 1) taken(places.take("changes", `b${account}`, 400));
    expect(places.take("changes", "c", 1)).to.include({ code: "changes_capacity" });
    second.leave();
    taken(places.take("changes", "c", 1));
  });
});

onEachStore("admission with a permit", (world, engine) => {
  let person: Person;
  beforeEach(async () => {
    person = await world.person("trader");
  });

  async function ask(holdMs: number, requestId = world.ids.requestId(noon)): Promise<Admission> {
    const caller = await world.identify(person, noon);
    const asked = { requestId, operation: "streamMarketChanges", rule: paidRead, caller, at: noon };
    return world.admissions.admit({ ...asked, permit: { kind: "changes", holdMs } });
  }

  it("releases the permit of a request when either side ends it", async () => {
    for (const how of ["finish", "release"] as const) {
      const { lease } = await ask(5000, `req_${how}`);
      expect(lease).to.include({ leaseId: `req_${how}`, deadlineMonotonicMs: world.clock.monotonicMs() + 5000 });
      expect(await failureOf(() => ask(5000))).to.include({
        code: "changes_busy",
        message: "the account already has an active stream of changes",
      });
      await lease?.[how]();
    }
    expect(await world.monthUsed(person)).to.equal(2);
  });

  it("charges an attempt but no unit when no permit is free", async () => {
    world.clock.elapsedMs = 60_000;
    const { lease } = await ask(2500);
    const refusal = (await failureOf(() => ask(9000))) as unknown as AdmissionRefusal;
    expect(refusal.code).to.equal("changes_busy");
    // With several nodes a slot is reserved for a second longer than its holder uses it.
    expect(refusal.facts.retryAfterS).to.equal(engine === "the file" ? 3 : 4);
    expect(refusal.allowance).to.deep.equal({
      limitPerMinute: 180,
      remainingInMinute: 178,
      quotaRemaining: 99_999,
    });
    expect(await world.attempts(person)).to.equal(2);
    expect(await world.monthUsed(person)).to.equal(1);
    await lease?.release();
    await (await ask(9000)).lease?.finish();
  });

  it("releases the permit when the charge is refused", async () => {
    await world.setMonthUsed(person, 99_999);
    const { lease } = await ask(5000);
    await lease?.release();
    for (const _ of [1, 2]) expect((await failureOf(() => ask(5000))).code).to.equal("monthly_quota_exceeded");
  });
});
