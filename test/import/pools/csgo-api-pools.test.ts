import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { SourceTally } from "../../../src/import/catalog/source-tally.ts";
import { cs2LibPools } from "../../../src/import/pools/cs2-lib-pools.ts";
import { csgoApiPools } from "../../../src/import/pools/csgo-api-pools.ts";
import { draftPools } from "../../../src/import/pools/draft.ts";
import { OperatorError } from "../../../src/values/failure/operator-error.ts";
import { runHere } from "../../support/cli.ts";
import { temporaryFolder } from "../../support/files.ts";
import { documentsOf, type ListRow, PoolWorld, phase, weapon, weaponCase } from "./pool-world.ts";

const rows: ListRow[] = [
  weapon(1, "AK-47 | One", { index: 21 }),
  weapon(2, "M4A4 | Two", { index: 22, rarity: "#eb4b4b" }),
  { id: 41, type: "melee", name: "Bayonet", def: 500, index: 0, rarity: "#eb4b4b" },
  { ...phase(42, "Bayonet | Blue Steel", 500, null), index: 42 },
  ...["Phase 1", "Ruby"].map((name, at) => ({
    ...phase(43 + at, "Bayonet | Doppler", 500, name),
    index: 418 - 3 * at,
  })),
  weaponCase(800, "Box", { contents: [1, 2], specials: [41, 42, 43] }),
  { ...weaponCase(804, "Package", { contents: [1] }), containerType: 3, keys: [] },
];
const rarity = (color: string) => ({ id: "rarity_x", name: "X", color });
const skin = (id: string, name: string, paint: string | null, color = "#4b69ff", more: object = {}) => {
  return { id, name, rarity: rarity(color), paint_index: paint, ...more };
};
/** Written by hand in the shape of csgo-api's `crates.json`. */
const box = {
  id: "crate-4800",
  name: "Box",
  def_index: "4800",
  type: "Case",
  first_sale_date: "2013/09/20",
  contains: [skin("skin-1", "AK-47 | One", "21"), skin("skin-2", "M4A4 | Two", "22", "#eb4b4b")],
  contains_rare: [
    skin("skin-41", "★ Bayonet", null, "#eb4b4b", { phase: null }),
    skin("skin-42", "★ Bayonet | Blue Steel", "42", "#eb4b4b", { phase: null }),
    skin("skin-43", "★ Bayonet | Doppler", "418", "#eb4b4b", { phase: "Phase 1" }),
    skin("skin-44", "★ Bayonet | Doppler", "415", "#eb4b4b", { phase: "Ruby" }),
  ],
  market_hash_name: "Box",
};
const crates = [
  box,
  {
    id: "crate-4804",
    name: "Package",
    def_index: "4804",
    type: "Souvenir",
    contains: [box.contains[0]],
    contains_rare: [],
  },
  { id: "crate-4001x", name: "Capsule", def_index: "4999", type: "Sticker Capsule", contains: [], contains_rare: [] },
];
const document = (value: unknown) => ({ file: "crates.json", value });

describe("csgo-api pools", () => {
  let world: PoolWorld;
  beforeEach(() => {
    world = new PoolWorld(rows);
  });
  afterEach(() => world.remove());

  it("draft cases and souvenir packages with exact outcomes, omitting other containers", () => {
    draftPools(world.database, cs2LibPools(documentsOf(rows)), { clock: world.clock });
    const revisionOf = (slug: string) => world.revision(world.publish(slug).revisionId!);
    const before = [revisionOf("box"), revisionOf("package")];
    const { drafts, omitted } = csgoApiPools(document(crates));
    expect(omitted).to.deep.equal(["Capsule"]);
    const { drafted, comparisons } = draftPools(world.database, drafts, { clock: world.clock });
    expect(drafted.map(({ slug, type }) => `${slug} ${type}`)).to.deep.equal(["box case", "package souvenir_package"]);
    expect(comparisons).to.deep.equal([
      { slug: "box", source: "cs2-lib", differences: [] },
      { slug: "package", source: "cs2-lib", differences: [] },
    ]);
    expect([revisionOf("box"), revisionOf("package")]).to.deep.equal(before);
    const references = world.all<{ definition: string }>(
      "SELECT definition FROM pool_revisions WHERE revision_number = 2",
    );
    expect(
      JSON.parse(references[0]!.definition)
        .tiers.at(-1)
        .items.map(({ item }: { item: string }) => item),
    ).to.deep.equal(["paint:500:0", "paint:500:42", "paint:500:415", "paint:500:418"]);
  });

  it("draft an unknown item by its source id, and block its pool", () => {
    const newer = { ...box, contains: [...box.contains, skin("skin-9", "AK-47 | Next", "77")] };
    draftPools(world.database, csgoApiPools(document([newer])).drafts, { clock: world.clock });
    expect(world.publish("box").reasons).to.deep.equal([
      { kind: "unknown_item", reason: "the catalog has no item `csgo-api:skin-9` (AK-47 | Next)" },
    ]);
  });

  it("report slots and tiers that differ from another source's pool", async () => {
    const folder = temporaryFolder();
    try {
      draftPools(world.database, cs2LibPools(documentsOf(rows)), { clock: world.clock });
      const [one, two] = box.contains;
      const moved = { ...two!, rarity: rarity("#4b69ff") };
      const other = { ...box, contains: [one, moved], contains_rare: box.contains_rare.slice(1) };
      writeFileSync(join(folder, "boxes.json"), JSON.stringify([other, ...crates.slice(1)]));
      const draft = ["openables", "draft", folder, "--adapter", "csgo-api", "--db", world.path];
      const { lines } = await runHere(draft);
      expect(lines).to.deep.equal([
        "2 pools: 0 new, 2 changed, 0 unchanged",
        "  types     case 1, souvenir_package 1",
        "  omitted   1 incomplete in the source: Capsule",
        "  compared  2 with cs2-lib: 1 agree, 1 differ",
        "              box mil_spec: only in this source M4A4 | Two",
        "              box rare_special: only in cs2-lib Bayonet",
        "              box covert: only in cs2-lib M4A4 | Two",
      ]);
      mkdirSync(join(folder, "boxes"));
      writeFileSync(join(folder, "boxes/capsules.json"), JSON.stringify(crates.slice(2)));
      const moreFiles = await runHere(draft);
      expect(moreFiles.code, moreFiles.notes.join("\n")).to.equal(0);
      expect(moreFiles.lines).to.deep.equal(["2 pools: 0 new, 0 changed, 2 unchanged", ...lines.slice(1, 3)]);
      rmSync(join(folder, "boxes"), { recursive: true });
      writeFileSync(join(folder, "boxes.json"), JSON.stringify(crates.slice(2)));
      const refused = await runHere(draft);
      expect([refused.code, ...refused.notes]).to.deep.equal([
        65,
        `itemtape: ${join(folder, "boxes.json")}: it has neither a case with rare specials nor a souvenir package; nothing was drafted`,
      ]);
      rmSync(join(folder, "boxes.json"));
      expect((await runHere(draft)).code).to.equal(66);
      expect((await runHere([...draft, "--english", world.path])).code).to.equal(64);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  const wrong: [fault: string, value: unknown, message: RegExp][] = [
    ["that is not an array", {}, /crates\.json: expected a JSON array/],
    ["with an invalid definition index", [{ ...box, def_index: "x" }], /row 1 \(id crate-4800\): field "def_index"/],
    [
      "with an entry without a name",
      [{ ...box, contains: [{ id: "skin-1" }] }],
      /field "contains\.0" must have required/,
    ],
    ["with only a case without contents", [{ ...box, contains: [] }], /container Box: has no contents/],
  ];
  for (const [fault, value, message] of wrong) {
    it(`reject and name a container list ${fault}`, () => {
      expect(() => csgoApiPools(document(value))).to.throw(OperatorError, message);
    });
  }

  const twin = { ...crates[1]!, id: "crate-4804_highlight", name: "Highlight Package", type: "Souvenir Highlight" };
  const odd: [fault: string, value: object | null, skipped: object, omitted: string[]][] = [
    ["a twin with the same index", twin, {}, ["Highlight Package"]],
    ["a null row", null, { malformed_row: 1 }, []],
    ["a row without a name", { ...box, name: null, id: "crate-1" }, { malformed_row: 1 }, []],
    ["a container twice", box, { duplicate_object: 1 }, []],
    ["null contents", { ...box, id: "crate-2", def_index: null, contains: null }, { faulty_container: 1 }, []],
    ["an entry without a name", { ...box, id: "crate-3", contains: [{ id: "a" }] }, { malformed_row: 1 }, []],
  ];
  for (const [fault, value, skipped, omitted] of odd) {
    it(`draft every other container and count ${fault}`, () => {
      const tally = new SourceTally();
      const read = csgoApiPools(document([...crates.slice(0, 2), value]), [], tally);
      const { drafted } = draftPools(world.database, read.drafts, { clock: world.clock });
      expect(drafted.map(({ slug }) => slug)).to.deep.equal(["box", "package"]);
      expect(read.omitted).to.deep.equal(omitted);
      expect(Object.fromEntries(tally.skips.map(({ reason, count }) => [reason, count]))).to.deep.equal(skipped);
    });
  }
});
