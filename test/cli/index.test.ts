import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { openWriter } from "../../src/store/database.ts";
import { dayOf, dayText } from "../../src/values/time/calendar.ts";
import { systemClock } from "../../src/values/time/clock.ts";
import { IndexWorld, putDaily } from "../jobs/indexes/index-world.ts";
import { jsonOf, runCli, runHere } from "../support/cli.ts";
import { temporaryFolder } from "../support/files.ts";

describe("itemtape index", () => {
  const world = new IndexWorld(3);
  const folder = temporaryFolder();
  const today = dayOf(systemClock.now());
  const date = (daysAgo: number) => dayText(today - daysAgo);
  const db = ["--db", world.file.path];
  let count = 0;

  before(() => {
    const database = openWriter(world.file.path, 1000);
    for (const [daysAgo, amount] of [
      [3, 100],
      [2, 110],
      [0, 500],
    ] as const) {
      for (const itemId of [1, 2, 3]) {
        putDaily(database, { itemId, date: date(daysAgo), provider: "steam", amount, recordedAt: systemClock.now() });
      }
    }
    database.$client.close();
  });
  after(() => {
    world.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  function definition(facts: object = {}): string {
    const path = join(folder, `index-${++count}.json`);
    const declared = {
      index_id: "three",
      name: "Three",
      description: "the first three",
      provider: "steam",
      weighting: "capitalization",
      base_date: date(3),
      base_value: "1000",
      members: [{ item_id: 1, units: 2 }, { market_hash_name: "Item 2" }, { market_hash_name: "Item 3", phase: null }],
    };
    writeFileSync(path, JSON.stringify({ ...declared, ...facts }));
    return path;
  }

  it("defines an index, calculates it up to yesterday, lists and retires it", async () => {
    expect((await runHere(["index", "list", ...db])).lines).to.deep.equal([
      "INDEX  STATE  WEIGHTING  PROVIDER  MEMBERS  DAY  VALUE",
    ]);
    expect((await runHere(["index", "calculate", ...db])).lines).to.deep.equal([
      "no active index; `npx itemtape index define` makes one",
    ]);
    expect((await runHere(["index", "define", definition(), ...db])).lines).to.deep.equal([
      "three created",
      `  members  3 in version 1, from ${date(3)} on (3 added, 0 dropped)`,
    ]);
    expect((await runHere(["index", "calculate", ...db])).lines).to.deep.equal([
      `three: 2 levels appended, ${date(3)} to ${date(2)}`,
      `  base     ${date(3)} carries the base value`,
    ]);
    expect((await runHere(["index", "list", ...db])).lines[1]).to.match(
      new RegExp(`^three +active +capitalization +steam +3 +${date(2)} +1100.0000$`),
    );
    expect((await runHere(["index", "retire", "three", ...db])).lines).to.deep.equal([
      "three is retired; its levels stay readable",
    ]);
    expect((await runHere(["index", "define", definition({ active: true }), ...db])).lines).to.deep.equal([
      "three changed",
      `  members  3 in version 1, from ${date(3)} on (0 added, 0 dropped)`,
      "  changed  active",
    ]);
  });

  it("prints definition, calculation and list of indexes with --json", async () => {
    const file = definition({ index_id: "json", members: [{ item_id: 1 }], base_date: date(9) });
    expect(await jsonOf("index", "define", file, ...db)).to.deep.equal({
      index_id: "json",
      outcome: "created",
      membership_version: 1,
      effective_on: date(9),
      members: 1,
      added: 1,
      dropped: 0,
      changed: [],
      guards: [],
    });
    expect(await jsonOf("index", "calculate", "--only", "json", ...db)).to.deep.equal([
      {
        index_id: "json",
        methodology_version: "1",
        appended: 2,
        without_value: 0,
        from: date(3),
        to: date(2),
        base_carried_on: date(3),
        corrected: [],
        differs: null,
        waits_for: null,
        waits_for_link: null,
      },
    ]);
    const [entry] = await jsonOf("index", "list", ...db);
    expect(entry).to.include({
      index_id: "json",
      value: "1100.0000",
      coverage_pct: "100.00",
      date: date(2),
      active: true,
    });
    expect(await jsonOf("index", "retire", "json", ...db)).to.deep.equal({
      index_id: "json",
      active: false,
      changed: true,
    });
  });

  it("applies other members on their day, and refuses a past day", async () => {
    const file = definition({ index_id: "moves" });
    await runHere(["index", "define", file, ...db]);
    await runHere(["index", "calculate", "--only", "moves", ...db]);
    const moved = (effective_on: string) => definition({ index_id: "moves", members: [{ item_id: 1 }], effective_on });
    const { code, notes, lines } = await runHere(["index", "define", moved(date(2)), ...db]);
    expect({ code, lines }).to.deep.equal({ code: 65, lines: [] });
    expect(notes).to.deep.equal([
      `itemtape: index moves: effective_on must be after ${date(2)}, the day of the last stored level; members never change backwards`,
    ]);
    expect((await runHere(["index", "define", moved(date(1)), ...db])).lines[1]).to.equal(
      `  members  1 in version 2, from ${date(1)} on (0 added, 2 dropped)`,
    );
  });

  it("reports new members that cannot be compared, with day and remedy", async () => {
    const database = openWriter(world.file.path, 1000);
    for (const [itemId, daysAgo] of [
      [4, 3],
      [5, 2],
    ] as const) {
      world.file.item(itemId);
      const facts = { itemId, date: date(daysAgo), provider: "steam", amount: 100, recordedAt: systemClock.now() };
      putDaily(database, facts);
    }
    database.$client.close();
    const hole = (facts: object) => definition({ index_id: "hole", ...facts });
    await runHere(["index", "define", hole({ members: [{ item_id: 4 }] }), ...db]);
    await runHere(["index", "define", hole({ members: [{ item_id: 5 }], effective_on: date(2) }), ...db]);
    expect((await runHere(["index", "calculate", "--only", "hole", ...db])).lines).to.deep.equal([
      `hole: 2 levels appended, ${date(3)} to ${date(2)}, 1 of them without a value`,
      `  base     ${date(3)} carries the base value`,
      `  waits    for a link since ${date(2)}: too few members have an ask then and on ${date(3)}, the last day with a value`,
      `  fix      \`npx itemtape index define\` with members; at least half must have asks on ${date(3)} and now. If that fails, retire the index and define a new one`,
    ]);
    const [again] = await jsonOf("index", "calculate", "--only", "hole", ...db);
    expect(again).to.deep.include({ appended: 0, waits_for_link: { since: date(2), last_value_on: date(3) } });
    await runHere(["index", "retire", "hole", ...db]);
  });

  it("names levels corrected by other prices or an earlier release", async () => {
    const ask = (amount: number) => {
      const database = openWriter(world.file.path, 1000);
      putDaily(database, { itemId: 1, date: date(2), provider: "steam", amount, recordedAt: systemClock.now() });
      database.$client.close();
    };
    const spike = (...words: string[]) => runHere(["index", "calculate", "--only", "spike", ...words, ...db]);
    const members = [1, 2, 3].map((item_id) => ({ item_id }));
    await runHere(["index", "define", definition({ index_id: "spike", weighting: "equal", members }), ...db]);
    ask(5500);
    await spike();
    ask(110);
    const corrected = [
      "spike: 0 levels appended",
      "  prices   changed: 1 levels have a new revision, the earlier ones are kept",
      `  level    ${date(2)}  19066.6667 -> 1100.0000`,
    ];
    expect((await spike()).lines).to.deep.equal(corrected);
    ask(5500);
    world.rows("UPDATE index_levels SET prices_digest = NULL WHERE index_id = 'spike' RETURNING day");
    expect((await spike()).lines).to.deep.equal([
      "spike: 0 levels appended",
      `  differs  since ${date(2)}: an earlier release calculated 1100.0000 on ${date(2)}, and the stored prices give 19066.6667`,
      `  fix      \`npx itemtape index calculate --only spike --from ${date(2)}\` calculates these levels again`,
    ]);
    ask(110);
    expect((await spike("--from", date(2))).lines).to.deep.equal(["spike: 0 levels appended"]);
    await runHere(["index", "retire", "spike", ...db]);
  });

  it("refuses wrong arguments and definitions in one line with an exit code", async () => {
    const rows: [string[], number, RegExp][] = [
      [["index", "define", join(folder, "none.json")], 66, /none\.json: the file does not exist/],
      [
        ["index", "define", definition({ members: [{ item_id: 9 }] })],
        65,
        /members\[0\]: unknown item 9; the whole file was refused/,
      ],
      [["index", "calculate", "--only", "nothing"], 65, /unknown index `nothing`/],
      [["index", "retire", "nothing"], 65, /unknown index `nothing`; `npx itemtape index list` lists them/],
      [["index", "calculate", "three"], 64, /unexpected `three`/],
      [["index", "calculate", "--from", "then"], 64, /--from: must be a day such as 2026-01-31, not `then`/],
    ];
    for (const [words, exitCode, message] of rows) {
      const { code, lines, notes } = await runHere([...words, ...db]);
      expect([code, lines.length, notes.length], words.join(" ")).to.deep.equal([exitCode, 0, 1]);
      expect(notes[0]).to.match(message);
    }
  });

  it("works as a program of its own", async () => {
    const { code, stdout, stderr } = await runCli(["index", "calculate", ...db]);
    expect({ code, stderr: stderr.includes("calculating three") }).to.deep.equal({ code: 0, stderr: true });
    expect(stdout).to.match(/^moves: 0 levels appended\nthree: 0 levels appended\n$/);
  });
});
