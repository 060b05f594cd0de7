import { expect } from "chai";
import { cs2LibPools } from "../../../src/import/pools/cs2-lib-pools.ts";
import { draftPools } from "../../../src/import/pools/draft.ts";
import { edit } from "../../support/unguarded.ts";
import { documentsOf, type ListRow, PoolWorld, tierOf, weapon, weaponCase } from "./pool-world.ts";

const finishes = ["Ash", "Birch", "Cedar", "Dogwood", "Elm"];
const knives = ["Arrow", "Bolt", "Cutter", "Dart"];
/** Twenty knives: ids 100 to 104 are Arrow, 110 to 114 are Bolt, … */
const knifeRows = knives.flatMap((knife, index) =>
  finishes.map((finish, paint): ListRow => {
    const name = `${knife} Knife | ${finish}`;
    const [id, facts] = [100 + 10 * index + paint, { def: 600 + index, index: 50 + paint, wearMin: 0, wearMax: 0.06 }];
    return { id, type: "melee", name, rarity: "#eb4b4b", ...facts };
  }),
);
const ids = (...knifeIndexes: number[]) =>
  knifeIndexes.flatMap((knife) => finishes.map((_, i) => 100 + 10 * knife + i));
const without = (list: readonly number[], ...gone: number[]) => list.filter((id) => !gone.includes(id));
const caseOf = (id: number, specials: readonly number[]) =>
  weaponCase(id, `Case ${id}`, { contents: [1], ...(specials.length === 0 ? {} : { specials }) });

describe("detection of truncated lists", () => {
  let world: PoolWorld;
  afterEach(() => world.remove());

  /** Drafts and publishes cases with these rare specials, and returns the outcome or the reasons of each. */
  const publish = (lists: readonly (readonly number[])[]) => {
    const rows = [weapon(1, "AK-47 | One"), ...knifeRows, ...lists.map((list, index) => caseOf(800 + index, list))];
    // A separate case holds every knife, so that the catalog has their counters.
    const all = [...rows, caseOf(899, ids(0, 1, 2, 3))];
    world = new PoolWorld(all);
    const { drafted } = draftPools(world.database, cs2LibPools(documentsOf(rows)), { clock: world.clock });
    return drafted.map(({ slug }) => {
      const { outcome, reasons } = world.publish(slug);
      return outcome === "blocked" ? reasons.map(({ kind, reason }) => `${kind}: ${reason}`).join("; ") : outcome;
    });
  };
  const looksCut = "list_looks_cut: its list of rare specials looks cut off: ";

  it("blocks a pool if a knife lacks common finishes, by name", () => {
    expect(publish([without(ids(0, 1, 2), 121, 124)])).to.deep.equal([
      `${looksCut}knives beside them have the finishes of Cutter Knife | Birch, Cutter Knife | Elm`,
    ]);
  });

  it("accepts whole lists, single knives and knives of different families", () => {
    expect(publish([ids(0, 1, 2), [100, 101], [100, 101, 112, 113, 114], ids(3)])).to.deep.equal([
      "published",
      "published",
      "published",
      "published",
    ]);
  });

  it("blocks three lists of the same usual page size", () => {
    const end = `${looksCut}3 lists of its source end at 10 rare specials and none is longer`;
    expect(publish([ids(0, 1), ids(1, 2), ids(2, 3), ids(0)])).to.deep.equal([end, end, end, "published"]);
  });

  it("accepts two lists of one length and unusual lengths", () => {
    const isPublished = (lists: readonly (readonly number[])[]) => {
      expect(publish(lists)).to.deep.equal(lists.map(() => "published"));
      world.remove();
    };
    isPublished([ids(0, 1), ids(1, 2), ids(0)]);
    isPublished([ids(0, 1), ids(1, 2), ids(2, 3), ids(0, 1, 2)]);
    expect(publish([ids(0), ids(1), ids(2)])).to.deep.equal(["published", "published", "published"]);
  });

  it("blocks a pool for a matching knife known only from feeds", () => {
    expect(publish([ids(0, 1)])).to.deep.equal(["published"]);
    feedsName("Dart Knife", finishes.slice(0, 4));
    expect(world.publish("case-800").outcome, "one finish is not named").to.equal("unchanged");
    feedsName("Dart Knife", finishes);
    const named = finishes.map((finish) => `Dart Knife | ${finish}`).join(", ");
    expect(world.publish("case-800").reasons).to.deep.equal([
      { kind: "list_looks_cut", reason: `${looksCut.slice(16)}feeds name ${named}, which no pool holds` },
    ]);
  });

  it("accepts a definition that cites a source for its completeness", () => {
    publish([ids(0)]);
    const rareSpecials = without(ids(0, 1, 2), 121).map((id) => `cs2-lib:${id}`);
    const definition = { container: "cs2-lib:899", tiers: [tierOf(rareSpecials, "rare_special")] };
    expect(world.blocks(definition)).to.deep.equal([
      `${looksCut}knives beside them have the finishes of Cutter Knife | Birch`,
    ]);
    const { odds_source } = world.published({ ...definition, list_reference: "counted in the game" });
    expect(odds_source).to.equal("published");
  });

  it("infers odds and counts items if a definition declares added items", () => {
    publish([ids(0)]);
    const items = without(ids(0, 1), 114).map((id) => `cs2-lib:${id}`);
    const { odds_source, tiers } = world.published({
      container: "cs2-lib:899",
      tiers: [tierOf([...items, "cs2-lib:114"], "rare_special")],
      completed: { items: ["cs2-lib:114"], reference: "counted in the game" },
    });
    expect(odds_source).to.equal("inferred");
    expect(JSON.parse(tiers)).to.deep.equal([{ tier: "rare_special", weight: 1, itemCount: 10, addedCount: 1 }]);
  });

  /** Makes the counters of a knife in these finishes items that only a feed names. */
  const feedsName = (knife: string, named: readonly string[]) => {
    const names = named.map((finish) => `'★ StatTrak™ ${knife} | ${finish} (Factory New)'`).join();
    edit(world.database.$client, `UPDATE items SET origin = 'feed_proven' WHERE market_hash_name IN (${names})`);
  };
});
