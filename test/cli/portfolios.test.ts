import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { isDemo, markDemo } from "../../src/store/write/demo-mark.ts";
import { dayOf, dayText } from "../../src/values/time/calendar.ts";
import { systemClock } from "../../src/values/time/clock.ts";
import { PortfolioWorld } from "../import/portfolios/portfolio-world.ts";
import { jsonOf, runCli, runHere } from "../support/cli.ts";
import { temporaryFolder } from "../support/files.ts";

describe("itemtape portfolios", () => {
  const world = new PortfolioWorld();
  const folder = temporaryFolder();
  const today = dayOf(systemClock.now());
  const date = (daysAgo: number) => dayText(today - daysAgo);
  const db = ["--db", world.file.path];
  const { accountId } = world;

  before(() => {
    world.at = systemClock.now();
    for (const daysAgo of [3, 2, 1]) world.ask(date(daysAgo), 1, 100 * daysAgo);
  });
  after(() => {
    world.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  function file(name: string, ...lines: string[]): string {
    const path = join(folder, name);
    writeFileSync(path, lines.join("\r\n"));
    return path;
  }
  const header = "record,integration_ref,item_id,quantity,unit_cost_usd,acquired_on,kind,occurred_on";
  const made = async (...flags: string[]): Promise<string> =>
    (await jsonOf("portfolios", "create", accountId, "--name", "Mine", "--provider", "steam", ...flags, ...db))
      .portfolio_id;

  it("creates, fills, values, shares, transfers and deletes a portfolio", async () => {
    const words = ["portfolios", "create", accountId, "--name", "Knives", "--currency", "EUR", "--provider", "steam"];
    const created = (await runHere([...words, ...db])).lines;
    const portfolioId = created[0]!.split(/ +/)[1]!;
    expect(created).to.deep.equal([
      `portfolio  ${portfolioId}`,
      `account    ${accountId}`,
      "name       Knives",
      "shown in   EUR",
      "valued at  steam",
      "shared     private",
    ]);
    const rows = file("rows.csv", header, `lot,L1,1,2,1.50,${date(2)},,`, `transaction,T1,1,2,,,buy,${date(2)}`);
    const imported = async (...flags: string[]) =>
      (await runHere(["portfolios", "import", portfolioId, rows, ...flags, ...db])).lines;
    expect(await imported("--dry-run")).to.deep.equal(["1 lot and 1 ledger row can be imported; nothing was written"]);
    expect(await imported()).to.deep.equal([`1 lot and 1 ledger row imported into ${portfolioId}`]);
    expect(await imported()).to.deep.equal([
      `nothing changed: every row of ${rows} was imported into ${portfolioId} before`,
    ]);
    const valued = async (...flags: string[]) =>
      (await runHere(["portfolios", "value", "--portfolio", portfolioId, ...flags, ...db])).lines;
    expect(await valued()).to.deep.equal([`${portfolioId}: 2 days valued, ${date(2)} to ${date(1)}`]);
    expect(await valued()).to.deep.equal([`${portfolioId}: 0 days valued`]);
    const late = file("late.csv", header, `lot,L2,2,1,,${date(1)},,`);
    expect((await runHere(["portfolios", "import", portfolioId, late, ...db])).lines).to.deep.equal([
      `1 lot and 0 ledger rows imported into ${portfolioId}`,
      `  valued   1 day valued before with other lots; \`npx itemtape portfolios value --portfolio ${portfolioId} --again\` counts these`,
    ]);
    expect(await valued("--again")).to.deep.equal([
      `${portfolioId}: 1 day valued, ${date(1)} to ${date(1)}, 1 of them incomplete, 1 replaced`,
    ]);
    expect((await runHere(["portfolios", "list", accountId, ...db])).lines[1]).to.match(
      new RegExp(`^${portfolioId} +private +EUR +steam +2 +1 +${date(1)} +Knives$`),
    );
    const share = async (flag: string) => (await runHere(["portfolios", "share", portfolioId, flag, ...db])).lines[0];
    expect(await share("--public")).to.equal(`${portfolioId} is public`);
    expect(await share("--public")).to.equal(`${portfolioId} was public before`);
    const to = world.account("Other");
    expect((await runHere(["portfolios", "transfer", portfolioId, "--to", to, ...db])).lines).to.deep.equal([
      `${portfolioId} belongs to ${to}; tokens of ${accountId} cannot read it while another account owns it`,
    ]);
    expect((await runHere(["portfolios", "delete", portfolioId, ...db])).lines).to.deep.equal([
      `${portfolioId} is deleted permanently`,
    ]);
    expect((await runHere(["portfolios", "list", to, ...db])).lines).to.have.length(1);
  });

  it("imports a saved inventory, and reports unnamed and missing parts", async () => {
    const portfolioId = await made();
    const inventory = file(
      "inventory.json",
      JSON.stringify({
        assets: [
          { assetid: "1", classid: "5", instanceid: "0", amount: "1" },
          { assetid: "2", classid: "6", instanceid: "0", amount: "1" },
        ],
        descriptions: [
          { classid: "5", instanceid: "0", market_hash_name: "Item 1" },
          { classid: "6", instanceid: "0", market_hash_name: "Service Medal" },
        ],
        total_inventory_count: 3,
        success: 1,
      }),
    );
    const words = ["portfolios", "import", portfolioId, inventory];
    const strict = await runHere([...words, ...db]);
    expect([strict.code, strict.lines]).to.deep.equal([65, []]);
    const { code, lines } = await runHere([...words, "--adapter", "steam-inventory", "--leave-out", ...db]);
    expect({ code, lines }).to.deep.equal({
      code: 0,
      lines: [
        `1 lot and 0 ledger rows imported into ${portfolioId}`,
        "  left out 1 lot of `Service Medal`: no item has this name",
        "  cut off  it shows 2 of the inventory's 3 items: Steam hides the others from this viewer, or they are on other pages; save the page in a browser that is signed in to Steam as the owner, and give all pages together",
      ],
    });
    await runHere(["portfolios", "delete", portfolioId, ...db]);
  });

  it("prints portfolios, imports and valuations with --json", async () => {
    const portfolioId = await made("--public");
    const rows = file(
      "rows.jsonl",
      JSON.stringify({ record: "lot", integration_ref: "L1", item_id: 1, quantity: 3, acquired_on: date(1) }),
    );
    expect(await jsonOf("portfolios", "import", portfolioId, rows, ...db)).to.deep.equal({
      portfolio_id: portfolioId,
      file: rows,
      adapter: "ndjson",
      replace: false,
      dry_run: false,
      outcome: "imported",
      lots: 1,
      changed: 0,
      removed: 0,
      moved: 0,
      removes_most: false,
      transactions: 0,
      valuations_without: 0,
      left_out: [],
      odd_costs: [],
      cut_off: null,
    });
    expect(await jsonOf("portfolios", "value", "--portfolio", portfolioId, ...db)).to.deep.equal([
      {
        portfolio_id: portfolioId,
        days: 1,
        incomplete: 0,
        replaced: 0,
        kept: 0,
        from: date(1),
        to: date(1),
        waits_for: null,
        late: [],
        refused: [],
      },
    ]);
    const listed = await jsonOf("portfolios", "list", accountId, ...db);
    expect(listed.at(-1)).to.include({
      portfolio_id: portfolioId,
      is_public: true,
      holding_count: 1,
      valued_on: date(1),
    });
    expect(await jsonOf("portfolios", "share", portfolioId, "--private", ...db)).to.include({
      is_public: false,
      changed: true,
    });
    expect(await jsonOf("portfolios", "delete", portfolioId, ...db)).to.include({ deleted: true });
  });

  it("lists added, changed and removed lots for --replace and dry runs", async () => {
    const portfolioId = await made();
    const lots = ["lot,L1,1,2,,,,", "lot,L2,1,2,,,,"];
    await runHere(["portfolios", "import", portfolioId, file("two.csv", header, ...lots), ...db]);
    const less = file("less.csv", header, "lot,L2,1,1,,,,", "lot,L3,2,1,,,,", `transaction,T1,1,2,,,sell,${date(0)}`);
    const replaced = async (...flags: string[]) =>
      (await runHere(["portfolios", "import", portfolioId, less, "--replace", ...flags, ...db])).lines;
    expect(await replaced("--dry-run")).to.deep.equal([
      "1 lot and 1 ledger row can be imported; nothing was written",
      "  before   1 lot would change, 1 would be removed",
    ]);
    expect(await replaced()).to.deep.equal([
      `1 lot and 1 ledger row imported into ${portfolioId}`,
      "  before   1 lot changed, 1 removed",
    ]);
    expect(await replaced()).to.deep.equal([`nothing changed: ${portfolioId} already has the content of ${less}`]);
    await runHere(["portfolios", "delete", portfolioId, ...db]);
  });

  it("stores notes of a portfolio and never prints them", async () => {
    const portfolioId = await made("--notes", "canary of mine");
    const [row] = world.rows<{ notes: string }>("SELECT notes FROM portfolios WHERE portfolio_id = ?", portfolioId);
    expect(row!.notes).to.equal("canary of mine");
    const message = [
      await jsonOf("portfolios", "list", accountId, ...db),
      (await runHere(["portfolios", "list", accountId, ...db])).lines,
      (
        await runHere([
          "portfolios",
          "create",
          accountId,
          "--name",
          "x",
          "--provider",
          "steam",
          "--notes",
          "canary of mine",
          ...db,
        ])
      ).lines,
    ];
    expect(JSON.stringify(message)).to.not.include("canary");
    await runHere(["portfolios", "delete", portfolioId, ...db]);
  });

  it("refuses a bad file line by line, with nothing written", async () => {
    const portfolioId = await made();
    const bad = file("bad.csv", header, "lot,L1,1,2,,,,", "lot,L2,1,0.5,1.005,2026-02-30,,");
    const before = world.digest();
    const { code, lines, notes } = await runHere(["portfolios", "import", portfolioId, bad, ...db]);
    expect({ code, lines }).to.deep.equal({ code: 65, lines: [] });
    expect(notes.join("\n").split("\n")).to.deep.equal([
      `itemtape: ${bad}: 3 faults; the whole file was refused and nothing was changed`,
      "  line 3, column quantity: `0.5` is not a whole number, such as 3",
      "  line 3, column unit_cost_usd: `1.005` is not a whole number of cents; nothing is rounded",
      "  line 3, column acquired_on: `2026-02-30` is not a date like 2026-03-01; dates like 01.03.2026 are read if the whole file has them",
    ]);
    expect(world.digest()).to.equal(before);
  });

  it("refuses wrong arguments in one line with an exit code", async () => {
    const portfolioId = await made();
    const rows: [string[], number, RegExp][] = [
      [["create", accountId], 64, /--name is missing/],
      [["create", accountId, "--name", "a\nb"], 64, /the portfolio's name must have 1 to 80 characters/],
      [["create", accountId, "--name", "x", "--currency", "XXX"], 64, /unknown currency `XXX`/],
      [["create", accountId, "--name", "x", "--provider", "nowhere"], 65, /the provider `nowhere`/],
      [["list", "acc_none"], 65, /unknown account `acc_none`/],
      [["import", portfolioId, join(folder, "none.csv")], 66, /the file does not exist/],
      [["import", portfolioId, file("rows.txt", header)], 64, /choose with --adapter csv or --adapter ndjson/],
      [["import", "pf_none", file("one.csv", header, "lot,L1,1,1,,,,")], 65, /unknown portfolio `pf_none`/],
      [["share", portfolioId], 64, /give either --public or --private/],
      [["share", portfolioId, "--public", "--private"], 64, /give either --public or --private/],
      [["transfer", portfolioId], 64, /--to is missing/],
      [["delete", "pf_none"], 65, /unknown portfolio `pf_none`/],
      [["value", "--portfolio", "pf_none"], 65, /unknown portfolio `pf_none`/],
    ];
    for (const [words, exitCode, description] of rows) {
      const { code, lines, notes } = await runHere(["portfolios", ...words, ...db]);
      expect([code, lines.length, notes.length], words.join(" ")).to.deep.equal([exitCode, 0, 1]);
      expect(notes[0]).to.match(description).and.not.include("\n");
    }
  });

  it("fails a call if a day cannot be stored, after the others", async () => {
    const portfolioId = await made();
    const rich = file("rich.csv", header, `lot,L1,2,1000000000,,${date(2)},,`, `lot,L2,1,1,,${date(2)},,`);
    world.ask(date(2), 2, 10_000_000);
    await runHere(["portfolios", "import", portfolioId, rich, ...db]);
    const { code, lines } = await runHere(["portfolios", "value", "--portfolio", portfolioId, ...db]);
    expect({ code, lines }).to.deep.equal({
      code: 65,
      lines: [
        `${portfolioId}: 1 day valued, ${date(1)} to ${date(1)}, 1 of them incomplete`,
        `  refused  ${date(2)}: its value is 10000000000000200 cents, above 9007199254740991`,
      ],
    });
    await runHere(["portfolios", "delete", portfolioId, ...db]);
  });

  it("reports a day without any price yet as waiting", async () => {
    const portfolioId = await made();
    await runHere(["portfolios", "import", portfolioId, file("late.csv", header, `lot,L1,2,1,,${date(1)},,`), ...db]);
    const { code, lines } = await runHere(["portfolios", "value", "--portfolio", portfolioId, ...db]);
    expect({ code, lines }).to.deep.equal({
      code: 0,
      lines: [`${portfolioId}: 0 days valued`, `  waits    for any price of ${date(1)}; none is stored yet`],
    });
    await runHere(["portfolios", "delete", portfolioId, ...db]);
  });

  it("keeps the demo mark of a file during a valuation", async () => {
    markDemo(world.file.writer, 1);
    const { code, stdout } = await runCli(["portfolios", "value", ...db]);
    expect(code).to.equal(0);
    expect(stdout).to.match(/^pf_[A-Za-z0-9]+: 0 days valued\n/);
    expect(isDemo(world.file.writer)).to.equal(true);
  });
});
