import { expect } from "chai";
import { type Draft, type Fault, innerFaults, soundDraft, targetOf } from "../../api/faults.ts";
import { type DeclaredOperation, declaredOperations, expectedOf, type Facts } from "../../api/oracle.ts";
import { onlyItems } from "../../contract/replay-states.ts";
import type { Answer } from "../../support/client.ts";
import { PortfolioRows } from "../../support/portfolios.ts";
import { bySize, casesBySize } from "../../support/size.ts";
import { OwnerWorld } from "./owner-world.ts";

describe("contract operations read by a page", () => {
  let ann: OwnerWorld;
  let owner: Record<string, string>;
  before(async () => {
    ann = await OwnerWorld.start();
    await onlyItems([1, 2, 3])(ann.world, ann.account);
    ann.world.accounts((accounts) => accounts.setPlan(ann.account.accountId, "quant", null));
    // The portfolio of a sound request.
    ann.world.change((database) => new PortfolioRows(database).portfolio("1", ann.account.accountId));
    const visitor = await ann.signedIn();
    const { json } = await visitor.get("/dashboard/session");
    owner = { cookie: `itemtape_session=${visitor.session}`, "x-itemtape-token": json.token };
  });
  after(() => ann.world.stop());

  const send = (operation: DeclaredOperation, draft: Draft, credential = owner): Promise<Answer> => {
    const { authorization: _key, ...headers } = draft.headers;
    return ann.world.client.send({
      method: "POST",
      target: `/dashboard/read${targetOf(operation, draft)}`,
      headers: { ...headers, ...credential },
      ...(draft.body === undefined ? {} : { body: draft.body }),
    });
  };
  /** Sends a valid or faulty request. Compares status, code and charge with the contract's for an API key. */
  async function compare(operation: DeclaredOperation, fault: Fault | null, credential = owner, more: Facts = {}) {
    const draft = soundDraft(operation, "");
    fault?.apply(draft);
    const expected = expectedOf(operation, { ...fault?.facts, ...more });
    const before = ann.world.charged();
    const { status, json, text } = await send(operation, draft, credential);
    const charged = ann.world.charged();
    const title = `${operation.operationId} ${fault?.title ?? "sound"}: ${text.slice(0, 200)}`;
    expect([status, json?.code ?? null], title).to.deep.equal([expected.status, expected.code]);
    expect([charged.units - before.units, charged.events - before.events], title).to.deep.equal([
      expected.units,
      expected.units,
    ]);
  }

  it("succeed for the same units as with a key", async () => {
    for (const operation of declaredOperations) await compare(operation, null);
  });

  it("reject wrong parameters and bodies with a key's code, without cost", async () => {
    let refusals = 0;
    for (const operation of casesBySize(declaredOperations, 8)) {
      for (const fault of innerFaults(operation)) {
        if (expectedOf(operation, fault.facts).status < 400) continue;
        await compare(operation, fault);
        refusals += 1;
      }
    }
    expect(refusals).to.be.greaterThan(bySize({ short: 60, long: 500 }));
    expect(ann.world.internalErrors).to.equal(0);
  });

  it("require sign-in, token, plan and an enabled account", async () => {
    const { accountId } = ann.account;
    for (const operation of declaredOperations) {
      for (const credential of [
        {},
        { cookie: owner.cookie ?? "" },
        { "x-itemtape-token": owner["x-itemtape-token"] ?? "" },
      ])
        await compare(operation, null, credential, { credential: "none" });
    }
    ann.world.accounts((accounts) => accounts.setPlan(accountId, "free", null));
    for (const operation of declaredOperations) {
      if (operation.plan === "paid") await compare(operation, null, owner, { plan: "free" });
    }
    ann.world.accounts((accounts) => accounts.disable(accountId));
    for (const operation of declaredOperations) await compare(operation, null, owner, { credential: "disabled" });
  });
});
