import { expect } from "chai";
import { useWorld } from "../support/world.ts";

type Item = Record<string, string | number | boolean | null>;
type Query = Record<string, string | number>;

const weapons = new Set(["Weapon", "Knife", "Gloves"]);
/** Returns the part of the name before the finish. */
const weaponIn = (item: Item) => {
  const name = String(item.market_hash_name).replace(/^(★ )?(StatTrak™ |Souvenir )?/, "");
  return weapons.has(String(item.type)) ? name.split(" | ")[0] : null;
};
/** Prices in cents. Some items of the demo are cheaper, others more expensive. */
const [low, high] = [5_000, 50_000];

/** Each filter, and whether an item passes it. */
const filters: [name: string, query: Query, passes: (item: Item, providers: ReadonlySet<string>) => boolean][] = [
  ["type", { item_type: "Knife" }, (item) => item.type === "Knife"],
  ["rarity", { rarity: "Covert" }, (item) => item.rarity === "Covert"],
  ["weapon", { weapon: "AK-47" }, (item) => weaponIn(item) === "AK-47"],
  ["a kind of knife", { weapon: "Karambit" }, (item) => weaponIn(item) === "Karambit"],
  ["wear", { wear: "Well-Worn" }, (item) => item.wear === "Well-Worn"],
  ["phase", { phase: "Phase 2" }, (item) => item.phase === "Phase 2"],
  ["counters", { stat_counter: "true" }, (item) => item.stat_counter === true],
  ["no counters", { stat_counter: "false" }, (item) => item.stat_counter === false],
  ["souvenirs", { souvenir: "true" }, (item) => item.souvenir === true],
  ["no souvenirs", { souvenir: "false" }, (item) => item.souvenir === false],
  ["provider", { provider: "swapyard" }, (_, providers) => providers.has("swapyard")],
  ["lowest ask from", { ask_min: high }, (item) => Number(item.best_ask_cents ?? 0) >= high],
  ["lowest ask to", { ask_max: low }, (item) => item.best_ask_cents !== null && Number(item.best_ask_cents) <= low],
  [
    "lowest ask between",
    { ask_min: low, ask_max: high },
    (item) => Number(item.best_ask_cents ?? 0) >= low && Number(item.best_ask_cents) <= high,
  ],
];

describe("item list filters", () => {
  const world = useWorld();
  const providers = new Map<number, Set<string>>();
  let key: string;
  let all: Item[];

  before(async () => {
    key = world.account("quant").secret;
    all = await listed({});
    for (const row of world.sql(
      "SELECT item_id AS id, json_group_array(provider) AS slugs FROM quotes JOIN frame_providers ON number = provider_id GROUP BY 1",
    ))
      providers.set(Number(row.id), new Set(JSON.parse(String(row.slugs))));
  });

  /** All pages. */
  async function listed(query: Query): Promise<Item[]> {
    const found: Item[] = [];
    for (let cursor: number | null = 0; cursor !== null; ) {
      const { status, json } = await world.client.call("listItems", { key, query: { limit: 100, ...query, cursor } });
      expect(status).to.equal(200);
      found.push(...json.data);
      cursor = json.meta.next_cursor;
    }
    return found;
  }

  function passing(of: typeof filters): Item[] {
    return all.filter((item) =>
      of.every(([, , passes]) => passes(item, providers.get(Number(item.item_id)) ?? new Set())),
    );
  }

  for (const one of filters)
    it(`by ${one[0]} list exactly the matching items in ascending id`, async () => {
      const expected = passing([one]);
      expect(expected.length).to.be.within(1, all.length - 1);
      expect(await listed(one[1])).to.deep.equal(expected);
    });

  it("combine with each other and with a search", async () => {
    const search: (typeof filters)[number] = [
      "q",
      { q: "fade" },
      (item) => /fade/i.test(String(item.market_hash_name)),
    ];
    let matches = 0;
    for (const [index, one] of filters.entries()) {
      const other = filters[(index * 5 + 3) % filters.length]!;
      for (const second of [other, search]) {
        if (Object.keys(one[1]).some((name) => name in second[1])) continue;
        const expected = passing([one, second]).slice(0, 100);
        const { json } = await world.client.call("listItems", { key, query: { limit: 100, ...one[1], ...second[1] } });
        expect(json.data, `${one[0]} and ${second[0]}`).to.deep.equal(expected);
        matches += expected.length;
      }
    }
    expect(matches).to.be.above(100);
  });

  it("match no item when search and filter name different wears", async () => {
    expect(await listed({ q: "redline fn", wear: "Field-Tested" })).to.deep.equal([]);
    expect((await listed({ q: "redline ft", wear: "Field-Tested" })).length).to.be.above(0);
  });

  it("list up to 100 ids in order, also with search and cursor", async () => {
    const ids = all
      .map((item) => Number(item.item_id))
      .filter((_, index) => index % 30 === 0)
      .slice(0, 98);
    const item_ids = [...ids].reverse().concat(ids[0]!, 2_147_483_647).join();
    expect((await listed({ item_ids })).map((item) => item.item_id)).to.deep.equal(ids);
    expect((await listed({ item_ids, cursor: ids[50]!, limit: 3 })).map((item) => item.item_id)).to.deep.equal(ids);
    const named = (await listed({ item_ids, q: "doppler" })).map((item) => item.item_id);
    const expected = all.filter(
      (item) => ids.includes(Number(item.item_id)) && /doppler/i.test(String(item.market_hash_name)),
    );
    expect(named).to.deep.equal(expected.map((item) => item.item_id));
    const target = `/v1/items?item_ids=${ids[3]}&item_ids=${ids[1]},${ids[2]}`;
    const repeated = await world.client.send({ method: "GET", target, headers: { authorization: `Bearer ${key}` } });
    const found = JSON.parse(repeated.text) as { data: Item[] };
    expect(found.data.map((item) => item.item_id)).to.deep.equal(ids.slice(1, 4));
    const many = await world.client.call("listItems", { key, query: { item_ids: `${item_ids},1` } });
    expect([many.status, many.json.code]).to.deep.equal([400, "invalid_parameter"]);
  });

  it("match a weapon by its exact name before the finish", async () => {
    const one = all.find((item) => String(item.market_hash_name).startsWith("AK-47 | "))!;
    const item_ids = String(one.item_id);
    for (const weapon of ["AK", "AK-47 |", String(one.market_hash_name)])
      for (const query of [{ weapon }, { weapon, item_ids }]) expect(await listed(query)).to.deep.equal([]);
    expect(await listed({ weapon: "AK-47", item_ids })).to.deep.equal([one]);
  });

  it("work on Free for item properties, and are refused for prices", async () => {
    const free = world.account("free");
    for (const query of [{ provider: "steam" }, { ask_min: 1 }, { ask_max: 9 }]) {
      const { status, json } = await world.client.call("listItems", { key: free.secret, query });
      expect([status, json.code]).to.deep.equal([403, "plan_upgrade_required"]);
    }
    expect(world.used(free.accountId)).to.equal(0);
    const knives = await world.client.call("listItems", { key: free.secret, query: { item_type: "Knife", limit: 1 } });
    expect(knives.json.data.map((item: Item) => [item.type, item.best_ask_cents])).to.deep.equal([["Knife", null]]);
  });

  it("are refused and named if they cannot be valid, without cost", async () => {
    const builder = world.account("builder");
    for (const [query, detail] of [
      [{ item_type: "Rifle" }, "query parameter `item_type`"],
      [{ phase: "Phase 9" }, "query parameter `phase`"],
      [{ stat_counter: "yes" }, "query parameter `stat_counter`: must be true or false"],
      [{ provider: "nowhere" }, "query parameter `provider`"],
      [{ ask_min: 0 }, "query parameter `ask_min`"],
      [{ ask_min: 2, ask_max: 1 }, "query parameter `ask_min`"],
      [{ item_ids: "1,,2" }, "query parameter `item_ids`: must be canonical decimal integers with commas"],
      [{ item_ids: "1,2147483648,2" }, "query parameter `item_ids[1]`: must be <= 2147483647"],
    ] as [Query, string][]) {
      const { status, json } = await world.client.call("listItems", { key: builder.secret, query });
      expect([status, json.detail.slice(0, detail.length)]).to.deep.equal([400, detail]);
    }
    expect(world.used(builder.accountId)).to.equal(0);
  });
});
