import { expect } from "chai";
import type { LedgerReply } from "../../../src/access/ledger/ledger.ts";
import { plans } from "../../../src/access/plans.ts";
import { dayMs, hourMs } from "../../../src/values/time/calendar.ts";
import { onEachStore } from "../stores.ts";
import { noon, type Person } from "../world.ts";

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

onEachStore(
  "export lease",
  (world) => {
    let person: Person;
    beforeEach(async () => {
      person = await world.person("builder");
    });

    /** An export of `who` that runs for a second. */
    async function exported(who: Person, at: number, how: "finished" | "released" = "finished"): Promise<string> {
      const leaseId = world.ids.requestId(at);
      expect(code(await world.reserve(who, at, leaseId))).to.equal("charged");
      await world.end(leaseId, how, at + 1000);
      return leaseId;
    }

    it("reserves a lease with its unit for two minutes", async () => {
      const reply = await world.reserve(person, noon, "req_a");
      expect(reply).to.deep.equal({
        kind: "charged",
        used: 1,
        limit: 6,
        expiresAt: noon + leaseMs,
        ...world.leftInMinute(59),
      });
      expect(await world.lease("req_a")).to.include({
        state: "reserved",
        slot: 1,
        expires_at: noon + leaseMs,
        ended_at: null,
      });
      expect([await world.monthUsed(person), await world.events(person)]).to.deep.equal([1, 1]);
    });

    it("blocks the account's other keys until its last millisecond", async () => {
      await world.reserve(person, noon, "req_a");
      const { key } = await world.keys.create(person.accountId, "second", 7);
      const other = { ...person, keyId: key.keyId };
      const refusal = await world.reserve(other, noon + leaseMs - 1);
      expect(refusal).to.include({ code: "snapshot_busy", retryAfterS: 1 });
      expect(await world.events(person)).to.equal(1);
      expect(code(await world.reserve(other, noon + leaseMs))).to.equal("charged");
      expect(await world.lease("req_a")).to.include({ state: "expired", ended_at: noon + leaseMs });
    });

    it("reports the longest wait of a busy account without starts left", async () => {
      await exported(person, noon);
      await exported(person, noon + 10_000);
      await world.reserve(person, noon + 20_000);
      const refusal = await world.reserve(person, noon + 30_000);
      expect(refusal).to.include({ code: "snapshot_busy", retryAfterS: (dayMs - 30_000) / 1000 });
      expect(code(await world.reserve(person, noon + 30_000 + waitMs(refusal)))).to.equal("charged");
    });

    it("grants a lease without a start when no daily start is left", async () => {
      for (let start = 0; start < 3; start += 1) await exported(person, noon + 10_000 * start);
      const paid = { plan: "paid", operation: "streamChanges" } as const;
      const placed = (at: number) => world.pay(person, at, { kind: "place", ...paid });
      expect(code(await world.reserve(person, noon + 40_000))).to.equal("snapshot_daily_limit");
      expect(await placed(noon + 40_000)).to.include({ kind: "charged", expiresAt: noon + 40_000 + leaseMs });
      expect(await placed(noon + 41_000)).to.include({ code: "snapshot_busy", retryAfterS: 119 });
    });

    it("ends a lease once, and never another account's lease", async () => {
      const first = await exported(person, noon, "finished");
      expect(await world.end(first, "released", noon + 2000)).to.deep.equal({ kind: "ended", ended: false });
      expect(await world.lease(first)).to.include({ state: "finished" });
      await world.reserve(person, noon + 3000, "req_b");
      await world.end(first, "released", noon + 4000);
      expect(await world.lease("req_b")).to.include({ state: "reserved" });
      expect(await world.end("req_nobody", "released", noon)).to.deep.equal({ kind: "ended", ended: false });
    });

    it("refuses to release an expired lease", async () => {
      await world.reserve(person, noon, "req_a");
      expect(await world.end("req_a", "released", noon + leaseMs)).to.include({ ended: false });
      await world.reserve(person, noon + leaseMs, "req_b");
      expect(await world.lease("req_a")).to.include({ state: "expired" });
      expect(await world.lease("req_b")).to.include({ state: "reserved" });
    });

    it("releases a lease in its last millisecond", async () => {
      await world.reserve(person, noon, "req_a");
      expect(await world.end("req_a", "released", noon + leaseMs - 1)).to.include({ ended: true });
    });

    it("keeps the lease of a crashed process until it expires", async () => {
      await world.reserve(person, noon, "req_a");
      const restarted = await world.another();
      const reserve = async (at: number) => {
        const [reply] = await world.commit([world.charge(person, at, { kind: "reserve", plan: "paid" })], restarted);
        return code(reply!);
      };
      expect(await reserve(noon + leaseMs - 1)).to.equal("snapshot_busy");
      expect(await reserve(noon + leaseMs)).to.equal("charged");
      await restarted.close();
    });

    it("limits leases to eight: the ninth account waits for the first expiry", async () => {
      const people = await world.people(9, "trader");
      const slots: number[] = [];
      for (const [index, who] of people.slice(0, 8).entries()) {
        expect(code(await world.reserve(who, noon + index * 1000, `req_${index}`))).to.equal("charged");
        slots.push((await world.lease(`req_${index}`))?.slot);
      }
      expect(slots).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8]);
      const ninth = people[8] as Person;
      const refusal = await world.reserve(ninth, noon + 8000);
      expect(refusal).to.include({ code: "snapshot_capacity", retryAfterS: 112 });
      expect([await world.monthUsed(ninth), await world.events(ninth)]).to.deep.equal([0, 0]);
      expect(code(await world.reserve(ninth, noon + leaseMs - 1))).to.equal("snapshot_capacity");
      expect(code(await world.reserve(ninth, noon + 8000 + waitMs(refusal), "req_9"))).to.equal("charged");
      expect(await world.lease("req_9")).to.include({ slot: 1 });
    });

    it("refuses for busy first, then for capacity, day and month", async () => {
      for (let start = 0; start < 3; start += 1) await exported(person, noon + start * 2000);
      for (let paid = 0; paid < 3; paid += 1) await world.pay(person, noon + 6000);
      const at = noon + 7000;
      expect(code(await world.reserve(person, at))).to.equal("snapshot_daily_limit");
      const others = await world.people(8, "trader");
      for (const who of others) await world.reserve(who, at);
      expect(code(await world.reserve(person, at))).to.equal("snapshot_capacity");
      expect(code(await world.reserve(others[0] as Person, at))).to.equal("snapshot_busy");
      expect(code(await world.reserve(person, noon + dayMs + 4001))).to.equal("monthly_quota_exceeded");
    });

    it("counts starts over rolling 24 hours, to the millisecond", async () => {
      for (const after of [0, 2, 4]) await exported(person, noon + after * hourMs);
      const at = noon + 5 * hourMs;
      const refusal = await world.reserve(person, at);
      expect(refusal).to.include({ code: "snapshot_daily_limit", retryAfterS: 19 * 3600 });
      expect(code(await world.reserve(person, noon + dayMs - 1))).to.equal("snapshot_daily_limit");
      expect(code(await world.reserve(person, at + waitMs(refusal)))).to.equal("charged");
      expect(code(await world.reserve(person, noon + dayMs + leaseMs))).to.equal("snapshot_daily_limit");
    });

    it("gives the start of a released lease back, but not its unit", async () => {
      for (let start = 0; start < 5; start += 1) await exported(person, noon + start * 2000, "released");
      expect(await world.monthUsed(person)).to.equal(5);
      expect(code(await world.reserve(person, noon + 10_000))).to.equal("charged");
    });

    it("counts an expired start like a finished one", async () => {
      for (let start = 0; start < 3; start += 1) await world.reserve(person, noon + start * leaseMs);
      expect(code(await world.reserve(person, noon + 3 * leaseMs))).to.equal("snapshot_daily_limit");
    });

    it("keeps a lease's length when the clock is set back", async () => {
      await world.reserve(person, noon, "req_a");
      const refusal = await world.reserve(person, noon - 60_000);
      expect(refusal).to.include({ code: "snapshot_busy", retryAfterS: 180 });
      expect(await world.end("req_a", "finished", noon - 60_000)).to.include({ ended: true });
      expect(await world.lease("req_a")).to.include({ state: "finished", ended_at: noon });
      expect(code(await world.reserve(person, noon - 60_000))).to.equal("charged");
    });

    it("keeps an ended lease ended when the clock is set back", async () => {
      await world.reserve(person, noon, "req_a");
      await world.setMonthUsed(person, 6);
      expect(code(await world.reserve(person, noon + leaseMs))).to.equal("monthly_quota_exceeded");
      expect(await world.end("req_a", "released", noon + leaseMs - 1)).to.include({ ended: false });
      expect(await world.lease("req_a")).to.include({ state: "expired", ended_at: noon + leaseMs });
    });

    it("gives a day's export the account's lease without a start", async () => {
      const ofDay = (at: number, requestId?: string) =>
        world.reserve(person, at, requestId, { kind: "place", operation: "streamHistoryDay" });
      for (let start = 0; start < 2; start += 1) await exported(person, noon + start * 2000);
      const [ended, died] = [noon + 10_000, noon + 20_000];
      for (const at of [ended, died]) {
        expect(code(await ofDay(at, `req_${at}`))).to.equal("charged");
        // With a third start the wait would be a day.
        expect(await world.reserve(person, at)).to.include({ code: "snapshot_busy", retryAfterS: leaseMs / 1000 });
        if (at === ended) await world.end(`req_${at}`, "released", at + 1);
      }
      await exported(person, died + leaseMs);
      expect(await world.lease(`req_${died}`)).to.include({ state: "released", ended_at: died + leaseMs });
      expect(code(await world.reserve(person, died + leaseMs + 2000))).to.equal("snapshot_daily_limit");
    });
  },
  { plans: few },
);
