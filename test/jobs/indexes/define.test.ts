import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "chai";
import { defineIndexInBatches } from "../../../src/jobs/indexes/define.ts";
import { definitionLookup, readDefinition } from "../../../src/jobs/indexes/definition.ts";
import { runAtOnce } from "../../../src/store/write/batches.ts";
import { OperatorError } from "../../../src/values/failure/operator-error.ts";
import { dayText } from "../../../src/values/time/calendar.ts";
import { IndexWorld, instantOf } from "./index-world.ts";

const ids = (...found: number[]) => found.map((item_id) => ({ item_id }));

describe("index definition", () => {
  let world: IndexWorld;
  beforeEach(() => {
    world = new IndexWorld();
  });
  afterEach(() => world.remove());

  const state = () =>
    JSON.stringify(
      ["indexes", "index_memberships", "index_members", "index_levels"].map((table) =>
        world.rows(`SELECT * FROM ${table} ORDER BY 1, 2, 3`),
      ),
    );
  const versions = () =>
    world
      .rows<{ version: number; day: number; items: string }>(
        `SELECT v.membership_version AS version, effective_day AS day, group_concat(item_id || ':' || units || ':' || added_day, ' ') AS items
         FROM index_memberships AS v JOIN index_members USING (index_id, membership_version) GROUP BY 1 ORDER BY 1`,
      )
      .map(({ version, day, items }) => ({
        version,
        from: dayText(day),
        items: items.replace(/\d+(?= |$)/g, (text) => dayText(Number(text)).slice(5)),
      }));

  it("has a schema that is valid JSON Schema 2020-12", () => {
    const path = new URL("../../../src/jobs/indexes/index-definition.schema.json", import.meta.url);
    const ajv = new Ajv2020();
    expect(ajv.validateSchema(JSON.parse(readFileSync(path, "utf8"))), ajv.errorsText()).to.equal(true);
  });

  it("changes nothing when repeated, in any order of members", () => {
    world.define();
    const before = state();
    const again = world.define({ members: ids(4, 3, 2, 1), effective_on: "2026-05-01" });
    expect([again.outcome, again.membershipVersion]).to.deep.equal(["unchanged", 1]);
    expect(state()).to.equal(before);
  });

  it("starts a version for new members and keeps members' first days", () => {
    world.define({ members: ids(1, 2) });
    const second = world.define({ members: [{ item_id: 2 }, { item_id: 3, units: 5 }], effective_on: "2026-03-10" });
    expect(second).to.include({ outcome: "changed", membershipVersion: 2, added: 1, dropped: 1 });
    world.at = instantOf("2026-04-01");
    world.define({ members: [{ item_id: 2 }, { item_id: 3, units: 6 }, { item_id: 1 }] });
    expect(versions()).to.deep.equal([
      { version: 1, from: "2026-03-01", items: "1:1:03-01 2:1:03-01" },
      { version: 2, from: "2026-03-10", items: "2:1:03-01 3:5:03-10" },
      { version: 3, from: "2026-04-01", items: "1:1:04-01 2:1:03-01 3:6:03-10" },
    ]);
  });

  it("changes name, description and activity, and keeps the members", () => {
    world.define();
    const facts = { name: "Vier", description: "the first four", active: false };
    expect(world.define(facts)).to.deep.include({ outcome: "changed", changed: ["name", "description", "active"] });
    expect(world.define({ ...facts, active: undefined }).outcome).to.equal("unchanged");
    expect(world.rows("SELECT name, description, active FROM indexes")).to.deep.equal([{ ...facts, active: 0 }]);
    expect(versions().length).to.equal(1);
  });

  const weighted = [1, 2, 3, 4, 5].map((item_id) => ({ item_id, units: item_id === 5 ? 1000 : 1 }));
  const lies: [lie: string, facts: object, finding: string][] = [
    ["members without a price", { provider: "other" }, "5 of 5 members have no daily ask of other within 30 days of"],
    ["one member without a price", { members: ids(1, 2, 6) }, "1 of 3 members have no daily ask of steam"],
    ["unused units", { members: weighted }, "its members have units, which an index of equal weights"],
    ["a fractional base value", { base_value: "0.01" }, "its base value is 0.01"],
    [
      "a dominant member",
      {
        members: weighted.map(({ item_id }) => ({ item_id, units: item_id === 5 ? 9 : 1 })),
        weighting: "capitalization",
      },
      "item 5 with 9 units is 69.2 % of the capitalization of 5 members",
    ],
  ];
  for (const [lie, facts, finding] of lies) {
    it(`is accepted with a notice of ${lie}`, () => {
      const six = new IndexWorld(6);
      six.file.feed("other", ["other"], null);
      six.asks(...([1, 2, 3, 4, 5].map((itemId) => ["2026-03-05", itemId, 100]) as [string, number, number][]));
      const { findings, outcome } = six.define({ members: ids(1, 2, 3, 4, 5), ...facts });
      expect(outcome).to.equal("created");
      expect(findings.map(({ verdict }) => verdict)).to.deep.equal(["named"]);
      expect(findings[0]?.figure).to.contain(finding);
      six.remove();
    });
  }

  it("is rejected if one member dominates, unless accepted", () => {
    world.remove();
    world = new IndexWorld(5);
    world.asks(...([1, 2, 3, 4, 5].map((itemId) => ["2026-03-05", itemId, 100]) as [string, number, number][]));
    const before = state();
    const facts = { members: weighted, weighting: "capitalization" };
    expect(() => world.define(facts)).to.throw(
      OperatorError,
      "guard member_weight (threshold 90 %): item 5 with 1000 units is 99.6 % of the capitalization of 5 members",
    );
    expect(state()).to.equal(before);
    expect(world.define(facts, ["member_weight"]).findings[0]).to.include({ verdict: "broken" });
    expect(world.define(facts)).to.deep.include({ outcome: "unchanged", findings: [] });
  });

  it("never changes members of a past level", () => {
    world.asks(...([1, 2, 3, 4].map((itemId) => ["2026-03-05", itemId, 100]) as [string, number, number][]));
    world.define();
    world.calculate("2026-03-06");
    const before = state();
    for (const effective_on of ["2062-03-05", "1969-12-31"]) {
      expect(() => world.define({ members: ids(1, 2), effective_on })).to.throw(
        /effective_on must be between 1970-01-01/,
      );
    }
    for (const effective_on of ["2026-03-01", "2026-03-05"]) {
      expect(() => world.define({ members: ids(1, 2), effective_on }))
        .to.throw(OperatorError)
        .with.property("message")
        .that.includes("index four: effective_on must be after 2026-03-05, the day of the last stored level");
    }
    expect(state()).to.equal(before);
    world.define({ members: ids(1, 2), effective_on: "2026-03-06" });
    expect(() => world.define({ members: ids(3), effective_on: "2026-03-06" })).to.throw(
      OperatorError,
      "effective_on must be after 2026-03-06, when version 2 of the members is effective",
    );
  });

  it("cannot change the basis of stored levels", () => {
    world.file.feed("other", ["other"], null);
    world.define();
    const before = state();
    for (const facts of [
      { base_date: "2026-03-02" },
      { base_value: "1000" },
      { weighting: "capitalization" },
      { provider: "other" },
    ]) {
      expect(() => world.define(facts))
        .to.throw(OperatorError)
        .with.property("message")
        .that.matches(
          new RegExp(`^index four: ${Object.keys(facts)[0]} cannot change .*; give the new one a new index_id$`),
        );
    }
    expect(state()).to.equal(before);
    expect(world.define({ base_value: "100.0" }).outcome).to.equal("unchanged");
  });

  it("succeeds despite the remains of an interrupted one", () => {
    const definition = (members: object[]) =>
      readDefinition(
        { name: "x", bytes: Buffer.from(JSON.stringify({ ...declared, members })) },
        definitionLookup(world.writer),
      );
    const declared = {
      index_id: "four",
      name: "Four",
      description: "",
      provider: "steam",
      weighting: "equal",
      base_date: "2026-03-01",
      base_value: "100",
    };
    const broken = defineIndexInBatches(world.writer, definition(ids(1, 2, 3)), { clock: world.clock });
    broken.next();
    expect(world.rows("SELECT item_id FROM index_members").length).to.equal(3);
    expect(world.rows("SELECT * FROM indexes")).to.deep.equal([]);
    expect(
      runAtOnce(defineIndexInBatches(world.writer, definition(ids(3, 4)), { clock: world.clock })).outcome,
    ).to.equal("created");
    expect(versions()).to.deep.equal([{ version: 1, from: "2026-03-01", items: "3:1:03-01 4:1:03-01" }]);
    expect(() => runAtOnce(broken)).to.throw(OperatorError, "another command changed it meanwhile; try again");
    expect(versions().length).to.equal(1);
  });
});

describe("invalid index definition", () => {
  const world = new IndexWorld();
  before(() => {
    const sql = "UPDATE items SET market_hash_name = ?, phase = ? WHERE item_id = ? RETURNING item_id";
    for (const [itemId, name, phase] of [
      [1, "Twice", null],
      [2, "Twice", null],
      [3, "Knife", "Ruby"],
      [4, "Knife", null],
    ]) {
      world.rows(sql, name, phase, itemId);
    }
  });
  after(() => world.remove());

  const rows: [string, object, string][] = [
    ["an unknown property", { colour: "red" }, "the definition must NOT have additional properties, such as `colour`"],
    [
      "an unknown property of a member",
      { members: [{ item_id: 1, weight: 2 }] },
      "`members[0]` must NOT have additional properties, such as `weight`",
    ],
    ["a slug with capitals", { index_id: "Four" }, "`index_id` must match pattern"],
    ["a name with a control character", { name: "A\u009b31m" }, "`name` must match pattern"],
    ["a name with a direction character", { name: "A\u202eB" }, "`name` must match pattern"],
    ["no name", { name: undefined }, "the definition must have required property 'name'"],
    [
      "an unknown weighting",
      { weighting: "price" },
      "`weighting` must be equal to one of the allowed values: equal, capitalization",
    ],
    ["an unknown provider", { provider: "nobody" }, "`provider`: no feed has the provider `nobody` yet"],
    ["an unknown methodology", { methodology_version: "2" }, "`methodology_version`: unknown version `2`; use 1"],
    ["a methodology named like a method", { methodology_version: "toString" }, "unknown version `toString`; use 1"],
    ["a day that does not exist", { base_date: "2026-02-30" }, "`base_date`: the date does not exist: 2026-02-30"],
    ["a base value of zero", { base_value: "0.00" }, "`base_value`: must be above 0"],
    ["a base value as a number", { base_value: 100 }, "`base_value` must be string"],
    ["a base value with an exponent", { base_value: "1e3" }, "`base_value` must match pattern"],
    ["a base value of five decimals", { base_value: "1.00001" }, "`base_value` must match pattern"],
    ["a negative base value", { base_value: "-1" }, "`base_value` must match pattern"],
    ["no members", { members: [] }, "`members` must NOT have fewer than 1 items"],
    ["units of zero", { members: [{ item_id: 1, units: 0 }] }, "`members[0].units` must be >= 1"],
    ["half a unit", { members: [{ item_id: 1, units: 0.5 }] }, "`members[0].units` must be integer"],
    ["a member without a name", { members: [{ units: 1 }] }, "members[0]: give either `item_id` or `market_hash_name`"],
    [
      "a member with both id and name",
      { members: [{ item_id: 1, market_hash_name: "Twice" }] },
      "members[0]: give either",
    ],
    ["a phase beside an id", { members: [{ item_id: 3, phase: "Ruby" }] }, "members[0]: `item_id` includes the phase"],
    ["an unknown item", { members: ids(1, 99) }, "members[1]: unknown item 99"],
    ["an unknown name", { members: [{ market_hash_name: "Nothing" }] }, "members[0]: no item has the name `Nothing`"],
    [
      "an unknown phase",
      { members: [{ market_hash_name: "Knife", phase: "Emerald" }] },
      "members[0]: no item has the name `Knife` in Emerald",
    ],
    [
      "a shared name",
      { members: [{ market_hash_name: "Twice" }] },
      "members[0]: several items have the name `Twice`; give `item_id`",
    ],
    [
      "the same item by id and by name",
      { members: [{ item_id: 3 }, { market_hash_name: "Knife", phase: "Ruby" }] },
      "members[1]: the same item 3 as members[0]",
    ],
    [
      "a first day beside the base date",
      { effective_on: "2026-03-02" },
      "effective_on of the first members must be base_date, 2026-03-01",
    ],
  ];
  for (const [what, facts, message] of rows) {
    it(`is rejected and named for ${what}`, () => {
      expect(() => world.define(facts))
        .to.throw(OperatorError)
        .with.property("message")
        .that.includes(message);
      expect(
        world.rows("SELECT (SELECT count(*) FROM indexes) + (SELECT count(*) FROM index_members) AS found"),
      ).to.deep.equal([{ found: 0 }]);
    });
  }

  it("is rejected by line and column for broken JSON or duplicate keys", () => {
    expect(() => world.defineText('{\n  "index_id": four }')).to.throw(
      OperatorError,
      "index.json: line 2, column 15: not JSON",
    );
    expect(() => world.defineText('{"name": "a", "name": "b"}')).to.throw(OperatorError, "a key appears twice");
  });

  it("is rejected with its first five bad members and the others' count", () => {
    expect(() => world.define({ members: ids(91, 92, 93, 94, 95, 96, 97) }))
      .to.throw(OperatorError)
      .with.property("message")
      .that.matches(/members\[4\]: unknown item 95; and 2 more; the whole file was refused/);
  });

  it("distinguishes a phase from the unphased item of the same name", () => {
    const members = [{ market_hash_name: "Knife", phase: "Ruby" }, { market_hash_name: "Knife" }];
    expect(world.define({ members }).members).to.equal(2);
    expect(world.rows("SELECT item_id FROM index_members")).to.deep.equal([{ item_id: 3 }, { item_id: 4 }]);
  });
});
