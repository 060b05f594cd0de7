import { expect } from "chai";
import { type Caller, pagesKeyId } from "../../../src/access/credentials.ts";
import { onEachStore } from "../stores.ts";
import { failureOf, noon, type Person } from "../world.ts";

onEachStore("owner of a page", (world) => {
  let person: Person;
  beforeEach(async () => {
    person = await world.person("trader");
  });

  async function owner(accountId = person.accountId, at = noon): Promise<Caller> {
    const facts = { accountName: "Ann", login: "ann", signedInAt: noon, expiresAt: noon + 1, disabledAt: null };
    return (await world.owners(at)).owner({ sessionHash: "5e55", accountId, ...facts }, at);
  }

  it("reads market and portfolios with the account's current plan and month", async () => {
    const caller = {
      accountId: person.accountId,
      keyId: pagesKeyId(person.accountId),
      kind: "pages",
      scopes: ["market:read", "portfolio:read"],
      plan: "trader",
      planEndsAt: null,
      monthUsed: 0,
      session: "5e55",
    };
    expect(await owner()).to.deep.equal(caller);
    await world.pay(person);
    expect(await owner()).to.deep.equal({ ...caller, monthUsed: 1 });
    expect(await owner(person.accountId, Date.UTC(2026, 1, 1))).to.deep.equal(caller);
    await world.accounts.setPlan(person.accountId, "builder", noon + 1);
    expect(await owner()).to.deep.equal({ ...caller, plan: "builder", planEndsAt: noon + 1, monthUsed: 1 });
    expect(await owner(person.accountId, noon + 1)).to.deep.equal({ ...caller, plan: "free", monthUsed: 1 });
  });

  it("is refused for a disabled or deleted account", async () => {
    expect((await failureOf(() => owner("acc_gone"))).code).to.equal("invalid_api_key");
    await world.accounts.disable(person.accountId);
    expect((await failureOf(owner)).code).to.equal("account_disabled");
    await world.accounts.enable(person.accountId);
    expect((await owner()).accountId).to.equal(person.accountId);
  });

  it("has no demo visitor outside a demo", async () => {
    expect((await world.owners()).demoVisitor(noon)).to.equal(null);
  });
});
