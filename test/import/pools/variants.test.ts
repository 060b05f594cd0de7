import { expect } from "chai";
import { colour, type ListRow, PoolWorld, phase, tierOf, weapon, weaponCase } from "./pool-world.ts";

const rows: ListRow[] = [
  weapon(1, "AK-47 | Plain"),
  weapon(2, "M4A4 | Clean", { wearMin: 0.1, wearMax: 0.26 }),
  weapon(3, "P250 | Nobody's"),
  weapon(4, "USP-S | Edge", { wearMin: 0.14, wearMax: 0.2 }),
  phase(5, "Sport Gloves | Vice", 5030, null, { type: "glove", wearMin: 0.06, wearMax: 0.8 }),
  { id: 6, type: "sticker", name: "Sticker | One", index: 6, rarity: colour.milSpec },
  { id: 7, type: "musickit", name: "Music Kit | Loud", index: 7, rarity: colour.milSpec },
  weapon(8, "Negev | Souvenir"),
  weaponCase(801, "Case", { contents: [1, 2, 4], specials: [5] }),
  { ...weaponCase(802, "Package", { contents: [8] }), containerType: 3, keys: [] },
  { id: 803, type: "case", name: "Container | Kits", def: 4803, contents: [7], statTrakOnly: true },
  { id: 800, type: "case", name: "Container | Box", def: 4800, contents: [1] },
];

describe("outcomes of a slot", () => {
  const world = new PoolWorld(rows);
  after(() => world.remove());

  const chances = (items: readonly string[], facts: object = {}) =>
    world.chances(world.published({ ...facts, tiers: [tierOf(items)] }));

  it("have the wear model's wears and counter variants with exact shares", () => {
    expect(chances(["cs2-lib:1"], { counter_chance: "1/10" })).to.deep.equal({
      "AK-47 | Plain (Factory New)": 27_000,
      "StatTrak™ AK-47 | Plain (Factory New)": 3_000,
      "AK-47 | Plain (Minimal Wear)": 216_000,
      "StatTrak™ AK-47 | Plain (Minimal Wear)": 24_000,
      "AK-47 | Plain (Field-Tested)": 297_000,
      "StatTrak™ AK-47 | Plain (Field-Tested)": 33_000,
      "AK-47 | Plain (Well-Worn)": 216_000,
      "StatTrak™ AK-47 | Plain (Well-Worn)": 24_000,
      "AK-47 | Plain (Battle-Scarred)": 144_000,
      "StatTrak™ AK-47 | Plain (Battle-Scarred)": 16_000,
    });
    expect(chances(["cs2-lib:2"])).to.deep.equal({
      "M4A4 | Clean (Minimal Wear)": 498_750,
      "M4A4 | Clean (Field-Tested)": 501_250,
    });
  });

  it("have only plain variants at counter chance 0, none at 1", () => {
    const vice = chances(["cs2-lib:5", "cs2-lib:6"], { counter_chance: "1/10" });
    expect(Object.keys(vice).some((name) => name.includes("StatTrak"))).to.equal(false);
    expect(vice["★ Sport Gloves | Vice (Factory New)"]).to.equal(5792 / 2);
    expect(vice["Sticker | One"]).to.equal(500_000);
    expect(chances(["cs2-lib:7"], { counter_chance: "1" })).to.deep.equal({ "StatTrak™ Music Kit | Loud": 1_000_000 });
  });

  it("include a listed item without a chance as numerator 0", () => {
    const stated = (wear_ppm: number[]) =>
      world.published({
        wear: { model: "stated", reference: "counted" },
        tiers: [{ tier: "all", weight: 1, items: [{ item: "cs2-lib:4", wear_ppm }] }],
      });
    const published = stated([0, 0, 1_000_000, 0, 0]);
    expect(published.outcomes.map(({ numerator }) => numerator)).to.deep.equal(["0", "1"]);
    expect(
      world.all("SELECT outcome_count AS n FROM pool_revisions ORDER BY revision_number DESC LIMIT 1"),
    ).to.deep.equal([{ n: 1 }]);
    expect(
      world.blocks({ wear: { model: "stated", reference: "counted" }, tiers: [tierOf(["cs2-lib:4"])] }),
    ).to.deep.equal(["wear_unknown: `cs2-lib:4` has wears but no `wear_ppm`"]);
  });

  it("use the definition's wear range, and block wears missing from the catalog", () => {
    const ranged = (wear_min: string, wear_max: string) => ({
      tiers: [{ tier: "all", weight: 1, items: [{ item: "cs2-lib:1", wear_min, wear_max }] }],
    });
    const clean = world.chances(world.published(ranged("0.1", "0.26")));
    expect(clean["AK-47 | Plain (Minimal Wear)"]).to.equal(498_750);
    expect(clean["AK-47 | Plain (Factory New)"]).to.equal(0);
    expect(
      world.blocks({
        tiers: [{ tier: "all", weight: 1, items: [{ item: "cs2-lib:4", wear_min: "0", wear_max: "0.2" }] }],
      }),
    ).to.deep.equal(["variant_missing: `cs2-lib:4` has no variant plain (FN) in the catalog"]);
  });

  it("are souvenirs for a souvenir package, and block without them", () => {
    const { outcomes } = world.published({ edition: "souvenir", tiers: [tierOf(["cs2-lib:8"])] });
    const names = world.all<{ name: string }>(
      `SELECT market_hash_name AS name FROM items WHERE item_id IN (${outcomes.map(({ item_id }) => item_id).join()})`,
    );
    expect(names.map(({ name }) => name).every((name) => name.startsWith("Souvenir Negev | Souvenir ("))).to.equal(
      true,
    );
    expect(outcomes).to.have.length(5);
    expect(world.blocks({ edition: "souvenir", tiers: [tierOf(["cs2-lib:3"])] })[0]).to.equal(
      "variant_missing: `cs2-lib:3` has no variant souvenir (FN), souvenir (MW), souvenir (FT), souvenir (WW), souvenir (BS) in the catalog",
    );
  });

  it("are blocked for all missing variants, chances and weights at once", () => {
    const blocks = world.blocks({
      counter_chance: "1/10",
      tiers: [tierOf(["cs2-lib:3"]), tierOf(["cs2-lib:1"], "more", null)],
    });
    expect(blocks).to.have.length(2);
    expect(blocks[0]).to.equal("tier_without_weight: the weight of the tier more is unknown");
    expect(blocks[1]).to.include("variant_missing: `cs2-lib:3` has no variant counter (FN), counter (MW)");
    expect(world.blocks({ counter_chance: null, tiers: [tierOf(["cs2-lib:1"])] })).to.deep.equal([
      "counter_chance_unknown: its counter chance is unknown",
    ]);
    expect(world.blocks({ never_published: "it is not opened", tiers: [tierOf(["cs2-lib:1"])] })).to.deep.equal([
      "never_published: it is not opened",
    ]);
  });

  it("divide the whole exactly by weights of tiers and items", () => {
    const published = world.published({
      tiers: [
        { tier: "most", weight: 3, items: [{ item: "cs2-lib:6", weight: 2 }, { item: "cs2-lib:7" }] },
        { tier: "rest", weight: 4, items: [{ item: "cs2-lib:2" }] },
      ],
    });
    const sum = published.outcomes.reduce((all, { numerator }) => all + BigInt(numerator), 0n);
    expect(String(sum)).to.equal(published.denominator);
    expect(world.chances(published, 7n)).to.deep.equal({
      "Sticker | One": 2,
      "Music Kit | Loud": 1,
      "M4A4 | Clean (Minimal Wear)": 1.995,
      "M4A4 | Clean (Field-Tested)": 2.005,
    });
    expect(JSON.parse(published.tiers)).to.deep.equal([
      { tier: "most", weight: 3, itemCount: 2 },
      { tier: "rest", weight: 4, itemCount: 1 },
    ]);
  });
});
