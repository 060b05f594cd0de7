import { expect } from "chai";
import { samePool } from "../../../src/import/pools/definition.ts";
import { readPools } from "../../../src/import/pools/read-pools.ts";
import { OperatorError } from "../../../src/values/failure/operator-error.ts";

const item = { item: "paint:7:1" };
const pool = {
  format: "itemtape-pool",
  version: 1,
  container: "item:4904",
  name: "Small Case",
  type: "case",
  requires_key: true,
  counter_chance: "1/10",
  odds: { source: "published", reference: "the box" },
  wear: { model: "wear-1", reference: "measured" },
  weight_total: 5,
  tiers: [
    { tier: "mil_spec", weight: 4, items: [{ item: "paint:7:10" }, item] },
    { tier: "covert", weight: 1, items: [{ item: 77, weight: 1 }] },
  ],
};
const read = (text: string) => readPools({ name: "pools.json", bytes: Buffer.from(text) });
const withTier = (facts: object) => ({ ...pool, tiers: [{ tier: "all", weight: 5, items: [item], ...facts }] });
const withItem = (facts: object) => ({ ...pool, tiers: [{ tier: "all", weight: 5, items: [{ ...item, ...facts }] }] });

describe("pool definition", () => {
  it("is read alone, in an array or per line into canonical form", () => {
    const other = { ...pool, container: 12 };
    const both = read(JSON.stringify([pool, other]));
    expect(read(`${JSON.stringify(pool)}\n${JSON.stringify(other)}\n`)).to.deep.equal(both);
    expect(read(JSON.stringify(pool, null, 2))).to.deep.equal(both.slice(0, 1));
    expect(both[0]).to.deep.equal({
      format: "itemtape-pool",
      version: 1,
      container: "item:4904",
      name: "Small Case",
      type: "case",
      released_on: null,
      retired_on: null,
      requires_key: true,
      key_cost_cents: 249,
      counter_chance: "1/10",
      edition: "plain",
      odds: pool.odds,
      wear: pool.wear,
      never_published: null,
      tiers: [
        { tier: "mil_spec", weight: 4, items: [item, { item: "paint:7:10" }] },
        { tier: "covert", weight: 1, items: [{ item: 77 }] },
      ],
    });
  });

  it("is equal in any order of items, with names and explicit defaults", () => {
    const [one] = read(JSON.stringify(pool));
    const tiers = pool.tiers.map((tier) => ({ ...tier, items: tier.items.toReversed() }));
    const [same] = read(JSON.stringify({ ...pool, name: "Another", key_cost_cents: 249, edition: "plain", tiers }));
    expect(samePool(one!, same!)).to.equal(true);
    const [changed] = read(JSON.stringify({ ...pool, key_cost_cents: 99 }));
    expect(samePool(one!, changed!)).to.equal(false);
    expect(read(JSON.stringify({ ...pool, requires_key: false }))[0]!.key_cost_cents).to.equal(0);
  });

  const wrong: [fault: string, given: unknown, message: RegExp][] = [
    [
      "weights that do not sum",
      { ...pool, weight_total: 6 },
      /"Small Case" \(item:4904\): the weights of the tiers sum to 5, not to 6/,
    ],
    [
      "an item twice",
      { ...pool, tiers: [{ tier: "a", weight: 5, items: [item, item] }] },
      /`paint:7:1` is listed twice/,
    ],
    [
      "a tier twice",
      { ...pool, tiers: [pool.tiers[0], { ...pool.tiers[0], weight: 1 }] },
      /the tier mil_spec is given twice/,
    ],
    [
      "an empty tier",
      { ...pool, tiers: [{ tier: "a", weight: 5, items: [] }] },
      /pool "Small Case" \(item:4904\): tier a: `tiers\[0\]\.items` must NOT have fewer than 1 items/,
    ],
    ["no tier", { ...pool, tiers: [] }, /`tiers` must NOT have fewer than 1 items/],
    [
      "a wear range upside down",
      withItem({ wear_min: "0.5", wear_max: "0.1" }),
      /`paint:7:1`: wear range 0\.5\.\.0\.1: is reversed/,
    ],
    ["half a wear range", withItem({ wear_min: "0.5" }), /give `wear_min` and `wear_max` together/],
    [
      "wears that do not sum",
      { ...withItem({ wear_ppm: [1, 2, 3, 4, 5] }), wear: { model: "stated", reference: "x" } },
      /its `wear_ppm` sum to 15, not to 1000000/,
    ],
    [
      "stated wears under a model",
      withItem({ wear_ppm: [1_000_000, 0, 0, 0, 0] }),
      /`wear_ppm` needs the wear model `stated`/,
    ],
    ["a tier's weight of 0", withTier({ weight: 0 }), /\(item:4904\): tier all: `tiers\[0\]\.weight` must be >= 1;/],
    ["a tier's weight with decimals", withTier({ weight: 0.5 }), /`tiers\[0\]\.weight` must be integer or null;/],
    [
      "a container that is not a reference",
      { ...pool, container: null, name: 7 },
      /json: `container` must be string or int/,
    ],
    ["a tier without a name", withTier({ tier: 7 }), /\(item:4904\): `tiers\[0\]\.tier` must be string;/],
    ["too large an item reference", withItem({ item: 2 ** 31 }), /\.item` must be <= 2147483647;/],
    ["a pool that is not an object", 7, /pools\.json: the pool must be object;/],
    ["a date that is a number", { ...pool, retired_on: 2024 }, /`retired_on` must be string or null;/],
    ["an empty reason", { ...pool, never_published: "" }, /`never_published` must NOT have fewer than 1 char/],
    ["a weight of 0", withItem({ weight: 0 }), /`tiers\[0\]\.items\[0\]\.weight` must be >= 1/],
    ["a weight with decimals", withItem({ weight: 1.5 }), /`tiers\[0\]\.items\[0\]\.weight` must be integer/],
    ["phases without a chance", withItem({ phase_weights: { Ruby: 0 } }), /its `phase_weights` are all 0/],
    ["an unknown phase", withItem({ phase_weights: { Opal: 1 } }), /`tiers\[0\]\.items\[0\]\.phase_weights` /],
    ["an unknown key", { ...pool, odd: 1 }, /the pool must NOT have additional properties, such as `odd`/],
    ["another version", { ...pool, version: 2 }, /`version` must be equal to constant: 1/],
    [
      "another type",
      { ...pool, type: "crate" },
      /`type` must be equal to one of the allowed values: case, souvenir_package/,
    ],
    ["an invalid day", { ...pool, released_on: "2024-02-30" }, /`released_on`: the date does not exist: 2024-02-30/],
    [
      "an end before the release",
      { ...pool, released_on: "2024-02-03", retired_on: "2024-02-02" },
      /`retired_on` is before/,
    ],
    ["an unneeded key", { ...pool, requires_key: false, key_cost_cents: 1 }, /must be 0 for a container without a key/],
    ["a chance above 1", { ...pool, counter_chance: "3/2" }, /`counter_chance`: 3\/2 is not below 1/],
    ["souvenirs with a counter", { ...pool, edition: "souvenir" }, /a souvenir has no counter variant/],
    ["a container twice", [pool, pool], /a container is given twice/],
    ["nothing", [], /it has no pool/],
  ];
  for (const [fault, given, message] of wrong) {
    it(`is rejected and named for ${fault}`, () => {
      expect(() => read(JSON.stringify(given))).to.throw(OperatorError, message);
      expect(() => read(JSON.stringify(given))).to.throw("the whole file was refused and nothing was changed");
    });
  }

  it("is rejected by line and column if it is not JSON", () => {
    expect(() => read('{"format": "itemtape-pool",')).to.throw(OperatorError, /pools\.json: line 1, column/);
    expect(() => read(`${JSON.stringify(pool)}\n{"format"`)).to.throw(OperatorError, /pools\.json: line 2, column/);
    expect(() => read('{"a":1,"a":2}')).to.throw(OperatorError, /a key appears twice/);
  });
});
