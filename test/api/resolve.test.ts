import { expect } from "chai";
import { createFeedDerived } from "../../src/import/catalog/feed-derived.ts";
import { useWorld } from "../support/world.ts";

const operation = "resolveItemNames";
const karambit = "★ Karambit | Doppler (Factory New)";

type Entry = { name: string; ambiguous: boolean; candidates: { item_id: number }[] };

describe("resolving names over HTTP", () => {
  const world = useWorld();
  let key: string;
  before(() => {
    key = world.account("free").secret;
  });

  const resolve = async (...names: string[]): Promise<Entry[]> => {
    const answer = await world.client.call(operation, { key, body: { names } });
    expect(answer.status, answer.text).to.equal(200);
    expect(answer.json.data.map((entry: Entry) => entry.name)).to.deep.equal(names);
    return answer.json.data;
  };

  it("returns every item once for all names of the catalog", async () => {
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

  it("returns phases and unphased identity as candidates for a shared name", async () => {
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

  it("returns the found names beside unknown ones", async () => {
    const odd = ["nothing such", " ★ Karambit", "★ karambit", "%", "' OR 1=1", "Керамбит", "\u0000", "💥".repeat(300)];
    const [known, ...others] = await resolve("★ Karambit", ...odd);
    expect(known?.candidates).to.have.length(1);
    for (const { name, ...rest } of others) {
      expect(rest, name).to.deep.equal({ ambiguous: false, candidates: [] });
    }
  });

  it("compares names in NFC and returns them as they were sent", async () => {
    world.sql("UPDATE items SET market_hash_name = 'Souvenir Café' WHERE item_id = 3");
    const [composed, decomposed] = await resolve("Souvenir Café", "Souvenir Cafe\u0301");
    expect(composed?.candidates.map(({ item_id }) => item_id)).to.deep.equal([3]);
    expect(decomposed?.candidates).to.deep.equal(composed?.candidates);
  });

  it("finds delisted items and items known only from a feed", async () => {
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
      createFeedDerived(database, [variant], world.clock.at);
    });
    world.sql("UPDATE items SET in_catalog = 0 WHERE market_hash_name = '★ Karambit'");
    const [proven, left] = await resolve(name, "★ Karambit");
    expect(proven?.candidates).to.have.length(1);
    expect(proven?.candidates[0]).to.include({ identity: "exact", in_catalog: true });
    expect(left?.candidates).to.deep.equal([
      { item_id: row?.item_id, phase: null, identity: "exact", in_catalog: false },
    ]);
  });

  it("costs one unit on every plan and is never cached", async () => {
    for (const plan of ["free", "builder"] as const) {
      const { secret, accountId } = world.account(plan);
      const names = Array.from({ length: 100 }, (_, index) => `Item ${index}`);
      const { status, headers } = await world.client.call(operation, { key: secret, body: { names } });
      expect([status, headers.get("cache-control"), world.used(accountId)]).to.deep.equal([200, "no-store", 1]);
    }
  });
});
