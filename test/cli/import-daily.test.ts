import { expect } from "chai";
import { canonicalText, DailyWorld } from "../import/daily/daily-world.ts";
import { jsonOf, runHere } from "../support/cli.ts";

describe("itemtape import daily", () => {
  let world: DailyWorld;
  beforeEach(() => {
    world = new DailyWorld();
  });
  afterEach(() => world.destroy());

  const bodyOf = (amount: number, date: string) =>
    world.body(canonicalText([{ item_id: 4, date, side: "ask", amount }]), ".ndjson.gz");
  const importing = (...words: string[]) => ["import", "daily", ...words, "--db", world.path];

  it("imports several files in order, each with its report", async () => {
    const files = [bodyOf(500, "2026-01-01"), bodyOf(501, "2026-01-02"), bodyOf(502, "2026-01-01")];
    const ran = await runHere(importing(...files, "--adapter", "canonical"));
    expect(ran.code, ran.notes.join("\n")).to.equal(0);
    expect(ran.lines.map((line) => line.split("\n")[0])).to.have.length(3);
    expect(ran.lines[2]).to.include("kept     1 rows that differ");
    expect(world.rows().map((row) => row.split(" ")[4])).to.deep.equal(["500", "501"]);
    expect((await runHere(["db", "check", "--db", world.path])).code).to.equal(0);
  });

  it("reports a dry run in JSON without writing; --replace overwrites rows", async () => {
    const before = world.dailyContent();
    const dry = await jsonOf(...importing(bodyOf(500, "2026-01-01"), "--adapter", "canonical", "--dry-run"));
    expect(dry).to.include({ outcome: "dry_run", new: 1, import_id: null, provider: "northgate" });
    expect(world.dailyContent()).to.equal(before);
    await jsonOf(...importing(bodyOf(500, "2026-01-01"), "--adapter", "canonical"));
    const replaced = await jsonOf(...importing(bodyOf(600, "2026-01-01"), "--adapter", "canonical", "--replace"));
    expect(replaced.replaced).to.include({ recorded: 0, imported: 1 });
    expect(world.rows().map((row) => row.split(" ")[4])).to.deep.equal(["600"]);
  });

  it("selects the adapter by the file's shape, and names it", async () => {
    const { code, notes } = await runHere(importing(bodyOf(5, "2026-01-01"), "--dry-run"));
    expect([code, notes]).to.deep.equal([0, ["read by the adapter canonical, which fits its shape"]]);
  });

  const refused: [string, () => string[], number, RegExp][] = [
    [
      "no adapter for a file of no shape",
      () => [world.body("name,price\n", ".csv")],
      64,
      /the file does not have the shape of any format; name it with --adapter canonical or --adapter buff-history/,
    ],
    ["an adapter of quotes", () => [bodyOf(5, "2026-01-01"), "--adapter", "steam"], 64, /--adapter: must be one of/],
    ["no file", () => ["--adapter", "canonical"], 64, /FILE\.\.\. is missing/],
    ["a missing file", () => ["nothing.json", "--adapter", "canonical"], 66, /the file does not exist/],
    [
      "sale medians",
      () => [world.body("date,price,volume\n", ".csv"), "--adapter", "buff-history"],
      65,
      /medians of completed sales are not quotes/,
    ],
    [
      "a history in yuan without rates",
      () => [world.body({ "AK-47 | Redline (Field-Tested)": [[0], [1], [1]] }), "--adapter", "buff-history"],
      65,
      /prices are in CNY and no rate is stored/,
    ],
  ];
  for (const [what, words, exitCode, description] of refused) {
    it(`refuses ${what} with exit code ${exitCode} in one line, without a change`, async () => {
      const before = world.dailyContent();
      const { code, lines, notes } = await runHere(importing(...words()));
      expect({ code, lines }, notes.join("\n")).to.deep.equal({ code: exitCode, lines: [] });
      expect(notes).to.have.length(1);
      expect(notes[0]).to.match(description).and.not.include("\n");
      expect(world.dailyContent()).to.equal(before);
    });
  }
});
