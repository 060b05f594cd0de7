import { createHash } from "node:crypto";
import { expect } from "chai";
import type { CatalogVariant } from "../../src/import/catalog/variants.ts";
import { checkDatabase } from "../../src/store/check/check.ts";
import { importDemoCatalog } from "../support/demo-catalog.ts";
import { publishOffers } from "../support/publish.ts";
import { until } from "../support/until.ts";
import { World } from "../support/world.ts";
import { lengthenExport, startExport } from "./exports.ts";

/** A client's copy of the market: records by item id, in ascending id. */
type Copy = Map<number, { item_id: number; [field: string]: unknown }>;

const dayMs = 86_400_000;
const leavingSql = "SELECT item_id FROM items WHERE in_catalog = 1 AND identity_key NOT LIKE '%/-'";
/** More of the market than the first page of a stream holds, and less than half. */
const renamed = (variant: CatalogVariant): CatalogVariant =>
  variant.marketHashName.includes("StatTrak™")
    ? { ...variant, marketHashName: `${variant.marketHashName} (renamed)` }
    : variant;
const lineOf = (value: object) => `${JSON.stringify(value)}\n`;
const digestOf = (lines: readonly string[]) => createHash("sha256").update(lines.join("")).digest("hex");
const inOrder = (copy: Copy) => [...copy.values()].sort((a, b) => a.item_id - b.item_id);

/** The canonical identity part, built from the contract's text. */
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

describe("stream of changes", () => {
  let world: World;
  let key: string;
  beforeEach(async () => {
    world = await World.start({ fewItems: true });
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
  /** Applies a stream to a copy by the contract's rules, and verifies the result by both digests. */
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

  it("keeps a copy correct over removals, returns and renames, by both digests", async () => {
    let held = await exported();
    expect((await follow(held)).ids).to.deep.equal([]);
    const [leaving] = world.sql(leavingSql);
    const first = Number(leaving?.item_id);
    importDemoCatalog(world, [first]);
    let step = await follow(held);
    expect(step.ids).to.deep.equal([first]);
    held = step.held;
    importDemoCatalog(world, [], renamed);
    step = await follow(held);
    expect(step.ids.length).to.be.greaterThan(1);
    expect(step.ids).to.include(first);
  });

  it("refuses a foreign, unknown, later or day-old state for one unit", async () => {
    const held = await exported();
    const account = world.account("builder");
    const ask = (generation: string, identity_digest: string) =>
      world.client.call("streamMarketChanges", { key: account.secret, body: { generation, identity_digest } });
    const identity = identityOf(held.copy);
    const codes = [];
    for (const [generation, digest] of [
      [held.generation, "0".repeat(64)],
      ["g1", identity],
      ["g999", identity],
    ] as const) {
      const { status, json } = await ask(generation, digest);
      codes.push([status, json.code]);
    }
    importDemoCatalog(world, [Number(world.sql(leavingSql)[0]?.item_id)]);
    world.clock.advance(dayMs);
    expect((await ask(held.generation, identity)).status, "24 hours after the next state").to.equal(200);
    world.clock.advance(1);
    const { status, json } = await ask(held.generation, identity);
    codes.push([status, json.code]);
    expect(codes).to.deep.equal(Array(4).fill([404, "generation_not_found"]));
    expect(world.used(account.accountId)).to.equal(5);
    const present = await exported();
    world.clock.advance(100 * dayMs);
    const later = world.account("builder").secret;
    const still = await world.client.call("streamMarketChanges", {
      key: later,
      body: { generation: present.generation, identity_digest: identityOf(present.copy) },
    });
    expect(still.status, "the present state, however old").to.equal(200);
  });

  it("ends with `snapshot_changed` when the catalog changes during the stream", async () => {
    const held = await exported();
    importDemoCatalog(world, [], renamed);
    await until("the export is over", () => world.app.exportsUnderWay() === 0);
    world.clock.onMeasure = () => {
      if (world.app.exportsUnderWay() === 0) return;
      world.clock.onMeasure = null;
      importDemoCatalog(world);
    };
    const { records } = await changes(held.generation, identityOf(held.copy));
    expect(records[0]).to.include({ type: "start" });
    expect(records.at(-1)).to.include({ type: "error", code: "snapshot_changed" });
    await follow(held);
  });

  it("frees the permit of a disconnected client at once", async () => {
    const publish = (cents: number) => {
      world.clock.advance(300_000);
      const ids = world.sql("SELECT item_id AS id FROM items WHERE in_catalog = 1 AND item_id % 3 = 0");
      publishOffers(world, new Map(ids.map(({ id }) => [Number(id), cents])));
    };
    publish(1000);
    const { generation, copy } = await exported();
    const state = { generation, identity_digest: identityOf(copy) };
    publish(1001);
    lengthenExport(world, 900);
    await until("the export is over", () => world.app.exportsUnderWay() === 0);
    // The clock is stopped, so no stream ends by its time limit.
    for (const turn of [1, 2]) {
      const stalled = await startExport(world, key, state);
      expect(stalled.status, `stream ${turn}`).to.equal(200);
      const { status, json } = await changes(state.generation, state.identity_digest);
      expect([status, json.code]).to.deep.equal([429, "changes_busy"]);
      stalled.cut();
      await until("the server has seen it", () => world.app.exportsUnderWay() === 0);
    }
  });

  it("omits items that appear and disappear between two states", async () => {
    const held = await exported();
    const path = world.path;
    importDemoCatalog(world, [Number(world.sql(leavingSql)[0]?.item_id)]);
    world.clock.advance(60_000);
    importDemoCatalog(world);
    expect((await follow(held)).ids.length).to.be.at.most(1);
    expect(checkDatabase(path).faults).to.deep.equal([]);
    world.sql("UPDATE items SET market_hash_name = market_hash_name || ' (edited)' WHERE item_id = 1");
    expect(checkDatabase(path).faults.join("\n")).to.include("do not have the digest of the market's state");
  });
});
