import { expect } from "chai";
import { contractRevision } from "../../generated/client-operations.ts";
import { aDayLater, fileLocked, nothingPublished, overloaded } from "../contract/replay-states.ts";
import { itLong } from "../support/size.ts";
import { type Account, useWorld } from "../support/world.ts";

describe("status over HTTP", () => {
  const world = useWorld({
    fewItems: true,
    config: { inFlightMax: 2 },
    instead: { server: { waitingPerInFlight: 0 } },
  });
  let account: Account;
  before(() => {
    account = world.account("free");
  });

  const status = async (key?: string) =>
    (await world.client.call("getStatus", key === undefined ? {} : { key })).json.data;

  it("needs and reads no credential, and shows nothing about the caller", async () => {
    const expected = {
      database: "ok",
      market_snapshot: "available",
      release: "0.1.0+1a2b3c4",
      contract_revision: contractRevision,
      market_release: null,
      known_since: "2025-11-16T12:00:00.000Z",
    };
    const { feeds, ...told } = await status();
    expect(told).to.deep.equal(expected);
    expect(await status("nonsense")).to.deep.equal({ ...expected, feeds });
    const { headers } = await world.client.call("getStatus", { key: account.secret });
    expect([headers.get("x-ratelimit-limit"), headers.get("x-quota-remaining")]).to.deep.equal([null, null]);
    expect(world.used(account.accountId)).to.equal(0);
  });

  it("is missing before the first publication and stale after a day", async () => {
    const seen: string[] = [];
    for (const state of [nothingPublished, aDayLater]) {
      const undo = await state(world, account);
      seen.push((await status()).market_snapshot);
      await undo();
    }
    expect([...seen, (await status()).market_snapshot]).to.deep.equal(["missing", "stale", "available"]);
  });

  it("is served while another process holds the writer's lock", async () => {
    const undo = await fileLocked(world, account);
    const reported = await status();
    await undo();
    expect(reported.database).to.equal("ok");
  });

  itLong("is refused while the server is overloaded, and served again afterwards", async () => {
    const undo = await overloaded(world, account);
    const refused = await world.client.call("getStatus");
    await undo();
    expect([refused.status, refused.json.code]).to.deep.equal([503, "service_unavailable"]);
    expect((await status()).database).to.equal("ok");
    expect(world.events.counters.get("requests_shed")).to.be.greaterThan(0);
    expect(world.internalErrors).to.equal(0);
  });
});
