import { expect } from "chai";
import type { Caller } from "../../../src/client/calls.ts";
import { nearestSearch, ranked } from "../../../src/client/find-items.ts";
import { centsOf, dollarsOf, readList, writeList } from "../../../src/web/market/browser/list-address.ts";
import { sortColumns, sorted } from "../../../src/web/market/browser/list-order.ts";
import { knownSearches } from "../../../src/web/market/list-page.ts";
import { demoVariants } from "../../domain/search-ring.ts";

type Item = Parameters<typeof sorted>[0][number];

const item = (item_id: number, market_hash_name: string, best_ask_cents: number | null): Item => ({
  item_id,
  market_hash_name,
  best_ask_cents,
  best_ask_provider: best_ask_cents === null ? null : "steam",
  price_updated_at: best_ask_cents === null ? null : `2026-01-${10 + item_id}T00:00:00.000Z`,
  type: "Knife",
  rarity: null,
  phase: null,
  wear: null,
  stat_counter: null,
  souvenir: null,
});
const items = [
  item(1, "★ Karambit | Doppler (Minimal Wear)", 300),
  item(2, "★ Karambit | Doppler", null),
  item(3, "★ Karambit", null),
  item(4, "★ Karambit | Fade", 1),
  item(5, "★ Bayonet", 20_000),
];
const idsOf = (list: readonly Item[]) => list.map(({ item_id }) => item_id);

/** Finds the same items by any words. */
function finding(items: readonly object[], asked: string[] = []): Caller {
  const call = async (_operation: string, { q }: { q: string }) => {
    asked.push(q);
    return { data: items, meta: { next_cursor: null, generated_at: "" } };
  };
  return { call: call as unknown as Caller["call"] };
}

describe("the list of the market", () => {
  it("what was loaded is ranked: the exact name whatever its case, then known prices, then shorter names", () => {
    expect(idsOf(ranked(items, "★ KARAMBIT"))).to.deep.equal([3, 5, 4, 1, 2]);
    expect(idsOf(ranked(items, "karambit"))).to.deep.equal([5, 4, 1, 3, 2]);
  });

  it("a column sorts in both directions, and what is unknown stands last in both", () => {
    expect(idsOf(sorted(items, "ask", false))).to.deep.equal([4, 1, 5, 2, 3]);
    expect(idsOf(sorted(items, "ask", true))).to.deep.equal([5, 1, 4, 2, 3]);
    expect(idsOf(sorted(items, "age", false))).to.deep.equal([5, 4, 1, 2, 3]);
    expect(idsOf(sorted(items, "name", false))[0]).to.equal(5);
    for (const column of sortColumns)
      expect(idsOf(sorted(items, column, true)).toSorted()).to.deep.equal([1, 2, 3, 4, 5]);
  });

  it("an address restores words, filters and order, and leaves out what is wrong in it", () => {
    const filters = {
      item_type: "Knife",
      wear: "Factory New",
      stat_counter: "false",
      provider: "steam",
      ask_min: "1050",
    };
    const list = { q: 'karambit | "Doppler"', filters, sort: "ask", isDescending: true } as const;
    expect(readList(writeList(list))).to.deep.equal(list);
    expect(writeList(readList(""))).to.equal("");
    expect(readList("?q=%20x%20&ask_min=-3&ask_max=1e3&sort=-price&item_type=&key=secret")).to.deep.equal({
      q: "x",
      filters: {},
      sort: null,
      isDescending: false,
    });
  });

  it("a word of a search that found nothing is sought among the names that the others find, the longest first", async () => {
    const searches = async (q: string) => {
      const asked: string[] = [];
      await nearestSearch(finding([], asked), q);
      return asked;
    };
    expect(await searches("ak redlin ft")).to.deep.equal(["ak ft", "redlin ft"]);
    expect(await searches("karambt")).to.deep.equal(["kara", "ambt"]);
    expect(await searches('"karambt"')).to.deep.equal(["karambt", "kara"]);
    expect(await searches('"karambt" doppler')).to.deep.equal(["karambt doppler", "doppler"]);
    expect(await searches('karam"t doppler')).to.deep.equal(["karamt doppler", "karamt"]);
    expect(await searches("fn")).to.deep.equal([]);
    expect(await searches("")).to.deep.equal([]);
  });

  it("each search that the page offers finds items of the demo", () => {
    const names = demoVariants().map(({ marketHashName }) => marketHashName.toLowerCase().replaceAll(/[^a-z0-9]/g, ""));
    const isFound = (words: string) => names.some((name) => words.split(" ").every((word) => name.includes(word)));
    expect(knownSearches.filter((words) => !isFound(words))).to.deep.equal([]);
  });

  it("the nearest word takes the place of the mistyped one alone, and a search that has it already is not offered again", async () => {
    const items = [{ market_hash_name: "★ Karambit | Doppler (Factory New)", name_ru: "★ Керамбит | Волны" }];
    const meant = (q: string) => nearestSearch(finding(items), q);
    expect(await meant("Karambt doppler")).to.equal("karambit doppler");
    expect(await meant("doppler dopple")).to.equal("doppler doppler");
    expect(await meant("karambit")).to.equal(null);
    expect(await meant("redline")).to.equal(null);
    expect(await nearestSearch(finding([]), "karambt")).to.equal(null);
  });

  it("dollars that a person types become whole cents, and nothing else does", () => {
    for (const [text, cents] of [
      ["12", "1200"],
      ["12.5", "1250"],
      ["$1,234.56", "123456"],
      ["0.03", "3"],
      ["0", null],
      ["-1", null],
      ["1.234", null],
      ["abc", null],
      ["", null],
    ] as const) {
      expect(centsOf(text), text).to.equal(cents);
    }
    expect(["1200", "1250", "3"].map(dollarsOf)).to.deep.equal(["12", "12.50", "0.03"]);
  });
});
