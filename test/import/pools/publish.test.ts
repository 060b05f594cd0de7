import { expect } from "chai";
import { Catalog } from "../../../src/domain/catalog.ts";
import { SearchIndex } from "../../../src/domain/search-index.ts";
import { retirePool } from "../../../src/import/pools/retire.ts";
import { checkDatabase } from "../../../src/store/check/check.ts";
import { revisionIdOf } from "../../../src/store/codec/pool-revision-id.ts";
import { openReader } from "../../../src/store/database.ts";
import { CatalogStore } from "../../../src/store/read/catalog.ts";
import { MarketStateStore } from "../../../src/store/read/market-state.ts";
import { OperatorError } from "../../../src/values/failure/operator-error.ts";
import { dayMs, dayOf, dayText } from "../../../src/values/time/calendar.ts";
import { PoolWorld, poolsAt, tierOf, weapon, weaponCase } from "./pool-world.ts";

const rows = [
  weapon(1, "AK-47 | One"),
  weapon(2, "AK-47 | Two"),
  weaponCase(800, "Box", { contents: [1, 2] }),
  weaponCase(803, "Same Name", { contents: [1] }),
  weaponCase(802, "Same Name", { contents: [2] }),
];

describe("publication of a pool", () => {
  let world: PoolWorld;
  beforeEach(() => {
    world = new PoolWorld(rows);
  });
  afterEach(() => world.remove());

  const one = { tiers: [tierOf(["cs2-lib:1"])] };
  const two = { tiers: [tierOf(["cs2-lib:1", "cs2-lib:2"])] };
  const openable = () => world.all<Record<string, unknown>>("SELECT * FROM openables WHERE slug = 'box'")[0]!;
  const boxId = () => world.all<{ id: number }>("SELECT item_id AS id FROM items WHERE slug = 'box'")[0]!.id;
  const shownSlug = () => new CatalogStore(world.database).detail(boxId())!.openableSlug;
  const drafts = () => world.all("SELECT slug FROM openable_drafts").length;
  const faults = () => checkDatabase(world.path).faults;

  it("makes an unserved draft current with all outcomes and its container's reference", () => {
    expect(world.draft({ ...one, released_on: "2024-02-06" })).to.deep.equal({
      slug: "box",
      name: "Box",
      type: "other",
      outcome: "new",
    });
    expect(openable()).to.equal(undefined);
    expect(shownSlug()).to.equal(null);
    world.now += 1;
    const { revisionId, ...summary } = world.publish("box");
    expect(summary).to.deep.equal({
      slug: "box",
      outcome: "published",
      revisionNumber: 1,
      outcomeCount: 5,
      reasons: [],
    });
    expect(openable()).to.include({
      state: "active",
      revision_id: revisionId,
      changed_at: poolsAt + 1,
      created_at: poolsAt + 1,
    });
    expect(dayText(openable().released_day as number)).to.equal("2024-02-06");
    expect(revisionId).to.match(/^pr_[0-9a-f]{24}$/);
    expect([shownSlug(), drafts()]).to.deep.equal(["box", 0]);
    const [{ provenance }] = world.all<{ provenance: string }>("SELECT provenance FROM pool_revisions") as [
      { provenance: string },
    ];
    expect(JSON.parse(provenance)).to.deep.equal({
      source: "test",
      files: [],
      odds: { source: "published", reference: "a test" },
      wear_model: { model: "wear-1", reference: "a test" },
      drafted_at: "2026-09-01T12:00:00.000Z",
    });
    expect(faults()).to.deep.equal([]);
  });

  it("updates a cached catalog with the pool's container and retirement at once", () => {
    const reader = openReader(world.path);
    const [store, state] = [new CatalogStore(reader), new MarketStateStore(reader)];
    const catalog = new Catalog({ store, state, index: new SearchIndex({ catalog: () => store, state }) });
    const shown = () => catalog.item(boxId()).data.openable_slug;
    world.draft(one);
    expect(shown()).to.equal(null);
    world.publish("box");
    expect(shown()).to.equal("box");
    retirePool(world.database, "box", { clock: world.clock });
    expect(shown()).to.equal("box");
    reader.$client.close();
  });

  it("changes and writes nothing for a repeated equal definition", () => {
    world.published(one);
    const before = world.state();
    world.now += dayMs;
    expect(world.draft({ ...one, name: "called otherwise" }).outcome).to.equal("unchanged");
    expect(world.publish("box")).to.include({ outcome: "unchanged", revisionNumber: 1 });
    expect(world.state()).to.equal(before);
  });

  it("makes a changed definition the next revision and keeps earlier ones", () => {
    world.published(one);
    const before = openable();
    world.now += 5;
    expect(world.draft({ ...two, type: "capsule" }).outcome).to.equal("changed");
    expect(world.draft({ ...two, type: "capsule" }).outcome).to.equal("unchanged");
    expect(openable()).to.deep.equal(before);
    expect(world.publish("box")).to.include({ outcome: "published", revisionNumber: 2, outcomeCount: 10 });
    expect(openable()).to.include({ type: "capsule", state: "active" });
    expect(world.all("SELECT openable, before, after, count FROM data_events")).to.deep.equal([
      { openable: null, before: null, after: null, count: 1 },
      { openable: "box", before: "[1,null,null]", after: "[2,null,null]", count: 1 },
    ]);
    expect(
      world.all(
        "SELECT revision_number AS n, count(*) AS outcomes FROM pool_revisions JOIN pool_outcomes USING (revision_id) GROUP BY 1",
      ),
    ).to.deep.equal([
      { n: 1, outcomes: 5 },
      { n: 2, outcomes: 10 },
    ]);
    expect(world.draft(two).outcome).to.equal("changed");
    expect(world.draft({ ...two, type: "capsule" }).outcome, "back to what is in force").to.equal("unchanged");
    expect(drafts()).to.equal(0);
  });

  it("keeps the current revision and the draft when blocked", () => {
    world.published(one);
    world.draft({ tiers: [tierOf(["cs2-lib:2"], "all", null)] });
    const before = world.state();
    expect(world.publish("box")).to.deep.include({
      outcome: "blocked",
      revisionNumber: 1,
      reasons: [{ kind: "tier_without_weight", reason: "the weight of the tier all is unknown" }],
    });
    expect(world.state()).to.equal(before);
  });

  it("revises a definition for new variants, and blocks it for lost items", () => {
    world.published(one);
    world.catalog(rows.map((row) => (row.id === 1 ? { ...row, wearMax: 0.5 } : row)));
    expect(world.publish("box")).to.include({ outcome: "published", revisionNumber: 2, outcomeCount: 5 });
    expect(faults()).to.deep.equal([]);
    world.catalog(rows.filter(({ id }) => id !== 1));
    expect(world.publish("box")).to.deep.include({
      outcome: "blocked",
      revisionNumber: 2,
      reasons: [{ kind: "unknown_item", reason: "the catalog has no item `cs2-lib:1`" }],
    });
    expect(shownSlug(), "a catalog import keeps it").to.equal("box");
  });

  it("keeps revision and last day at retirement, and reactivates by a draft", () => {
    world.published({ ...one, released_on: "2026-08-01" });
    world.draft(two);
    const today = dayOf(poolsAt);
    const retire = (day?: number) =>
      retirePool(world.database, "box", { clock: world.clock, ...(day === undefined ? {} : { day }) });
    expect(() => retire(today + 1)).to.throw(OperatorError, "box: 2026-09-02 is after today, 2026-09-01");
    expect(() => retire(today - 60)).to.throw(OperatorError, "is before its release on 2026-08-01");
    expect(retire(today - 1)).to.deep.equal({ slug: "box", wasActive: true, retiredDay: today - 1 });
    expect(retire()).to.deep.equal({ slug: "box", wasActive: false, retiredDay: today - 1 });
    expect([openable().state, shownSlug(), drafts()]).to.deep.equal(["retired", "box", 1]);
    expect(world.publish("box")).to.include({ outcome: "published", revisionNumber: 2 });
    expect(openable()).to.include({ state: "active", retired_day: null });
    retire();
    expect(world.publish("box"), "nothing new was drafted").to.include({ outcome: "unchanged" });
    expect(openable().state).to.equal("retired");
    expect(world.draft(two).outcome).to.equal("changed");
    expect(world.publish("box")).to.include({ outcome: "reactivated", revisionNumber: 2 });
    expect(openable()).to.include({ state: "active", retired_day: null });
    expect(faults()).to.deep.equal([]);
  });

  it("retires a definition with an end date, and rejects a future one", () => {
    world.published({ ...one, retired_on: "2026-08-31" });
    expect([openable().state, shownSlug()]).to.deep.equal(["retired", "box"]);
    expect(world.draft({ ...one, retired_on: "2026-08-31" }).outcome).to.equal("unchanged");
    expect(() => world.draft({ ...one, retired_on: "2026-09-02" })).to.throw(
      OperatorError,
      "`retired_on` is after today, 2026-09-01",
    );
  });

  it("covers every published fact by an id, and makes it immutable", () => {
    world.published(two);
    const [row] = world.all<Record<string, never>>("SELECT * FROM pool_revisions");
    const { revision_id: id, slug, definition, provenance, tiers, denominator } = row as Record<string, never>;
    const facts = {
      slug,
      definition,
      provenance,
      tiers,
      denominator,
      revisionNumber: 1,
      publishedAt: poolsAt,
      oddsSource: "published" as const,
      wearModel: "wear-1",
      outcomeCount: 10,
    };
    const outcomes = world
      .revision(id!)
      .outcomes.map(({ position, item_id, tier, numerator }) => ({ position, itemId: item_id, tier, numerator }));
    const idOf = (changes: object, of = outcomes) => revisionIdOf({ ...facts, ...changes } as never, of);
    expect(idOf({})).to.equal(id);
    for (const name of Object.keys(facts)) expect(idOf({ [name]: "other" }), name).not.to.equal(id);
    expect(idOf({}, outcomes.with(3, { ...outcomes[3]!, numerator: "2" }))).not.to.equal(id);
    for (const sql of ["UPDATE pool_outcomes SET numerator = '2'", "DELETE FROM pool_revisions"]) {
      expect(() => world.database.$client.exec(sql)).to.throw("a published pool never");
    }
  });

  it("leaves no trace if it fails halfway", () => {
    world.published(one);
    world.draft(two);
    const before = world.state();
    world.database.$client.exec(
      "CREATE TEMP TRIGGER halfway BEFORE INSERT ON pool_outcomes WHEN new.position = 7 BEGIN SELECT RAISE(ABORT, 'full'); END",
    );
    expect(() => world.publish("box")).to.throw("full");
    world.database.$client.exec("DROP TRIGGER halfway");
    expect(world.state()).to.equal(before);
    expect(world.publish("box")).to.include({ outcome: "published", revisionNumber: 2 });
  });

  it("gives two containers of one name distinct slugs in any order", () => {
    const slugs = (order: readonly string[]) =>
      Object.fromEntries(order.map((container) => [container, world.draft({ ...one, container }).slug]));
    expect(slugs(["item:4803", "item:4802"])).to.deep.equal({
      "item:4802": "same-name",
      "item:4803": "same-name-4803",
    });
    const other = new PoolWorld(rows);
    expect(other.draft({ ...one, container: "item:4802" }).slug).to.equal("same-name");
    expect(other.draft({ ...one, container: "item:4803" }).slug).to.equal("same-name-4803");
    other.remove();
  });

  it("rejects and names an unknown container, item or slug, writing nothing", () => {
    const before = world.state();
    const refused = (given: object) => expect(() => world.draft({ ...one, ...given })).to.throw(OperatorError);
    refused({ container: "item:1" }).with.property(
      "message",
      "pool of item:1: the catalog does not have the container; nothing was drafted",
    );
    refused({ container: "paint:7:1" })
      .with.property("message")
      .that.includes("`paint:7:1` is not a container in the catalog");
    refused({ tiers: [tierOf(["cs2-lib:99", 9999])] })
      .with.property("message")
      .that.includes(
        "pool of cs2-lib:800: the catalog has no item `9999`; the catalog has no item `cs2-lib:99`; nothing was drafted",
      );
    expect(() => world.publish("nope")).to.throw(OperatorError, "unknown container `nope`");
    expect(() => retirePool(world.database, "nope", { clock: world.clock })).to.throw(OperatorError, "`nope`");
    expect(world.state()).to.equal(before);
  });
});
