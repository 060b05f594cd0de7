import { expect } from "chai";
import { buildCatalog } from "../../../src/import/catalog/build-catalog.ts";
import { type ItemFacts, NameIndex } from "../../../src/import/quotes/name-index.ts";

const doppler = {
  type: "melee",
  def: 507,
  rarity: "#eb4b4b",
  wearMin: 0,
  wearMax: 0.06,
  image: "https://example.com/1",
};
const rows: [{ id: number; [key: string]: unknown }, string][] = [
  [{ id: 1, type: "weapon", def: 7, index: 282, wearMin: 0.2, wearMax: 0.4, rarity: "#d32ce6" }, "AK-47 | Redline"],
  [{ id: 2, ...doppler, index: 418, altName: "Phase 1" }, "Karambit | Doppler"],
  [{ id: 3, ...doppler, index: 415, altName: "Ruby" }, "Karambit | Doppler"],
  [{ id: 4, type: "sticker", index: 1692 }, "Sticker | Mirage (Gold)"],
  [{ id: 5, type: "sticker", index: 7889 }, "Sticker | Mirage (Gold)"],
  [{ id: 6, type: "agent", def: 5105 }, "Agent | Ground Rebel  | Elite Crew"],
  [{ id: 7, type: "case", def: 4020 }, "Container | Legends (Holo/Foil)"],
  [{ id: 8, type: "glove", def: 5030, index: 10, wearMin: 0, wearMax: 0.05 }, "Sport Gloves | Arid"],
  [{ id: 9, type: "musickit", index: 19 }, "Music Kit | Ki:Theory, MOLOTOV"],
];
const { variants } = buildCatalog({
  cs2Lib: {
    items: { file: "items.json", value: rows.map(([row]) => row) },
    english: { file: "english.json", value: Object.fromEntries(rows.map(([{ id }, name]) => [id, { name }])) },
    russian: { file: "russian.json", value: { 1: { name: "AK-47 | Красная линия" } } },
  },
  csgoApi: null,
});
const items: ItemFacts[] = variants.map((variant, index) => ({ ...variant, itemId: index + 1 }));
const factsOf = (itemId: number): ItemFacts => items[itemId - 1]!;
const idOf = (identityKey: string): number => items.find((item) => item.identityKey === identityKey)?.itemId ?? -1;

describe("market names", () => {
  const index = new NameIndex(items, factsOf);
  const unknown = { kind: "unknown_name" };

  it("match the unphased identity unless the source gives a phase", () => {
    const name = "★ Karambit | Doppler (Factory New)";
    expect(index.resolve(name)).to.deep.equal({ kind: "unphased", itemId: idOf("paint:507:doppler/FN/plain/-") });
    expect(index.resolve(name, "Ruby")).to.deep.equal({ kind: "exact", itemId: idOf("paint:507:415/FN/plain/Ruby") });
    expect(index.resolve(name, "Sapphire")).to.deep.equal(unknown);
    expect(index.resolve("AK-47 | Redline (Field-Tested)", "Ruby")).to.deep.equal(unknown);
  });

  it("match only the given phase", () => {
    const ruby = { kind: "exact", itemId: idOf("paint:507:415/FN/plain/Ruby") };
    expect(index.resolve("★ Karambit | Doppler (Factory New) - Ruby")).to.deep.equal(ruby);
    expect(index.resolve("★ Karambit | Doppler Ruby (Factory New)")).to.deep.equal(ruby);
    expect(index.resolve("★ Karambit | Doppler Sapphire (Factory New)")).to.deep.equal(unknown);
  });

  it("match an item with reordered words", () => {
    const name = "★ StatTrak™ Karambit | Doppler (Factory New)";
    const growing = new NameIndex(
      [...items, { itemId: 99, marketHashName: name, phase: null, type: "Knife", identity: "unphased" }],
      factsOf,
    );
    for (const written of [
      name,
      "StatTrak™ ★ Karambit | Doppler (Factory New)",
      "★ StatTrak Karambit | Doppler (Factory New)",
    ])
      expect(growing.resolve(written), written).to.deep.equal({ kind: "unphased", itemId: 99 });
    expect(index.resolve("StatTrak AK-47 | Redline (Field-Tested)").kind).to.equal("feedDerivable");
  });

  it("match no item if only phases share them, and list all", () => {
    const phased = new NameIndex(
      items.filter(({ identity }) => identity === "exact"),
      factsOf,
    );
    expect(phased.resolve("★ Karambit | Doppler (Factory New)")).to.deep.equal({
      kind: "ambiguous_name",
      itemIds: [3, 4],
    });
  });

  it("match no item if objects share them, and list all", () => {
    expect(index.resolve("Sticker | Mirage (Gold)")).to.deep.equal({ kind: "ambiguous_name", itemIds: [5, 6] });
  });

  it("derive a counter or souvenir variant with its object's facts", () => {
    const base = idOf("paint:7:282/FT/plain/-");
    expect(index.resolve("Souvenir AK-47 | Redline (Field-Tested)")).to.deep.equal({
      kind: "feedDerivable",
      base,
      variant: {
        identityKey: "paint:7:282/FT/souvenir/-",
        sourceKeys: [],
        marketHashName: "Souvenir AK-47 | Redline (Field-Tested)",
        slug: "souvenir-ak-47-redline-field-tested",
        type: "Weapon",
        rarity: "Classified",
        collection: null,
        phase: null,
        nameRu: "Сувенирный AK-47 | Красная линия (После полевых испытаний)",
        imageUrl: null,
        wear: "Field-Tested",
        statCounter: false,
        souvenir: true,
        wearMin: "0.2",
        wearMax: "0.4",
        identity: "exact",
      },
    });
    expect(index.resolve("StatTrak™ Music Kit | Ki:Theory, MOLOTOV")).to.have.property("kind", "feedDerivable");
  });

  it("derive unphased variants without a phase, and phased ones with it", () => {
    const name = "★ StatTrak™ Karambit | Doppler (Factory New)";
    const unphased = index.resolve(name);
    expect(unphased).to.have.nested.property("variant.identityKey", "paint:507:doppler/FN/counter/-");
    expect(unphased).to.have.nested.property("variant.identity", "unphased");
    const ruby = index.resolve(name, "Ruby");
    expect(ruby).to.have.nested.property("variant.identityKey", "paint:507:415/FN/counter/Ruby");
    expect(ruby).to.have.nested.property("variant.slug", "stattrak-karambit-doppler-factory-new-ruby");
    expect(index.resolve(name, "Emerald")).to.deep.equal(unknown);
  });

  it("derive the identity that the catalog itself would list", () => {
    const boxed = buildCatalog({
      cs2Lib: {
        items: {
          file: "items.json",
          value: [
            ...rows.map(([row]) => row),
            { id: 90, type: "case", def: 1, containerType: 0, contents: [1], keys: [91] },
          ],
        },
        english: {
          file: "english.json",
          value: Object.fromEntries([
            ...rows.map(([{ id }, name]) => [id, { name }]),
            [90, { name: "Container | Box" }],
          ]),
        },
        russian: { file: "russian.json", value: { 1: { name: "AK-47 | Красная линия" } } },
      },
      csgoApi: null,
    });
    const name = "StatTrak™ AK-47 | Redline (Field-Tested)";
    const stated = boxed.variants.find(({ marketHashName }) => marketHashName === name);
    const derived = index.resolve(name);
    expect(derived.kind === "feedDerivable" && { ...derived.variant, sourceKeys: ["cs2-lib:1"] }).to.deep.equal(stated);
  });

  it("derive nothing for impossible wears, editions or unknown bases", () => {
    for (const name of [
      "Souvenir AK-47 | Redline (Factory New)",
      "AK-47 | Redline (Factory New)",
      "Souvenir ★ Karambit | Doppler (Factory New)",
      "★ Souvenir Karambit | Doppler (Factory New)",
      "★ StatTrak™ Sport Gloves | Arid (Factory New)",
      "Souvenir Music Kit | Ki:Theory, MOLOTOV",
      "StatTrak™ Souvenir AK-47 | Redline (Field-Tested)",
      "StatTrak™ Music Kit |",
      "",
    ])
      expect(index.resolve(name), name).to.deep.equal(unknown);
  });

  it("match exactly once their derived item was added", () => {
    const growing = new NameIndex(items, factsOf);
    const name = "StatTrak™ AK-47 | Redline (Field-Tested)";
    const derived = growing.resolve(name);
    if (derived.kind !== "feedDerivable") return expect.fail("not feedDerivable");
    growing.add({ ...derived.variant, itemId: 99 });
    expect(growing.resolve(name)).to.deep.equal({ kind: "exact", itemId: 99 });
  });

  it("match only known other spellings of a source", () => {
    expect(index.resolve("Ground Rebel | Elite Crew")).to.have.property("kind", "exact");
    expect(index.resolve("Legends (Holo/Foil)")).to.have.property("kind", "exact");
    expect(index.resolve("ground rebel | Elite Crew")).to.deep.equal(unknown);
  });
});
