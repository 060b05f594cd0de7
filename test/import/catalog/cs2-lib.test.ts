import { expect } from "chai";
import { buildCatalog, type Catalog } from "../../../src/import/catalog/build-catalog.ts";
import type { CatalogVariant } from "../../../src/import/catalog/variants.ts";
import { OperatorError } from "../../../src/values/failure/operator-error.ts";

type Row = Record<string, unknown> & { id: number };

/** A catalog of rows, each with its English name and an optional Russian name. */
function catalogOf(rows: readonly [Row, string, string?][]): Catalog {
  const names = (column: 1 | 2): Record<string, { name: string; collectionName?: string }> =>
    Object.fromEntries(
      rows.flatMap((row) => {
        const name = row[column];
        return name === undefined ? [] : [[String(row[0].id), { name }]];
      }),
    );
  return buildCatalog({
    cs2Lib: {
      items: { file: "items.json", value: rows.map(([row]) => row) },
      english: { file: "english.json", value: names(1) },
      russian: { file: "russian.json", value: names(2) },
    },
    csgoApi: null,
  });
}

function namesOf({ variants }: Catalog): string[] {
  return variants.map(({ marketHashName }) => marketHashName);
}

function only(catalog: Catalog): CatalogVariant {
  expect(catalog.variants).to.have.lengthOf(1);
  return catalog.variants[0] as CatalogVariant;
}

const redline = { id: 300, type: "weapon", def: 7, index: 282, rarity: "#d32ce6", wearMin: 0.1, wearMax: 0.7 };
const weaponCase = {
  id: 900,
  type: "case",
  def: 4011,
  containerType: 0,
  rarity: "#b0c3d9",
  contents: [300],
  keys: [901],
};
const phaseRow = (id: number, index: number, altName: string, more: object = {}): Row => ({
  id,
  type: "melee",
  def: 507,
  index,
  altName,
  rarity: "#eb4b4b",
  wearMin: 0,
  wearMax: 0.08,
  ...more,
});

describe("cs2-lib item list", () => {
  it("rejects a name list without a tenth of its rows unless accepted", () => {
    const items = Array.from({ length: 30 }, (_, index) => ({ ...redline, id: index + 1, index: index + 1 }));
    const named = (count: number) =>
      Object.fromEntries(items.slice(0, count).map(({ id }) => [String(id), { name: `AK-47 | Finish ${id}` }]));
    const build = (english: number, russian: number, accept = false) =>
      buildCatalog(
        {
          cs2Lib: {
            items: { file: "items.json", value: items },
            english: { file: "english.json", value: named(english) },
            russian: { file: "russian.json", value: named(russian) },
          },
          csgoApi: null,
        },
        accept,
      ).report.objects;
    expect(build(27, 27)).to.deep.equal({ Weapon: 27 });
    expect(() => build(18, 30)).to.throw(
      OperatorError,
      /^english\.json: guard unnamed_rows \(threshold 10\): 12 of 30 rows \(40\.0 %\) have no name in the list, such as weapon 19; weapon 20; weapon 21; .*--accept unnamed_rows/,
    );
    expect(() => build(30, 18)).to.throw(OperatorError, /^russian\.json: guard unnamed_rows/);
    expect(build(18, 30, true)).to.deep.equal({ Weapon: 18 });
  });

  it("gives a finish exactly the wears within its range", () => {
    expect(namesOf(catalogOf([[redline, "AK-47 | Redline"]]))).to.deep.equal([
      "AK-47 | Redline (Minimal Wear)",
      "AK-47 | Redline (Field-Tested)",
      "AK-47 | Redline (Well-Worn)",
      "AK-47 | Redline (Battle-Scarred)",
    ]);
    const edge = { ...redline, wearMin: 0.15, wearMax: 0.38 };
    expect(namesOf(catalogOf([[edge, "AK-47 | Redline"]]))).to.deep.equal(["AK-47 | Redline (Field-Tested)"]);
  });

  it("describes a variant by its own wear and edition and finish range", () => {
    const [first] = catalogOf([[redline, "AK-47 | Redline", "AK-47 | Красная линия"]]).variants;
    expect(first).to.deep.equal({
      identityKey: "paint:7:282/MW/plain/-",
      sourceKeys: ["cs2-lib:300"],
      marketHashName: "AK-47 | Redline (Minimal Wear)",
      slug: "ak-47-redline-minimal-wear",
      type: "Weapon",
      rarity: "Classified",
      collection: null,
      phase: null,
      nameRu: "AK-47 | Красная линия (Немного поношенное)",
      imageUrl: null,
      wear: "Minimal Wear",
      statCounter: false,
      souvenir: false,
      wearMin: "0.1",
      wearMax: "0.7",
      identity: "exact",
    });
  });

  it("gives counters to contents of a keyed case, not a keyless package", () => {
    const knife = { id: 41, type: "melee", def: 507, index: 38, wearMin: 0, wearMax: 0.08 };
    const opened = catalogOf([
      [redline, "AK-47 | Redline"],
      [knife, "Karambit | Fade"],
      [{ ...weaponCase, specials: [41] }, "Container | Redline Case"],
    ]);
    expect(namesOf(opened)).to.include("StatTrak™ AK-47 | Redline (Field-Tested)");
    expect(namesOf(opened)).to.include("★ StatTrak™ Karambit | Fade (Factory New)");
    expect(namesOf(opened)).to.include("Redline Case");
    const { keys: _keys, ...keyless } = weaponCase;
    const packaged = catalogOf([
      [redline, "AK-47 | Redline"],
      [keyless, "Container | Redline Package"],
    ]);
    expect(namesOf(packaged).filter((name) => name.includes("StatTrak"))).to.deep.equal([]);
  });

  it("gives souvenirs to the contents of a souvenir package", () => {
    const souvenirs = catalogOf([
      [redline, "AK-47 | Redline"],
      [{ id: 902, type: "case", def: 4500, containerType: 3, contents: [300] }, "Container | X Souvenir Package"],
    ]);
    expect(namesOf(souvenirs)).to.include("Souvenir AK-47 | Redline (Field-Tested)");
    expect(namesOf(souvenirs).filter((name) => name.includes("StatTrak"))).to.deep.equal([]);
  });

  it("gives each phase an item, and unphased ones per wear and edition", () => {
    const { variants, report } = catalogOf([
      [phaseRow(1, 418, "Phase 1"), "Karambit | Doppler"],
      [phaseRow(2, 415, "Ruby"), "Karambit | Doppler"],
      // A case names one phase of the slot. The counter applies to all of them.
      [{ ...weaponCase, contents: [], specials: [1] }, "Container | Chroma Case"],
    ]);
    const fresh = variants.filter(
      (variant) => variant.marketHashName === "★ StatTrak™ Karambit | Doppler (Factory New)",
    );
    expect(fresh.map(({ phase, identity, identityKey }) => [phase, identity, identityKey])).to.deep.equal([
      ["Phase 1", "exact", "paint:507:418/FN/counter/Phase 1"],
      ["Ruby", "exact", "paint:507:415/FN/counter/Ruby"],
      [null, "unphased", "paint:507:doppler/FN/counter/-"],
    ]);
    expect(fresh[1]?.slug).to.equal("stattrak-karambit-doppler-factory-new-ruby");
    expect(fresh[2]?.sourceKeys).to.deep.equal([]);
    expect(report.unphased).to.equal(4);
  });

  it("accepts no other alternative name for a phase", () => {
    const { variants } = catalogOf([[phaseRow(1, 38, "Phase 1"), "Karambit | Fade"]]);
    expect(variants.every(({ phase, identity }) => phase === null && identity === "exact")).to.equal(true);
    const coin = only(
      catalogOf([[{ id: 5, type: "collectible", def: 1017, altName: "Ruby" }, "Collectible | Ali Map Coin"]]),
    );
    expect([coin.phase, coin.marketHashName]).to.deep.equal([null, "Ali Map Coin"]);
  });

  it("gives vanilla knives no wear, and equipment and slots no item", () => {
    const catalog = catalogOf([
      [{ id: 1, type: "melee", def: 507, index: 0, base: true, rarity: "#eb4b4b" }, "Karambit"],
      [{ id: 2, type: "melee", def: 42, base: true, free: true }, "Knife"],
      [{ id: 3, type: "weapon", def: 7, base: true, free: true }, "AK-47"],
      [{ id: 4, type: "glove", def: 5030, index: 0, base: true }, "Sport Gloves"],
      [{ id: 5, type: "utility", def: 44 }, "High Explosive Grenade"],
      [{ id: 6, type: "stub" }, "Default"],
      [{ id: 7, type: "weapon", def: 7, index: 9, wearMin: 0.5, wearMax: 0.5 }, "AK-47 | Nothing"],
    ]);
    const vanilla = only(catalog);
    expect([vanilla.marketHashName, vanilla.wear, vanilla.statCounter]).to.deep.equal(["★ Karambit", null, false]);
    expect(Object.fromEntries(catalog.report.skipped.map(({ reason, count }) => [reason, count]))).to.deep.equal({
      default_equipment: 3,
      not_an_item: 2,
      no_wear_range: 1,
    });
  });

  it("uses market names that differ from display names", () => {
    const written = catalogOf([
      [{ id: 1, type: "case", def: 4020 }, "Container | ESL One Katowice 2015 Legends (Holo/Foil)"],
      [{ id: 2, type: "graffiti", index: 1710, tint: 11 }, "Graffiti | Rage Mode (Wire Blue)"],
      [{ id: 3, type: "agent", def: 5105 }, "Agent | Ground Rebel  | Elite Crew"],
      [{ id: 4, type: "key", def: 1366 }, "Key | Spectrum 2 Case Key"],
      [{ id: 5, type: "tool", def: 1200 }, "Tool | Name Tag"],
      [
        { id: 6, type: "keychain", def: 1355, index: 37, stickerId: 9, stickerIndex: 968 },
        "Sticker Slab | Ivette (Holo)",
      ],
      [{ id: 7, type: "keychain", def: 1355, index: 8 }, "Charm | Big Kev"],
      [{ id: 8, type: "patch", def: 4609, index: 4567 }, "Patch | Payback"],
      [{ id: 9, type: "glove", def: 5030, index: 10, wearMin: 0.06, wearMax: 0.07 }, "Sport Gloves | Arid"],
    ]);
    expect(namesOf(written)).to.deep.equal([
      "ESL One Katowice 2015 Legends (Holo-Foil)",
      "Sealed Graffiti | Rage Mode (Wire Blue)",
      "Ground Rebel  | Elite Crew",
      "Spectrum 2 Case Key",
      "Name Tag",
      "Sticker Slab | Ivette (Holo)",
      "Charm | Big Kev",
      "Patch | Payback",
      "★ Sport Gloves | Arid (Factory New)",
    ]);
  });

  it("gives a music kit a counter variant unless its box excludes one", () => {
    const kit = { id: 1, type: "musickit", def: 1314, index: 19, rarity: "#4b69ff" };
    const box = { id: 2, type: "case", def: 4848, contents: [1] };
    const kitNames = (more: object): string[] =>
      namesOf(
        catalogOf([
          [kit, "Music Kit | Ki:Theory, MOLOTOV"],
          [{ ...box, ...more }, "Container | Box"],
        ]),
      ).slice(0, -1);
    expect(kitNames({ statTrakless: true })).to.deep.equal(["Music Kit | Ki:Theory, MOLOTOV"]);
    expect(kitNames({ statTrakOnly: true })).to.deep.equal([
      "Music Kit | Ki:Theory, MOLOTOV",
      "StatTrak™ Music Kit | Ki:Theory, MOLOTOV",
    ]);
  });

  it("separates objects that share a name, such as pins of two sources", () => {
    const { variants } = catalogOf([
      [{ id: 1, type: "sticker", def: 1209, index: 1692 }, "Sticker | Mirage (Gold)"],
      [{ id: 2, type: "sticker", def: 1209, index: 7889 }, "Sticker | Mirage (Gold)"],
      [{ id: 3, type: "collectible", def: 6008, altName: "Collectible Pin - Nuke" }, "Collectible | Nuke Pin"],
      [{ id: 4, type: "collectible", def: 6108, altName: "Commodity Pin - Nuke" }, "Collectible | Nuke Pin"],
    ]);
    expect(variants.map(({ identityKey, marketHashName }) => [identityKey, marketHashName])).to.deep.equal([
      ["sticker:1692/-/plain/-", "Sticker | Mirage (Gold)"],
      ["sticker:7889/-/plain/-", "Sticker | Mirage (Gold)"],
      ["item:6008/-/plain/-", "Genuine Nuke Pin"],
      ["item:6108/-/plain/-", "Nuke Pin"],
    ]);
  });

  it("names a rarity by color and type, if the color has one", () => {
    const { variants } = catalogOf([
      [{ id: 1, type: "agent", def: 4716, rarity: "#eb4b4b" }, "Agent | Chem-Haz Specialist | SWAT"],
      [{ id: 2, type: "sticker", index: 5, rarity: "#eb4b4b" }, "Sticker | A"],
      [{ id: 3, type: "sticker", index: 6, rarity: "#ded6cc" }, "Sticker | B"],
      [{ id: 4, type: "glove", def: 1, index: 2, rarity: "#eb4b4b", wearMin: 0, wearMax: 0.05 }, "Hand Wraps | C"],
    ]);
    expect(variants.map(({ rarity }) => rarity)).to.deep.equal(["Master", "Extraordinary", null, "Extraordinary"]);
  });

  it("counts rows of unknown types under any name", () => {
    const { variants, report } = catalogOf([
      [{ id: 1, type: "hologram" }, "A"],
      [{ id: 2, type: "constructor" }, "B"],
    ]);
    expect(variants).to.deep.equal([]);
    expect(report.unknownTypes).to.deep.equal({ hologram: 1, constructor: 1 });
  });

  it("rejects a malformed row by file, row and field", () => {
    expect(() => catalogOf([[{ ...redline, wearMax: "0.7" }, "x"]]))
      .to.throw(OperatorError, 'items.json: row 1 (id 300): field "wearMax" must be number')
      .with.property("exitCode", 65);
    const { report } = catalogOf([
      [{ ...redline, altName: null, contents: null }, "AK-47 | Redline"],
      [{ ...redline, id: 301, wearMax: "0.7" }, "x"],
    ] as never);
    expect(report.objects).to.deep.equal({ Weapon: 1 });
    expect(report.skipped).to.deep.equal([
      {
        reason: "malformed_row",
        count: 1,
        examples: ['items.json: row 2 (id 301): field "wearMax" must be number'],
      },
    ]);
    expect(() => catalogOf([[{ ...redline, contents: [1, "2"] }, "x"]])).to.throw(OperatorError, 'field "contents.1"');
    expect(() => catalogOf([[redline, ""]])).to.throw(OperatorError, 'english.json: entry "300": field "name"');
  });

  it("rejects control characters and lone surrogates by file, row and field", () => {
    const says = "contains a control character, a bidirectional control or half a surrogate pair";
    for (const bad of ["a\u0000", "a\nb", "\u001b[2J", "a\u007f", "a\u2066b", "\ud800", "x\udc00y"]) {
      expect(() => catalogOf([[redline, bad]])).to.throw(
        OperatorError,
        `english.json: entry "300": field "name" ${says}`,
      );
      expect(() => catalogOf([[redline, "A", bad]])).to.throw(
        OperatorError,
        `russian.json: entry "300": field "name" ${says}`,
      );
      for (const field of ["rarity", "altName", "image", "type"]) {
        expect(() => catalogOf([[{ ...redline, [field]: bad }, "A"]]), field).to.throw(
          OperatorError,
          `items.json: row 1 (id 300): field "${field}" ${says}`,
        );
      }
    }
  });

  it("keeps every character of genuine names", () => {
    const name = "Sticker | \u{1f600} Won\u0092t go 中 ★";
    expect(only(catalogOf([[{ id: 1, type: "sticker", index: 5 }, name]])).marketHashName).to.equal(name);
  });
});
