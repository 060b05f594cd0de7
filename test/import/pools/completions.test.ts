import { expect } from "chai";
import { poolCompletions } from "../../../src/import/pool-completions.ts";
import { cs2LibPools } from "../../../src/import/pools/cs2-lib-pools.ts";
import { draftPools } from "../../../src/import/pools/draft.ts";
import { openablesOf } from "../../domain/openables-world.ts";
import { documentsOf, type ListRow, PoolWorld, weapon, weaponCase } from "./pool-world.ts";

const revolver = poolCompletions().get("item:4186")!;
/** Rare specials of the Revolver Case as rows of the item list, 65 with ids from 100 on. */
const specials = [...revolver.specials].map(([object, name], index): ListRow => {
  const [, def, paint] = object.split(":").map(Number);
  const wear = paint === 0 ? {} : { wearMin: 0, wearMax: 0.06 };
  return { id: 100 + index, type: "melee", name, def, index: paint, rarity: "#eb4b4b", ...wear };
});
const specialIds = specials.map(({ id }) => id);
const isListed = ({ name }: ListRow) =>
  !name.startsWith("M9 Bayonet") && name !== "Karambit | Fade" && name !== "Karambit | Urban Masked";
const cut = specials.filter(isListed).map(({ id }) => id);

describe("completion of truncated lists", () => {
  let world: PoolWorld;
  afterEach(() => world.remove());

  const draftOf = (listed: readonly number[], more: readonly ListRow[] = []) => {
    const rows = [weapon(1, "AK-47 | One"), ...specials, ...more];
    const all = [...rows, weaponCase(186, "Revolver Case", { contents: [1], specials: listed })];
    world = new PoolWorld(all);
    const parts = { clock: world.clock, completions: poolCompletions() };
    return draftPools(world.database, cs2LibPools(documentsOf(all)), parts);
  };
  const published = () => {
    const { outcome, revisionId, reasons } = world.publish("revolver-case");
    expect(outcome, reasons.map(({ reason }) => reason).join()).to.equal("published");
    const [row] = world.all<{ definition: string }>("SELECT definition FROM pool_revisions");
    return { ...world.revision(revisionId!), definition: JSON.parse(row!.definition) };
  };

  const servedPool = () => {
    const openables = openablesOf(world.database);
    return openables.openable(openables.prepareOpenable({ slug: "revolver-case" }), world.now).data.pool;
  };

  it("extends the Revolver Case to 65 rare specials with inferred odds", () => {
    const report = draftOf(cut);
    expect(report.completed).to.deep.equal([
      {
        slug: "revolver-case",
        added: [...revolver.specials.values()].filter((name) => !isListed({ name } as ListRow)),
        reference: revolver.reference,
      },
    ]);
    const { odds_source, tiers, definition, outcomes } = published();
    expect(odds_source).to.equal("inferred");
    expect(JSON.parse(tiers).at(-1)).to.include({ tier: "rare_special", itemCount: 65, addedCount: 15 });
    expect(definition.completed.reference).to.include(
      "cgarryZA/case-ev 4a577eefacc1 (data/catalogues/cases/Revolver.json",
    );
    expect(definition.odds).to.deep.include({ source: "inferred" });
    expect(outcomes.filter(({ tier }) => tier === "rare_special")).to.have.length(130);
    expect(servedPool()).to.deep.include({ odds_source: "inferred", flags: ["pool_completed"] });
  });

  it("leaves a whole list unchanged", () => {
    expect(draftOf(specialIds).completed).to.deep.equal([]);
    const { odds_source, definition } = published();
    expect([odds_source, definition.completed]).to.deep.equal(["published", undefined]);
    expect(servedPool()).to.deep.include({ odds_source: "published", flags: [] });
  });

  it("blocks a list with an unknown rare special and reports the difference", () => {
    const stranger = { ...specials[1]!, id: 90, name: "Bayonet | Novelty", index: 999 };
    const { completed, comparisons } = draftOf([...cut, 90], [stranger]);
    expect(completed).to.deep.equal([]);
    expect(comparisons).to.have.length(1);
    expect(comparisons[0]).to.deep.include({ slug: "revolver-case", source: "db/pool-completions.json" });
    expect(comparisons[0]!.differences[0]).to.deep.include({ tier: "rare_special", onlyHere: ["Bayonet | Novelty"] });
    expect(comparisons[0]!.differences[0]!.onlyThere).to.have.length(15);
    const { outcome, reasons } = world.publish("revolver-case");
    expect(outcome).to.equal("blocked");
    expect(reasons.map(({ kind }) => kind)).to.deep.equal(["list_looks_cut"]);
    expect(reasons[0]!.reason).to.include("Karambit | Fade, Karambit | Urban Masked");
  });

  it("names each knife once, and cites a repository, commit and file", () => {
    expect([...poolCompletions().values()].map(({ specials: { size } }) => size)).to.deep.equal([
      ...Array.from({ length: 11 }, () => 65),
      ...Array.from({ length: 4 }, () => 52),
    ]);
    for (const { reference, name } of poolCompletions().values())
      expect(reference, name).to.match(/^[\w-]+\/[\w-]+ [0-9a-f]{12} \(data\/[^;]+\.json, data\/[^;]+\.json\); /);
  });
});
