import { createHash } from "node:crypto";
import { expect } from "chai";
import { whenExportRuns } from "../contract/replay-states.ts";
import { importDemoCatalog } from "../support/demo-catalog.ts";
import { World } from "../support/world.ts";

const dayMs = 86_400_000;
const isAvailable = (record: { data?: { availability: string } }) => record.data?.availability === "available";

describe("published generations over HTTP", () => {
  let world: World;
  let key: string;
  beforeEach(async () => {
    world = await World.start({ fewItems: true });
    key = world.account("trader").secret;
  });
  afterEach(() => world.stop());

  /** The server's report of a generation, or null if it is unknown. */
  const reported = async (generation: string) => {
    const { status, json } = await world.client.call("getGeneration", { key, path: { generation } });
    if (status === 200) return json.data;
    expect([status, json.code]).to.deep.equal([404, "generation_not_found"]);
    return null;
  };
  const exported = async () => (await world.client.call("streamMarketSnapshot", { key })).records;
  /** The export's generation and its canonical price part, built from the contract's text. */
  const recomputed = async () => {
    const [start, ...records] = await exported();
    expect(records.at(-1).type).to.equal("end");
    const lines = records
      .filter(isAvailable)
      .map(({ data: { item_id, asks, bids } }) => `${JSON.stringify({ item_id, asks, bids })}\n`);
    const digest = createHash("sha256").update(lines.join("")).digest("hex");
    const bytes = Buffer.byteLength(lines.join(""));
    const { generation, ingested_at } = start;
    const identity = records
      .slice(0, -1)
      .map(
        ({ data: { item_id, market_hash_name, phase, availability } }) =>
          `${JSON.stringify({ item_id, market_hash_name, phase, availability })}\n`,
      );
    const identity_digest = createHash("sha256").update(identity.join("")).digest("hex");
    return { generation, ingested_at, items: lines.length, bytes, digest, identity_digest };
  };
  const itemIds = (condition: string) =>
    world
      .sql(`SELECT item_id FROM items LEFT JOIN best_asks USING (item_id) WHERE ${condition}`)
      .map((row) => Number(row.item_id));

  it("have their export's digest before and after quoted items leave or return", async () => {
    const first = await recomputed();
    expect(first).to.include({ generation: "g5" });
    expect(await reported("g5")).to.deep.equal(first);
    const leaving = itemIds("quote_bytes IS NOT NULL AND identity_key NOT LIKE '%/-'").slice(0, 3);

    world.clock.advance(60_000);
    expect(importDemoCatalog(world, leaving)).to.include({ left: 3, generation: "g6" });
    const second = await recomputed();
    expect(second).to.include({ generation: "g6", items: first.items - 3 });
    expect(second.ingested_at).to.equal(new Date(world.clock.at).toISOString());
    expect(await reported("g6")).to.deep.equal(second);
    const before = { ...first, identity_digest: null };
    expect(await reported("g5"), "the one before is kept as it was").to.deep.equal(before);

    world.clock.advance(60_000);
    expect(importDemoCatalog(world)).to.include({ returned: 3, generation: "g7" });
    const third = await recomputed();
    expect(await reported("g7")).to.deep.equal(third);
    expect(third).to.include({ items: first.items, bytes: first.bytes, digest: first.digest });
  });

  it("end their running exports when an import removes a quoted item", async () => {
    const [leaving] = itemIds("quote_bytes IS NOT NULL ORDER BY item_id DESC LIMIT 1");
    whenExportRuns(world, () => {
      importDemoCatalog(world, [leaving!]);
      return () => {};
    });
    const records = await exported();
    expect(records[0]).to.include({ type: "start", generation: "g5" });
    expect(records.at(-1)).to.include({ type: "error", code: "snapshot_changed" });
    expect((await recomputed()).generation).to.equal("g6");
  });

  it("stay published when an import adds or removes no quoted item", async () => {
    const [unquoted] = itemIds("quote_bytes IS NULL AND in_catalog = 1 LIMIT 1");
    expect(importDemoCatalog(world, [unquoted!])).to.include({ left: 1, generation: null });
    const renamed = importDemoCatalog(world, [unquoted!], (variant) => ({ ...variant, rarity: `${variant.rarity} ` }));
    expect(renamed.changed).to.be.greaterThan(250);
    expect(renamed.generation).to.equal(null);
    expect(importDemoCatalog(world)).to.include({ returned: 1, generation: null });
    expect(await reported("g5")).to.deep.equal(await recomputed());
    expect(await reported("g6")).to.equal(null);
  });

  it("are known for 30 days after the next publication; the current always", async () => {
    const [row] = world.sql("SELECT ingested_at AS at FROM generations WHERE generation_id = 5");
    world.clock.advance(Number(row?.at) + 30 * dayMs - world.clock.at);
    expect(await reported("g4")).to.include({ generation: "g4" });
    world.clock.advance(1);
    expect(await reported("g4")).to.equal(null);
    world.clock.advance(400 * dayMs);
    key = world.account("trader").secret;
    expect(await reported("g5")).to.deep.equal(await recomputed());
  });

  it("are found by exact name only, for one unit either way", async () => {
    world.sql("INSERT INTO generations (state, created_at) VALUES ('staging', 1)");
    world.sql("UPDATE generations SET rest_digest = NULL WHERE generation_id = 3");
    const before = world.charged();
    for (const name of ["g6", "g9999999999"]) expect(await reported(name), "above the server's own").to.equal(null);
    expect(await reported("g3"), "of a release that kept no digest of its exports").to.equal(null);
    expect(await reported("g5")).to.include({ generation: "g5" });
    const after = world.charged();
    expect(after.units - before.units).to.equal(4);
  });
});
