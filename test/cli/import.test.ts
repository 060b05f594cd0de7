import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { expect } from "chai";
import { readDemoList } from "../../src/demo/list.ts";
import { importedTables } from "../import/quotes/quote-world.ts";
import { jsonOf, runCli, runHere } from "../support/cli.ts";
import { newDatabase, temporaryFolder } from "../support/files.ts";
import { bySize } from "../support/size.ts";

const demoCatalog = readDemoList();

const sourceItems = bySize({ short: 150, long: demoCatalog.items.length });

describe("itemtape import", () => {
  const folder = temporaryFolder();
  const path = join(folder, "itemtape.db");
  const catalogFolder = join(folder, "catalog");
  let names: string[];
  let count = 0;

  before(async () => {
    newDatabase(path);
    writeCatalog(catalogFolder);
    const report = await jsonOf("import", "catalog", catalogFolder, "--db", path);
    expect(report.created).to.equal(report.items).and.to.be.above(100);
    names = column(
      path,
      "SELECT market_hash_name FROM items GROUP BY 1 HAVING count(*) = 1 ORDER BY min(item_id) LIMIT 40",
    ) as string[];
  });

  const steamFile = (quoted: readonly string[], cents: number, savedAt = "2026-01-10T00:00:00.000Z"): string => {
    const body = join(folder, `steam-${++count}.json`);
    const metadata = { updated_at: savedAt, currency: "USD", item_count: quoted.length };
    writeFileSync(
      body,
      JSON.stringify({ metadata, prices: Object.fromEntries(quoted.map((name, index) => [name, cents + index])) }),
    );
    return body;
  };
  const importing = (body: string, ...more: string[]) => [
    "import",
    "quotes",
    body,
    "--adapter",
    "steam",
    "--db",
    path,
    ...more,
  ];

  it("changes nothing when a catalog is imported again", async () => {
    const before = column(path, "SELECT item_id || identity_key FROM items");
    const report = await jsonOf("import", "catalog", catalogFolder, "--db", path);
    expect(report).to.include({ created: 0, changed: 0, left: 0, unchanged: report.items });
    expect(column(path, "SELECT item_id || identity_key FROM items")).to.deep.equal(before);
  });

  it("reports a catalog in words: items, types and skipped entries", async () => {
    const { code, lines, notes } = await runHere(["import", "catalog", catalogFolder, "--db", path]);
    expect(code, notes.join("\n")).to.equal(0);
    expect(lines[0]).to.match(/^(\d+) items: 0 new, 0 changed, 0 left the catalog, 0 restored, \1 unchanged$/);
    expect(lines[1]).to.match(/^ {2}variants {2}\w+ \d+, /);
    expect(lines[2]).to.match(/^ {2}unphased {2}\d+ identities for sources without phases$/);
  });

  it("imports and reports exchange rates; a dry run writes nothing", async () => {
    const body = join(folder, "rates.csv");
    writeFileSync(body, "Date,USD,JPY,SEK,\n2026-01-09,1.25,187.5,10.875,\n");
    const importingRates = (...more: string[]) => ["import", "rates", body, "--adapter", "ecb", "--db", path, ...more];
    const stored = () => column(path, "SELECT currency || ' ' || rate_per_usd FROM exchange_rates ORDER BY currency");
    const before = stored();
    expect(await jsonOf(...importingRates("--dry-run"))).to.include({ dry_run: true });
    expect(stored()).to.deep.equal(before);
    const { code, lines, notes } = await runHere(importingRates());
    expect(code, notes.join("\n")).to.equal(0);
    expect(lines.join("\n")).to.include("3 rates of 3 currencies (2026-01-09)");
    expect(stored()).to.include.members(["EUR 0.8", "JPY 150", "SEK 8.7"]);
  });

  it("publishes quotes and reports in words, or JSON with --json", async () => {
    const ran = await runCli(importing(steamFile(names, 500)));
    expect(ran.code, ran.stderr).to.equal(0);
    expect(ran.stdout).to.match(/published/i);
    expect(column(path, "SELECT items FROM generations WHERE state = 'published'")).to.deep.equal([names.length]);
    const report = await jsonOf(...importing(steamFile(names, 700)));
    expect(report.outcome).to.equal("published");
    expect((await runHere(["db", "check", "--db", path])).code).to.equal(0);
  });

  const refused: [string, () => string, RegExp][] = [
    [
      "a feed that lost more than half of its items",
      () => steamFile(names.slice(0, 10), 900),
      /guard shrink .*--accept shrink/,
    ],
    ["a body that is cut off", () => cut(steamFile(names, 900)), /the whole file was refused/],
    ["a body of another shape", () => written("[1, 2, 3]"), /not the Steam shape|the whole file was refused/],
    ["a file that is empty", () => written(""), /the whole file was refused/],
  ];
  for (const [what, body, description] of refused) {
    it(`refuses ${what} with exit code 65 and keeps the stored quotes`, async () => {
      const before = content(path);
      const { code, lines, notes } = await runHere(importing(body()));
      expect({ code, lines }, notes.join("\n")).to.deep.equal({ code: 65, lines: [] });
      expect(notes).to.have.length(1);
      expect(notes[0]).to.match(description).and.not.include("\n");
      expect(content(path)).to.equal(before);
    });
  }

  it("refuses a missing file with exit code 66 by its name", async () => {
    const { code, notes } = await runHere(importing(join(folder, "nothing.json")));
    expect(code).to.equal(66);
    expect(notes[0]).to.include("nothing.json: the file does not exist");
  });

  it("reads, joins and reports in a dry run, and writes nothing", async () => {
    const before = content(path);
    const report = await jsonOf(...importing(steamFile(names, 1234), "--dry-run"));
    expect(report.outcome).to.equal("dry_run");
    expect(content(path)).to.equal(before);
  });

  it("publishes a shrunken feed with --accept shrink or --accept-shrink", async () => {
    for (const [index, flags] of [["--accept", "shrink"], ["--accept-shrink"]].entries()) {
      const report = await jsonOf(...importing(steamFile(names.slice(0, 10 - 6 * index), 900), ...flags));
      expect(report.outcome).to.equal("published");
      expect(report.guards.map(({ guard }: { guard: string }) => guard)).to.include("shrink");
      expect(column(path, "SELECT items FROM generations WHERE state = 'published'")).to.deep.equal([10 - 6 * index]);
    }
  });

  it("refuses an unknown guard with exit code 64 and the valid ones", async () => {
    const { code, notes } = await runHere(importing(steamFile(names, 900), "--accept", "prices"));
    expect({ code, notes }).to.deep.equal({
      code: 64,
      notes: [
        "itemtape: --accept: `prices` is not a guard; the guards are future_time, unreadable_prices, joined_share, shrink, lost_quotes, price_level, price_jumps, twins, round_prices, crossed_books, first_body, week_count, week_price",
      ],
    });
  });

  it("replays saved files into the hours of their saving, and reports them", async () => {
    const files = [8, 7, 6].map((hour) => steamFile(names, 100 * hour, `2024-05-01T0${hour}:30:00.000Z`));
    const replaying = (...more: string[]) => [
      "import",
      "frames",
      ...files,
      "--adapter",
      "steam",
      "--db",
      path,
      ...more,
    ];
    const began = Date.now();
    const { code, lines, notes } = await runHere(replaying());
    expect(code, notes.join("\n")).to.equal(0);
    for (const at of column(path, "SELECT ingested_at FROM frames WHERE checked_at < 1.72e12"))
      expect(at, "taken in").to.be.within(began, Date.now());
    expect(lines.join("\n")).to.match(/^3 files of feed steam replayed in .*: 3 frames recorded, 0 hours had theirs/);
    expect(column(path, "SELECT checked_at FROM frames WHERE checked_at < 1.72e12 ORDER BY hour")).to.deep.equal(
      [6, 7, 8].map((hour) => Date.UTC(2024, 4, 1, hour, 30)),
    );
    expect(column(path, "SELECT DISTINCT observations FROM daily_prices WHERE day < 19900")).to.deep.equal([3]);
    const before = content(path);
    expect(await jsonOf(...replaying())).to.include({ recorded: 0, hours_taken: 3, late: 3, settled_days: 0 });
    expect(content(path)).to.equal(before);
    expect((await runHere(["db", "check", "--db", path])).code).to.equal(0);
  });

  it("does not replay files of a shape without a time of saving", async () => {
    const before = content(path);
    const body = written('{"a":{"starting_at":{"price":1},"highest_order":{"price":1}}}');
    const { code, notes } = await runHere(["import", "frames", body, "--adapter", "buff", "--db", path]);
    expect(code).to.equal(64);
    expect(notes.join("\n")).to.include("--adapter: must be steam");
    expect(content(path)).to.equal(before);
  });

  it("refuses an unreadable catalog source without a change", async () => {
    const before = content(path);
    const broken = join(folder, "broken");
    writeCatalog(broken);
    writeFileSync(join(broken, "items.json"), "{");
    const { code, lines, notes } = await runHere(["import", "catalog", broken, "--db", path]);
    expect({ code, lines }, notes.join("\n")).to.deep.equal({ code: 65, lines: [] });
    expect(notes[0]).to.include("items.json");
    expect(content(path)).to.equal(before);
  });

  function cut(body: string): string {
    const text = readFileSync(body);
    return written(text.subarray(0, text.length - 20));
  }

  function written(content: string | Buffer): string {
    const body = join(folder, `body-${++count}.json`);
    writeFileSync(body, content);
    return body;
  }
});

/** Writes the files of a source with items of the demo world. */
function writeCatalog(folder: string): void {
  mkdirSync(folder);
  const { items, english, russian } = demoCatalog;
  for (const [name, value] of Object.entries({ items: items.slice(0, sourceItems), english, russian }))
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(value));
}

/** Every row of the market's tables. */
function content(path: string): string {
  const copy = `${path}-content`;
  copyFileSync(path, copy);
  const client = new SqliteDatabase(copy);
  const rows = importedTables.map((table) => client.prepare(`SELECT * FROM ${table} ORDER BY 1`).all());
  client.close();
  rmSync(copy);
  return JSON.stringify(rows);
}

function column(path: string, query: string): unknown[] {
  const client = new SqliteDatabase(path, { readonly: true });
  const values = client.prepare(query).pluck().all();
  client.close();
  return values;
}
