import { expect } from "chai";
import { pagesKeyId } from "../../../src/access/credentials.ts";
import { PageCredentials } from "../../../src/access/owners/page-credentials.ts";
import { failureOf, noon, type Person, World } from "../world.ts";

describe("who reads a page", () => {
  let world: World;
  let pages: PageCredentials;
  let person: Person;
  beforeEach(() => {
    world = new World();
    pages = new PageCredentials(world.reader);
    person = world.person("trader");
  });
  afterEach(() => world.close());

  const owner = (accountId = person.accountId, at = noon) => {
    const facts = { accountName: "Ann", login: "ann", signedInAt: noon, expiresAt: noon + 1, disabledAt: null };
    return pages.owner({ sessionHash: "5e55", accountId, ...facts }, at);
  };

  it("an owner reads the market and their portfolios, with the plan and the month of the account as they are now", () => {
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
    expect(owner()).to.deep.equal(caller);
    world.pay(person);
    expect(owner()).to.deep.equal({ ...caller, monthUsed: 1 });
    world.accounts.setPlan(person.accountId, "free", null);
    expect(owner()).to.deep.equal({ ...caller, plan: "free", monthUsed: 1 });
  });

  it("the owner of a disabled account, and of one that is gone, reads nothing", async () => {
    expect((await failureOf(() => owner("acc_gone"))).code).to.equal("invalid_api_key");
    world.accounts.disable(person.accountId);
    expect((await failureOf(owner)).code).to.equal("account_disabled");
    world.accounts.enable(person.accountId);
    expect(owner().accountId).to.equal(person.accountId);
  });

  it("nobody looks around a file that is no demo", () => {
    expect(pages.demoVisitor(noon)).to.equal(null);
  });
});
