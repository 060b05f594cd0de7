import { expect } from "chai";
import { Quotes } from "../../../src/domain/quotes.ts";
import { Status } from "../../../src/domain/status.ts";
import { dropFeeds } from "../../../src/import/quotes/drop-feeds.ts";
import { reportJson, reportText } from "../../../src/import/quotes/report.ts";
import { ItemLists, noFilter } from "../../../src/store/read/item-list.ts";
import { MarketStateStore } from "../../../src/store/read/market-state.ts";
import { ProvidersStore } from "../../../src/store/read/providers.ts";
import { QuotesStore } from "../../../src/store/read/quotes.ts";
import { OperatorError } from "../../../src/values/failure/operator-error.ts";
import { steamBody } from "../../support/bodies.ts";
import { QuoteWorld, worldAt } from "./quote-world.ts";

describe("import of a saved quote file", () => {
  let world: QuoteWorld;
  beforeEach(() => {
    world = new QuoteWorld([{}]);
  });
  afterEach(() => world.destroy());

  const saved = (time: string, cents: number) => world.body(steamBody({ "Item 0": cents }, Date.parse(time)));

  it("records a frame of its save hour, checked then, recorded now", async () => {
    const report = await world.import(saved("2026-08-08T09:41:00.000Z", 120), { adapter: "steam" });
    const savedAt = Date.UTC(2026, 7, 8, 9, 41);
    expect(report).to.include({ outcome: "published", finalizedDays: 1 });
    expect(world.all("SELECT hour, checked_at, ingested_at, recorded_at FROM frames")).to.deep.equal([
      { hour: Math.floor(savedAt / 3_600_000), checked_at: savedAt, ingested_at: worldAt, recorded_at: worldAt },
    ]);
    expect(world.all("SELECT date(day * 86400, 'unixepoch') AS day, amount FROM daily_prices")).to.deep.equal([
      { day: "2026-08-08", amount: 120 },
    ]);
    expect(world.all("SELECT checked_at, ingested_at, saved_at, changed_at FROM feeds")).to.deep.equal([
      { checked_at: savedAt, ingested_at: worldAt, saved_at: savedAt, changed_at: savedAt },
    ]);
  });

  it("dates the best ask by its save time until the amount changes", async () => {
    const listed = () =>
      world.read((database) => {
        const [row] = new ItemLists(database).pricedItems({ filter: noFilter, ids: null, after: 0, limit: 1 });
        return new Date(row!.priceUpdatedAt!).toISOString();
      });
    for (const [time, cents, since] of [
      ["2026-08-08T09:41:00.000Z", 120, "2026-08-08T09:41:00.000Z"],
      ["2026-08-20T09:41:00.000Z", 120, "2026-08-08T09:41:00.000Z"],
      ["2026-08-21T09:41:00.000Z", 130, "2026-08-21T09:41:00.000Z"],
    ] as const) {
      await world.import(saved(time, cents), { adapter: "steam" });
      expect(listed()).to.equal(since);
    }
    // A save time ahead of the clock.
    await world.import(saved("2026-09-01T12:00:30.000Z", 140), { adapter: "steam" });
    expect(listed()).to.equal(new Date(worldAt).toISOString());
  });

  it("leaves the market stale if the file is old", async () => {
    const seen = () =>
      world.read((database) => {
        const providers = new ProvidersStore(database);
        const quotes = new Quotes({ store: new QuotesStore(database), providers });
        const status = new Status({
          state: new MarketStateStore(database),
          clock: world.clock,
          release: "0.1.0+abc",
          revision: "2026-01-15",
        });
        const { meta } = quotes.item({ itemId: 1, provider: null }, world.now);
        return [status.read().data.market_snapshot, meta.cache_recently_checked];
      });
    await world.import(saved("2026-08-31T11:59:00.000Z", 120), { adapter: "steam" });
    expect(seen()).to.deep.equal(["stale", false]);
    await world.import(saved("2026-09-01T11:40:00.000Z", 120), { adapter: "steam" });
    expect(seen()).to.deep.equal(["available", false]);
    await world.import(saved("2026-09-01T11:50:00.000Z", 130), { adapter: "steam" });
    expect(seen()).to.deep.equal(["available", true]);
  });

  it("makes one frame and moves no check when repeated hourly", async () => {
    const body = saved("2026-09-01T10:00:00.000Z", 120);
    await world.import(body, { adapter: "steam" });
    for (let hours = 1; hours <= 3; hours += 1) {
      world.now = worldAt + hours * 3_600_000;
      const report = await world.import(body, { adapter: "steam" });
      expect(report).to.include({ outcome: "verified" });
      expect(report.frame).to.include({ outcome: "hour_taken" });
    }
    const savedAt = worldAt - 7_200_000;
    expect(world.all("SELECT checked_at FROM frames")).to.deep.equal([{ checked_at: savedAt }]);
    expect(world.all("SELECT checked_at FROM feeds")).to.deep.equal([{ checked_at: savedAt }]);
  });

  it("dates its frame by the earlier publication of the same quotes", async () => {
    await world.import(saved("2026-09-01T10:00:00.000Z", 120), { adapter: "steam" });
    world.now = worldAt + 3_600_000;
    const report = await world.import(saved("2026-09-01T11:00:00.000Z", 120), { adapter: "steam" });
    expect(report).to.include({ outcome: "verified" });
    expect(world.all("SELECT ingested_at, checked_at FROM frames ORDER BY hour")).to.deep.equal([
      { ingested_at: worldAt, checked_at: worldAt - 7_200_000 },
      { ingested_at: worldAt, checked_at: worldAt - 3_600_000 },
    ]);
    expect(world.all("SELECT checked_at FROM feeds")).to.deep.equal([{ checked_at: worldAt - 3_600_000 }]);
  });

  it("records a file older than the published one without publishing it", async () => {
    const newer = await world.import(saved("2026-09-01T11:00:00.000Z", 1), { adapter: "steam" });
    expect(reportText(newer)).not.to.contain("older");
    world.now = worldAt + 60_000;
    const published = () => world.all("SELECT * FROM quotes, best_asks, feeds, generations, market_state");
    const before = published();
    const older = await world.import(saved("2026-09-01T10:00:00.000Z", 2), { adapter: "steam" });
    expect(older).to.include({
      outcome: "recorded",
      generation: null,
      published: null,
      olderThan: worldAt - 3_600_000,
    });
    expect(published()).to.deep.equal(before);
    expect(world.all("SELECT checked_at, ingested_at FROM frames ORDER BY hour")).to.deep.equal([
      { checked_at: worldAt - 7_200_000, ingested_at: world.now },
      { checked_at: worldAt - 3_600_000, ingested_at: worldAt },
    ]);
    expect(world.asksAt(worldAt - 7_200_000, 1)).to.deep.equal([2]);
    expect(reportText(older))
      .to.contain("feed steam not published: only the frame of its hour was recorded")
      .and.contain("  older    its save time is before the published body of 2026-09-01T11:00:00.000Z, which stays")
      .and.contain("  frame    recorded for the hour of 2026-09-01T10:00:00.000Z");
    expect(JSON.parse(reportJson(older))).to.include({ outcome: "recorded", older_than: "2026-09-01T11:00:00.000Z" });
  });

  it("publishes a file after its feed's quotes were dropped, even an older", async () => {
    await world.import(saved("2026-09-01T11:00:00.000Z", 1), { adapter: "steam" });
    await dropFeeds(world.path, { feeds: ["steam"] }, { dryRun: false }, { clock: world.clock, pause: async () => {} });
    const older = await world.import(saved("2026-09-01T10:00:00.000Z", 2), { adapter: "steam" });
    expect(older).to.include({ outcome: "published", olderThan: null });
  });

  it("rejects a file saved more than five minutes ahead", async () => {
    const ahead = await world
      .import(saved("2026-09-01T12:05:00.001Z", 5), { adapter: "steam" })
      .catch((error: unknown) => error);
    expect(ahead).to.be.instanceOf(OperatorError);
    expect((ahead as Error).message).to.contain("its save time is 2026-09-01T12:05:00.001Z, 300 s in the future");
    expect(world.all("SELECT * FROM frames")).to.deep.equal([]);
    await world.import(saved("2026-09-01T12:05:00.000Z", 5), { adapter: "steam" });
    expect(world.all("SELECT checked_at FROM frames")).to.deep.equal([{ checked_at: worldAt }]);
  });

  it("dates a derived item's first sight now, not at the save time", async () => {
    const derives = (time: string, name: string) =>
      world.body({ metadata: { updated_at: time, currency: "USD" }, prices: { [name]: 5, "Item 0": 1 } });
    await world.import(derives("2026-08-08T10:00:00.000Z", "StatTrak™ Item 0"), { adapter: "steam" });
    await world.replay([derives("2026-08-09T10:00:00.000Z", "Souvenir Item 0")]);
    expect(world.all("SELECT DISTINCT first_seen_at AS at FROM items")).to.deep.equal([{ at: worldAt }]);
  });
});
