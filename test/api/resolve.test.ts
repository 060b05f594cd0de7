import { expect } from "chai";
import { databaseCatalog } from "../../src/import/catalog/catalog-import.ts";
import { World } from "../support/world.ts";

const operation = "resolveItemNames";
const karambit = "★ Karambit | Doppler (Factory New)";

type Entry = { name: string; ambiguous: boolean; candidates: { item_id: number }[] };

describe("names resolved over HTTP", () => {
  let world: World;
  let key: string;
  before(async () => {
    world = await World.start();
    key = world.account("free").secret;
  });
  after(() => world.stop());

  const resolve = async (...names: string[]): Promise<Entry[]> => {
    const answer = await world.client.call(operation, { key, body: { names } });
    expect(answer.status, answer.text).to.equal(200);
    expect(answer.json.data.map((entry: Entry) => entry.name)).to.deep.equal(names);
    return answer.json.data;
  };

  it("of the whole catalog lead to every item once, and to no other", async () => {
    const rows = world.sql("SELECT item_id, market_hash_name AS name FROM items ORDER BY item_id");
    const names = [...new Set(rows.map((row) => String(row.name)))];
    const found: Entry[] = [];
    const reader = world.account("quant").secret;
    for (let first = 0; first < names.length; first += 100) {
      const body = { names: names.slice(first, first + 100) };
      found.push(...(await world.client.call(operation, { key: reader, body })).json.data);
    }
    const led = found.flatMap(({ name, candidates }) => candidates.map(({ item_id }) => ({ item_id, name })));
    expect(led.toSorted((a, b) => a.item_id - b.item_id)).to.deep.equal(rows);
    for (const { ambiguous, candidates } of found) {
      expect(ambiguous).to.equal(candidates.length > 1);
      const ids = candidates.map(({ item_id }) => item_id);
      expect(ids).to.deep.equal(ids.toSorted((a, b) => a - b));
    }
  });

  it("that phases share are ambiguous: each phase is a candidate, and the unphased identity is one more", async () => {
    const [entry] = await resolve(karambit);
    const rows = world.sql(
      "SELECT item_id, phase, identity, in_catalog FROM items WHERE market_hash_name = ? ORDER BY item_id",
      karambit,
    );
    expect(entry).to.deep.equal({
      name: karambit,
      ambiguous: true,
      candidates: rows.map((row) => ({ ...row, in_catalog: row.in_catalog === 1 })),
    });
    expect(rows.filter((row) => row.identity === "unphased")).to.have.length(1);
  });

  it("of no item fail nothing, among others that are found", async () => {
    const odd = ["nothing such", " ★ Karambit", "★ karambit", "%", "' OR 1=1", "Керамбит", "\u0000", "💥".repeat(300)];
    const [known, ...others] = await resolve("★ Karambit", ...odd);
    expect(known?.candidates).to.have.length(1);
    for (const { name, ...rest } of others) {
      expect(rest, name).to.deep.equal({ ambiguous: false, candidates: [] });
    }
  });

  it("are compared in NFC and come back as they were asked", async () => {
    world.sql("UPDATE items SET market_hash_name = 'Souvenir Café' WHERE item_id = 3");
    const [composed, decomposed] = await resolve("Souvenir Café", "Souvenir Cafe\u0301");
    expect(composed?.candidates.map(({ item_id }) => item_id)).to.deep.equal([3]);
    expect(decomposed?.candidates).to.deep.equal(composed?.candidates);
  });

  it("of items that left the catalog, or that only a feed names, are found too", async () => {
    const [row] = world.sql("SELECT * FROM items WHERE market_hash_name = '★ Karambit'");
    const name = "Souvenir ★ Karambit";
    world.change((database) => {
      const variant = {
        identityKey: `${String(row?.identity_key)}proven/souvenir/-`,
        marketHashName: name,
        slug: "souvenir-karambit",
        sourceKeys: [],
        type: "Knife" as const,
        rarity: null,
        collection: null,
        phase: null,
        nameRu: null,
        imageUrl: null,
        wear: null,
        statCounter: false,
        souvenir: true,
        wearMin: null,
        wearMax: null,
        identity: "exact" as const,
      };
      databaseCatalog.createFeedProven(database, [variant], world.clock.at);
    });
    world.sql("UPDATE items SET in_catalog = 0 WHERE market_hash_name = '★ Karambit'");
    const [proven, left] = await resolve(name, "★ Karambit");
    expect(proven?.candidates).to.have.length(1);
    expect(proven?.candidates[0]).to.include({ identity: "exact", in_catalog: true });
    expect(left?.candidates).to.deep.equal([
      { item_id: row?.item_id, phase: null, identity: "exact", in_catalog: false },
    ]);
  });

  it("cost one unit for all of them, on every plan, and are kept by no cache", async () => {
    for (const plan of ["free", "builder"] as const) {
      const { secret, accountId } = world.account(plan);
      const names = Array.from({ length: 100 }, (_, index) => `Item ${index}`);
      const { status, headers } = await world.client.call(operation, { key: secret, body: { names } });
      expect([status, headers.get("cache-control"), world.used(accountId)]).to.deep.equal([200, "no-store", 1]);
    }
  });
});
