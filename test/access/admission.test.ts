import { expect } from "chai";
import type { AccessRule, AdmissionRefusal } from "../../src/access/admission.ts";
import { pagesKeyId } from "../../src/access/credentials.ts";
import { plans } from "../../src/access/plans.ts";
import { dayMs, minuteMs } from "../../src/values/time/calendar.ts";
import { onEachStore } from "./stores.ts";
import { exportRule, failureOf, noon, type Person, paidRead, pointRead, World } from "./world.ts";

const small = {
  ...plans,
  free: { ...plans.free, requestsPerMinute: 2, requestsPerMonth: 4 },
  builder: { ...plans.builder, requestsPerMinute: 3, requestsPerMonth: 5, snapshotStartsPerDay: 2 },
};

onEachStore(
  "admission",
  (world) => {
    let person: Person;
    beforeEach(async () => {
      person = await world.person("builder");
    });

    /** The cost of a request: attempts in the minute, units in the month, starts in the day. */
    async function cost(who: Person, at = noon) {
      const text = "SELECT count(*) AS n FROM snapshot_leases WHERE account_id = ? AND state <> 'released'";
      const starts = (await world.sql(text, who.accountId))[0]!.n;
      return { minute: await world.attempts(who, at), month: await world.monthUsed(who), starts };
    }

    async function refusal(who: Person, rule: AccessRule, at = noon): Promise<AdmissionRefusal> {
      return (await failureOf(() => world.ask(who, rule, at))) as unknown as AdmissionRefusal;
    }

    it("admits a read for one attempt and unit, and returns the allowance", async () => {
      const admission = await world.ask(person, pointRead);
      expect(admission.allowance).to.deep.equal({ limitPerMinute: 3, remainingInMinute: 2, quotaRemaining: 4 });
      expect(admission.lease).to.equal(null);
      expect(admission.at).to.equal(noon);
      expect(await cost(person)).to.deep.equal({ minute: 1, month: 1, starts: 0 });
    });

    it("admits a request once its unit is on disk", async () => {
      const { requestId } = await world.ask(person, pointRead);
      const [row] = await world.sql("SELECT * FROM usage_events WHERE request_id = ?", requestId);
      expect(row).to.deep.include({ account_id: person.accountId, key_id: person.keyId, month: "2026-01", at: noon });
    });

    it("refuses for the plan before it refuses for a full minute", async () => {
      const free = await world.person("free");
      await world.ask(free, pointRead);
      await world.ask(free, pointRead);
      expect((await refusal(free, paidRead)).code).to.equal("plan_upgrade_required");
      expect((await refusal(free, pointRead)).code).to.equal("rate_limited");
    });

    it("refuses attempts over the minute limit without a unit or quota header", async () => {
      for (let asked = 0; asked < 3; asked += 1) await world.ask(person, pointRead);
      const failure = await refusal(person, pointRead, noon + 12_345);
      expect(failure.code).to.equal("rate_limited");
      expect(failure.facts.retryAfterS).to.equal(48);
      expect(failure.allowance).to.deep.equal({ limitPerMinute: 3, remainingInMinute: 0, quotaRemaining: null });
      expect(await cost(person)).to.deep.equal({ minute: 3, month: 3, starts: 0 });
      expect((await world.ask(person, pointRead, noon + 12_345 + 48_000)).allowance.quotaRemaining).to.equal(1);
    });

    it("counts only an attempt when the month is exhausted", async () => {
      await world.setMonthUsed(person, 5);
      const failure = await refusal(person, pointRead);
      expect(failure.code).to.equal("monthly_quota_exceeded");
      expect(failure.facts.retryAfterS).to.equal((Date.UTC(2026, 1, 1) - noon) / 1000);
      expect(failure.allowance).to.deep.equal({ limitPerMinute: 3, remainingInMinute: 2, quotaRemaining: 0 });
      expect(await cost(person)).to.deep.equal({ minute: 1, month: 5, starts: 0 });
    });

    it("gives the attempt back when the key ends between check and charge", async () => {
      for (const [fall, code] of [
        [() => world.accounts.setPlan(person.accountId, "free", null), "plan_upgrade_required"],
        [() => world.accounts.disable(person.accountId), "account_disabled"],
        [() => world.keys.revoke(person.keyId), "revoked_api_key"],
      ] as const) {
        const other = await world.identify(await world.person("builder"));
        const caller = { ...other, accountId: person.accountId, keyId: person.keyId };
        await fall();
        const request = {
          requestId: world.ids.requestId(noon),
          operation: "getItem",
          rule: paidRead,
          caller,
          at: noon,
        };
        expect((await failureOf(() => world.admissions.admit(request))).code).to.equal(code);
      }
      expect(await world.attempts(person)).to.equal(0);
      expect(await world.events(person)).to.equal(0);
    });

    it("sets a lease holder's deadline from the start of the request", async () => {
      world.clock.at = noon + 700;
      const caller = await world.identify(person, noon);
      const request = { requestId: "req_a", operation: "streamMarketSnapshot", rule: exportRule, caller, at: noon };
      const { lease } = await world.admissions.admit(request);
      const leftMs = (lease?.deadlineMonotonicMs ?? 0) - world.clock.monotonicMs();
      expect(leftMs).to.equal(119_000 - 700);
      expect(world.clock.at + leftMs).to.be.lessThan((await world.lease("req_a"))?.expires_at);
      await lease?.release();
      world.clock.at = noon - 5;
      const ahead = await world.admissions.admit({ ...request, requestId: "req_b" });
      expect((ahead.lease?.deadlineMonotonicMs ?? 0) - world.clock.monotonicMs()).to.equal(119_000);
    });

    it("returns the allowance of a refused caller without counting", async () => {
      const caller = await world.identify(person);
      expect(world.admissions.allowance(caller, noon)).to.deep.equal({
        limitPerMinute: 3,
        remainingInMinute: 3,
        quotaRemaining: 5,
      });
      expect((await cost(person)).minute).to.equal(0);
    });

    it("never reports a negative quota, even on a smaller plan", async () => {
      await world.setMonthUsed(person, 50);
      await world.accounts.setPlan(person.accountId, "free", null);
      expect(world.admissions.allowance(await world.identify(person), noon).quotaRemaining).to.equal(0);
      expect((await refusal(person, pointRead)).allowance.quotaRemaining).to.equal(0);
    });

    it("charges a resumed export a permit but no daily start", async () => {
      const rule = { ...exportRule, isStart: false };
      for (let round = 0; round < 2; round += 1) {
        const { lease } = await world.ask(person, rule, noon + round * minuteMs);
        expect((await failureOf(() => world.ask(person, rule, noon + round * minuteMs))).code).to.equal(
          "snapshot_busy",
        );
        await lease?.finish();
        expect(await world.lease(lease?.leaseId ?? "")).to.include({ state: "released" });
      }
      const starts = "SELECT count(*) AS n FROM snapshot_leases WHERE state <> 'released'";
      expect(await world.sql(starts)).to.deep.equal([{ n: 0 }]);
      for (const minute of [2, 3]) {
        const begun = await world.ask(person, exportRule, noon + minute * minuteMs);
        await begun.lease?.finish();
        expect(await world.lease(begun.lease?.leaseId ?? "")).to.include({ state: "finished" });
      }
      const late = noon + 4 * minuteMs;
      expect((await failureOf(() => world.ask(person, exportRule, late))).code).to.equal("snapshot_daily_limit");
      expect((await world.ask(person, rule, late)).lease).to.not.equal(null);
    });

    it("refuses a page read when its session ends before the charge", async () => {
      const session = "5a".repeat(32);
      const { accountId } = person;
      await world.sql("INSERT INTO owners (account_id, login, created_at) VALUES (?, 'ann', 0)", accountId);
      const begin =
        "INSERT INTO owner_sessions (session_hash, account_id, signed_in_at, expires_at) VALUES (?, ?, ?, ?)";
      await world.sql(begin, Buffer.from(session, "hex"), accountId, noon, noon + dayMs);
      const caller = { ...(await world.identify(person)), keyId: pagesKeyId(person.accountId), session };
      const ask = (requestId: string) =>
        world.admissions.admit({ requestId, operation: "getItem", rule: pointRead, caller, at: noon });
      expect((await ask("req_a")).allowance.quotaRemaining).to.equal(4);
      await world.sql("UPDATE owner_sessions SET ended_at = ?", noon);
      expect((await failureOf(() => ask("req_b"))).code).to.equal("invalid_api_key");
      expect(await cost(person)).to.deep.equal({ minute: 1, month: 1, starts: 0 });
    });

    it("reports the ledger's current quota in a monthly refusal", async () => {
      await world.setMonthUsed(person, 3);
      const caller = await world.identify(person, noon);
      await world.setMonthUsed(person, 5);
      const asked = { requestId: "req_b", operation: "getItem", rule: paidRead, caller, at: noon };
      const refusal = await failureOf(() => world.admissions.admit(asked));
      expect(refusal.code).to.equal("monthly_quota_exceeded");
      expect((refusal as unknown as { allowance: object }).allowance).to.include({ quotaRemaining: 0 });
    });
  },
  { plans: small },
);

// The request's own clock, and another writer's lock, are met by the file alone.
describe("admission on the file alone", () => {
  let world: World;
  let person: Person;
  beforeEach(() => {
    world = new World({ plans: small });
    person = world.person("builder");
  });
  afterEach(() => world.close());

  it("gives the attempt back when the ledger's clock passed the key's end", async () => {
    const other = world.person("builder");
    const { key } = world.keys.create(other.accountId, "long", 90);
    const { expiresAt } = world.keys.list(person.accountId).find(({ keyId }) => keyId === person.keyId)!;
    expect(world.pay({ ...other, keyId: key.keyId }, expiresAt).kind).to.equal("charged");
    const at = expiresAt - 1;
    expect((await failureOf(() => world.ask(person, pointRead, at))).code).to.equal("expired_api_key");
    expect(world.limiter.remaining(person.accountId, 3, at)).to.equal(3);
    expect(world.events(person)).to.equal(0);
  });
});
