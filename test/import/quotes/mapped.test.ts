import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { readMapped } from "../../../src/import/quotes/mapped.ts";
import { type Mapping, readMapping, readyMappings } from "../../../src/import/quotes/mapping.ts";
import { OperatorError } from "../../../src/values/failure/operator-error.ts";
import { runHere } from "../../support/cli.ts";
import { temporaryFolder } from "../../support/files.ts";
import { QuoteWorld, refusalOf, worldAt } from "./quote-world.ts";

const hall = { provider: "hall", name: "The Hall", kind: "cash" };
const simple = {
  format: "itemtape-mapping",
  version: 1,
  feed: "hall",
  provider: hall,
  entry: "item",
  list: "$.items",
  name: "@.name",
  currency: { documented: "USD" },
  ask: { path: "@.price", unit: "dollars" },
} as const;
const folder = temporaryFolder();

function mapping(more: object = {}): Mapping {
  const path = join(folder, "mapping.json");
  writeFileSync(path, JSON.stringify({ ...simple, ...more }, null, 1));
  return readMapping(path, "/");
}

/** Reads a body from JSON text, so that numbers have the source's notation. */
function read(more: object, body: string) {
  const reading = readMapped(mapping(more), { name: "body", bytes: Buffer.from(body) }, worldAt);
  const quotes = reading.observations.map(({ name, side, amountCents }) => [name, side, amountCents]);
  return { ...reading, quotes, refused: reading.refusals.list() };
}

/** The cents, or the reason, of one price that is written so. */
function priced(written: string, more: object = {}): unknown {
  const { quotes, refused, absent } = read(
    { absent: [null, 0, "none"], ask: { path: "@.price", unit: "dollars", ...more } },
    `{"items": [{"name": "Item 0", "price": ${written}}]}`,
  );
  return quotes[0]?.[2] ?? refused[0]?.reason ?? (absent === 1 ? "absent" : null);
}

describe("mapped JSON", () => {
  it("converts a price exactly, and rejects others unless the mapping rounds", () => {
    expect([priced("12.3"), priced('"12.30"'), priced("1.1e1"), priced("90071992547409.91")]).to.deep.equal([
      1230, 1230, 1100, 9007199254740991,
    ]);
    expect([priced("0.1"), priced("4.35"), priced("1.005"), priced('"1,5"'), priced("true")]).to.deep.equal([
      10,
      435,
      "fractional_cents",
      "unparsable",
      "unparsable",
    ]);
    expect([priced("-1"), priced("90071992547409.92"), priced("null"), priced("0.00"), priced('"none"')]).to.deep.equal(
      ["negative", "oversized", "absent", "absent", "absent"],
    );
    const rounded = (round: string) => ["1.005", "1.015", "1.0051", "0.001"].map((price) => priced(price, { round }));
    expect(rounded("half_even")).to.deep.equal([100, 102, 101, "zero"]);
    expect(rounded("up")).to.deep.equal([101, 102, 101, 1]);
    expect(rounded("down")).to.deep.equal([100, 101, 100, "zero"]);
    const inUnit = (unit: string, price: string) => priced(price, { unit });
    expect([inUnit("cents", "1230"), inUnit("cents", "12.5"), inUnit("mills", "12300"), inUnit("mills", "12301")])
      .to //
      .deep.equal([1230, "fractional_cents", 1230, "fractional_cents"]);
  });

  it("reads both sides, phase, quantity, time and address of an entry", () => {
    const more = {
      list: "$.data['all items']",
      name: "key",
      phase: { path: "@.variant[0]", names: { p2: "Phase 2" } },
      ask: { path: "@.sell.price", unit: "cents", quantity: "@.sell.units" },
      bid: { path: "@.buy", unit: "cents", optional: true },
      observed_at: { path: "@.seen", unit: "seconds" },
      saved_at: { path: "$.at", unit: "iso" },
      url: "@.page",
    };
    const entry = { variant: ["p2"], sell: { price: 120, units: 3 }, buy: 110, seen: worldAt / 1000 - 60 };
    const items = { "Item 0": { ...entry, page: "https://hall.example/0" }, "Item 1": { sell: { price: 90 } } };
    const body = { at: "2026-09-01T11:30:00Z", data: { "all items": items } };
    const { observations, savedAt, absent } = read(more, JSON.stringify(body));
    const first = { itemId: null, name: "Item 0", phase: "Phase 2", provider: "hall", url: "https://hall.example/0" };
    expect(observations).to.deep.equal([
      { ...first, side: "ask", amountCents: 120, quantity: 3, observedAt: worldAt - 60_000 },
      { ...first, side: "bid", amountCents: 110, quantity: null, observedAt: worldAt - 60_000 },
      {
        ...first,
        name: "Item 1",
        phase: null,
        url: null,
        side: "ask",
        amountCents: 90,
        quantity: null,
        observedAt: null,
      },
    ]);
    expect([savedAt, absent]).to.deep.equal([worldAt - 30 * 60_000, 1]);
  });

  const karambit = "★ Karambit | Doppler (Factory New)";
  const doppler = (more: object) => ({ name: karambit, price: 1, ...more });
  const words = { phase: { path: "@.phase", names: { II: "Phase 2", 7: "Ruby" } } };
  const nested = { ask: { path: "@.price", unit: "dollars", phases: { path: "@.doppler" } } };
  const listed = { path: "@.doppler", phase: "@.paint", price: "@.cost", quantity: "@.n" };
  const phased: [where: string, more: object, entry: object, items: (string | null)[][]][] = [
    ["a word of the mapping", words, doppler({ phase: "II" }), [[karambit, "Phase 2"]]],
    ["a number of the mapping", words, doppler({ phase: 7 }), [[karambit, "Ruby"]]],
    ["another spelling", words, doppler({ phase: "phase4" }), [[karambit, "Phase 4"]]],
    ["a paint index", words, doppler({ phase: 421 }), [[karambit, "Phase 4"]]],
    ["a paint index in quotes", words, doppler({ phase: "568" }), [[karambit, "Emerald"]]],
    ["an unknown word of a Doppler", words, doppler({ phase: "constructor" }), [[karambit, "constructor"]]],
    ["a paint index without a phase", words, doppler({ name: "Item 0", phase: 282 }), [["Item 0", null]]],
    ["a word that is not a phase", words, doppler({ name: "Item 0", phase: "Tier 1" }), [["Item 0", null]]],
    ["an empty word", words, doppler({ phase: "" }), [[karambit, null]]],
    ["null", words, doppler({ phase: null }), [[karambit, null]]],
    ["its name", {}, doppler({ name: `${karambit} - Phase 2` }), [[karambit, "Phase 2"]]],
    [
      "its name before the wear",
      {},
      doppler({ name: "★ Karambit | Doppler Ruby (Factory New)" }),
      [[karambit, "Ruby"]],
    ],
    [
      "its name by a pattern",
      { phase: { pattern: "[{phase}] {name} {wear}", names: { II: "Phase 2" } } },
      doppler({ name: "[II] ★ Karambit | Doppler (Factory New)" }),
      [[karambit, "Phase 2"]],
    ],
    ["no pattern of the mapping", { phase: { pattern: "{name}/{phase}" } }, doppler({ name: "A/B" }), [["A/B", null]]],
    [
      "an object of phases and paint indexes",
      nested,
      doppler({ doppler: { Ruby: 9, 419: "8.5", Emerald: null } }),
      [
        [karambit, null],
        [karambit, "Phase 2"],
        [karambit, "Ruby"],
      ],
    ],
    ["an object of phases alone", nested, { name: karambit, doppler: { Ruby: 9 } }, [[karambit, "Ruby"]]],
    ["null instead of phases", nested, doppler({ doppler: null }), [[karambit, null]]],
    ["no phases", nested, doppler({ name: "Item 0" }), [["Item 0", null]]],
    [
      "an array of phases",
      { ask: { path: "@.price", unit: "dollars", optional: true, phases: listed } },
      { name: karambit, doppler: [{ paint: 415, cost: 9, n: 2 }] },
      [[karambit, "Ruby"]],
    ],
  ];
  for (const [where, more, entry, items] of phased) {
    it(`reads phases from ${where}`, () => {
      const { observations, refused } = read(more, JSON.stringify({ items: [entry] }));
      expect(observations.map(({ name, phase }) => [name, phase])).to.deep.equal(items);
      expect(refused).to.deep.equal([]);
    });
  }

  it("rejects unreadable phases by path and keeps the price of the entry", () => {
    const items = [doppler({ doppler: 5 }), doppler({ name: "Item 0", phase: ["x"] })];
    const { quotes, references, refused } = read({ ...nested, phase: { path: "@.phase" } }, JSON.stringify({ items }));
    expect(refused.flatMap(({ reason, examples }) => [reason, ...examples])).to.deep.equal([
      "malformed",
      `${karambit} at $.items[0].doppler`,
      "Item 0 at $.items[1].phase",
    ]);
    expect([quotes, references.length]).to.deep.equal([[[karambit, "ask", 100]], 8]);
  });

  it("reads null at or above a price as absent under any mapping", () => {
    const items = [
      { a: { b: [{ c: 1 }] } },
      { a: { b: [{ c: null }] } },
      { a: { b: [null] } },
      { a: { b: null } },
      { a: null },
    ];
    const named = items.map((entry, at) => ({ name: `Item ${at}`, ...entry }));
    const more = { ask: { path: "@.a.b[0].c", unit: "dollars" }, absent: [0] };
    const { quotes, absent, refused, references } = read(more, JSON.stringify({ items: named }));
    expect([quotes, absent, refused, references.length]).to.deep.equal([[["Item 0", "ask", 100]], 4, [], 4]);
  });

  it("keeps an item's lowest ask and highest bid with their units", () => {
    const offers = [
      ["Item 0", "2.00", null],
      ["Item 0", "1.90", null],
      ["Item 1", "5.00", null],
      ["Item 0", null, 1.6],
      ["Item 0", "1.90", null],
      ["Item 0", null, 1.7],
    ].map(([name, price, bid]) => ({ name, price, bid }));
    const more = { entry: "listing", bid: { path: "@.bid", unit: "dollars" } };
    const best = (rows: readonly object[]) =>
      read(more, JSON.stringify({ items: rows })).observations.map(({ name, side, amountCents, quantity }) => [
        name,
        side,
        amountCents,
        quantity,
      ]);
    const expected = [
      ["Item 0", "ask", 190, 2],
      ["Item 0", "bid", 170, 1],
      ["Item 1", "ask", 500, 1],
    ];
    expect(best(offers)).to.have.deep.members(expected);
    expect(best(offers.toReversed())).to.have.deep.members(expected);
    // Entries with both sides are not single offers.
    const both = { name: "Item 0", price: "1.90", bid: 1.7 };
    expect(best([both, both, ...offers]).map(([, , , units]) => units)).to.deep.equal([null, null, null]);
  });

  it("rejects an unusable price by reason and path", () => {
    const items = [
      { name: "Item 0", price: "abc" },
      { name: "Item 1", price: 1, units: 0.5 },
      { name: "Item 2", price: 1, seen: worldAt },
      { name: "Item 3", price: 1, page: "http://hall.example" },
      { name: 7, price: 1 },
      { name: "Item 5", price: 1 },
    ];
    const more = {
      ask: { path: "@.price", unit: "dollars", quantity: "@.units" },
      observed_at: { path: "@.seen", unit: "seconds" },
      url: "@.page",
    };
    const { refused, quotes, references } = read(more, JSON.stringify({ items }));
    expect(refused.map(({ reason, examples }) => [reason, examples[0]])).to.have.deep.members([
      ["unparsable", "Item 0 at $.items[0].price"],
      ["bad_quantity", "Item 1 at $.items[1].units"],
      ["bad_time", "Item 2 at $.items[2].seen"],
      ["bad_url", "Item 3 at $.items[3].page"],
      ["malformed", "$.items[4].name"],
    ]);
    expect([quotes, references.length]).to.deep.equal([[["Item 5", "ask", 100]], 4]);
  });

  const one =
    '{"items": [{"name": "Item 0", "price": 1, "currency": "EUR"}], "ok": false, "total": 50, "currency": "CNY"}';
  const asked = { query: { currency: "USD" } };
  const broken: [what: string, more: object, body: string, description: RegExp][] = [
    [
      "another currency in an entry",
      { currency: { path: "@.currency" }, ...asked },
      one,
      /`\$\.items\[0\]\.currency` is "EUR": only USD is accepted; request US dollars, as .*\(currency=USD\)/,
    ],
    ["another currency of the whole", { currency: { path: "$.currency" } }, one, /`\$\.currency` is "CNY": only USD/],
    ["no currency at its path", { currency: { path: "$.money" } }, one, /`\$\.money` is missing: only USD/],
    ["no list at its path", { list: "$.data" }, one, /`\$\.data` is missing; the mapping expects its list there/],
    ["another value than required", { require: [{ path: "$.ok", equals: true }] }, one, /`\$\.ok` is false/],
    ["fewer entries than it counts", { count: "$.total" }, one, /`\$\.total` is 50 and `\$\.items` holds 1 entries/],
    [
      "no entry with the mapped price",
      { ask: { path: "@.cost", unit: "cents", optional: true } },
      one,
      /none of the 1 entries of `\$\.items` has `@\.cost`; the first has the keys name, price, currency/,
    ],
    ["an invalid save time", { saved_at: { path: "$.ok", unit: "iso" } }, one, /`\$\.ok` is not a time/],
    ["invalid JSON", {}, '{"items": [', /line 1, column 12: not JSON/],
  ];
  for (const [what, more, body, description] of broken) {
    it(`rejects by path a response with ${what}`, () => {
      expect(() => read(more, body)).to.throw(OperatorError, description);
    });
  }

  const wrong: [what: string, more: object, description: RegExp][] = [
    [
      "another currency than dollars",
      { currency: { documented: "EUR" } },
      /line \d+: `currency\.documented` must be equal to constant: USD/,
    ],
    [
      "a direction character in the provider's name",
      { provider: { ...hall, name: "The \u202eHall" } },
      /`provider\.name` must match pattern/,
    ],
    ["a path without a root", { name: "name" }, /line \d+: `name` must match pattern/],
    ["an unknown unit", { ask: { path: "@.p", unit: "euros" } }, /`ask\.unit` must be .*dollars, cents, mills/],
    ["neither ask nor bid", { ask: undefined }, /the file must have required property 'ask'/],
    ["the main platform as provider", { provider: { ...hall, kind: "main_platform" } }, /`provider\.kind` must be/],
    ["redistribution allowed", { redistribution: "allowed" }, /`redistribution` must be equal to one of .*not_allowed/],
    ["an unknown setting", { prices: "$" }, /unknown setting `prices`; remove it/],
    ["a pattern without a phase", { phase: { pattern: "{name}" } }, /`phase\.pattern` must match pattern/],
    ["an unknown phase", { phase: { path: "@.p", names: { p9: "Phase 9" } } }, /`phase\.names\.p9` must be/],
  ];
  for (const [what, more, description] of wrong) {
    it(`rejects a mapping with ${what} and names the place`, () => {
      expect(() => mapping(more)).to.throw(OperatorError, description);
    });
  }

  it("has ready mappings that cite their source and use US dollars", () => {
    expect(readyMappings()).to.deep.equal(["market-csgo", "skinify", "skinport", "skinslink", "whitemarket"]);
    for (const name of readyMappings()) {
      const { feed, documentation = [], currency, query = {}, ...source } = readMapping(name, "/");
      expect(feed).to.equal(name);
      expect(source, name).to.include({ redistribution: "unknown", terms_read_on: null });
      expect([source.terms_url, source.poll?.source].join(" "), name).to.match(/^https:\S+ https:\S+$/);
      expect(documentation.length, name).to.be.at.least(1);
      const isInDollars =
        "documented" in currency || query.currency === "USD" || source.poll?.source.endsWith("/USD.json");
      expect(isInDollars, name).to.equal(true);
    }
    expect(() => readMapping("nobody", "/")).to.throw(
      OperatorError,
      "the ready ones are market-csgo, skinify, skinport, skinslink, whitemarket",
    );
  });
});

describe("import of mapped JSON", () => {
  let world: QuoteWorld;
  beforeEach(() => {
    world = new QuoteWorld(Array.from({ length: 30 }, () => ({})));
    writeFileSync(join(world.folder, "hall.json"), JSON.stringify(simple));
  });
  afterEach(() => world.destroy());

  const body = (prices: Readonly<Record<string, unknown>>) =>
    world.body({ items: Object.entries(prices).map(([name, price]) => ({ name, price })) });
  const prices = Object.fromEntries(Array.from({ length: 15 }, (_, index) => [`Item ${index}`, index + 1]));
  const unknown = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`Nothing ${index}`, 1]));
  const importing = (...words: string[]) =>
    runHere(["import", "quotes", ...words, "--adapter", "mapped", "--db", world.path]);

  it("shows ten matching and ten other prices in a dry run", async () => {
    const before = world.logicalDigest();
    const file = body({ ...prices, ...unknown });
    const mapped = ["--mapping", join(world.folder, "hall.json")];
    const { code, lines } = await importing(file, ...mapped, "--dry-run");
    const text = lines.join("\n");
    expect([code, world.logicalDigest()]).to.deep.equal([0, before]);
    expect(text).to.include("15 of 27 prices (55.56 %)").and.to.include("12 unknown_name");
    expect(text).to.match(/that match an item, such as\n\s+ask 100 cents, Item 0 -> item \d+\n/);
    expect(text).to.match(/that join none, such as\n\s+ask 100 cents, Nothing 0: unknown_name\n/);
    const json = JSON.parse((await importing(file, ...mapped, "--dry-run", "--json")).lines[0]!);
    expect([json.rows.joined.length, json.rows.unjoined.length]).to.deep.equal([10, 10]);
    expect(json.rows.joined[1]).to.include({ name: "Item 1", side: "ask", amount: 200, quantity: null });
    expect(json.rows.unjoined[9]).to.include({ name: "Nothing 9", reason: "unknown_name" });
  });

  it("publishes prices like any feed's, subject to the guards", async () => {
    const name = join(world.folder, "hall.json");
    const { code, notes } = await importing(body(prices), "--mapping", name);
    expect([code, notes]).to.deep.equal([0, []]);
    expect(world.all("SELECT feed, adapter FROM feeds")).to.deep.equal([{ feed: "hall", adapter: "mapped" }]);
    const adapter = readMapping(name, "/");
    const shrunk = await refusalOf(world.import(body({ "Item 0": 1 }), { adapter }));
    expect(shrunk).to.match(/guard shrink/);
    const again = await importing(body({ "Item 0": 1 }), "--mapping", name);
    expect(again.code).to.equal(65);
    expect(again.notes.join()).to.include(
      `npx itemtape import quotes FILE --adapter mapped --mapping ${name} --accept shrink`,
    );
  });

  it("lists the ready mappings if its own is missing or unknown", async () => {
    const file = body(prices);
    const missing = await importing(file);
    expect(missing.code).to.equal(64);
    expect(missing.notes.join()).to.include("--mapping is missing; name a file, or one of market-csgo, skinify");
    const other = await runHere(["import", "quotes", file, "--adapter", "steam", "--mapping", "skinport"]);
    expect(other.notes.join()).to.include("--mapping: the adapter steam has none; use --adapter mapped");
    expect((await importing(file, "--mapping", "hall")).notes.join()).to.include("unknown mapping");
    expect((await importing(file, "--mapping", "./hall.json")).notes.join()).to.include("missing mapping");
  });

  it("rejects a provider that belongs to an adapter", async () => {
    const provider = { provider: "buff163", name: "Buff", kind: "cash" } as const;
    const refusal = await refusalOf(world.import(body(prices), { adapter: { ...simple, provider } }));
    expect(refusal).to.include("which belongs to the adapter buff;");
  });
});
