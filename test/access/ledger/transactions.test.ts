import { expect } from "chai";
import { plans } from "../../../src/access/plans.ts";
import { dayMs } from "../../../src/values/time/calendar.ts";
import { onEachStore } from "../stores.ts";
import { failureOf, noon, type Person } from "../world.ts";

const scaled = {
  free: { ...plans.free, requestsPerMonth: 3 },
  builder: { ...plans.builder, requestsPerMonth: 5 },
  trader: { ...plans.trader, requestsPerMonth: 8 },
  quant: plans.quant,
};

// `file.test.ts` tests behaviour that only the file has, such as the ledger's own clock.
onEachStore(
  "ledger charge",
  (world) => {
    let person: Person;
    beforeEach(async () => {
      person = await world.person("builder");
    });

    async function payAll(count: number, at = world.clock.at): Promise<void> {
      for (let paid = 0; paid < count; paid += 1) expect((await world.pay(person, at)).kind).to.equal("charged");
    }
    const counts = async (who = person) => [await world.monthUsed(who), await world.events(who)];

    it("sets a key's last used day from successful charges only", async () => {
      const usedDay = async () => (await world.keys.list(person.accountId))[0]!.lastUsedDay;
      world.failpoints.arm("admit.charged", () => {
        throw new Error("the disk is gone");
      });
      await failureOf(() => world.pay(person));
      world.failpoints.disarm("admit.charged");
      expect(await usedDay()).to.equal(null);
      await world.pay(person, noon);
      await world.pay(person, noon + dayMs / 2 - 1);
      expect(await usedDay()).to.equal(noon / dayMs - 0.5);
      await payAll(3, noon + dayMs / 2);
      expect((await world.pay(person, noon + 3 * dayMs)).kind).to.equal("refused");
      expect(await usedDay()).to.equal(noon / dayMs + 0.5);
    });

    it("charges a batch in order until the account's quota is used up", async () => {
      await payAll(3);
      const { key } = await world.keys.create(person.accountId, "second", 7);
      const other = { ...person, keyId: key.keyId };
      const bystander = await world.person("builder");
      const batch = [person, other, bystander, person, other].map((who) => world.charge(who));
      const replies = await world.commit(batch);
      expect(replies.map((reply) => (reply.kind === "charged" ? reply.used : reply.kind))).to.deep.equal([
        4,
        5,
        1,
        "refused",
        "refused",
      ]);
      expect(await counts()).to.deep.equal([5, 5]);
      expect(await counts(bystander)).to.deep.equal([1, 1]);
    });

    it("starts a new month at its first millisecond, leap days included", async () => {
      for (const [before, month, next] of [
        [Date.UTC(2026, 1, 1) - 1, "2026-01", "2026-02"],
        [Date.UTC(2027, 0, 1) - 1, "2026-12", "2027-01"],
        [Date.UTC(2028, 1, 29), "2028-02", "2028-02"],
        [Date.UTC(2028, 2, 1) - 1, "2028-02", "2028-03"],
      ] as const) {
        const someone = await world.person("trader");
        await world.sql("UPDATE api_keys SET expires_at = ?", before + dayMs);
        const had = await world.monthUsed(someone, month);
        expect(await world.pay(someone, before)).to.include({ kind: "charged", used: had + 1 });
        await world.pay(someone, before + 1);
        expect(await world.monthUsed(someone, month)).to.equal(month === next ? had + 2 : had + 1);
        expect(await world.monthUsed(someone, next)).to.equal(month === next ? had + 2 : 1);
      }
    });

    it("counts a charge in a month's last fraction of a millisecond there", async () => {
      const end = Date.UTC(2026, 1, 1);
      await world.sql("UPDATE api_keys SET expires_at = ?", end);
      world.partOfMs = 0.6;
      expect((await world.pay(person, end - 1)).kind).to.equal("charged");
      const [event] = await world.sql("SELECT at, month FROM usage_events");
      expect(event).to.deep.equal({ at: end - 1, month: "2026-01" });
      expect((await world.usage(person, end - 1)).monthlyUsed).to.equal(1);
      expect((await failureOf(() => world.identify(person, end))).code).to.equal("expired_api_key");
    });

    it("refuses until the month's end, waiting 1 s to 31 days", async () => {
      await payAll(5);
      expect(await world.pay(person, Date.UTC(2026, 1, 1) - 1)).to.include({ retryAfterS: 1 });
      await world.sql("UPDATE api_keys SET expires_at = ?", noon + 365 * dayMs);
      const march = Date.UTC(2026, 2, 1);
      await payAll(5, march);
      expect(await world.pay(person, march)).to.include({ retryAfterS: 31 * 86_400 });
    });

    it("stores no decrease of a month's units and no changed charge", async () => {
      await payAll(2);
      for (const change of [
        "UPDATE usage_months SET used = used - 1",
        "DELETE FROM usage_months",
        "UPDATE usage_months SET month = '2025-01'",
        "UPDATE usage_events SET at = 0",
        "DELETE FROM usage_events",
      ])
        expect((await failureOf(() => world.sql(change))).message, change).to.match(/never|neither/);
      expect(await counts()).to.deep.equal([2, 2]);
    });

    it("refuses the whole batch when a request id was already charged", async () => {
      const charge = world.charge(person);
      await world.commit([charge]);
      const failure = await failureOf(() => world.commit([world.charge(person), charge]));
      expect(failure.message).to.match(/unique/i);
      expect(await counts()).to.deep.equal([1, 1]);
    });

    it("checks key, account and plan again for each batch", async () => {
      const look = () => world.pay(person, noon, { plan: "paid" });
      expect(await look()).to.include({ kind: "charged" });
      await world.accounts.setPlan(person.accountId, "free", null);
      expect(await look()).to.include({ code: "plan_upgrade_required", retryAfterS: null });
      await world.accounts.disable(person.accountId);
      expect(await look()).to.include({ code: "account_disabled" });
      expect(await world.pay(person, noon + 30 * dayMs)).to.include({ code: "expired_api_key" });
      await world.keys.revoke(person.keyId);
      expect(await look()).to.include({ code: "revoked_api_key" });
      expect(await world.pay({ ...person, keyId: "key_nobody" })).to.include({ code: "invalid_api_key" });
      const { accountId } = await world.person();
      expect(await world.pay({ ...person, accountId })).to.include({ code: "invalid_api_key" });
      expect(await world.events(person)).to.equal(1);
    });
  },
  { plans: scaled },
);

onEachStore("ledger transaction", (world) => {
  for (const name of ["admit.leaseInserted", "admit.charged"] as const) {
    it(`leaves neither lease nor unit when it fails at ${name}`, async () => {
      const person = await world.person("builder");
      world.failpoints.arm(name, () => {
        throw new Error("armed");
      });
      expect((await failureOf(() => world.reserve(person, noon, "req_a"))).message).to.match(/armed$/);
      expect([await world.monthUsed(person), await world.events(person)]).to.deep.equal([0, 0]);
      expect(await world.lease("req_a")).to.equal(undefined);
      world.failpoints.disarm(name);
      expect(await world.reserve(person, noon, "req_a")).to.include({ kind: "charged", used: 1 });
    });
  }
});
