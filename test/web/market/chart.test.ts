import { expect } from "chai";
import { spread } from "../../../src/web/browser/plot-labels.ts";
import { laneOf, logMarks } from "../../../src/web/browser/time-plot.ts";
import { basisText, changesOf, percentText } from "../../../src/web/market/browser/changes.ts";
import { openingOf } from "../../../src/web/market/browser/chart.ts";
import { addressOfFragment, itemIdOf, readChart, writeChart } from "../../../src/web/market/browser/chart-address.ts";
import { csvOf, fileName } from "../../../src/web/market/browser/csv.ts";
import { readsOf } from "../../../src/web/market/browser/load.ts";
import { bestRows, pointsOf } from "../../../src/web/market/browser/points.ts";
import { bestQuotes, providerLines } from "../../../src/web/market/browser/quotes.ts";
import { openingRange, pagesOf, planOf, rangeOfZoom } from "../../../src/web/market/browser/ranges.ts";
import { axisRange, baseOf, heightOf } from "../../../src/web/market/browser/scale.ts";
import { switchesOf, variantOf } from "../../../src/web/market/browser/siblings.ts";

type Row = Parameters<typeof changesOf>[0][number];
type Item = Parameters<typeof switchesOf>[0];

const today = "2026-01-15";
const daily = (date: string, provider: string, amount: number): Row => ({
  date,
  provider,
  side: "ask",
  amount,
  low_amount: amount,
  high_amount: amount + 5,
  observations: 3,
  quantity: null,
  complete: date !== today,
  source_observed_at: null,
});
const itemOf = (item_id: number, market_hash_name: string, phase: string | null = null): Item => ({
  image_url: null,
  item_id,
  market_hash_name,
  name_ru: null,
  phase,
  type: "Knife",
  rarity: null,
  wear: null,
  stat_counter: null,
  souvenir: null,
  best_ask_cents: null,
  best_ask_provider: null,
  price_updated_at: null,
});
const isThrough = (search: string) => expect(writeChart(readChart(search)), search).to.equal(search);

describe("item chart", () => {
  it("restores all choices from an address, with defaults for invalid parts", () => {
    isThrough("");
    isThrough(
      "?range=7d&resolution=daily&sides=bid&panels=2&unit=percent&providers=steam,northgate&lines=steam&compare=5,6,7&zoom=1767225600-1767312000&known=2026-01-15T09:30Z",
    );
    isThrough("?from=2026-01-01&to=2026-01-03&resolution=hourly&scale=log");
    const wrong =
      "?range=2d&resolution=x&sides=buy&panels=3&providers=A%20B&compare=0,x,99999999999&zoom=9-1&from=2026-13-01&to=2026-01-02&known=2026-02-30T00:00Z";
    expect(readChart(wrong)).to.deep.equal(readChart(""));
    expect(readChart("?compare=1,2,3,4,5").compared).to.deep.equal([1, 2, 3]);
    expect(["/items/661", "/items/0", "/items/2147483648", "/market"].map(itemIdOf)).to.deep.equal([
      661,
      null,
      null,
      null,
    ]);
  });

  it("redirects former chart addresses with item, range, sides and providers", () => {
    for (const [fragment, address] of [
      ["#item=4&resolution=daily&days=30", "/items/4?resolution=daily&sides=ask"],
      [
        "#item=4&resolution=daily&days=366&sides=ask,bid&providers=steam",
        "/items/4?range=1y&resolution=daily&providers=steam",
      ],
      ["#item=4&resolution=hourly&days=2&sides=bid", "/items/4?range=1d&resolution=hourly&sides=bid"],
      [
        "#item=4&resolution=hourly&from=2026-01-01&to=2026-01-09",
        "/items/4?from=2026-01-01&to=2026-01-09&resolution=hourly&sides=ask",
      ],
      ["#resolution=daily&days=30", null],
      ["", null],
    ] as const) {
      expect(addressOfFragment(fragment), fragment).to.equal(address);
    }
  });

  it("reads a range's days in its resolution, within 30 days on Free", () => {
    const plan = (search: string, isFree = false) => planOf(readChart(search), today, isFree);
    expect(plan("")).to.deep.include({ resolution: "daily", from: "2025-12-16", to: today, isOpen: false });
    expect(plan("?range=1d")).to.deep.include({ resolution: "hourly", from: "2026-01-14", to: today });
    expect(plan("?range=7d")).to.deep.include({ resolution: "hourly", from: "2026-01-08" });
    expect(plan("?range=7d&resolution=daily").resolution).to.equal("daily");
    expect(plan("?range=1y").windows).to.deep.equal([{ from: "2025-01-15", to: today }]);
    expect(plan("?range=all").isOpen).to.equal(true);
    expect(plan("?range=90d&resolution=hourly").windows).to.deep.equal([
      { from: "2025-12-16", to: today },
      { from: "2025-11-15", to: "2025-12-15" },
      { from: "2025-10-17", to: "2025-11-14" },
    ]);
    const free = { resolution: "daily", from: "2025-12-16", to: "2026-01-14", isOpen: false };
    for (const search of ["", "?range=all", "?range=1y&resolution=hourly"])
      expect(plan(search, true)).to.deep.include(free);
    expect(plan("?from=2020-01-01&to=2020-02-01", true)).to.deep.include({ from: "2025-12-16", to: "2025-12-16" });
    expect(plan("?from=2026-01-14&to=2027-01-01")).to.deep.include({ from: "2026-01-14", to: today });
  });

  it("reads days once per side, hours per provider, and compared items once", () => {
    const pairs = [
      { side: "ask", provider: "steam" },
      { side: "ask", provider: "bazaar" },
      { side: "bid", provider: "bazaar" },
    ] as const;
    const wanted = (search: string, items: number) => {
      const state = readChart(search);
      const all = Array.from({ length: items }, (_, index) => itemOf(index + 1, `item ${index + 1}`));
      const plan = planOf(state, today, false);
      return readsOf({ state, plan, items: all, providers: [], pairs, knownSince: null });
    };
    expect(wanted("", 1)).to.have.length(2);
    expect(wanted("?range=7d", 1).map(({ side, provider }) => `${side} ${provider}`)).to.deep.equal([
      "ask steam",
      "ask bazaar",
      "bid bazaar",
    ]);
    expect(wanted("?range=7d&providers=bazaar&sides=ask", 1)).to.have.length(1);
    expect(wanted("?range=90d&resolution=hourly", 1)).to.have.length(9);
    expect(wanted("?range=7d", 4).map(({ itemId, side }) => `${itemId} ${side}`)).to.deep.equal([
      "1 ask",
      "2 ask",
      "3 ask",
      "4 ask",
    ]);
    // Omissions in the hours of all providers have no reason. For chosen providers each is requested.
    expect(
      wanted("?range=7d&providers=steam,bazaar&sides=ask", 2).map(({ itemId, provider }) => `${itemId} ${provider}`),
    ).to.deep.equal(["1 steam", "1 bazaar", "2 steam", "2 bazaar"]);
    expect(wanted("?providers=steam&sides=ask", 2).map(({ provider }) => provider)).to.deep.equal([null, null]);
    expect(pagesOf({ from: "2025-01-15", to: today }, "daily", 5)).to.equal(2);
    expect(pagesOf({ from: "2025-12-16", to: today }, "hourly", 1)).to.equal(1);
  });

  it("compares only providers known at both ends, or shows no change", () => {
    const rows = [
      daily("2026-01-14", "steam", 200),
      daily("2026-01-14", "bazaar", 90),
      daily("2026-01-08", "bazaar", 100),
      daily(today, "steam", 250),
      daily(today, "cheap", 1),
    ];
    expect(changesOf(rows, today).map(({ change }) => change)).to.deep.equal([
      { days: 1, from: 200, to: 250, providers: ["steam"], sinceDate: "2026-01-14" },
      null,
      null,
    ]);
    expect([percentText(200, 250), percentText(1000, 999), percentText(1, 1), percentText(1, 100)]).to.deep.equal([
      "+25.0 %",
      "−0.10 %",
      "0.00 %",
      "+9,900.0 %",
    ]);
  });

  it("names the only compared provider, or counts several among the known", () => {
    const name = (slug: string) => slug.toUpperCase();
    expect(basisText(["steam"], ["northgate", "steam"], name)).to.deep.equal({ text: "STEAM alone", isPart: true });
    expect(basisText(["steam"], ["steam"], name)).to.deep.equal({ text: "STEAM", isPart: false });
    expect(basisText(["steam", "bazaar"], ["steam", "northgate", "bazaar"], name)).to.deep.equal({
      text: "lowest of 2 of 3 providers",
      isPart: true,
    });
    expect(basisText(["steam", "bazaar"], ["bazaar", "steam"], name)).to.deep.equal({
      text: "lowest of both providers",
      isPart: false,
    });
    expect(basisText(["a", "b", "c"], ["a", "b", "c"], name).text).to.equal("lowest of all 3 providers");
    // A provider without a current ask was compared.
    expect(basisText(["steam", "gone"], ["steam"], name)).to.deep.equal({
      text: "lowest of 2, not all asking now",
      isPart: true,
    });
  });

  it("lists providers' best quotes, lowest ask first, linking only web addresses", () => {
    const quote = (
      provider: string,
      amount: number,
      url: string | null = null,
      as_of: string | null = `${today}T00:00:00Z`,
    ) => ({
      provider,
      amount,
      url,
      as_of,
      quantity: null,
    });
    const prices = {
      asks: [
        quote("b", 500, "javascript:alert(1)"),
        quote("a", 300, null, null),
        quote("b", 400, "https://b.example/x"),
      ],
      bids: [quote("b", 410), quote("c", 100)],
    };
    const lines = providerLines(prices, []);
    expect(
      lines.map(({ provider, ask, bid, spread, url, asOf }) => [
        provider.provider,
        ask?.amount,
        bid?.amount,
        spread,
        url,
        asOf,
      ]),
    ).to.deep.equal([
      ["a", 300, undefined, null, null, null],
      ["b", 400, 410, -10, "https://b.example/x", `${today}T00:00:00Z`],
      ["c", undefined, 100, null, null, `${today}T00:00:00Z`],
    ]);
    expect(bestQuotes(lines).ask?.url).to.equal(null);
    const { ask, bid } = bestQuotes(lines);
    expect([ask?.amount, bid?.amount]).to.deep.equal([300, 410]);
    expect(bestQuotes([])).to.deep.equal({ ask: null, bid: null });
  });

  it("switches to the nearest existing exterior, edition and phase", () => {
    const knife = itemOf(1, "★ Karambit | Doppler (Factory New)", "Ruby");
    const all = [
      knife,
      itemOf(2, "★ StatTrak™ Karambit | Doppler (Factory New)", "Ruby"),
      itemOf(3, "★ Karambit | Doppler (Minimal Wear)", "Phase 1"),
      itemOf(4, "★ Karambit | Doppler (Factory New)", "Phase 1"),
    ];
    expect(variantOf(all[1]!)).to.deep.equal({
      base: "Karambit | Doppler",
      wear: "Factory New",
      edition: "counter",
      phase: "Ruby",
    });
    expect(variantOf(itemOf(5, "Souvenir AWP | Dragon Lore (Field-Tested)")).base).to.equal("AWP | Dragon Lore");
    const switches = switchesOf(knife, all).map(({ kind, choices }) => [
      kind,
      ...choices.map(({ text, item }) => `${text} ${item?.item_id}`),
    ]);
    expect(switches).to.deep.equal([
      ["wear", "Factory New 1", "Minimal Wear 3"],
      ["edition", "Plain 1", "StatTrak™ 2"],
      ["phase", "Phase 1 4", "Ruby 1"],
    ]);
    expect(switchesOf(knife, [knife])).to.deep.equal([]);
  });

  it("merges providers to one best-price line with causes of gaps", () => {
    const hour = (ts: string, provider: string | null, amount: number | null): Row => ({
      ts,
      provider,
      side: "bid",
      amount,
      availability: amount === null ? "no_quote" : "quoted",
      quantity: null,
      source_observed_at: null,
    });
    const [first, second] = [`${today}T00:00:00.000Z`, `${today}T01:00:00.000Z`];
    const rows = bestRows([hour(first, "a", 5), hour(first, "b", 9), hour(second, null, null)], "bid");
    expect(rows.map(({ provider, amount }) => [provider, amount])).to.deep.equal([
      ["b", 9],
      [null, null],
    ]);
    const points = pointsOf("hourly", { from: today, to: today, generated_at: `${today}T02:30:00.000Z` }, rows);
    expect(points.slice(0, 4).map(({ state }) => state)).to.deep.equal(["quoted", "no_quote", "no_frame", "not_begun"]);
    expect(points).to.have.length(24);
  });

  it("exports visible data as CSV, with causes of gaps, without false zeros", () => {
    const rows = [daily("2026-01-13", "steam", 1234), daily(today, "steam", 5)];
    const points = pointsOf("daily", { from: "2026-01-12", to: today, generated_at: `${today}T12:00:00Z` }, rows);
    const series = { key: "steam", name: "Steam", letter: "A", colour: 1, side: "ask", points } as const;
    const start = Date.parse("2026-01-12") / 1000;
    const chart = {
      resolution: "daily",
      start,
      step: 86_400,
      count: 4,
      from: "2026-01-12",
      to: today,
      generatedAt: "",
      knownSince: null,
      knownAt: null,
      refusal: null,
      series: [series],
    } as const;
    const range = { min: start + 86_400, max: start + 3 * 86_400 };
    expect(csvOf(chart, [series], { item: 'A "B", C', range }).split("\r\n")).to.deep.equal([
      "time,item,provider,side,availability,amount_cents,low_cents,high_cents,observations,quantity,complete,checked_at,recorded_at,source_observed_at",
      '2026-01-13,"A ""B"", C",steam,ask,quoted,1234,1234,1239,3,,true,,,',
      '2026-01-14,"A ""B"", C",steam,ask,no_observation,,,,,,,,,',
      "",
    ]);
    const knownAt = "2026-01-14T12:00Z";
    const pastRows = [null, daily("2026-01-13", "steam", 1200), null, null];
    const both = csvOf({ ...chart, knownAt }, [{ ...series, knownRows: pastRows }], { item: "A", range }).split("\r\n");
    expect(both[0]).to.match(/,source_observed_at,known_at,known_amount_cents$/);
    expect(both[1]).to.match(/^2026-01-13,A,steam,ask,quoted,1234,.*,2026-01-14T12:00Z,1200$/);
    expect(both[2]).to.match(/^2026-01-14,A,.*,2026-01-14T12:00Z,$/);
    expect(fileName("★ Karambit | Doppler (Factory New)", range)).to.equal(
      "karambit-doppler-factory-new_2026-01-13_2026-01-14.csv",
    );
  });

  it("scales percent from first prices, and axes to the visible range", () => {
    const linear = { isLogarithmic: false, isPercent: false };
    const points = pointsOf("daily", { from: "2026-01-12", to: today, generated_at: `${today}T12:00:00Z` }, [
      daily("2026-01-13", "steam", 200),
    ]);
    const steam = { key: "steam", name: "", letter: "A", colour: 1, side: "ask", points } as const;
    const base = baseOf(steam, []);
    expect(baseOf({ ...steam, side: "bid", points: [] }, [steam])).to.equal(200);
    expect(heightOf(250, base, { isLogarithmic: false, isPercent: true })).to.equal(25);
    expect(heightOf(0, null, { isLogarithmic: true, isPercent: false })).to.equal(null);
    expect(heightOf(null, base, linear)).to.equal(null);
    expect(axisRange(100, 200, linear)).to.deep.equal([92, 208]);
    expect(axisRange(3, 3, linear)).to.deep.equal([2, 4]);
    expect(logMarks(90, 1100)).to.deep.equal([100, 200, 500, 1000]);
    const near = logMarks(1000, 1500);
    expect(near.length).to.be.within(3, 8);
    expect(Math.min(...near)).to.be.at.least(1000);
  });

  it("opens on the range with data", () => {
    const opening = (search: string, ...dates: string[]) =>
      openingRange(
        dates.map((date) => ({ date })),
        today,
        search,
        false,
      );
    expect(opening("", "2026-01-14", today)).to.deep.equal({ range: "7d" });
    for (const [search, ...dates] of [["", "2025-12-20", today], [""], ["?range=30d", today]] as const)
      expect(opening(search, ...dates)).to.equal(null);
    const start = Date.parse("2025-12-16") / 1000;
    const opened = (first: number, step = 86_400, range: "1d" | "7d" | "30d" = "30d") => {
      const points = Array.from({ length: 31 }, (_, index) => ({ at: start + index * step, row: null }));
      const states = points.map(
        (point, index) => ({ ...point, state: index < first ? "no_frame" : "quoted" }) as const,
      );
      const series = [{ key: "a", name: "", letter: "A", colour: 1, side: "ask", points: states }] as const;
      const generatedAt = `${today}T12:00:00Z`;
      const times = { resolution: "daily", start, step, count: 31, from: "", to: today, generatedAt } as const;
      const chart = { ...times, series, knownSince: null, knownAt: null, refusal: null };
      return openingOf(chart, { range });
    };
    const end = start + 31 * 86_400;
    expect(opened(3)).to.equal(null);
    expect(opened(31)).to.equal(null);
    expect(opened(29)).to.deep.equal({ min: end - 2 * 86_400, max: end });
    expect(opened(30, 3600, "7d")).to.deep.equal({ min: start + 30 * 3600, max: start + 31 * 3600 });
  });

  it("keeps a linked zoom's days after the range has moved on", () => {
    const [min, max] = [Date.parse("2025-11-01") / 1000, Date.parse("2025-11-04") / 1000];
    const from = { range: null, from: "2025-11-01", to: "2025-11-03" };
    expect(rangeOfZoom({ range: "30d", zoom: { min, max } }, today)).to.deep.equal(from);
    expect(rangeOfZoom({ range: "90d", zoom: { min, max } }, today)).to.equal(null);
    expect(rangeOfZoom({ range: "30d", zoom: null }, today)).to.equal(null);
  });

  it("keeps flags at line ends apart and above the bottom", () => {
    const places = (...ys: number[]) =>
      spread(
        ys.map((y) => ({ y, height: 10 })),
        100,
      );
    expect(places(20, 50)).to.deep.equal([20, 50]);
    expect(places(20, 22, 25)).to.deep.equal([20, 30, 40]);
    expect(places(97, 99)).to.deep.equal([85, 95]);
  });

  it("draws equal lines side by side, and a lone one in place", () => {
    const line = (...values: (number | null)[]) => ({ values, colour: "--series-1" });
    const lines = [line(5, 1, null), line(5, 2, null), line(5, 2, 7)];
    expect([0, 1, 2].map((index) => laneOf(lines, index, 0))).to.deep.equal([-1, 0, 1]);
    expect([0, 1, 2].map((index) => laneOf(lines, index, 1))).to.deep.equal([0, -0.5, 0.5]);
    expect(laneOf(lines, 2, 2)).to.equal(0);
  });
});
