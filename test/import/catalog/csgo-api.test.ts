import { expect } from "chai";
import { buildCatalog } from "../../../src/import/catalog/build-catalog.ts";
import type { Cs2LibDocuments } from "../../../src/import/catalog/cs2-lib.ts";
import type { CsgoApiDocuments, CsgoApiList } from "../../../src/import/catalog/csgo-api.ts";
import type { CatalogVariant } from "../../../src/import/catalog/variants.ts";
import { OperatorError } from "../../../src/values/failure/operator-error.ts";

function lists(rows: Partial<Record<CsgoApiList, unknown>>): CsgoApiDocuments {
  return Object.fromEntries(Object.entries(rows).map(([list, value]) => [list, { file: `${list}.json`, value }]));
}

function cs2Lib(...rows: [{ id: number; [key: string]: unknown }, string, string?][]): Cs2LibDocuments {
  const names = (column: 1 | 2): object =>
    Object.fromEntries(rows.map((row) => [row[0].id, { name: row[column] ?? "-" }]));
  return {
    items: { file: "items.json", value: rows.map(([row]) => row) },
    english: { file: "english.json", value: names(1) },
    russian: { file: "russian.json", value: names(2) },
  };
}

const image = "https://example.com/picture.png";
const row = (id: string, index: string, name: string, more: object = {}): object => ({
  id,
  def_index: index,
  name,
  market_hash_name: name,
  image,
  ...more,
});

describe("csgo-api lists", () => {
  it("are rejected and located for control characters and lone surrogates", () => {
    const says = "contains a control character, a bidirectional control or half a surrogate pair";
    const refused = (list: CsgoApiList, value: object, place: string) =>
      expect(() => buildCatalog({ cs2Lib: null, csgoApi: lists({ [list]: [value] }) }), place).to.throw(
        OperatorError,
        `${list}.json: ${place} ${says}`,
      );
    for (const bad of ["a\u0000", "a\nb", "a\u007f", "a\u202eb", "\ud800", "x\udc00y"]) {
      const agent = (more: object) => row("agent-1", "1", "Agent", more);
      refused("agents", agent({ name: bad }), 'row 1 (id agent-1): field "name"');
      refused("agents", agent({ market_hash_name: bad }), 'row 1 (id agent-1): field "market_hash_name"');
      refused("agents", agent({ rarity: { name: bad } }), 'row 1 (id agent-1): field "rarity.name"');
      refused("agents", agent({ collections: [{ name: bad }] }), 'row 1 (id agent-1): field "collections.0.name"');
      refused("collections", { id: "c", name: bad }, 'row 1 (id c): field "name"');
    }
  });

  it("merge a key that two sources list under different definition indexes", () => {
    const key = (id: number, def: number, name: string) => [{ id, type: "key", def }, `Key | ${name}`] as const;
    const ours = cs2Lib(
      ...([
        key(9512, 1308, "Community Sticker Capsule 1 Key"),
        key(9513, 1307, "Huntsman Case Key"),
        key(9514, 1313, "Operation Breakout Case Key"),
      ] as never[]),
    );
    const keys = lists({
      keys: [
        row("key-1304", "1304", "Community Sticker Capsule 1 Key"),
        row("key-1305", "1305", "Huntsman Case Key"),
        row("key-1309", "1309", "Operation Breakout Case Key"),
      ],
    });
    const identities = ["item:1308/-/plain/-", "item:1307/-/plain/-", "item:1313/-/plain/-"];
    for (const documents of [
      { cs2Lib: ours, csgoApi: keys },
      { cs2Lib: ours, csgoApi: null },
      { cs2Lib: null, csgoApi: keys },
    ]) {
      const { variants } = buildCatalog(documents);
      expect(variants.map(({ identityKey }) => identityKey)).to.deep.equal(identities);
    }
    const { variants, report } = buildCatalog({ cs2Lib: ours, csgoApi: keys });
    expect(variants[1]!.sourceKeys).to.deep.equal(["cs2-lib:9513", "csgo-api:key-1305"]);
    expect(report.merged).to.equal(3);
    const agents = lists({ agents: [row("agent-1305", "1305", "Agent")] });
    const [agent] = buildCatalog({ cs2Lib: null, csgoApi: agents }).variants;
    expect(agent!.identityKey, "only keys are counted otherwise").to.equal("item:1305/-/plain/-");
  });

  it("omit default music kits and consumable tokens of either source", () => {
    const kit = { type: "musickit", def: 1314, rarity: "#4b69ff" };
    const { variants, report } = buildCatalog({
      cs2Lib: cs2Lib(
        [{ ...kit, id: 1779, index: 1, base: true, free: true }, "Music Kit | Valve, Counter-Strike 2"],
        [{ ...kit, id: 1780, index: 3 }, "Music Kit | Daniel Sadowski, Crimson Assault"],
      ),
      csgoApi: lists({
        music_kits: [
          row("music_kit-1", "1", "Valve, Counter-Strike 2", { market_hash_name: null }),
          row("music_kit-2", "2", "Valve, CS:GO", { market_hash_name: null }),
          row("music_kit-40", "40", "Halo, The Master Chief Collection", { market_hash_name: null }),
        ],
        collectibles: [
          row("collectible-4628", "4628", "Berlin 2019 Souvenir Token", {
            market_hash_name: null,
            type: "Souvenir Token",
          }),
          row("collectible-4672", "4672", "10 Stars for Operation Shattered Web", {
            market_hash_name: null,
            type: "Stars for Operation",
          }),
          row("collectible-874", "874", "5 Year Veteran Coin", { market_hash_name: null, type: null }),
          row("collectible-1", "99", "A sold token", { type: "Souvenir Token" }),
        ],
      }),
    });
    expect(variants.map(({ marketHashName }) => marketHashName).sort()).to.deep.equal([
      "5 Year Veteran Coin",
      "A sold token",
      "Music Kit | Daniel Sadowski, Crimson Assault",
      "Music Kit | Halo, The Master Chief Collection",
    ]);
    expect(report.skipped.map(({ reason, count }) => [reason, count])).to.deep.equal([
      ["default_equipment", 3],
      ["used_when_bought", 2],
    ]);
  });

  it("merge an object of both sources, with each source's best facts", () => {
    const { variants, report } = buildCatalog({
      cs2Lib: cs2Lib([
        { id: 1830, type: "musickit", def: 1314, index: 31, image: "/images/a.webp", rarity: "#4b69ff" },
        "Music Kit | Darude, Moments CS:GO",
        "Набор музыки | Darude — Moments CSGO",
      ]),
      csgoApi: lists({
        music_kits: [
          row("music_kit-31", "31", "Music Kit | Darude, Moments CS:GO", {
            market_hash_name: "Music Kit | Darude, Moments CSGO",
          }),
          row("music_kit-31_st", "31", "StatTrak™ Music Kit | Darude, Moments CSGO"),
        ],
      }),
    });
    const told = (variant: CatalogVariant): unknown[] => [
      variant.identityKey,
      variant.marketHashName,
      variant.statCounter,
      variant.sourceKeys,
      variant.imageUrl,
      variant.nameRu,
    ];
    expect(variants.map(told)).to.deep.equal([
      [
        "music_kit:31/-/plain/-",
        "Music Kit | Darude, Moments CSGO",
        false,
        ["cs2-lib:1830", "csgo-api:music_kit-31"],
        image,
        "Набор музыки | Darude — Moments CSGO",
      ],
      [
        "music_kit:31/-/counter/-",
        "StatTrak™ Music Kit | Darude, Moments CSGO",
        true,
        ["cs2-lib:1830", "csgo-api:music_kit-31_st"],
        image,
        "StatTrak™ Набор музыки | Darude — Moments CSGO",
      ],
    ]);
    expect(report.merged).to.equal(1);
  });

  it("make a tournament charm a souvenir of its own object", () => {
    const name = "Souvenir Charm | Austin 2025 Highlight | torzsi Triple Kill";
    const { variants } = buildCatalog({
      cs2Lib: null,
      csgoApi: lists({
        highlights: [row("highlight-22", "22", name)],
        keychains: [row("keychain-22", "22", "Charm | POP Art")],
      }),
    });
    expect(variants.map((variant) => [variant.identityKey, variant.marketHashName, variant.souvenir])).to.deep.equal([
      ["highlight:22/-/souvenir/-", name, true],
      ["charm:22/-/plain/-", "Charm | POP Art", false],
    ]);
  });

  it("identify items without a definition index by source id, except known keys", () => {
    const { variants } = buildCatalog({
      cs2Lib: cs2Lib([{ id: 9507, type: "key", def: 1203 }, "Key | CS:GO Case Key"]),
      csgoApi: lists({
        keys: [
          row("key-generic_valve_key", "generic_valve_key", "CS:GO Case Key"),
          row("key-other", "other_template", "Other Key"),
        ],
      }),
    });
    expect(variants.map(({ identityKey }) => identityKey)).to.deep.equal([
      "item:1203/-/plain/-",
      "csgo-api:key-other/-/plain/-",
    ]);
  });

  it("use pictures and names from collections, without items that lack an index", () => {
    const entry = (id: string, name: string, more: object = {}): object => ({ id, name, image, ...more });
    const { variants, report } = buildCatalog({
      cs2Lib: cs2Lib(
        [{ id: 1, type: "weapon", def: 7, index: 282, wearMin: 0.2, wearMax: 0.3 }, "AK-47 | Redline"],
        [{ id: 2, type: "case", def: 4011 }, "Container | Phoenix Case"],
      ),
      csgoApi: lists({
        collections: [
          {
            id: "collection-x",
            name: "The Phoenix Collection",
            crates: [entry("crate-4011", "Phoenix Case")],
            contains: [
              entry("skin-e1", "AK-47 | Redline", { paint_index: "282", rarity: { name: "Classified" } }),
              entry("skin-e2", "AK-47 | The Oligarch", { paint_index: "1352" }),
            ],
          },
        ],
      }),
    });
    expect(variants.map((variant) => [variant.marketHashName, variant.collection, variant.imageUrl])).to.deep.equal([
      ["AK-47 | Redline (Field-Tested)", "The Phoenix Collection", image],
      ["Phoenix Case", null, image],
    ]);
    expect(variants[0]?.sourceKeys).to.deep.equal(["cs2-lib:1", "csgo-api:skin-e1"]);
    expect(report.skipped).to.deep.equal([
      { reason: "only_in_collection", count: 1, examples: ["AK-47 | The Oligarch"] },
    ]);
  });

  it("count duplicate rows, and ignore pictures without a full https address", () => {
    const { variants, report } = buildCatalog({
      cs2Lib: null,
      csgoApi: lists({
        agents: [
          row("agent-1", "1", "A", { image: "http://example.com/a.png" }),
          row("agent-1b", "1", "A", { image: "/a" }),
        ],
      }),
    });
    expect(variants.map(({ imageUrl }) => imageUrl)).to.deep.equal([null]);
    expect(report.skipped[0]).to.deep.include({ reason: "duplicate_object", count: 1 });
  });

  it("are rejected by file, row and field for a malformed row", () => {
    const read = (rows: Partial<Record<CsgoApiList, unknown>>) => () =>
      buildCatalog({ cs2Lib: null, csgoApi: lists(rows) });
    expect(read({ agents: [{ id: "agent-1", name: "A", def_index: 1.5 }] })).to.throw(
      OperatorError,
      'agents.json: row 1 (id agent-1): field "def_index" must be string,integer',
    );
    expect(read({ agents: { id: 1 } })).to.throw(OperatorError, "agents.json: expected a JSON array of rows");
    expect(read({ tools: [{ name: "T" }] })).to.throw(OperatorError, "must have required property 'id'");
  });

  const kit = (more: object) => row("music_kit-901", "901", "Music Kit | Test", more);
  const odd: [fault: string, list: CsgoApiList, odd: object | null, key: string | null, skipped: object][] = [
    ["a null rarity", "music_kits", kit({ rarity: null }), "music_kit:901/-/plain/-", {}],
    ["nulls in its rarity", "music_kits", kit({ rarity: { name: null } }), "music_kit:901/-/plain/-", {}],
    ["a rarity of the older layout", "music_kits", kit({ rarity: "High Grade" }), "music_kit:901/-/plain/-", {}],
    ["a null index", "music_kits", kit({ def_index: null }), "music_kit:901/-/plain/-", {}],
    ["a null display name", "music_kits", kit({ name: null }), "music_kit:901/-/plain/-", {}],
    ["an id of its own", "highlights", row("highlight-k1", null!, "S"), "csgo-api:highlight-k1/-/souvenir/-", {}],
    ["a tournament sticker", "stickers", row("sticker-9", "9", "Sticker | S"), "sticker:9/-/plain/-", {}],
    ["a slab", "sticker_slabs", row("sticker_slab-9", "9", "Slab | S"), "charm:37:sticker:9/-/plain/-", {}],
    ["no name at all", "music_kits", kit({ name: null, market_hash_name: null }), null, { no_name: 1 }],
    ["a number for its name", "music_kits", kit({ name: 5 }), null, { malformed_row: 1 }],
    ["null for a row", "collectibles", null, null, { malformed_row: 1 }],
  ];
  for (const [fault, list, written, key, counts] of odd) {
    it(`keep other rows with ${fault}, and count the omission`, () => {
      const good = row(list === "highlights" ? "highlight-2" : "other-2", "2", "Good");
      const { variants, report } = buildCatalog({ cs2Lib: null, csgoApi: lists({ [list]: [good, written] }) });
      expect(variants.map(({ identityKey }) => identityKey).slice(1)).to.deep.equal(key === null ? [] : [key]);
      expect(Object.fromEntries(report.skipped.map(({ reason, count }) => [reason, count]))).to.deep.equal(counts);
    });
  }

  it("give a highlight package and its plain twin separate containers", () => {
    const named = (id: string, name: string) => row(id, "4668", name, { type: "Souvenir" });
    const { variants, report } = buildCatalog({
      cs2Lib: cs2Lib([{ id: 1, type: "case", def: 4668 }, "Container | The X-Ray Collection"]),
      csgoApi: lists({
        crates: [named("crate-4668", "X-Ray Package"), named("crate-4668_highlight", "X-Ray Highlight")],
      }),
    });
    expect(variants.map(({ identityKey, marketHashName }) => [identityKey, marketHashName])).to.deep.equal([
      ["item:4668/-/plain/-", "X-Ray Package"],
      ["item:4668:highlight/-/plain/-", "X-Ray Highlight"],
    ]);
    expect([report.merged, report.skipped]).to.deep.equal([1, []]);
  });

  const skin = (id: number, weapon: number, paint: string | null, name: string, more: object = {}) => {
    const range = { min_float: 0, max_float: 0.08 };
    return { id: `skin-${id}`, name, weapon: { weapon_id: weapon }, paint_index: paint, ...range, ...more };
  };

  it("give finishes wears, editions and phases, and include unpainted knives", () => {
    const { variants, report } = buildCatalog({
      cs2Lib: cs2Lib([{ id: 1, type: "weapon", def: 7, index: 282, wearMin: 0, wearMax: 0.06 }, "AK-47 | Redline"]),
      csgoApi: lists({
        skins: [
          skin(1, 7, "282", "AK-47 | Redline", { stattrak: true, souvenir: true, max_float: 0.06 }),
          skin(2, 507, "418", "★ Karambit | Doppler", { stattrak: true, phase: "Phase 1" }),
          skin(3, 500, null, "★ Bayonet", { min_float: null, max_float: null, phase: null }),
          skin(4, 5030, "10", "★ Sport Gloves | Arid", { stattrak: false }),
          skin(5, 7, "9", "AK-47 | Next", { min_float: null }),
        ],
      }),
    });
    expect(variants.map(({ identityKey, marketHashName }) => `${identityKey} ${marketHashName}`)).to.deep.equal([
      "paint:7:282/FN/plain/- AK-47 | Redline (Factory New)",
      "paint:7:282/FN/counter/- StatTrak™ AK-47 | Redline (Factory New)",
      "paint:7:282/FN/souvenir/- Souvenir AK-47 | Redline (Factory New)",
      "paint:507:418/FN/plain/Phase 1 ★ Karambit | Doppler (Factory New)",
      "paint:507:418/FN/counter/Phase 1 ★ StatTrak™ Karambit | Doppler (Factory New)",
      "paint:507:418/MW/plain/Phase 1 ★ Karambit | Doppler (Minimal Wear)",
      "paint:507:418/MW/counter/Phase 1 ★ StatTrak™ Karambit | Doppler (Minimal Wear)",
      "paint:500:0/-/plain/- ★ Bayonet",
      "paint:5030:10/FN/plain/- ★ Sport Gloves | Arid (Factory New)",
      "paint:5030:10/MW/plain/- ★ Sport Gloves | Arid (Minimal Wear)",
      "paint:507:doppler/FN/plain/- ★ Karambit | Doppler (Factory New)",
      "paint:507:doppler/FN/counter/- ★ StatTrak™ Karambit | Doppler (Factory New)",
      "paint:507:doppler/MW/plain/- ★ Karambit | Doppler (Minimal Wear)",
      "paint:507:doppler/MW/counter/- ★ StatTrak™ Karambit | Doppler (Minimal Wear)",
    ]);
    expect([report.merged, report.skipped]).to.deep.equal([
      1,
      [{ reason: "no_wear_range", count: 1, examples: ["AK-47 | Next"] }],
    ]);
  });

  it("merge a container named by other lists into one item", () => {
    const crates = [{ id: "crate-4234", name: "Graffiti Box 1" }, { id: "crate-4234", name: null }, null, { id: 4 }];
    const of = (id: string) => row(id, id.slice(9), `Sealed Graffiti | ${id}`, { crates });
    const { variants } = buildCatalog({
      cs2Lib: null,
      csgoApi: lists({ graffiti: [of("graffiti-1"), of("graffiti-2")] }),
    });
    expect(
      variants.slice(2).map(({ identityKey, marketHashName, sourceKeys }) => [identityKey, marketHashName, sourceKeys]),
    ).to.deep.equal([["item:4234/-/plain/-", "Graffiti Box 1", ["csgo-api:crate-4234"]]]);
  });

  it("are rejected if over a tenth of the rows are malformed", () => {
    const rows = (bad: number) =>
      Array.from({ length: 30 }, (_, at) =>
        at < bad ? { id: `x-${at}`, name: 5 } : row(`x-${at}`, `${at}`, `N${at}`),
      );
    const read = (bad: number) => buildCatalog({ cs2Lib: null, csgoApi: lists({ tools: rows(bad) }) });
    expect(read(3).variants).to.have.lengthOf(27);
    expect(() => read(4)).to.throw(
      OperatorError,
      'tools.json: row 1 (id x-0): field "name" must be string, and 3 other rows',
    );
  });
});
