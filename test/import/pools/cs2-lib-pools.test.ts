import { expect } from "chai";
import { SourceTally } from "../../../src/import/catalog/source-tally.ts";
import { cs2LibPools } from "../../../src/import/pools/cs2-lib-pools.ts";
import { draftPools } from "../../../src/import/pools/draft.ts";
import { OperatorError } from "../../../src/values/failure/operator-error.ts";
import { colour, documentsOf, type ListRow, PoolWorld, weapon, weaponCase } from "./pool-world.ts";

const box = (id: number, name: string, facts: object): ListRow => {
  return { ...weaponCase(id, name, facts), containerType: undefined, keys: undefined, ...facts };
};
const sticker = (id: number, rarity: string, type = "sticker"): ListRow => {
  return { id, type, name: `Thing | ${id}`, index: id, rarity };
};
const rows: ListRow[] = [
  weapon(1, "AK-47 | Blue"),
  weapon(2, "AK-47 | Red", { rarity: colour.covert }),
  weapon(3, "AK-47 | Grey", { rarity: colour.base }),
  weapon(4, "AK-47 | Orange", { rarity: "#e4ae39" }),
  { ...weapon(5, "Karambit | Gold", { rarity: colour.covert }), type: "melee", def: 507 },
  sticker(11, colour.milSpec),
  sticker(12, colour.covert),
  sticker(13, colour.milSpec, "musickit"),
  sticker(14, colour.base, "graffiti"),
  sticker(15, colour.restricted, "collectible"),
  sticker(16, colour.milSpec, "keychain"),
  sticker(17, colour.restricted, "keychain"),
  weaponCase(900, "Small Case", { contents: [2, 1], specials: [5] }),
  weaponCase(901, "Howling Case", { contents: [1, 4] }),
  weaponCase(902, "Old Package", { contents: [1, 3], keys: [] }),
  weaponCase(903, "Sealed Test Terminal", { contents: [1], keys: [] }),
  weaponCase(904, "Souvenir Package", { contents: [1, 3], containerType: 3, keys: [] }),
  weaponCase(905, "Sticker Capsule", { contents: [11, 12], containerType: 1 }),
  box(906, "StatTrak™ Kits", { contents: [13], statTrakOnly: true }),
  box(907, "Kits", { contents: [13], statTrakless: true }),
  box(908, "StatTrak™ Named Box", { contents: [13] }),
  box(909, "Silent Box", { contents: [13] }),
  box(910, "Graffiti Box", { contents: [14], containerType: 2 }),
  box(911, "Pins", { contents: [15] }),
  box(912, "Mixed", { contents: [11, 15] }),
  weaponCase(913, "Keyless Case", { contents: [1, 2], specials: [5], keys: [] }),
  box(914, "Charm Capsule", { contents: [17, 16], containerType: 1 }),
];
const changed = (id: number, facts: object) => rows.map((row) => (row.id === id ? { ...row, ...facts } : row));

describe("cs2-lib pools", () => {
  const world = new PoolWorld(rows);
  after(() => world.remove());

  it("draft each container with its kind's weights, key and odds source", () => {
    const drafted = cs2LibPools(documentsOf(rows)).map(({ definition }) => {
      const { name, type, key_cost_cents, counter_chance, edition, odds, never_published, tiers } = definition;
      const weights = tiers.map(
        ({ tier, weight, items }) => `${tier} ${weight} ${items.map(({ item }) => item).join()}`,
      );
      const key = key_cost_cents === 0 ? "" : ` key ${key_cost_cents}`;
      const never = never_published === null ? "" : ", never";
      return `${name}: ${type} ${edition}${key}, ${counter_chance}, ${odds.source}${never}: ${weights.join("; ")}`;
    });
    expect(drafted).to.deep.equal([
      "Small Case: case plain key 249, 1/10, published: mil_spec 625 cs2-lib:1; covert 5 cs2-lib:2; rare_special 2 cs2-lib:5",
      "Howling Case: case plain key 249, 1/10, published: mil_spec 625 cs2-lib:1; contraband null cs2-lib:4",
      "Old Package: other plain, 0, community: consumer_grade 3125 cs2-lib:3; mil_spec 125 cs2-lib:1",
      "Sealed Test Terminal: other plain, 0, community, never: mil_spec 125 cs2-lib:1",
      "Souvenir Package: souvenir_package souvenir, 0, community: consumer_grade 3125 cs2-lib:3; mil_spec 125 cs2-lib:1",
      "Sticker Capsule: capsule plain key 249, 0, community: high_grade 125 cs2-lib:11; extraordinary 1 cs2-lib:12",
      "StatTrak™ Kits: other plain, 1, community: high_grade 125 cs2-lib:13",
      "Kits: other plain, 0, community: high_grade 125 cs2-lib:13",
      "StatTrak™ Named Box: other plain, 1, inferred: high_grade 125 cs2-lib:13",
      "Silent Box: other plain, null, inferred: high_grade 125 cs2-lib:13",
      "Graffiti Box: other plain, 0, community: base_grade 3125 cs2-lib:14",
      "Pins: capsule plain, 0, community: remarkable 25 cs2-lib:15",
      "Mixed: capsule plain, 0, community: high_grade null cs2-lib:11; remarkable null cs2-lib:15",
      "Keyless Case: other plain, 0, community: mil_spec 125 cs2-lib:1; covert 1 cs2-lib:2; rare_special null cs2-lib:5",
      "Charm Capsule: capsule plain, 0, community: high_grade 125 cs2-lib:16; remarkable 25 cs2-lib:17",
    ]);
  });

  it("publish complete drafts, and block each other one with its reasons", () => {
    const report = draftPools(world.database, cs2LibPools(documentsOf(rows)), { clock: world.clock });
    const outcomes = report.drafted.map(({ slug }) => world.publish(slug));
    expect(outcomes.filter(({ outcome }) => outcome === "published")).to.have.length(10);
    const blocked = outcomes.flatMap(({ slug, reasons }) => reasons.map(({ reason }) => `${slug}: ${reason}`));
    expect(blocked).to.deep.equal([
      "howling-case: the weight of the tier contraband is unknown",
      "sealed-test-terminal: terminals sell offers, they are not opened",
      "silent-box: its counter chance is unknown",
      "mixed: the weight of the tier high_grade is unknown",
      "mixed: the weight of the tier remarkable is unknown",
      "keyless-case: the weight of the tier rare_special is unknown",
    ]);
  });

  it("draft an item missing from the catalog, and block its pool", () => {
    const newer = [
      ...changed(900, { contents: [1, 2, 50] }),
      weapon(50, "AK-47 | Next"),
      weaponCase(950, "Next Case", { contents: [1] }),
    ];
    const report = draftPools(world.database, cs2LibPools(documentsOf(newer)), { clock: world.clock });
    expect(report.withoutContainer).to.deep.equal(['pool "Next Case" (cs2-lib:950)']);
    expect(report.drafted.find(({ slug }) => slug === "small-case")!.outcome).to.equal("changed");
    expect(world.publish("small-case")).to.deep.include({
      outcome: "blocked",
      revisionNumber: 1,
      reasons: [{ kind: "unknown_item", reason: "the catalog has no item `cs2-lib:50` (AK-47 | Next)" }],
    });
  });

  const odd: [fault: string, list: readonly ListRow[], skip: RegExp][] = [
    [
      "an unknown id",
      changed(900, { contents: [1, 77] }),
      /container "Small Case" \(cs2-lib:900\): lists 77, which is not in the list of items/,
    ],
    [
      "an id twice in one pool",
      changed(900, { contents: [1, 2, 1] }),
      /container "Small Case" \(cs2-lib:900\): lists 1 twice/,
    ],
    [
      "an id among contents and specials",
      changed(900, { specials: [2] }),
      /container "Small Case" \(cs2-lib:900\): lists 2 twice/,
    ],
    ["an empty container", changed(905, { contents: [] }), /"Sticker Capsule" \(cs2-lib:905\): has no contents/],
    ["null for contents", changed(905, { contents: null }), /"Sticker Capsule" \(cs2-lib:905\): has no contents/],
    ["an empty tier", changed(900, { specials: [] }), /its tier of specials is empty/],
    ["a wear range upside down", changed(4, { wearMin: 0.5, wearMax: 0.1 }), /range of 4, 0\.5 to 0\.1, is reversed/],
    ["a wear beyond 1", changed(4, { wearMax: 7 }), /row 4 \(id 4\): field "wearMax" must be <= 1/],
    ["contents that are not ids", changed(900, { contents: ["1"] }), /field "contents\.0" must be integer/],
  ];
  for (const [fault, list, skip] of odd) {
    it(`draft every other container despite ${fault}, and count it`, () => {
      const tally = new SourceTally();
      expect(cs2LibPools(documentsOf(list), [], tally)).to.have.lengthOf(14);
      expect(tally.skips[0]!.examples[0]).to.match(skip);
    });
  }

  it("reject and name a list with a duplicate id or without containers", () => {
    const read = (list: readonly ListRow[]) => () => cs2LibPools(documentsOf(list));
    expect(read([...rows, rows[0]!])).to.throw(OperatorError, /the id 1 is in the list twice/);
    expect(read(rows.slice(0, 3))).to.throw(OperatorError, /the list has no containers/);
  });

  it("reject a list without English names and a catalog without its containers", () => {
    const { items } = documentsOf(rows);
    expect(() => cs2LibPools({ items, english: { file: "english.json", value: {} } })).to.throw(
      "items.json: container cs2-lib:900: has no name; nothing was drafted",
    );
    const empty = new PoolWorld([]);
    expect(() => draftPools(empty.database, cs2LibPools(documentsOf(rows)), { clock: empty.clock })).to.throw(
      OperatorError,
      "import the catalog first",
    );
    empty.remove();
  });
});
