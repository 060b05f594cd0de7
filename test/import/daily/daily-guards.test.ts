import { expect } from "chai";
import { type DailyImportOptions, importDaily } from "../../../src/import/daily/daily-import.ts";
import { dailyReportJson, dailyReportText } from "../../../src/import/daily/report.ts";
import { type GuardedBook, judgeDaily } from "../../../src/import/guards/daily.ts";
import { QuoteWorld, refusalOf } from "../quotes/quote-world.ts";
import { canonicalText, header } from "./daily-world.ts";

const itemCount = 200;
const items = Array.from({ length: itemCount }, () => ({}));
const priceOf = (item: number, side: string) => (1000 * 4 ** (item % 5) + item) * (side === "ask" ? 1 : 0.9);
/** Changes of true prices: by item, from 0, and side. */
type Factor = (item: number, side: string) => number;

const rowsOf = (date: string, factor: Factor = () => 1, shift = 0) =>
  ["ask", "bid"].flatMap((side) =>
    items.map((_, item) => {
      const amount = Math.round(priceOf((item + shift) % itemCount, side) * factor(item, side));
      return { item_id: item + 1, date, side, amount };
    }),
  );
const head = (provider: string, kind = "cash") => ({
  ...header,
  feed: provider,
  provider: { provider, name: provider, kind },
});
const first = canonicalText(rowsOf("2026-08-20"));
const southgate = head("southgate");

type Lie = { lie: string; body: string; says: readonly string[]; accept: string };

const lies: readonly Lie[] = [
  {
    lie: "all prices are a hundredfold",
    body: canonicalText(rowsOf("2026-08-28", () => 100)),
    says: [
      "guard price_level (threshold 1/3 to 3): its asks are 100 times the stored ones within 30 days (median of 200)",
      "its bids are 100 times",
    ],
    accept: "price_level,moved_prices",
  },
  {
    lie: "the bids alone are a hundredth",
    body: canonicalText(rowsOf("2026-08-28", (_, side) => (side === "bid" ? 0.01 : 1))),
    says: ["its bids are 0.010 times the stored ones"],
    accept: "price_level,moved_prices",
  },
  {
    lie: "an eighth of the prices is in another unit",
    body: canonicalText(rowsOf("2026-08-28", (item) => (item % 8 === 0 ? 0.01 : 1))),
    says: ["guard moved_prices (threshold 10 % outside 1/3 to 3): 12.5 % of its 200 asks are outside"],
    accept: "moved_prices",
  },
  {
    lie: "the prices before the stored ones are a hundredfold",
    body: canonicalText(rowsOf("2026-08-01", () => 100)),
    says: ["its asks are 100 times the stored ones"],
    accept: "price_level,moved_prices",
  },
  {
    lie: "a day of the file is shifted by one item",
    body: canonicalText([...rowsOf("2026-08-20"), ...rowsOf("2026-08-21", () => 1, 1)], head("southgate")),
    says: ["guard day_to_day (threshold 10 % outside 1/3 to 3): 100.0 % of the asks of 2026-08-21 are outside"],
    accept: "day_to_day",
  },
  {
    lie: "a new provider's prices are a hundredfold",
    body: canonicalText(
      rowsOf("2026-08-20", () => 100),
      southgate,
    ),
    says: [
      "other_providers (threshold 1/20 to 20): its asks are 100 times the prices of other providers on the same days",
    ],
    accept: "other_providers",
  },
  {
    lie: "a quarter of a new provider's prices is in another unit",
    body: canonicalText(
      rowsOf("2026-08-20", (item) => (item % 4 === 0 ? 0.01 : 1)),
      southgate,
    ),
    says: ["other_providers (threshold 20 % outside 1/10 to 10): 25.0 % of its 200 asks are outside 1/10 to 10 times"],
    accept: "other_providers",
  },
  {
    lie: "one day of a first file is a hundredth",
    body: canonicalText(
      ["01", "02", "03"].flatMap((day) => rowsOf(`2025-08-${day}`, () => (day === "02" ? 0.01 : 1))),
      southgate,
    ),
    says: [
      "100.0 % of the asks of 2025-08-02 are outside 1/3 to 3 times the file's previous day, such as item 1 ask: 10 cents",
    ],
    accept: "day_to_day",
  },
];

const noOthers = {
  others: () => [],
  kindOf: () => null,
  twins: () => ({ phases: new Uint32Array(), editions: new Uint32Array(), wears: new Uint32Array() }),
  explain: () => "",
};

describe("guards of daily history", () => {
  // One world for all: a refused file and a dry run write nothing.
  let world: QuoteWorld;
  let digest: string;
  const take = (body: string, more: Partial<DailyImportOptions> = {}) => {
    const parts = { clock: world.clock, pause: async () => {} };
    return importDaily(world.path, world.body(body, ".ndjson"), { adapter: "canonical", ...more }, parts);
  };
  const judge = (body: string, more: Partial<DailyImportOptions> = {}) => take(body, { ...more, dryRun: true });
  before(async () => {
    world = new QuoteWorld(items);
    await take(first);
    digest = world.logicalDigest();
  });
  after(() => world.destroy());

  for (const { lie, body, says, accept } of lies) {
    it(`reject unless accepted if ${lie}`, async () => {
      const said = await refusalOf(take(body));
      for (const text of says) expect(said).to.contain(text);
      expect(said).to.contain(`npx itemtape import daily FILE --adapter canonical --accept ${accept}\``);
      const accepted = accept.split(",") as NonNullable<DailyImportOptions["accepted"]>;
      expect(await judge(body, { accepted })).to.include({ outcome: "dry_run" });
    });
  }

  it("report a few wrong prices with the largest moves", async () => {
    const report = await judge(canonicalText(rowsOf("2026-08-28", (item) => (item < 6 ? 1000 : 1))));
    expect(report.guarded).to.include({ compared: 400, changed: 12, sampledEvery: 1 });
    expect(dailyReportText(report))
      .to.contain("named    guard moved_prices (threshold 1 % outside 1/3 to 3): 3.0 % of its 200 asks are outside")
      .and.contain("move     item 5 ask: 256004000 cents on 2026-08-28, 256004 on 2026-08-20");
    const { moves, guards } = JSON.parse(dailyReportJson(report));
    expect(moves).to.have.length(10);
    expect(guards.map(({ verdict }: { verdict: string }) => verdict)).to.deep.equal(["named", "named"]);
  });

  it("accept and report a market that falls by half", async () => {
    const report = await judge(canonicalText(rowsOf("2026-08-28", () => 0.5)));
    expect(report.guarded.findings.map(({ guard, verdict }) => `${guard} ${verdict}`)).to.deep.equal([
      "price_level named",
      "price_level named",
    ]);
    expect(report.guarded).to.include({ compared: 400, changed: 400 });
  });

  it("report a new provider with prices in yuan", async () => {
    const report = await judge(
      canonicalText(
        rowsOf("2026-08-20", () => 6.8),
        southgate,
      ),
    );
    expect(report.guarded.findings[0]).to.include({ verdict: "named", threshold: "0.5 to 2" });
    expect(report.guarded.findings[0]?.figure).to.equal(
      "its asks are 6.8 times the prices of the kind cash on the same days (median of 200)",
    );
  });

  it("report the days of a first file without comparable rows as unjudged", async () => {
    const report = await judge(canonicalText(rowsOf("2025-08-20"), southgate));
    expect(dailyReportText(report)).to.contain(
      "unjudged guard other_providers (threshold 1/20 to 20): fewer than 200 of its asks, 2025-08-20 to 2025-08-20,",
    );
  });

  it("judge a replacing row but not an unchanged one", async () => {
    const body = canonicalText(rowsOf("2026-08-20", () => 100));
    expect((await judge(body)).guarded.compared).to.equal(0);
    expect(await refusalOf(judge(body, { replace: true }))).to.contain("its asks are 100 times");
  });

  it("judge a long history by a sample of its items", () => {
    const points = Array.from({ length: 30 }, (_, day) => ({ day, amount: 500 }));
    const books = items.map((_, itemId): GuardedBook => ({ itemId, label: `${itemId}`, side: "ask", points }));
    let asked = 0;
    const own = () => {
      asked += 1;
      return [[0, 5] as const];
    };
    const stored = { ...noOthers, own };
    const file = { books, provider: "northgate", kind: "cash" as const, replaces: true };
    const judged = judgeDaily(file, stored, 2000);
    expect(judged.sampledEvery).to.equal(3);
    expect(asked).to.be.within(40, 95);
    expect(judged.findings.map(({ guard, verdict }) => `${guard} ${verdict}`)).to.deep.equal([
      "price_level broken",
      "moved_prices broken",
    ]);
  });

  it("reject a history with swapped twins", () => {
    const cents = (itemId: number) => (itemId % 2 === 0 ? 1000 : 1500);
    const books = Array.from({ length: 400 }, (_, itemId): GuardedBook => {
      return { itemId, label: "", side: "ask", points: [{ day: 9, amount: cents(itemId + 1) }] };
    });
    const twins = () => ({ ...noOthers.twins(), editions: Uint32Array.from({ length: 400 }, (_, index) => index) });
    const stored = { ...noOthers, twins, own: ({ itemId }: { itemId: number }) => [[8, cents(itemId)] as const] };
    const { findings } = judgeDaily({ books, provider: "northgate", kind: "cash", replaces: true }, stored);
    const [{ figure, verdict } = {}] = findings.filter(({ guard }) => guard === "twins");
    expect([figure, verdict]).to.deep.equal([
      "the order changed in 200 of 200 pairs of StatTrak and plain items (100.0 %) of its asks",
      "broken",
    ]);
  });

  const named: Record<string, { factor: Factor; says: string; by?: object }> = {
    "six prices of a new provider are a thousandfold": {
      factor: (item) => (item < 6 ? 1000 : 1),
      says: "6 of 200 asks are outside 1/100 to 100 times other providers' prices",
      by: southgate,
    },
    "all prices are 2.5 times": {
      factor: () => 2.5,
      says: "(threshold 0.7 to 1.4): its asks are 2.5 times the stored",
    },
    "all prices are in another currency": {
      factor: () => 0.86,
      says: "changed asks from 100 cents on (100.0 %) are 0.860",
    },
  };
  for (const [lie, { factor, says, by }] of Object.entries(named)) {
    it(`report a file if ${lie}`, async () => {
      const date = by === undefined ? "2026-08-28" : "2026-08-20";
      expect(dailyReportText(await judge(canonicalText(rowsOf(date, factor), by)))).to.contain(says);
    });
  }

  it("import an accepted file, and write no part of a rejected one", async () => {
    expect(world.logicalDigest()).to.equal(digest);
    const accepted = ["price_level", "moved_prices"] as const;
    expect(await take(lies[0]!.body, { accepted })).to.include({ outcome: "imported", added: 400 });
    const right = canonicalText(rowsOf("2026-08-28"));
    expect(await judge(right, { replace: true })).to.include({ outcome: "dry_run" });
  });
});
