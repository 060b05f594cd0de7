import { expect } from "chai";
import { GroupCommitLedger } from "../../../src/access/ledger/group-commit.ts";
import { CommitFailure } from "../../../src/access/ledger/ledger.ts";
import type { NodesLedger } from "../../../src/access/nodes/ledger.ts";
import { plans } from "../../../src/access/plans.ts";
import { onEachStore } from "../stores.ts";
import { failureOf, noon } from "../world.ts";

type Report = Parameters<NonNullable<ConstructorParameters<typeof NodesLedger>[1]>>[0];

const few = { ...plans, trader: { ...plans.trader, requestsPerMinute: 3 } };

onEachStore(
  "ledger batches",
  (world, engine) => {
    it("reports each batch with its size, charges and failure", async () => {
      const person = await world.person("trader");
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

    // Only nodes count the minute with the rows of the ledger.
    if (engine === "PostgreSQL")
      it("applies the ledger's minute count to requests without a unit", async () => {
        const [person, free] = [await world.person("trader"), await world.person("free")];
        const first = { kind: "charged", used: 1, limit: 100_000, expiresAt: null, remainingInMinute: 2 };
        expect(await world.pay(person)).to.deep.equal(first);
        expect(await world.pay(person, noon, { isFree: true })).to.include({ used: 1, remainingInMinute: 1 });
        expect(await world.reserve(person)).to.include({ used: 2, remainingInMinute: 0 });
        const refused = { kind: "refused", code: "rate_limited", retryAfterS: 60, month: null };
        for (const more of [{}, { isFree: true }, { kind: "place" }] as const)
          expect(await world.pay(person, noon, more), JSON.stringify(more)).to.deep.equal(refused);
        expect(await world.pay(free, noon, { plan: "paid" })).to.include({ code: "plan_upgrade_required" });
        const { accountId } = person;
        const counted = await world.sql("SELECT account_id, used FROM minute_uses");
        expect(counted).to.deep.equal([{ account_id: accountId, used: 3 }]);
        expect([await world.events(person), await world.monthUsed(person)]).to.deep.equal([2, 2]);
      });
  },
  { plans: few },
);
