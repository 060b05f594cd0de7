import { expect } from "chai";
import { importDemoCatalog } from "../support/demo-catalog.ts";
import { useWorld } from "../support/world.ts";

const karambit = "★ Karambit | Doppler (Factory New)";

describe("catalog over HTTP", () => {
  const world = useWorld();
  let key: string;
  before(() => {
    key = world.account("trader").secret;
  });

  it("pages the catalog by id, with each item once", async () => {
    const walked: number[] = [];
    for (let cursor: number | null = 0; cursor !== null; ) {
      const { json } = await world.client.call("listItems", { key, query: { cursor, limit: 100 } });
      walked.push(...json.data.map((item: { item_id: number }) => item.item_id));
      cursor = json.meta.next_cursor;
    }
    const stored = world.sql("SELECT item_id FROM items WHERE in_catalog = 1 ORDER BY item_id");
    expect(walked).to.deep.equal(stored.map((row) => row.item_id));
    expect(walked.length).to.be.greaterThan(2_000);
  });

  it("lists phases and their unphased identity as separate items", async () => {
    const { json } = await world.client.call("listItems", { key, query: { q: karambit, limit: 100 } });
    const sharing = json.data.filter((item: { market_hash_name: string }) => item.market_hash_name === karambit);
    const ids: number[] = sharing.map((item: { item_id: number }) => item.item_id);
    const phases = sharing.map((item: { phase: string | null }) => item.phase);
    expect(phases).to.have.members([
      "Phase 1",
      "Phase 2",
      "Phase 3",
      "Phase 4",
      "Ruby",
      "Sapphire",
      "Black Pearl",
      null,
    ]);
    for (const [index, item_id] of ids.entries()) {
      const { data } = (await world.client.call("getItem", { key, path: { item_id } })).json;
      expect(data.shares_name_with).to.deep.equal(ids.filter((id) => id !== item_id));
      expect(data.identity).to.equal(phases[index] === null ? "unphased" : "exact");
    }
  });

  it("shows no price to the Free plan in lists or searches", async () => {
    const free = world.account("free").secret;
    for (const query of [{ limit: 100 }, { q: "karambit", limit: 100 }]) {
      const items = async (secret: string) => (await world.client.call("listItems", { key: secret, query })).json.data;
      const [paid, unpaid] = [await items(key), await items(free)];
      expect(paid.some((item: { best_ask_cents: number | null }) => item.best_ask_cents !== null)).to.equal(true);
      const hidden = { best_ask_cents: null, best_ask_provider: null, price_updated_at: null };
      expect(unpaid).to.deep.equal(paid.map((item: object) => ({ ...item, ...hidden })));
    }
  });

  it("ignores the case of Russian names and treats no character as wildcard", async () => {
    const find = async (q: string) =>
      (await world.client.call("listItems", { key, query: { q, limit: 100 } })).json.data;
    const names = (await find("КЕРАМБИТ")).map((item: { name_ru: string }) => item.name_ru);
    expect(names.length).to.be.greaterThan(10);
    expect(names.every((name: string) => name.includes("Керамбит"))).to.equal(true);
    for (const q of ["%", "_", "kar%bit", "k_rambit", "*", "karam?it", "' OR 1=1"]) {
      for (const { market_hash_name: name, name_ru: russian } of await find(`"${q}"`)) {
        expect(`${name} ${russian}`.toLowerCase(), q).to.include(q.toLowerCase());
      }
    }
  });

  it("answers HEAD like GET without a body, for the same unit", async () => {
    const { secret, accountId } = world.account("builder");
    const get = await world.client.call("getItem", { key: secret, path: { item_id: 1 } });
    const head = await world.client.call("getItem", { key: secret, path: { item_id: 1 }, method: "HEAD" });
    expect([head.status, head.text]).to.deep.equal([200, ""]);
    expect(head.headers.get("content-length")).to.equal(get.headers.get("content-length"));
    expect(head.headers.get("x-quota-remaining")).to.equal("9998");
    expect(world.used(accountId)).to.equal(2);
    const missing = await world.client.call("getItem", {
      key: secret,
      path: { item_id: 2_147_483_647 },
      method: "HEAD",
    });
    expect([missing.status, missing.text]).to.deep.equal([404, ""]);
  });
});

describe("item that leaves the catalog", () => {
  const world = useWorld({ fewItems: true });

  it("keeps its id and quotes but leaves all lists and exports", async () => {
    const { secret: key } = world.account("trader");
    const [quoted] = world.sql("SELECT min(item_id) AS item_id FROM best_asks");
    const item_id = Number(quoted?.item_id);
    const prices = await world.client.call("getMarketPrices", { key, path: { item_id } });
    expect(prices.json.data.availability).to.equal("available");
    importDemoCatalog(world, [item_id]);
    const listed = await world.client.call("listItems", { key, query: { cursor: item_id - 1, limit: 1 } });
    expect(listed.json.data[0].item_id).to.be.greaterThan(item_id);
    const { data } = (await world.client.call("getItem", { key, path: { item_id } })).json;
    expect(data).to.include({ item_id, in_catalog: false });
    const still = await world.client.call("getMarketPrices", { key, path: { item_id } });
    const published = { generation: "g6", ingested_at: new Date(world.clock.at).toISOString() };
    expect(still.json.data).to.deep.equal({ ...prices.json.data, ...published });
    const { records } = await world.client.call("streamMarketSnapshot", { key });
    expect(records.some((record) => record.data?.item_id === item_id)).to.equal(false);
    expect(records.at(-1).items).to.equal(records.length - 2);
  });
});
