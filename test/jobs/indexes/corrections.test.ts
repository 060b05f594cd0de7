import { expect } from "chai";
import { type Calculation, calculateIndexInBatches } from "../../../src/jobs/indexes/calculate.ts";
import { dayText, parseDay } from "../../../src/values/time/calendar.ts";
import { edit } from "../../support/unguarded.ts";
import { asksOf, IndexWorld, ids, instantOf } from "./index-world.ts";

const wrong = "2026-03-03";
const before = ["03-01 100.0000", "03-02 100.0000", "03-03 590.0000", "03-04 532.1800"];
const after = ["03-01 100.0000", "03-02 100.0000", "03-03 100.0000", "03-04 100.0000"];

describe("index after a correction of prices", () => {
  let world: IndexWorld;
  beforeEach(() => {
    world = new IndexWorld(10);
    for (const date of ["2026-03-01", "2026-03-02", wrong, "2026-03-04"]) ten(date, date === wrong ? 5000 : 100);
    world.define({ members: ids(10) });
    world.calculate("2026-03-05");
    seal();
  });
  afterEach(() => world.remove());

  const ten = (date: string, first = 100) =>
    world.asks(...asksOf(date, first, ...Array.from({ length: 9 }, () => 100)));
  /** As the sealing of days does: the next change of a day marks it again. */
  const seal = () => world.writer.$client.exec("DELETE FROM unsealed_days");
  /** As levels of a release that did not note their prices. */
  const unmark = () => world.writer.$client.exec("UPDATE index_levels SET prices_digest = NULL");
  const revisions = (table: string, last = "recorded_at") =>
    world
      .rows<{ day: number; value: string; revision: number; at: number }>(
        `SELECT day, value, revision, ${last} AS at FROM ${table} ORDER BY day, revision`,
      )
      .map(
        ({ day, value, revision, at }) =>
          `${dayText(day).slice(5)} ${value} ${revision} ${dayText(at / 86_400_000).slice(5)}`,
      );
  const revised = { before: "[1,null,null]", after: "[2,null,null]" };
  const changes = ({ corrected }: Calculation) =>
    corrected.map(({ day, before: old, after: now }) => `${dayText(day).slice(5)} ${old} ${now}`);

  it("has new revisions from the corrected day, and keeps superseded levels", () => {
    expect(world.levels()).to.deep.equal(before);
    ten(wrong);
    const [done] = world.calculate("2026-03-06") as [Calculation];
    expect(changes(done)).to.deep.equal(["03-03 590.0000 100.0000", "03-04 532.1800 100.0000"]);
    expect(done).to.include({ appended: 0, deviation: null });
    expect(revisions("index_levels")).to.deep.equal([
      "03-01 100.0000 1 03-05",
      "03-02 100.0000 1 03-05",
      "03-03 100.0000 2 03-06",
      "03-04 100.0000 2 03-06",
    ]);
    expect(revisions("index_levels_past", "superseded_at")).to.deep.equal([
      "03-03 590.0000 1 03-06",
      "03-04 532.1800 1 03-06",
    ]);
    world.calculate("2026-03-06");
    const logged = world.rows("SELECT day, before, after, changes FROM data_events WHERE kind = 'index_revised'");
    expect(logged).to.deep.equal([
      { day: parseDay("2026-03-03"), ...revised, changes: '[["value",null,null,"590.0000","100.0000"]]' },
      { day: parseDay("2026-03-04"), ...revised, changes: '[["value",null,null,"532.1800","100.0000"]]' },
    ]);
  });

  it("has no new revision for a level with unchanged published figures", () => {
    world.define({
      index_id: "capital",
      weighting: "capitalization",
      members: ids(10).map((member) => ({ ...member, units: 3 })),
    });
    const day = (date: string, first: number) =>
      world.asks(...asksOf(date, first, ...Array.from({ length: 9 }, () => 97)));
    for (const [index, first] of [101, 5003, 103, 107].entries()) day(`2026-03-0${index + 1}`, first);
    world.calculate("2026-03-05");
    const exact = () => world.rows("SELECT exact FROM index_levels WHERE index_id = 'capital' AND day > 20514");
    const stored = exact();
    seal();
    day("2026-03-02", 613);
    const done = world.calculate("2026-03-06").find(({ indexId }) => indexId === "capital")!;
    expect(changes(done)).to.have.length(1);
    expect(exact()).to.not.deep.equal(stored);
    expect(world.rows("SELECT 1 FROM index_levels WHERE index_id = 'capital' AND revision > 1")).to.have.length(1);
    expect(changes(world.calculate("2026-03-06").find(({ indexId }) => indexId === "capital")!)).to.deep.equal([]);
  });

  it("records a second correction before the first is calculated", () => {
    const { $client } = world.writer;
    for (const amount of [1, 2]) {
      edit($client, `UPDATE daily_by_item SET amount = ${amount}, low_amount = 1 WHERE day = ${parseDay(wrong)}`);
      edit(
        $client,
        `INSERT INTO daily_by_item SELECT * FROM daily_by_item WHERE day = ${parseDay(wrong)}
         ON CONFLICT DO UPDATE SET amount = excluded.amount`,
      );
      seal();
    }
    expect(world.rows("SELECT day FROM index_days_changed")).to.deep.include({ day: parseDay(wrong) });
  });

  it("changes no level without a correction, sealed days or not", () => {
    const levels = world.rows("SELECT * FROM index_levels");
    ten("2026-03-02");
    for (const _ of [1, 2]) {
      expect(changes(world.calculate("2026-03-05")[0]!)).to.deep.equal([]);
      expect(world.rows("SELECT * FROM index_levels")).to.deep.equal(levels);
      seal();
    }
    expect(world.rows("SELECT day FROM index_days_changed")).to.deep.equal([]);
  });

  it("detects a correction of a day that was unsealed before", () => {
    ten("2026-03-05", 5000);
    world.calculate("2026-03-06");
    ten("2026-03-05");
    seal();
    expect(changes(world.calculate("2026-03-06")[0]!).length).to.equal(1);
  });

  it("supersedes a level without successor when its day loses all prices", () => {
    edit(world.writer.$client, `DELETE FROM daily_by_item WHERE day = ${parseDay(wrong)}`);
    expect(changes(world.calculate("2026-03-05")[0]!)).to.deep.equal([
      "03-03 590.0000 null",
      "03-04 532.1800 100.0000",
    ]);
    expect(world.levels()).to.deep.equal(after.toSpliced(2, 1));
    ten(wrong);
    expect(world.calculateFrom("2026-03-01", "2026-03-05")[0]).to.include({
      appended: 1,
      firstDay: parseDay(wrong),
      baseCarriedOn: null,
    });
    expect(revisions("index_levels")[2]).to.equal("03-03 100.0000 2 03-05");
  });

  it("keeps levels of an earlier release until they are recalculated by order", () => {
    unmark();
    ten(wrong);
    ten("2026-03-05");
    seal();
    const deviation = { since: parseDay(wrong), day: parseDay("2026-03-04"), stored: "532.1800", found: "100.0000" };
    expect(world.calculate("2026-03-06")[0]).to.deep.include({ appended: 1, corrected: [], deviation });
    expect(world.levels()).to.deep.equal([...before, "03-05 532.1800"]);
    expect(world.calculate("2026-03-06")[0]!.deviation).to.equal(null);
    const [done] = world.calculateFrom(wrong, "2026-03-06") as [Calculation];
    expect(changes(done).length).to.equal(3);
    expect(done.deviation).to.equal(null);
    expect(world.levels()).to.deep.equal([...after, "03-05 100.0000"]);
  });

  it("adds digests to matching old levels only by `--from`", () => {
    unmark();
    expect(world.calculate("2026-03-05")[0]!.deviation).to.equal(null);
    expect(changes(world.calculateFrom("2026-03-01", "2026-03-05")[0]!)).to.deep.equal([]);
    expect(world.rows("SELECT 1 FROM index_levels WHERE prices_digest IS NULL OR revision > 1")).to.deep.equal([]);
  });

  it("completes an interrupted correction in the next calculation", () => {
    for (let day = 5; day <= 90; day += 1)
      ten(new Date(instantOf("2026-02-28") + day * 86_400_000).toISOString().slice(0, 10));
    world.calculate("2026-05-30");
    ten(wrong);
    const steps = calculateIndexInBatches(world.writer, parseDay("2026-05-30")!, { clock: world.clock });
    steps.next();
    expect(new Set(world.levels().map((text) => text.slice(6))).size).to.be.greaterThan(1);
    world.calculate("2026-05-30");
    expect(new Set(world.levels().map((text) => text.slice(6)))).to.deep.equal(new Set(["100.0000"]));
  });
});
