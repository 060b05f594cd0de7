import SqliteDatabase from "better-sqlite3";
import { expect } from "chai";
import { Status } from "../../../src/domain/status.ts";
import type { ImportOptions } from "../../../src/import/quotes/quote-import.ts";
import { type ImportReport, reportJson, reportText } from "../../../src/import/quotes/report.ts";
import { MarketStateStore } from "../../../src/store/read/market-state.ts";
import { dayMs, hourMs } from "../../../src/values/time/calendar.ts";
import { bySize } from "../../support/size.ts";
import { type QuoteWorld, refusalOf, worldAt, worldsAfter } from "./quote-world.ts";
import { every, platform, shop, times, trueQuotes, twinItems } from "./unlikely-bodies.ts";
import { type Case, cases, newShop } from "./unlikely-cases.ts";

/** The short run tests one false body for each guard and verdict. */
const short = cases.filter(
  ({ guard, verdict }, index) => cases.findIndex((one) => one.guard === guard && one.verdict === verdict) === index,
);

describe("body unlike other data", () => {
  let world: QuoteWorld;
  afterEach(() => world.destroy());

  const alone = worldsAfter(twinItems, addRates);
  const published = worldsAfter(twinItems, async (filled) => {
    addRates(filled);
    await filled.import(filled.body(platform(worldAt - 1000)), { adapter: "steam" });
    await filled.import(filled.body(shop(trueQuotes), ".ndjson"), { adapter: "canonical" });
  });

  for (const one of bySize({ short, long: cases })) {
    it(`is ${one.verdict} by ${one.guard} if ${one.lie}`, async () => {
      world = await (one.isAlone === true ? alone() : published());
      const report = await outcomeOf(world, one);
      if (one.verdict === "refused") {
        expect(report, String(report))
          .to.be.a("string")
          .that.contains(`guard ${one.guard} (threshold `)
          .and.contains(one.says);
        return;
      }
      expect(report, String(report)).to.be.an("object");
      const { guards } = report as ImportReport;
      const verdict = one.verdict === "named" ? "named" : "not_judged";
      expect(guards.filter((finding) => finding.verdict === "broken")).to.have.length((one.accepted ?? []).length);
      expect(reportText(report as ImportReport)).to.contain(one.says);
      expect(guards.filter((finding) => finding.guard === one.guard).map((finding) => finding.verdict)).to.include(
        verdict,
      );
    });
  }

  it("is accepted and reported if all prices halve in a day", async () => {
    world = await published();
    world.now += dayMs;
    const fallen = await world.import(world.body(shop(times(0.5)), ".ndjson"), { adapter: "canonical" });
    expect(fallen.outcome).to.equal("published");
    const named = fallen.guards.map(({ guard, verdict, figure }) => `${guard} ${verdict}: ${figure}`);
    expect(named).to.have.length(2);
    expect(named[0]).to.match(
      /^price_level named: the asks of hall are 0\.50 times the previous ones; their median changed from \d+ to \d+ cents$/,
    );
  });

  it("is reported with added, changed and removed quotes, and ten moves", async () => {
    world = await published();
    const [first, second, ...rest] = trueQuotes;
    const quotes = [
      { ...second!, bid: Number(second!.bid) + 1 },
      ...every(2, (cents) => cents * 1.1, ["ask"]).slice(2),
    ];
    const report = await world.import(world.body(shop(quotes), ".ndjson"), { adapter: "canonical" });
    expect(first).to.include({ phase: null });
    expect(rest).to.have.length(twinItems.length - 2);
    const { moves } = JSON.parse(reportJson(report));
    expect(moves).to.include({ came: 0, changed: 188, went: 2 });
    expect(moves.largest).to.have.length(10);
    expect(moves.largest[0]).to.have.all.keys("item_id", "name", "provider", "side", "from_cents", "to_cents");
    expect(reportText(report)).to.match(
      /\n {2}moved {4}0 quotes came, 188 changed, 2 went\n {13}★ Knife \d+ .*: \d+ to \d+ cents \(hall, ask\)\n/,
    );
  });

  it("is unconfirmed for seven days in a new feed without another provider", async () => {
    world = await alone();
    const unconfirmed = (now = world.now) => {
      const clock = { now: () => now, monotonicMs: () => 0 };
      const { feeds } = world.read((database) =>
        new Status({ state: new MarketStateStore(database), clock, release: "", revision: "2026-01-15" }).read(),
      ).data;
      return feeds.filter(({ unconfirmed_until: until }) => until !== null).map(({ feed }) => feed);
    };
    await world.import(world.body(shop(trueQuotes), ".ndjson"), { adapter: "canonical" });
    expect(unconfirmed()).to.deep.equal(["square"]);
    expect(unconfirmed(world.now + 7 * dayMs)).to.deep.equal([]);
    await world.import(world.body(platform(world.now)), { adapter: "steam" });
    expect(unconfirmed()).to.deep.equal([]);
    // Sources that an operator accepted as far apart confirm each other only when one of them moves, an hour later.
    const accepted: ImportOptions = { adapter: "canonical", accepted: ["first_body", "price_level", "price_jumps"] };
    await world.import(world.body(shop(times(0.004), newShop), ".ndjson"), accepted);
    expect(unconfirmed()).to.deep.equal(["corner"]);
    await world.import(world.body(shop(every(2, (cents) => cents + 1, ["ask"])), ".ndjson"), { adapter: "canonical" });
    expect(unconfirmed()).to.deep.equal(["corner"]);
    world.now += hourMs;
    await world.import(world.body(shop(trueQuotes, newShop), ".ndjson"), accepted);
    expect(unconfirmed()).to.deep.equal([]);
  });

  it("restarts the week of its provider and side after an accepted breach", async () => {
    world = await published();
    const options: ImportOptions = { adapter: "canonical", accepted: ["price_level"] };
    await world.import(world.body(shop(times(9)), ".ndjson"), options);
    for (const factor of [9, 9.5]) {
      world.now += hourMs;
      const report = await world.import(world.body(shop(times(factor)), ".ndjson"), { adapter: "canonical" });
      expect(report.guards.filter(({ guard }) => guard.startsWith("week"))).to.deep.equal([]);
    }
    const hours = () => {
      const levels = "SELECT side, count(*) AS hours FROM quote_levels JOIN frame_providers ON number = provider_id";
      return world.all(`${levels} WHERE provider = 'hall' GROUP BY side ORDER BY side`);
    };
    expect(hours()).to.deep.equal(["asks", "bids"].map((side) => ({ side, hours: 3 })));
    world.now += hourMs;
    await world.import(world.body(shop(times(9).map((quote) => ({ ...quote, bid: 1 }))), ".ndjson"), options);
    expect(hours()).to.deep.equal([
      { side: "asks", hours: 4 },
      { side: "bids", hours: 1 },
    ]);
  });
});

/** Imports the bodies of a case. Returns the last report, or the message that refuses the last body. */
async function outcomeOf(world: QuoteWorld, { bodies, adapter = "canonical", accepted = [], hours = [] }: Case) {
  let outcome: ImportReport | string = "";
  for (const [index, body] of bodies.entries()) {
    world.now += (hours[index] ?? 1) * hourMs;
    const isPlatform = typeof body !== "string";
    const path = world.body(body, isPlatform ? ".json" : ".ndjson");
    const isLast = index === bodies.length - 1;
    const work = world.import(path, { adapter: isPlatform ? "steam" : adapter, accepted: isLast ? accepted : [] });
    outcome = isLast ? await work.catch(() => refusalOf(work)) : await work;
  }
  return outcome;
}

async function addRates(world: QuoteWorld): Promise<void> {
  const database = new SqliteDatabase(world.path);
  database.exec(`INSERT INTO currencies VALUES ('CNY', 2), ('EUR', 2), ('RUB', 2);
    INSERT INTO exchange_rates SELECT currency, 'ecb', 20000, rate, '1', NULL, 0
    FROM (SELECT 'CNY' AS currency, '7.1' AS rate UNION ALL SELECT 'EUR', '0.86' UNION ALL SELECT 'RUB', '81.5')`);
  database.close();
}
