import { expect } from "chai";
import { ranked } from "../../../src/client/find-items.ts";
import { detailsOf } from "../../../src/web/market/browser/details.ts";
import { centsOf, dollarsOf, readList, writeList } from "../../../src/web/market/browser/list-address.ts";
import { type SortColumn, sorted } from "../../../src/web/market/browser/list-order.ts";
import { knownSearches } from "../../../src/web/market/list-page.ts";
import { demoVariants } from "../../domain/search-ring.ts";

type Row = Parameters<typeof sorted>[0][number];
type Item = Row["item"];

const item = (item_id: number, market_hash_name: string, best_ask_cents: number | null): Item => ({
  image_url: null,
  item_id,
  market_hash_name,
  name_ru: null,
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

const quote = (provider: string, amount: number) =>
  ({ provider, amount, currency: "USD", minor_units: 2, quantity: null, url: null, as_of: null }) as const;
const day = (date: string, provider: string, amount: number) =>
  ({ date, provider, side: "ask", amount, quantity: null, source_observed_at: null }) as const;
const days = [
  day("2026-01-08", "a", 200),
  day("2026-01-14", "a", 150),
  day("2026-01-15", "a", 100),
  day("2026-01-15", "b", 90),
];
const details = detailsOf(
  { asks: [quote("a", 100), quote("b", 95), quote("b", 90)], bids: [quote("a", 70), quote("a", 80)] },
  days,
  "2026-01-15",
);
/** One item has details. */
const rows: Row[] = items.map((item) => ({
  item,
  details: item.item_id === 5 ? { ...details, ask: { provider: "b", amount: 20_000 } } : null,
}));

describe("market list", () => {
  it("ranks exact names, then fewest other words, then known prices", () => {
    expect(idsOf(ranked(items, "★ KARAMBIT"))).to.deep.equal([3, 1, 4, 5, 2]);
    expect(idsOf(ranked(items, "fade karambit"))[0]).to.equal(4);
  });

  it("sorts a column in both directions with unknown values last", () => {
    const ids = (column: SortColumn, isDescending: boolean) =>
      sorted(rows, column, isDescending).map(({ item }) => item.item_id);
    expect(ids("ask", false)).to.deep.equal([4, 1, 5, 2, 3]);
    expect(ids("ask", true)).to.deep.equal([5, 1, 4, 2, 3]);
    expect(ids("age", false)).to.deep.equal([5, 4, 1, 2, 3]);
    expect(ids("name", false)[0]).to.equal(5);
    for (const column of ["bid", "spread", "change", "markets"] as const)
      expect(ids(column, true)[0], column).to.equal(5);
    expect(ids("at.b", false)).to.deep.equal([5, 1, 2, 3, 4]);
    expect(ids("at.c", true)[0]).to.equal(1);
  });

  it("shows best prices, changes of comparable providers, and gaps", () => {
    const { ask, bid, spread, markets, asks, change, line } = details;
    expect({ ask, bid, spread, markets }).to.deep.equal({
      ask: { provider: "b", amount: 90 },
      bid: { provider: "a", amount: 80 },
      spread: 10,
      markets: 2,
    });
    expect([...asks]).to.deep.equal([
      ["a", 100],
      ["b", 90],
    ]);
    expect([change?.from, change?.to, change?.providers]).to.deep.equal([200, 100, ["a"]]);
    expect(line).to.deep.equal([200, null, null, null, null, null, 150, 100]);
    expect(detailsOf(null, days, "2026-01-15").ask).to.deep.equal({ provider: "b", amount: 90 });
    expect(detailsOf({ asks: [], bids: [] }, [], "2026-01-15")).to.deep.include({
      ask: null,
      markets: 0,
      change: null,
    });
  });

  it("restores words, filters and order from an address, omitting invalid parts", () => {
    const filters = {
      item_type: "Knife",
      wear: "Factory New",
      stat_counter: "false",
      provider: "steam",
      ask_min: "1050",
    };
    const columns = ["rarity", "at.steam"] as const;
    const list = { q: 'karambit | "Doppler"', filters, sort: "at.steam", isDescending: true, columns } as const;
    expect(readList(writeList(list))).to.deep.equal(list);
    expect(writeList(readList(""))).to.equal("");
    expect(
      readList("?q=%20x%20&ask_min=-3&ask_max=1e3&sort=-price&columns=x,at.A&item_type=&key=secret"),
    ).to.deep.equal({
      q: "x",
      filters: {},
      sort: null,
      isDescending: false,
      columns: [],
    });
  });

  it("finds items of the demo by each offered search", () => {
    const names = demoVariants().map(({ marketHashName }) => marketHashName.toLowerCase().replaceAll(/[^a-z0-9]/g, ""));
    const isFound = (words: string) => names.some((name) => words.split(" ").every((word) => name.includes(word)));
    expect(knownSearches.filter((words) => !isFound(words))).to.deep.equal([]);
  });

  it("converts only valid typed dollars to whole cents", () => {
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
