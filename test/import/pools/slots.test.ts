import { expect } from "chai";
import { cs2LibPools } from "../../../src/import/pools/cs2-lib-pools.ts";
import { draftPools } from "../../../src/import/pools/draft.ts";
import { edit } from "../../support/unguarded.ts";
import { colour, documentsOf, type ListRow, PoolWorld, phase, tierOf, weapon, weaponCase } from "./pool-world.ts";

const karambit = "Karambit | Doppler";
const phaseNames = ["Phase 1", "Phase 2", "Phase 3", "Phase 4", "Ruby", "Sapphire", "Black Pearl"] as const;
const phaseIds = [101, 102, 103, 104, 105, 106, 107];
const rows: ListRow[] = [
  weapon(1, "AK-47 | Plain"),
  weapon(2, "M4A4 | Clean", { wearMin: 0.1, wearMax: 0.26, rarity: colour.restricted }),
  ...phaseNames.map((name, index) => phase(phaseIds[index]!, karambit, 507, name, { index: 415 + index })),
  phase(111, "Bayonet | Doppler", 500, "Phase 1", { index: 418 }),
  phase(112, "Bayonet | Doppler", 500, "Ruby", { index: 415, wearMin: 0.06, wearMax: 0.2 }),
  // The same finish from a source that does not name the phase.
  phase(120, karambit, 507, null, { index: 9000 }),
  phase(121, "Knife | Twin", 42, null),
  phase(122, "Knife | Twin", 59, null),
  { id: 130, type: "melee", name: "Karambit", def: 507, index: 0, rarity: colour.covert },
  weaponCase(800, "Fever-like Case", { contents: [1, 2], specials: [104, 112, 121, 122, 130] }),
];
const others = [111, 112, 121, 122, 130];

describe("slots of a pool", () => {
  const world = new PoolWorld(rows);
  after(() => world.remove());

  const asListed = (specials: readonly number[]) => {
    const listed = rows.map((row) => (row.type === "case" ? { ...row, specials } : row));
    const [draft] = draftPools(world.database, cs2LibPools(documentsOf(listed)), { clock: world.clock }).drafted;
    const { revisionId } = world.publish(draft!.slug);
    return world.revision(revisionId!);
  };
  const specialsOf = (published: ReturnType<typeof asListed>) =>
    published.outcomes.filter(({ tier }) => tier === "rare_special");

  it("have equal outcomes for one phase, every phase or no phase", () => {
    const first = asListed([104, ...others]);
    const listings = [
      [...phaseIds, ...others],
      [...others.toReversed(), ...phaseIds.toReversed()],
      [120, ...others],
      [106, 111, 121, 122, 130],
      [120, 101, 112, 122, 130, 121],
    ];
    for (const listing of listings) expect(asListed(listing), listing.join()).to.deep.equal(first);
    expect(JSON.parse(first.tiers).at(-1)).to.deep.equal({ tier: "rare_special", weight: 2, itemCount: 5 });
  });

  it("have equal outcomes for any reference to the same object", () => {
    const [{ id }] = world.all<{ id: number }>(
      "SELECT item_id AS id FROM items WHERE identity = 'unphased' AND identity_key LIKE 'paint:507:doppler/MW/counter%'",
    ) as [{ id: number }];
    const first = world.published({ counter_chance: "1/10", tiers: [tierOf(["cs2-lib:104"])] });
    expect(first.outcomes).to.have.length(7 * 2 * 2);
    for (const reference of ["paint:507:418", "paint:507:doppler", id, "cs2-lib:120"]) {
      const again = world.published({ counter_chance: "1/10", tiers: [tierOf([reference])] });
      expect(again, String(reference)).to.deep.equal(first);
    }
  });

  it("separate knives of one name, but join phases of a knife", () => {
    const chances = world.chances(asListed([104, ...others]), 752n * 5n * 1_000_000n);
    const fine = 962_963 * 0.9;
    expect(chances["★ Karambit | Doppler (Factory New), Ruby"]).to.be.closeTo((2 * fine) / 7, 0.001);
    expect(chances["★ Karambit"]).to.be.closeTo(2 * 900_000, 0.001);
    expect(chances["★ StatTrak™ Karambit"]).to.be.closeTo(2 * 100_000, 0.001);
    const twins = specialsOf(asListed([104, ...others])).filter(({ item_id }) =>
      world
        .all<{ name: string }>("SELECT market_hash_name AS name FROM items WHERE item_id = ?", item_id)[0]!
        .name.includes("Twin (Factory New)"),
    );
    expect(new Set(twins.map(({ numerator }) => numerator)).size).to.equal(2);
    expect(twins).to.have.length(4);
  });

  it("exclude the unphased identity, and limit each phase to its wears", () => {
    const ids = asListed([104, ...others]).outcomes.map(({ item_id }) => item_id);
    const unphased = world.all<{ id: number }>(
      `SELECT item_id AS id FROM items WHERE item_id IN (${ids.join()}) AND (identity = 'unphased' OR identity_key LIKE 'paint:507:9000/%')`,
    );
    expect(unphased).to.deep.equal([]);
    const bayonet = world.chances(world.published({ tiers: [tierOf(["cs2-lib:111"])] }));
    expect(Object.keys(bayonet)).to.deep.equal([
      "★ Bayonet | Doppler (Factory New), Phase 1",
      "★ Bayonet | Doppler (Minimal Wear), Phase 1",
      "★ Bayonet | Doppler (Factory New), Ruby",
      "★ Bayonet | Doppler (Minimal Wear), Ruby",
      "★ Bayonet | Doppler (Field-Tested), Ruby",
    ]);
    expect(Object.values(bayonet).reduce((sum, part) => sum + part, 0)).to.be.closeTo(1_000_000, 0.01);
  });

  it("infer odds without phase weights, and require catalog phases with them", () => {
    const weights = { "Phase 1": 3, Ruby: 0 };
    const stated = (phase_weights: object) => ({
      tiers: [{ tier: "all", weight: 1, items: [{ item: "cs2-lib:112", phase_weights: { ...phase_weights } }] }],
    });
    const published = world.published(stated(weights));
    expect(published.odds_source).to.equal("published");
    expect(world.published({ tiers: [tierOf(["cs2-lib:112"])] }).odds_source).to.equal("inferred");
    const chances = world.chances(published);
    expect(chances["★ Bayonet | Doppler (Factory New), Ruby"]).to.equal(0);
    expect(chances["★ Bayonet | Doppler (Factory New), Phase 1"]).to.be.closeTo(962_963, 0.001);
    expect(world.blocks(stated({ Ruby: 1, Sapphire: 1 }))).to.deep.equal([
      "phases_disagree: `cs2-lib:112` : its `phase_weights` must name the catalog's phases: Phase 1, Ruby".replace(
        "` :",
        "`:",
      ),
    ]);
  });

  it("ignore catalog gaps for a phase of weight 0", () => {
    const wide = (phase_weights: Record<string, number>) => ({
      tiers: [
        { tier: "all", weight: 1, items: [{ item: "cs2-lib:112", phase_weights, wear_min: "0.06", wear_max: "0.2" }] },
      ],
    });
    // Of Phase 1 the catalog has no Field-Tested.
    expect(world.blocks(wide({ "Phase 1": 1, Ruby: 1 }))).to.deep.equal([
      "variant_missing: `cs2-lib:112`, Phase 1 has no variant plain (FT) in the catalog",
    ]);
    const chances = world.chances(world.published(wide({ "Phase 1": 0, Ruby: 1 })));
    expect(chances["★ Bayonet | Doppler (Field-Tested), Ruby"]).to.be.above(0);
    expect(Object.entries(chances).filter(([name, part]) => name.endsWith("Phase 1") && part > 0)).to.deep.equal([]);
  });

  it("ignore catalog gaps for a wear of 0 ppm", () => {
    const own = new PoolWorld(rows);
    edit(own.database.$client, "UPDATE items SET in_catalog = 0 WHERE identity_key = ?", "paint:7:2/FT/counter/-");
    const stated = (wear_ppm: [number, number, number, number, number]) => ({
      counter_chance: "1/10",
      wear: { model: "stated" as const, reference: "a test" },
      tiers: [{ tier: "all", weight: 1, items: [{ item: "cs2-lib:2", wear_ppm }] }],
    });
    expect(own.blocks(stated([0, 900_000, 100_000, 0, 0]))).to.deep.equal([
      "variant_missing: `cs2-lib:2` has no variant counter (FT) in the catalog",
    ]);
    const chances = own.chances(own.published(stated([0, 1_000_000, 0, 0, 0])));
    expect(chances["M4A4 | Clean (Minimal Wear)"]).to.be.closeTo(900_000, 0.001);
    own.remove();
  });

  it("reject different weights of a finish's phases and duplicate items", () => {
    const tiers = (items: object[]) => [{ tier: "all", weight: 1, items }] as never;
    expect(() => world.draft({ tiers: tiers([{ item: "cs2-lib:101", weight: 2 }, { item: "cs2-lib:102" }]) })).to.throw(
      "`cs2-lib:101` and `cs2-lib:102` are phases of one finish and differ; nothing was drafted",
    );
    expect(() => world.draft({ tiers: tiers([{ item: "cs2-lib:1" }, { item: "paint:7:1" }]) })).to.throw(
      "`paint:7:1` is the same item as `cs2-lib:1`",
    );
    const split = [tierOf(["cs2-lib:101"], "one"), tierOf(["cs2-lib:102"], "two")];
    expect(() => world.draft({ tiers: split })).to.throw(
      "`cs2-lib:102` is the same item as `cs2-lib:101`, in one and two",
    );
  });
});
