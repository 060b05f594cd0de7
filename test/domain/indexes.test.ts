import { expect } from "chai";
import { Indexes } from "../../src/domain/indexes.ts";
import type { Reference } from "../../src/domain/reference.ts";
import { IndexesStore } from "../../src/store/read/indexes.ts";
import { dayMs, hourMs } from "../../src/values/time/calendar.ts";
import { IndexWorld, instantOf } from "../jobs/indexes/index-world.ts";
import { referenceOf } from "../support/reference.ts";
import { codeOf } from "./failure-code.ts";

const dates = ["2026-03-01", "2026-03-02", "2026-03-03"];
const at = instantOf("2026-03-04") + 12 * hourMs;
const caller = { plan: "trader" } as const;

describe("indexes", () => {
  let world: IndexWorld;
  let indexes: Indexes;
  let reference: Reference;

  beforeEach(() => {
    world = new IndexWorld();
    const { reader } = world.file;
    indexes = new Indexes(new IndexesStore(reader));
    reference = referenceOf(reader);
  });
  afterEach(() => world.remove());

  const filled = (observedAt: number | null = null) => {
    for (const [index, date] of dates.entries())
      for (const itemId of [1, 2, 3, 4]) world.asks([date, itemId, 100 * itemId + index, observedAt]);
  };
  const history = (params: object, now = at) => {
    const query = indexes.prepareHistory({ index_id: "four", ...params }, { reference, at: now, caller });
    return indexes.history(query, { reference, at: now });
  };
  const members = (params: object = {}) =>
    indexes.members(indexes.prepareMembers({ index_id: "four", ...params }, { reference, at, caller }), {
      reference,
      at,
    });

  it("have a number of members and no values without a level", () => {
    world.define();
    const { data, meta } = indexes.index("four", at);
    expect(data).to.deep.equal({
      index_id: "four",
      name: "Four",
      description: "",
      base_date: "2026-03-01",
      base_value: "100",
      value: null,
      capitalization_cents: null,
      constituent_count: 4,
      priced_constituent_count: null,
      coverage_pct: null,
      provider: "steam",
      weighting: "equal",
      methodology_version: "1",
      membership_version: 1,
      active: true,
      as_of: null,
      calculated_at: null,
    });
    expect(meta).to.deep.equal({ as_of: null, freshness: "unknown" });
    expect(members().data.map(({ weight_pct }) => weight_pct)).to.deep.equal([null, null, null, null]);
  });

  it("are listed by their latest level, even without a value", () => {
    filled();
    world.asks(["2026-03-04", 1, 100]);
    world.define();
    world.calculate("2026-03-04");
    expect(indexes.index("four", at).data).to.include({ value: "101.0408", capitalization_cents: "1008" });
    world.calculate("2026-03-05");
    expect(indexes.index("four", at + dayMs).data).to.include({
      value: null,
      capitalization_cents: null,
      constituent_count: 4,
      priced_constituent_count: 1,
      coverage_pct: "25.00",
      calculated_at: "2026-03-05T00:00:00.000Z",
    });
  });

  it("are fresh for 48 hours after the oldest observation, else unknown", () => {
    const observedAt = instantOf("2026-03-03");
    filled(observedAt);
    world.define();
    world.calculate("2026-03-04");
    const freshness = (now: number) => indexes.index("four", now).meta.freshness;
    expect(indexes.index("four", at).meta.as_of).to.equal("2026-03-03T00:00:00.000Z");
    expect(freshness(observedAt + 48 * hourMs)).to.equal("fresh");
    expect(freshness(observedAt + 48 * hourMs + 1)).to.equal("stale");
    expect(history({}).meta).to.include({ freshness: "fresh", timestamp_quality: "source_observed" });
  });

  it("have 31 days of history by default, with missing days listed", () => {
    filled();
    world.define();
    world.calculate("2026-03-04");
    const { data, meta } = history({});
    expect(data.map(({ date, value }) => `${date} ${value}`)).to.deep.equal([
      "2026-03-01 100.0000",
      "2026-03-02 100.5208",
      "2026-03-03 101.0408",
    ]);
    expect(meta).to.include({
      from: "2026-02-02",
      to: "2026-03-04",
      resolution: "day",
      missing_points: "28 of 31 days absent: 2026-02-02/2026-02-28, 2026-03-04",
      next_page: null,
      timestamp_quality: "ingest_only",
    });
  });

  it("have history pages equal to the whole window, each with all gaps", () => {
    filled();
    world.define();
    world.calculate("2026-03-04");
    const whole = history({});
    const first = history({ limit: 2 });
    const second = history({ limit: 2, after: first.meta.next_page! }, at + dayMs);
    expect([...first.data, ...second.data]).to.deep.equal(whole.data);
    for (const key of ["from", "to", "missing_points"] as const) {
      expect([first.meta[key], second.meta[key]]).to.deep.equal([whole.meta[key], whole.meta[key]]);
    }
    expect(second.meta.next_page).to.equal(null);
  });

  it("never mix levels of two methodologies", () => {
    filled();
    world.define();
    world.calculate("2026-03-04");
    world.rows(`INSERT INTO index_levels SELECT index_id, '0.9', day, '7.0000', '7', '1', 4, 4, '100.00', 1, NULL, 5, 1, NULL
                FROM index_levels WHERE day < ${instantOf("2026-03-03") / dayMs} RETURNING day`);
    const versions = (params: object) => history(params).data.map((row) => `${row.methodology_version} ${row.value}`);
    expect(versions({ methodology_version: "0.9" })).to.deep.equal(["0.9 7.0000", "0.9 7.0000"]);
    expect(versions({}))
      .to.deep.equal(versions({ methodology_version: "1" }))
      .and.to.have.length(3);
    expect(history({ methodology_version: "0.9" }).meta.missing_points).to.match(/^29 of 31/);
    expect(codeOf(() => history({ methodology_version: "2" }))).to.equal("unknown_methodology_version");
    const after = history({ limit: 1, methodology_version: "0.9" }).meta.next_page!;
    expect(versions({ after })).to.deep.equal(["0.9 7.0000"]);
    expect(codeOf(() => history({ after, methodology_version: "1" }))).to.equal("cursor_mismatch");
  });

  it("are refused if unknown only by the read", () => {
    for (const params of [{}, { methodology_version: "9" }]) {
      const query = indexes.prepareHistory({ index_id: "none", ...params }, { reference, at, caller });
      expect(codeOf(() => indexes.history(query, { reference, at }))).to.equal("index_not_found");
    }
    for (const params of [{}, { membership_version: 9 }]) {
      const query = indexes.prepareMembers({ index_id: "none", ...params }, { reference, at, caller });
      expect(codeOf(() => indexes.members(query, { reference, at }))).to.equal("index_not_found");
    }
    expect(codeOf(() => indexes.index("none", at))).to.equal("index_not_found");
  });

  it("weight members by the last level with a value", () => {
    filled();
    world.define({ weighting: "capitalization", members: [{ item_id: 1, units: 10 }, { item_id: 2 }, { item_id: 4 }] });
    expect(members().data.map(({ weight_pct }) => weight_pct)).to.deep.equal([null, null, null]);
    world.calculate("2026-03-04");
    expect(members().data.map(({ item_id, weight_pct }) => [item_id, weight_pct])).to.deep.equal([
      [1, "62.8079"],
      [2, "12.4384"],
      [4, "24.7537"],
    ]);
  });

  it("weight priced members equally in an equally weighted index", () => {
    world = grown(world, 10);
    const reader = world.file.reader;
    indexes = new Indexes(new IndexesStore(reader));
    reference = referenceOf(reader);
    const ids = Array.from({ length: 10 }, (_, index) => index + 1);
    for (const itemId of ids.slice(1)) world.asks(["2026-03-01", itemId, itemId]);
    world.define({ members: ids.map((item_id) => ({ item_id })) });
    world.calculate("2026-03-02");
    const weights = () => members().data.map(({ weight_pct }) => weight_pct);
    expect(weights()).to.deep.equal([null, ...ids.slice(1).map(() => "11.1111")]);
  });

  it("have a null weight if stored prices no longer give it", () => {
    filled();
    world.define({ weighting: "capitalization" });
    world.calculate("2026-03-04");
    world.asks(["2026-03-03", 2, 1_009]);
    expect(members().data.map(({ weight_pct }) => weight_pct)).to.deep.equal(["10.1190", null, "29.9603", "39.8810"]);
  });

  it("list a version's members with their last day, including departed items", () => {
    filled();
    world.define({ members: [{ item_id: 1 }, { item_id: 2 }] });
    world.define({ members: [{ item_id: 2 }, { item_id: 3 }], effective_on: "2026-03-03" });
    world.rows("UPDATE items SET in_catalog = 0 WHERE item_id = 1 RETURNING item_id");
    world.calculate("2026-03-04");
    const reported = (params: object) =>
      members(params).data.map((row) => [row.item_id, row.added_on, row.removed_on, row.weight_pct]);
    expect(reported({ membership_version: 1 })).to.deep.equal([
      [1, "2026-03-01", "2026-03-03", "50.0000"],
      [2, "2026-03-01", null, "50.0000"],
    ]);
    expect(reported({})).to.deep.equal(reported({ membership_version: 2 }));
    expect(reported({})).to.deep.equal([
      [2, "2026-03-01", null, "50.0000"],
      [3, "2026-03-03", null, "50.0000"],
    ]);
    expect(codeOf(() => members({ membership_version: 3 }))).to.equal("invalid_parameter");
  });

  it("page members of one version with weights of one day", () => {
    filled();
    world.define({ weighting: "capitalization" });
    world.calculate("2026-03-03");
    const whole = members();
    const first = members({ limit: 3 });
    world.calculate("2026-03-04");
    world.define({ weighting: "capitalization", members: [{ item_id: 1 }], effective_on: "2026-03-04" });
    const second = members({ limit: 3, after: first.meta.next_page! });
    expect(whole.data.map(({ weight_pct }) => weight_pct)).to.deep.equal(["10.0598", "20.0199", "29.9801", "39.9402"]);
    expect([...first.data, ...second.data].map(({ removed_on: _, ...row }) => row)).to.deep.equal(
      whole.data.map(({ removed_on: _, ...row }) => row),
    );
    expect(codeOf(() => members({ after: first.meta.next_page!, membership_version: 2 }))).to.equal("cursor_mismatch");
  });
});

function grown(world: IndexWorld, items: number): IndexWorld {
  world.remove();
  return new IndexWorld(items);
}
