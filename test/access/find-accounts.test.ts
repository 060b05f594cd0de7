import { expect } from "chai";
import { OperatorError } from "../../src/values/failure/operator-error.ts";
import { type AccessStore, engines, useStores } from "./stores.ts";
import { failureOf, noon, type Person } from "./world.ts";

describe("account search on each store", () => {
  const open = useStores();

  for (const engine of engines) {
    describe(`account search on ${engine}`, () => {
      let world: AccessStore;
      let cafe: string;
      let other: Person;
      before(async function () {
        world = await open(this, engine);
        world.clock.at = noon - 1;
        cafe = await world.account("Café Märkte");
        world.clock.at = noon;
        other = await world.person("builder");
        await world.pay(other);
        await world.pay(other, noon + 1, { operation: "listItems" });
        await world.pay(other, noon + 24 * 3_600_000);
      });
      after(() => world?.close());

      const found = async (text: string) => (await world.accounts.find(text)).map(({ accountId }) => accountId);

      it("finds accounts by part of a name, ignoring case and accent encoding", async () => {
        for (const text of ["café", "MÄRKTE", " Café M ", "CAFE\u0301"])
          expect(await found(text), text).to.deep.equal([cafe]);
        expect(await found("cafe")).to.deep.equal([]);
        expect(await found("e")).to.deep.equal([cafe, other.accountId]);
      });

      it("finds accounts only by the start of an account or key id", async () => {
        expect(await found(cafe)).to.deep.equal([cafe]);
        expect(await found(` ${other.accountId.slice(0, -2)}`)).to.deep.equal([other.accountId]);
        expect(await found("acc_")).to.have.length(2);
        expect(await found(other.keyId)).to.deep.equal([other.accountId]);
        expect(await found(other.keyId.slice(0, 12))).to.deep.equal([other.accountId]);
        expect(await found(cafe.slice(4))).to.deep.equal([]);
        expect(await found(other.keyId.slice(4))).to.deep.equal([]);
        expect(await found("key")).to.deep.equal([]);
        expect(await found("acc"), "a part of its name").to.deep.equal([other.accountId]);
      });

      it("refuses an empty search as a wrong command", async () => {
        for (const text of ["", "  "]) {
          const failure = await failureOf(() => found(text));
          expect(failure).to.be.instanceOf(OperatorError);
          expect(failure).to.include({ message: "the text to search for is empty", exitCode: 64 });
        }
      });

      it("lists plan, keys in use and units of each account, oldest first", async () => {
        const list = await world.accounts.list();
        expect(list.map(({ accountId }) => accountId)).to.deep.equal([cafe, other.accountId]);
        expect(list[0]).to.include({ name: "Café Märkte", plan: "free", keys: 0, used: 0, login: null });
        expect(list[1]).to.include({ plan: "builder", planEndsAt: null, keys: 1, used: 3 });
      });

      it("counts a month's units by account, day, operation and key", async () => {
        expect(await world.accounts.currentMonth()).to.equal("2026-01");
        expect((await world.accounts.monthUse("2026-01")).map(({ accountId }) => accountId)).to.deep.equal([
          other.accountId,
        ]);
        expect(await world.accounts.monthUse("2026-02")).to.deep.equal([]);
        expect(await world.accounts.dayUse(other.accountId, "2026-01")).to.have.length(3);
        expect(await world.accounts.dayUse(cafe, "2026-01")).to.deep.equal([]);
      });

      it("renames an account on record, and refuses an unchanged name", async () => {
        expect(await world.accounts.rename(cafe, "  Bistro ")).to.include({ accountId: cafe, name: "Bistro" });
        const [record] = await world.accounts.activity(cafe, 1);
        expect(record).to.include({ kind: "account_renamed", at: noon, keyId: null, detail: "Café Märkte → Bistro" });
        expect((await failureOf(() => world.accounts.rename(cafe, "Bistro"))).message).to.contain(
          "already has the name",
        );
        for (const wrong of ["", "x".repeat(81)]) {
          const failure = await failureOf(() => world.accounts.rename(cafe, wrong));
          expect(failure).to.include({ exitCode: 64 });
          expect(failure.message).to.match(/^the account's name must have 1 to 80/);
        }
        expect((await world.accounts.rename(cafe, "x".repeat(80))).name).to.have.length(80);
        expect((await failureOf(() => world.accounts.rename("acc_x", "y"))).message).to.contain(
          "unknown account `acc_x`",
        );
        expect((await failureOf(() => world.accounts.dayUse("acc_x", "2026-01"))).message).to.contain(
          "unknown account",
        );
      });
    });
  }
});
