import { expect } from "chai";
import { OwnerWriter } from "../../../src/access/owners/owner-writer.ts";
import { Networks } from "../../../src/values/networks.ts";
import { hourMs } from "../../../src/values/time/calendar.ts";
import { outcomes } from "../../access/owners/owner-writer-world.ts";
import { itLong } from "../../support/size.ts";
import { goodPassword, OwnerWorld } from "./owner-world.ts";

const wrong = "wrong horse battery";

describe("strangers who know a login", () => {
  let ann: OwnerWorld;
  before(async () => {
    ann = await OwnerWorld.start({ fewItems: true, config: { trustedProxies: new Networks("127.0.0.0/8") } });
  });
  afterEach(() => ann.world.clock.advance(hourMs));
  after(() => ann.world.stop());

  /** The status of a sign-in as Ann from an address. */
  async function signIn(address: string, password = goodPassword): Promise<number> {
    const visitor = ann.visitor();
    await visitor.get("/dashboard/sign-in");
    const headers = { "x-forwarded-for": address };
    return (await visitor.post("/dashboard/sign-in", { login: "ann", password }, { headers })).status;
  }

  /** Guesses from an address until it has to wait. */
  async function guess(address: string): Promise<void> {
    const statuses = [];
    for (let time = 0; time < 6; time += 1) statuses.push(await signIn(address, wrong));
    expect(statuses).to.deep.equal([403, 403, 403, 403, 403, 429]);
  }

  it("do not lock the owner out at another address", async () => {
    for (const address of ["203.0.113.7", "203.0.113.8"]) await guess(address);
    expect(await signIn("198.51.100.1")).to.equal(303);
    expect(await signIn("203.0.113.7")).to.equal(429);
  });

  it("do not lock the owner out after a one-time link", async () => {
    await guess("203.0.113.9");
    const path = `/dashboard/invite/${ann.invite()}`;
    const visitor = ann.visitor();
    await visitor.get(path);
    const fields = { password: goodPassword, again: goodPassword };
    const { status } = await visitor.post(path, fields, { headers: { "x-forwarded-for": "203.0.113.9" } });
    expect(status).to.equal(303);
    expect(await signIn("203.0.113.9")).to.equal(303);
  });
});

describe("strangers at their permit limit", () => {
  let ann: OwnerWorld;
  let writer: OwnerWriter;
  before(async () => {
    ann = await OwnerWorld.start({ fewItems: true });
    writer = new OwnerWriter({ databasePath: ann.world.path, cost: { n: 2 ** 12, r: 8, p: 1 } }, ann.world.clock);
  });
  after(async () => {
    await writer.close();
    await ann.world.stop();
  });

  itLong("leave one to a known address and to a one-time link", async () => {
    const { token } = ann.owners((owners) => owners.invite(ann.account.accountId, "ann"));
    const guesses = outcomes(Array.from({ length: 16 }, () => writer.signIn("nobody", wrong, null)));
    const stranger = outcomes([writer.signIn("ann", goodPassword, null)]);
    const known = outcomes([writer.signIn(" Ann", goodPassword, null, { isKnown: true })]);
    expect(await stranger).to.deep.equal(["busy"]);
    expect(await known).to.deep.equal(["done"]);
    expect(await guesses).to.deep.equal(Array(16).fill("invalid_credentials"));
    const others = outcomes(Array.from({ length: 16 }, () => writer.signIn("nobody", wrong, null)));
    expect(await outcomes([writer.setPassword(token, goodPassword, { login: "ann" })])).to.deep.equal(["done"]);
    expect(await others).to.deep.equal(Array(16).fill("invalid_credentials"));
  });

  it("give no login more than four permits", async () => {
    const own = Array.from({ length: 6 }, () => writer.signIn("ann", wrong, null, { isKnown: true }));
    expect((await outcomes(own)).filter((code) => code === "busy")).to.have.length(2);
  });
});
