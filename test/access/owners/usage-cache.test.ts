import { expect } from "chai";
import { OwnerWriter } from "../../../src/access/owners/owner-writer.ts";
import { countsOfFile, UsageCache } from "../../../src/access/owners/usage-cache.ts";
import { dayMs } from "../../../src/values/time/calendar.ts";
import { cheapCost, OwnerWorld } from "../../web/dashboard/owner-world.ts";
import { enter, outcomes, refusalOf } from "./owner-writer-world.ts";

describe("usage counts for the dashboard", () => {
  let ann: OwnerWorld;
  let bob: OwnerWorld;
  let writer: OwnerWriter;
  let usage: UsageCache;
  let today: number;
  before(async () => {
    ann = await OwnerWorld.start({ fewItems: true });
    bob = await ann.another("bob");
    writer = new OwnerWriter({ databasePath: ann.world.path, cost: cheapCost }, ann.world.clock);
    usage = new UsageCache(countsOfFile(ann.world.path), ann.world.clock);
  });
  after(async () => {
    await Promise.all([writer.close(), usage.close()]);
    await ann.world.stop();
  });
  beforeEach(() => {
    ann.world.clock.advance(dayMs);
    today = Math.floor(ann.world.clock.at / dayMs) * dayMs;
  });

  const use = () => usage.byDay(bob.account.accountId, today, today + 2 * dayMs);
  const call = (operation: "listItems" | "listProviders", key = bob.account.secret) =>
    ann.world.client.call(operation, { key });

  it("count by day and operation, excluding the last instant", async () => {
    expect(await use()).to.deep.equal([]);
    for (const operation of ["listItems", "listItems", "listProviders"] as const) await call(operation);
    await call("listItems", ann.account.secret);
    ann.world.clock.at = today + dayMs;
    await call("listItems");
    ann.world.clock.at = today + 2 * dayMs;
    await call("listItems");
    ann.world.clock.advance(30_000);
    const [first, second] = [today, today + dayMs].map((at) => new Date(at).toISOString().slice(0, 10));
    expect(await use()).to.deep.equal([
      { day: first, operation: "listItems", units: 2, pages: 0 },
      { day: first, operation: "listProviders", units: 1, pages: 0 },
      { day: second, operation: "listItems", units: 1, pages: 0 },
    ]);
  });

  it("are computed once for all requests within 30 s", async () => {
    const asked = Array.from({ length: 100 }, use);
    expect(new Set(asked).size).to.equal(1);
    expect(await asked[0]).to.deep.equal([]);
    await call("listItems");
    ann.world.clock.advance(29_999);
    expect(await use()).to.deep.equal([]);
    ann.world.clock.advance(1);
    expect((await use()).map(({ units }) => units)).to.deep.equal([1]);
  });

  it("run for eight accounts at once; a further request may be repeated", async () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => usage.byDay(`acc_${at}`, 0, 1));
    expect(await outcomes(many(10))).to.deep.equal([...Array(8).fill("done"), "busy", "busy"]);
    expect(await outcomes(many(10))).to.deep.equal(Array(10).fill("done"));
  });

  it("neither delay a request that waits for a writer nor await it", async () => {
    const session = await enter(writer, ann.world, "ann");
    await use();
    ann.world.clock.advance(30_000);
    const unlock = ann.world.lockFile();
    const ended: string[] = [];
    const revoked = writer.revokeKey(session, ann.account.key.keyId).then(() => ended.push("revoked"));
    await use().then(() => ended.push("counted"));
    unlock();
    await revoked;
    expect(ended).to.deep.equal(["counted", "revoked"]);
  });

  it("are computed again after a failure", async () => {
    const databasePath = `${ann.world.path}-absent`;
    const other = new UsageCache(countsOfFile(databasePath), ann.world.clock);
    const ask = () => refusalOf(other.byDay("acc_none", 0, 1));
    for (const _ of [1, 2]) expect((await ask()).message).to.include("the file does not exist");
    await other.close();
    expect((await ask()).code, "after the end").to.equal("busy");
  });

  it("delay no other owner, however often one loads the overview", async () => {
    const [own, other] = [await ann.signedIn(), await bob.signedIn()];
    const path = `/dashboard/keys/${bob.account.key.keyId}/revoke`;
    await other.get(path);
    const loads = Array.from({ length: 60 }, () => own.get("/dashboard"));
    const [revoked, entered] = await Promise.all([other.post(path), bob.visitor().signIn()]);
    expect([revoked.status, entered.status]).to.deep.equal([303, 303]);
    const statuses = (await Promise.all(loads)).map(({ status }) => status);
    expect(statuses).to.deep.equal(Array(60).fill(200));
  });
});
