import { createHash } from "node:crypto";
import { expect } from "chai";
import { importDemoCatalog } from "../support/demo-catalog.ts";
import { World } from "../support/world.ts";

/** A copy of the market as a client keeps it: records by item id, in ascending id. */
type Copy = Map<number, { item_id: number; [field: string]: unknown }>;

const lineOf = (value: object) => `${JSON.stringify(value)}\n`;
const digestOf = (lines: readonly string[]) => createHash("sha256").update(lines.join("")).digest("hex");
const inOrder = (copy: Copy) => [...copy.values()].sort((a, b) => a.item_id - b.item_id);

/** The canonical identity part, made as the contract says. */
function identityOf(copy: Copy): string {
  return digestOf(
    inOrder(copy).map(({ item_id, market_hash_name, phase, availability }) =>
      lineOf({ item_id, market_hash_name, phase, availability }),
    ),
  );
}

/** The canonical price part. */
function pricesOf(copy: Copy): string {
  const available = inOrder(copy).filter(({ availability }) => availability === "available");
  return digestOf(available.map(({ item_id, asks, bids }) => lineOf({ item_id, asks, bids })));
}

describe("the stream of changes", () => {
  let world: World;
  let key: string;
  beforeEach(async () => {
    world = await World.start();
    key = world.account("trader").secret;
  });
  afterEach(() => world.stop());

  const exported = async () => {
    const { records } = await world.client.call("streamMarketSnapshot", { key });
    const copy: Copy = new Map(records.slice(1, -1).map(({ data }) => [data.item_id, data]));
    return { generation: String(records[0].generation), copy };
  };
  const changes = (generation: string, identity_digest: string) =>
    world.client.call("streamMarketChanges", { key, body: { generation, identity_digest } });
  /** Applies a stream to a copy, as the contract says, and proves the result by both digests. */
  const follow = async (held: { generation: string; copy: Copy }) => {
    const { status, records } = await changes(held.generation, identityOf(held.copy));
    expect(status).to.equal(200);
    const [start, ...rest] = records;
    const end = rest.pop();
    const copy = new Map(held.copy);
    for (const { type, data, item_id } of rest) {
      if (type === "removed") expect(copy.delete(item_id), `item ${item_id} was held`).to.equal(true);
      else copy.set(data.item_id, data);
    }
    const ids = rest.map(({ data, item_id }) => item_id ?? data.item_id);
    expect(ids).to.deep.equal(ids.toSorted((a, b) => a - b));
    expect(start).to.include({ type: "start" });
    expect(start.from).to.deep.equal({
      generation: held.generation,
      digest: pricesOf(held.copy),
      identity_digest: identityOf(held.copy),
    });
    expect(end).to.deep.equal({
      type: "end",
      request_id: start.request_id,
      to: start.to,
      items: rest.filter(({ type }) => type === "item").length,
      removed: rest.filter(({ type }) => type === "removed").length,
    });
    expect(start.to).to.include({ digest: pricesOf(copy), identity_digest: identityOf(copy) });
    const now = await exported();
    expect(inOrder(copy)).to.deep.equal(inOrder(now.copy));
    expect(start.to.generation).to.equal(now.generation);
    return { held: { generation: String(start.to.generation), copy }, ids };
  };

  it("a copy follows removals, returns and renames over publications, and each step is proven by both digests", async () => {
    let held = await exported();
    expect((await follow(held)).ids).to.deep.equal([]);
    const [leaving] = world.sql("SELECT item_id FROM items WHERE in_catalog = 1 AND identity_key NOT LIKE '%/-'");
    const first = Number(leaving?.item_id);
    importDemoCatalog(world, [first]);
    let step = await follow(held);
    expect(step.ids).to.deep.equal([first]);
    held = step.held;
    importDemoCatalog(world, [], (variant) =>
      variant.phase === "Ruby" ? { ...variant, marketHashName: `${variant.marketHashName} (renamed)` } : variant,
    );
    step = await follow(held);
    expect(step.ids.length).to.be.greaterThan(1);
    expect(step.ids).to.include(first);
  });
});
