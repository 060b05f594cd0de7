import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { jsonOf, runHere } from "../support/cli.ts";
import { realCatalogFile } from "../support/kept-files.ts";
import { describeLong } from "../support/size.ts";
import { needRealData, realDataFolder, skip } from "../support/skip.ts";
import { QuoteWorld } from "./quotes/quote-world.ts";

const field = join(realDataFolder, "../field");
const reasons = (rows: readonly { reason: string; count: number }[]) =>
  Object.fromEntries(rows.map(({ reason, count }) => [reason, count]));

describeLong("inputs from the field", function () {
  this.timeout(120_000);
  let world: QuoteWorld;
  before(async function () {
    needRealData(this);
    if (!existsSync(field)) skip(this, "the folder of field inputs is not beside the checkout");
    world = new QuoteWorld(await realCatalogFile());
  });
  after(() => world?.destroy());

  const quotes = (file: string, ...words: string[]) =>
    jsonOf("import", "quotes", join(field, file), ...words, "--db", world.path);

  for (const mapping of ["as-item", "as-listing"]) {
    it(`give each name's lowest ask and highest bid by the mapping ${mapping}`, async () => {
      const map = ["--mapping", join(field, `04-class-instance/${mapping}.json`)];
      const { refused } = await quotes("04-class-instance/class_instance.json", ...map);
      expect(reasons(refused)).to.deep.equal(mapping === "as-item" ? { conflicting_rows: 3 } : {});
      const redline = world.all(
        `SELECT ask_cents, bid_cents, ask_quantity, bid_quantity FROM quotes JOIN items USING (item_id)
         WHERE market_hash_name = 'AK-47 | Redline (Field-Tested)'`,
      );
      expect(redline).to.deep.equal([{ ask_cents: 2395, bid_cents: 2402, ask_quantity: null, bid_quantity: null }]);
    });
  }

  for (const [file, words, asks, bids] of [
    ["05-nested-null/dump.json", ["--mapping", join(field, "05-nested-null/map-buff.json")], 36, 31],
    ["05-nested-null/buff-null.json", [], 48, 36],
    ["10-ndjson-writers/ascii-escapes.ndjson", [], 2, 0],
    ["10-ndjson-writers/bom.ndjson", [], 2, 0],
    ["10-ndjson-writers/crlf.ndjson", [], 2, 0],
    ["10-ndjson-writers/nfd-nbsp.ndjson", [], 8, 0],
    ["10-ndjson-writers/no-final-newline.ndjson", [], 2, 0],
  ] as const) {
    it(`include all of ${file}`, async () => {
      const report = await quotes(file, ...words, "--dry-run");
      expect([report.asks, report.bids, report.refused]).to.deep.equal([asks, bids, []]);
    });
  }

  for (const [name, line] of [
    ["blank-at-end", 5],
    ["blank-between", 2],
  ] as const) {
    it(`are rejected for the blank line ${line} of ${name}.ndjson`, async () => {
      const file = join(field, `10-ndjson-writers/${name}.ndjson`);
      const { code, notes } = await runHere(["import", "quotes", file, "--db", world.path]);
      expect([code, notes.at(-1)]).to.deep.equal([
        65,
        `itemtape: ${file}: line ${line} is blank; remove it; the whole file was refused and nothing was changed`,
      ]);
    });
  }

  it("keep two spellings of a market name as two items", async () => {
    const { refused } = await quotes("13-market-spelling/steam-spelling.json", "--dry-run");
    expect(reasons(refused)).to.deep.equal({ unknown_name: 3 });
  });

  it("accept a list of containers with a highlight package", async () => {
    const file = join(field, "02-highlight-twin/crates.json");
    const drafted = await jsonOf("openables", "draft", file, "--adapter", "csgo-api", "--db", world.path);
    expect([drafted.pools.length, drafted.omitted.length, drafted.skipped]).to.deep.equal([1, 1, []]);
  });

  for (const [folder, file, items, skipped] of [
    ["02-highlight-twin", "crates.json", 2, {}],
    ["03-one-bad-row/a", "collectibles.json", 2, {}],
    ["03-one-bad-row/b", "collectibles.json", 2, {}],
    ["03-one-bad-row/c", "music_kits.json", 1, { no_name: 1 }],
    ["03-one-bad-row/d", "highlights.json", 2, {}],
    ["03-one-bad-row/e", "music_kits.json", 1, {}],
  ] as const) {
    it(`give ${items} items of ${folder}/${file}`, async () => {
      const report = await jsonOf(
        "import",
        "catalog",
        join(field, folder, file),
        "--accept-shrink",
        "--db",
        world.path,
      );
      expect(Object.values(report.source.objects)).to.deep.equal([items]);
      expect(reasons(report.source.skipped)).to.deep.equal(skipped);
    });
  }
});
