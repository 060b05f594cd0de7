import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { readFeedFile } from "../../../src/import/feed-file.ts";
import { adapters } from "../../../src/import/quotes/adapters.ts";
import { importQuotes } from "../../../src/import/quotes/quote-import.ts";
import type { ImportReport } from "../../../src/import/quotes/report.ts";
import { BookReader } from "../../../src/store/read/books.ts";
import { systemClock } from "../../../src/values/time/clock.ts";
import { realCatalogFile } from "../../support/kept-files.ts";
import { describeLong } from "../../support/size.ts";
import { needRealData, realDataFolder } from "../../support/skip.ts";
import { publishedState, QuoteWorld, worldAt } from "./quote-world.ts";

const steamFile = join(realDataFolder, "steam/full/latest-20260808T064627146Z.json.gz");
const buffFile = join(realDataFolder, "buff163/buff163-2021-06-06.json.gz");
const knife = "★ Karambit | Doppler (Factory New)";

describeLong("import of real quotes", function () {
  this.timeout(120_000);
  let world: QuoteWorld;
  let steam: ImportReport;
  let buff: ImportReport;

  before(async function () {
    needRealData(this);
    world = new QuoteWorld(await realCatalogFile());
    const parts = { clock: systemClock };
    steam = await importQuotes(world.path, steamFile, { adapter: "steam" }, parts);
    buff = await importQuotes(world.path, buffFile, { adapter: "buff" }, parts);
  });
  after(() => world?.destroy());

  const amounts = (phase: string | null) => {
    const [row] = world.all<{ id: number }>(
      `SELECT item_id AS id FROM items WHERE market_hash_name = '${knife}' AND phase IS ${phase === null ? "NULL" : `'${phase}'`}`,
    );
    const { asks, bids } = world.read((database) => new BookReader(database).ofItem(row!.id))!;
    const pairs = (quotes: typeof asks) => quotes.map(({ provider, amountCents }) => `${provider} ${amountCents}`);
    return [...pairs(asks), "|", ...pairs(bids)];
  };

  it("matches at least 93 % of names of the newest Steam file", () => {
    const refused = steam.refused.reduce((sum, { count }) => sum + count, 0);
    expect(steam.asks / (steam.asks + refused)).to.be.at.least(0.93);
    expect(steam.feedDerivedItems).to.be.above(0);
  });

  it("publishes both feeds together with their digest", () => {
    const { recorded, actual } = publishedState(world.path);
    expect(recorded).to.equal(actual);
    expect(recorded).to.equal(buff.published?.digest.toUpperCase());
    expect(buff.published?.items).to.be.at.least(steam.items);
  });

  it("separates the phases of a knife from their common name's price", async () => {
    const source = JSON.parse((await readFeedFile(buffFile)).bytes.toString())[knife];
    const cents = (price: number | string) => Math.round(Number(price) * 100);
    expect(amounts("Ruby")).to.include(`buff163 ${cents(source.starting_at.doppler.Ruby)}`);
    expect(amounts("Phase 1")).to.include(`buff163 ${cents(source.starting_at.doppler["Phase 1"])}`);
    expect(amounts(null)).to.include(`buff163 ${cents(source.starting_at.price)}`);
    expect(amounts("Ruby").join()).to.not.contain("steam");
    expect(amounts(null).join()).to.contain("steam");
  });

  it("keeps crossed books of the Buff file and counts absent prices", () => {
    expect(buff.crossed).to.be.within(50, 113);
    expect(buff.absent).to.equal(1924);
    expect(buff.refused.map(({ reason }) => reason)).to.not.include.members(["fractional_cents", "unparsable"]);
  });

  it("rejects only the dollars among cents of two early frames", async () => {
    const folders = ["steam/frames", "steam/full"].map((folder) => join(realDataFolder, folder));
    const files = folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
    const refused: string[] = [];
    let read = 0;
    for (const file of files.filter((name) => name.endsWith(".gz"))) {
      const { observations, refusals } = adapters.steam.read(await readFeedFile(file), worldAt);
      read += observations.length;
      for (const { reason, examples } of refusals.list()) refused.push(...examples.map((name) => `${reason} ${name}`));
    }
    expect(refused).to.deep.equal([
      "fractional_cents AWP | Chromatic Aberration (Battle-Scarred)",
      "fractional_cents AWP | Chrome Cannon (Battle-Scarred)",
      "fractional_cents AWP | Chrome Cannon (Battle-Scarred)",
    ]);
    expect(read + refused.length).to.equal(229_754 + 269_346);
  });
});
