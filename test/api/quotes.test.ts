import { once } from "node:events";
import { request } from "node:http";
import { json as jsonOf } from "node:stream/consumers";
import { expect } from "chai";
import { nothingPublished } from "../contract/replay-states.ts";
import { importDemoCatalog } from "../support/demo-catalog.ts";
import { type Account, useWorld, World } from "../support/world.ts";

type Quote = { provider: string; amount: number; as_of: string | null };

describe("quotes over HTTP", () => {
  const world = useWorld();
  let account: Account;
  let key: string;
  before(() => {
    account = world.account("trader");
    key = account.secret;
  });

  const idOf = (name: string, phase: string | null) =>
    Number(world.sql("SELECT item_id FROM items WHERE market_hash_name = ? AND phase IS ?", name, phase)[0]?.item_id);
  const prices = async (item_id: number, query = {}) =>
    (await world.client.call("getMarketPrices", { key, path: { item_id }, query })).json;

  it("belong to a phase, or to the unphased identity of the name", async () => {
    const name = "★ Karambit | Doppler (Factory New)";
    const providersOf = async (phase: string | null) => {
      const { data } = await prices(idOf(name, phase));
      return data.asks.map((quote: Quote) => quote.provider);
    };
    expect(await providersOf(null)).to.deep.equal(["steam"]);
    for (const phase of ["Phase 4", "Ruby"]) expect(await providersOf(phase)).to.not.include("steam");
    const [ruby, fourth] = [await prices(idOf(name, "Ruby")), await prices(idOf(name, "Phase 4"))];
    expect(ruby.data.asks[0].amount).to.not.equal(fourth.data.asks[0].amount);
  });

  it("never fall back to another provider for a provider filter", async () => {
    const item = idOf("★ Karambit", null);
    const { data, meta } = await prices(item, { provider: "oldhall" });
    expect(data).to.include({ availability: "available" });
    expect([data.asks, data.bids]).to.deep.equal([[], []]);
    expect(meta).to.include({ as_of: null, freshness: "unknown", timestamp_quality: "unknown" });
  });

  it("give the source's time or null, with the age of the oldest", async () => {
    const item = idOf("★ Karambit", null);
    const all = await prices(item);
    expect(all.data.asks.map((quote: Quote) => quote.as_of)).to.include(null);
    expect(all.meta).to.include({ as_of: null, freshness: "unknown", timestamp_quality: "partial" });
    const reported = await prices(item, { provider: "northgate" });
    expect(reported.meta).to.include({ freshness: "fresh", timestamp_quality: "source_observed" });
    world.clock.advance(30 * 60_000);
    const later = await prices(item, { provider: "northgate" });
    expect(later.meta).to.include({ as_of: reported.meta.as_of, freshness: "stale", cache_recently_checked: false });
    expect(later.data).to.deep.equal(reported.data);
  });

  it("cost one unit for a batch of 100, in request order", async () => {
    const ids = Array.from({ length: 99 }, (_, index) => 1 + ((index * 37) % 1_000));
    const item_ids = [2_147_483_647, ...ids];
    const before = world.used(account.accountId);
    const { json } = await world.client.call("getMarketPricesBatch", { key, body: { item_ids } });
    expect(world.used(account.accountId)).to.equal(before + 1);
    expect(json.data.map((entry: { item_id: number }) => entry.item_id)).to.deep.equal(item_ids);
    expect(json.data[0]).to.deep.include({ status: "not_found", generation: null, asks: [], bids: [] });
    const generations = json.data.slice(1).map((entry: { generation: string }) => entry.generation);
    expect(new Set(generations).size).to.equal(1);
  });

  it("are the same in a batch as in single reads", async () => {
    const ids = [idOf("★ Karambit", null), idOf("★ Flip Knife", null)];
    const { json } = await world.client.call("getMarketPricesBatch", {
      key,
      body: { item_ids: ids, provider: "northgate", side: "bid" },
    });
    for (const [index, id] of ids.entries()) {
      const { data } = await prices(id, { provider: "northgate" });
      expect(json.data[index]).to.deep.equal({ ...data, status: "found", asks: [] });
    }
  });

  it("return 503 for one unit before the first publication", async () => {
    const undo = await nothingPublished(world, account);
    const before = world.used(account.accountId);
    const point = await world.client.call("getMarketPrices", { key, path: { item_id: 1 } });
    const batch = await world.client.call("getMarketPricesBatch", { key, body: { item_ids: [1] } });
    await undo();
    expect([point.json.code, batch.json.code]).to.deep.equal(["data_unavailable", "data_unavailable"]);
    expect(world.used(account.accountId)).to.equal(before + 2);
  });

  it("are dated after their data when the request body was slow", async () => {
    const slow = await World.start({ fewItems: true });
    try {
      const { secret } = slow.account("trader");
      const [row] = slow.sql(
        "SELECT min(item_id) AS item_id FROM quotes JOIN frame_providers ON number = provider_id WHERE provider = 'northgate'",
      );
      const body = { item_ids: [Number(row?.item_id)], provider: "northgate" };
      const quick = (await slow.client.call("getMarketPricesBatch", { key: secret, body })).json;
      expect(quick.meta).to.include({ freshness: "fresh", cache_recently_checked: true });
      const headers = {
        authorization: `Bearer ${secret}`,
        "content-type": "application/json",
        "content-length": JSON.stringify(body).length,
        // The server signals that it has started on the request and waits for its body.
        expect: "100-continue",
      };
      const asked = request(`${slow.base}/v1/markets/batch`, { method: "POST", headers });
      asked.flushHeaders();
      await once(asked, "continue");
      slow.clock.advance(40 * 60_000);
      const [leaving] = slow.sql("SELECT max(item_id) AS item_id FROM best_asks");
      expect(importDemoCatalog(slow, [Number(leaving?.item_id)])).to.include({ generation: "g6" });
      asked.end(JSON.stringify(body));
      const [response] = await once(asked, "response");
      const { data, meta } = (await jsonOf(response)) as typeof quick;
      expect(data[0]).to.include({ generation: "g6" });
      expect(meta.generated_at >= data[0].ingested_at, `${meta.generated_at} >= ${data[0].ingested_at}`).to.equal(true);
      expect(meta).to.include({ freshness: "stale", cache_recently_checked: false });
    } finally {
      await slow.stop();
    }
  });
});
