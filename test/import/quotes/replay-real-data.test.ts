import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { readFeedFile } from "../../../src/import/feed-file.ts";
import { type ReplayReport, replayFrames } from "../../../src/import/quotes/replay.ts";
import { decodeSegment } from "../../../src/store/codec/frame-segment.ts";
import { hourMs } from "../../../src/values/time/calendar.ts";
import { systemClock } from "../../../src/values/time/clock.ts";
import { realCatalogFile } from "../../support/kept-files.ts";
import { describeLong } from "../../support/size.ts";
import { needRealData, realDataFolder } from "../../support/skip.ts";
import { publishedState, QuoteWorld, worldAt } from "./quote-world.ts";

const folder = join(realDataFolder, "steam/frames");
const bayonet = "★ StatTrak™ Bayonet | Ultraviolet (Well-Worn)";

type Frame = { path: string; savedAt: number; prices: Record<string, number> };

/** The frames of the first month, which include every unusual case of the whole data. */
describeLong("replayed frames of the real market", function () {
  this.timeout(600_000);
  let world: QuoteWorld;
  let report: ReplayReport;
  let frames: Frame[];

  before(async function () {
    needRealData(this);
    world = new QuoteWorld(await realCatalogFile());
    const names = readdirSync(folder).filter((name) => /^latest-2026(02|030)\d+T.*\.json\.gz$/.test(name));
    frames = await Promise.all(names.sort().map((name) => frameOf(join(folder, name))));
    const paths = frames.map(({ path }) => path).reverse();
    const clock = { ...systemClock, now: () => worldAt };
    const parts = { clock, pause: async () => {} };
    report = await replayFrames(world.path, paths, { adapter: "steam" }, parts);
  });
  after(() => world?.destroy());

  it("fill one frame for each UTC hour, and completed days", () => {
    expect(report).to.include({ feed: "steam", files: 43, recorded: 42, hoursTaken: 1, published: 42, unchanged: 1 });
    const days = new Set(frames.map(({ savedAt }) => new Date(savedAt).toISOString().slice(0, 10)));
    expect(report.finalizedDays).to.equal(days.size);
    expect(world.all("SELECT count(*) AS frames FROM frames WHERE feed = 'steam'")).to.deep.equal([{ frames: 42 }]);
    const { recorded, actual } = publishedState(world.path);
    expect(actual).to.equal(recorded);
  });

  it("hold the first of two files of one hour", () => {
    const hour = Date.UTC(2026, 2, 3, 18);
    const [first, second] = frames.filter(({ savedAt }) => Math.floor(savedAt / hourMs) * hourMs === hour);
    expect(second?.savedAt).to.be.above(first!.savedAt);
    const stored = world.all(`SELECT checked_at, ingested_at FROM frames WHERE hour = ${hour / hourMs}`);
    expect(stored).to.deep.equal([{ checked_at: first!.savedAt, ingested_at: worldAt }]);
  });

  it("have a knife missing in unfinished sweeps, then priced again", () => {
    const [item] = idsOf([bayonet]);
    const asks = framesOf("2026-03-02").map(({ savedAt }) => world.asksAt(savedAt, item!));
    expect(asks).to.deep.equal(["missing", "missing", "missing", [25_996], [25_996], [25_996], [25_996]]);
  });

  it("have every item as in its file, in every hour", () => {
    const names = Object.keys(frames.at(-1)!.prices).filter((_, index) => index % 500 === 0);
    const items = idsOf(names);
    for (const { path, savedAt, prices } of frames) {
      const said = names.map((name) => (prices[name] === undefined ? "missing" : [prices[name]]));
      const recorded = items.map((item) => world.asksAt(savedAt, item));
      expect(recorded, path).to.deep.equal(said);
    }
  });

  it("name items with refused dollars among the cents, without a price", () => {
    const refused = frames.flatMap(({ savedAt, prices }) =>
      Object.keys(prices).flatMap((name) => (Number.isInteger(prices[name]) ? [] : [{ savedAt, name }])),
    );
    expect(refused).to.have.length(3);
    for (const { savedAt, name } of refused) expect(world.stateAt(savedAt, idsOf([name])[0]!)).to.deep.equal([]);
    expect(report.refused.find(({ reason }) => reason === "fractional_cents")?.count).to.equal(3);
  });

  it("hold no zero and at most four bytes per hourly quote", () => {
    const segments = world.all<{ changes: Buffer }>("SELECT changes FROM frame_segments");
    const quotes = segments.flatMap(({ changes }) => decodeSegment(changes).flatMap(({ state }) => state ?? []));
    expect(quotes.filter(({ amount }) => !(amount > 0))).to.deep.equal([]);
    const bytes = segments.reduce((sum, { changes }) => sum + changes.length, 0);
    const [{ hourly }] = world.all<{ hourly: number }>("SELECT sum(quotes) AS hourly FROM frames") as [
      { hourly: number },
    ];
    expect(bytes / hourly).to.be.below(4);
  });

  const framesOf = (day: string) => frames.filter(({ savedAt }) => new Date(savedAt).toISOString().startsWith(day));
  const idsOf = (names: readonly string[]) =>
    names.map((name) => {
      const rows = world.all<{ id: number }>(
        `SELECT item_id AS id FROM items WHERE market_hash_name = '${name.replaceAll("'", "''")}' AND phase IS NULL`,
      );
      expect(rows, name).to.have.length(1);
      return rows[0]!.id;
    });
});

async function frameOf(path: string): Promise<Frame> {
  const { metadata, prices } = JSON.parse((await readFeedFile(path)).bytes.toString());
  return { path, savedAt: Date.parse(metadata.updated_at), prices };
}
