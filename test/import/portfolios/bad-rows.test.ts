import { expect } from "chai";
import { PortfolioWorld } from "./portfolio-world.ts";

type Facts = Record<string, unknown>;

const lot = { record: "lot", integration_ref: "L1", item_id: 1, quantity: 3 };
const buy = {
  record: "transaction",
  integration_ref: "T1",
  kind: "buy",
  item_id: 1,
  quantity: 3,
  occurred_on: "2026-03-01",
};

/** One invalid field in a valid record, and its message. */
const badFields: [record: Facts, column: string, says: string][] = [
  [{ ...lot, record: "Lot" }, "record", "`Lot` is not one of lot, transaction"],
  [{ ...lot, record: null }, "record", "is missing; use one of lot, transaction"],
  [{ ...lot, integration_ref: "" }, "integration_ref", "is missing"],
  [{ ...lot, integration_ref: "x".repeat(201) }, "integration_ref", "longer than 200 characters"],
  [{ ...lot, item_id: 999 }, "item_id", "unknown item 999"],
  [{ ...lot, item_id: 0 }, "item_id", "0 is not between 1 and 2147483647"],
  [{ ...lot, item_id: null }, "item_id", "is missing; give it or market_hash_name"],
  [{ ...lot, item_id: null, market_hash_name: "item 1" }, "market_hash_name", "no item has the name `item 1`"],
  [{ ...lot, market_hash_name: "Item 2" }, "market_hash_name", "item 1 has the name `Item 1`"],
  [{ ...lot, phase: "Ruby" }, "phase", "item 1 has none"],
  [{ ...lot, item_id: 21, phase: "Ruby" }, "phase", "item 21 is Phase 1"],
  [
    { ...lot, item_id: null, market_hash_name: "Phased" },
    "market_hash_name",
    "several items have the name `Phased`; give item_id or phase: 21 (Phase 1), 22 (Phase 2)",
  ],
  [
    { ...lot, item_id: null, market_hash_name: "Phased", phase: "Ruby" },
    "phase",
    "`Phased` has no phase `Ruby`; its items are 21 (Phase 1), 22 (Phase 2)",
  ],
  [
    { ...lot, item_id: null, market_hash_name: "Shared" },
    "market_hash_name",
    "several items have the name `Shared`; give item_id or phase: 23, 24",
  ],
  [{ ...lot, quantity: null }, "quantity", "is missing"],
  [{ ...lot, quantity: 1.5 }, "quantity", "`1.5` is not a whole number, such as 3"],
  [{ ...lot, quantity: "1e3" }, "quantity", "`1e3` is not a whole number, such as 3"],
  [{ ...lot, quantity: "1,000" }, "quantity", "`1,000` is not a whole number, such as 3"],
  [{ ...lot, quantity: 0 }, "quantity", "0 is not between 1 and 1000000000"],
  [{ ...lot, quantity: -1 }, "quantity", "-1 is not between 1 and 1000000000"],
  [{ ...lot, quantity: 1_000_000_001 }, "quantity", "1000000001 is not between 1 and 1000000000"],
  [{ ...buy, quantity: -1 }, "quantity", "-1 is not between 1 and 1000000000"],
  [{ ...buy, kind: "adjustment", quantity: 0 }, "quantity", "must not be 0"],
  [{ ...lot, unit_cost_cents: 12.5 }, "unit_cost_cents", "`12.5` is not a whole number of cents; nothing is rounded"],
  [{ ...lot, unit_cost_cents: "12.0" }, "unit_cost_cents", "`12.0` is not a whole number of cents; nothing is rounded"],
  [{ ...lot, unit_cost_usd: "1.005" }, "unit_cost_usd", "`1.005` is not a whole number of cents; nothing is rounded"],
  [{ ...lot, unit_cost_usd: "€5" }, "unit_cost_usd", "`€5` is not a plain decimal number, such as 12.50"],
  [{ ...lot, unit_cost_usd: "1e2" }, "unit_cost_usd", "`1e2` is not a plain decimal number, such as 12.50"],
  [{ ...lot, unit_cost_usd: "5 0" }, "unit_cost_usd", "`5 0` is not a plain decimal number, such as 12.50"],
  [{ ...lot, unit_cost_usd: -0.01 }, "unit_cost_usd", "must not be negative"],
  [{ ...lot, unit_cost_usd: "90071992547409.92" }, "unit_cost_usd", "is above 9007199254740991 cents"],
  [
    { ...lot, unit_cost_cents: 3002399751580331 },
    "unit_cost_cents",
    "3 in total cost more than 9007199254740991 cents",
  ],
  [{ ...lot, unit_cost_usd: "90071992547409.91" }, "unit_cost_usd", "3 in total cost more than 9007199254740991 cents"],
  [{ ...lot, currency: "EUR" }, "currency", "`EUR` is not converted: write amounts in USD, or leave them empty"],
  [{ ...lot, currency: "ABC" }, "currency", "`ABC` is not an ISO 4217 currency; amounts are in USD"],
  [
    { ...lot, acquired_on: "2026-02-29" },
    "acquired_on",
    "`2026-02-29` is not a date like 2026-03-01; dates like 01.03.2026 are read if the whole file has them",
  ],
  [
    { ...lot, acquired_on: "01/03/2026" },
    "acquired_on",
    "`01/03/2026` is not a date like 2026-03-01; dates like 01.03.2026 are read if the whole file has them",
  ],
  [{ ...lot, acquired_on: "2026-03-11" }, "acquired_on", "2026-03-11 is in the future; today is 2026-03-10 in UTC"],
  [{ ...lot, notes: "a\u0000b" }, "notes", "contains a NUL or half a character"],
  [{ ...lot, notes: "x".repeat(2001) }, "notes", "longer than 2000 characters"],
  [{ ...lot, kind: "buy" }, "kind", "a lot has no such value; leave it empty"],
  [{ ...buy, acquired_on: "2026-03-01" }, "acquired_on", "a transaction has no such value; leave it empty"],
  [{ ...buy, kind: "gift" }, "kind", "`gift` is not one of buy, sell, transfer_in, transfer_out, adjustment"],
  [{ ...buy, provider: "nowhere" }, "provider", "no feed has the provider `nowhere` yet"],
  [{ ...buy, lot_ref: "L9" }, "lot_ref", "neither the file nor the portfolio has a lot `L9`"],
  [{ ...buy, occurred_on: null }, "occurred_on", "is missing"],
  [
    { ...buy, occurred_on: "2026-04-31" },
    "occurred_on",
    "`2026-04-31` is not a date like 2026-03-01; dates like 01.03.2026 are read if the whole file has them",
  ],
  [{ ...buy, occurred_at: "2026-03-02T00:00:00Z" }, "occurred_at", "is on another UTC day than occurred_on"],
  [
    { ...buy, occurred_at: "2026-03-01T24:00:00Z" },
    "occurred_at",
    "`2026-03-01T24:00:00Z` is not a valid UTC time, such as 2026-01-31T12:00:00Z",
  ],
  [
    { ...buy, occurred_on: null, occurred_at: "2026-03-10T12:00:00.001Z" },
    "occurred_at",
    "2026-03-10T12:00:00.001Z is in the future; today is 2026-03-10 in UTC",
  ],
];

describe("rejected files of lots and ledger rows", () => {
  const world = new PortfolioWorld();
  for (const [itemId, phase] of [
    [21, "Phase 1"],
    [22, "Phase 2"],
  ] as const)
    world.file.item(itemId, { name: "Phased", phase });
  for (const itemId of [23, 24]) world.file.item(itemId, { name: "Shared" });
  const portfolioId = world.portfolio();
  const untouched = world.digest();
  after(() => world.remove());
  afterEach(() => expect(world.digest(), "nothing was written").to.equal(untouched));

  const good = { ...lot, integration_ref: "good" };
  const csvOf = (...records: Facts[]) => {
    const names = [...new Set(records.flatMap((record) => Object.keys(record)))];
    const field = (value: unknown) => `"${String(value ?? "").replaceAll('"', '""')}"`;
    return [names.join(","), ...records.map((record) => names.map((name) => field(record[name])).join(","))].join(
      "\r\n",
    );
  };

  it(`name line, column and reason of a bad field (${badFields.length} kinds)`, () => {
    for (const [record, column, says] of badFields) {
      const head = "rows: 1 fault; the whole file was refused and nothing was changed";
      const fault = (line: number) => [head, `  line ${line}, column ${column}: ${says}`];
      expect(world.refusal(() => world.importLines(portfolioId, good, record))).to.deep.equal(fault(2));
      expect(world.refusal(() => world.importCsv(portfolioId, csvOf(good, record)))).to.deep.equal(fault(3));
    }
  });

  it("include files with a duplicate reference of any kind", () => {
    const records = [lot, { ...buy, integration_ref: "L1" }];
    expect(world.refusal(() => world.importLines(portfolioId, ...records))[1]).to.equal(
      "  line 2, column integration_ref: `L1` is on line 1 already",
    );
  });

  it("include headers and records with both cents and dollars", () => {
    const header = "record,integration_ref,item_id,quantity,unit_cost_cents,unit_cost_usd";
    expect(world.refusal(() => world.importCsv(portfolioId, `${header}\nlot,L1,1,1,5,`)).slice(1)).to.deep.equal([
      "  line 1, column unit_cost_usd: a file has either unit_cost_cents or unit_cost_usd, never both",
    ]);
    const both = { ...lot, unit_cost_cents: 5, unit_cost_usd: 0.05 };
    expect(world.refusal(() => world.importLines(portfolioId, both))[1]).to.equal(
      "  line 1, column unit_cost_usd: a row has either unit_cost_cents or unit_cost_usd, never both",
    );
  });

  it("include ledger rows for a lot of another item", () => {
    const records = [
      { ...lot, item_id: 2 },
      { ...buy, lot_ref: "L1" },
    ];
    expect(world.refusal(() => world.importLines(portfolioId, ...records))[1]).to.equal(
      "  line 2, column lot_ref: its lot has item 2, this row has item 1",
    );
  });

  it("list the first twenty faults by line, and count the others", () => {
    const records = Array.from({ length: 25 }, (_, index) => ({ ...lot, integration_ref: `L${index}`, quantity: 0 }));
    const told = world.refusal(() => world.importLines(portfolioId, ...records));
    expect(told[0]).to.match(/^rows: 25 faults;/);
    expect(told).to.have.length(22);
    expect(told[20]).to.match(/^ {2}line 20, column quantity/);
    expect(told[21]).to.equal("  and 5 more");
  });

  for (const [name, text, says] of [
    [
      "an unknown column in the header",
      "record,colour\n",
      /line 1: unknown column `colour`: delete it, or rename it as one of record, /,
    ],
    [
      "an unknown column, with the columns of a plain list",
      "nickname,quantity\n",
      /line 1: unknown column `nickname`: .*; a plain list has name,quantity,price$/,
    ],
    ["columns of a tracker", "item,wear,profit\n", /`wear`, `profit`: delete them, .*the wear is a part of the name/],
    [
      "amounts with points and with commas",
      'name,quantity,price\nItem 1,1,0.5\nItem 1,1,"0,5"\n',
      /line 3.*line 2 has a decimal point/,
    ],
    ["an ambiguous amount", 'name,quantity,price\nItem 1,1,"1,098"\n', /may be 1098 or 1.098: write it/],
    ["another currency", "name,quantity,price,currency\nItem 1,1,5,EUR\n", /write amounts in USD, or leave them empty/],
    [
      "dates in different formats",
      "name,quantity,date\nItem 1,1,2026-03-01\nItem 1,1,01.03.2026\n",
      /line 3.*if the whole file has them/,
    ],
    [
      "a web page saved instead of its file",
      '\n<!DOCTYPE html>\n<html lang="en"><body>Sign in</body></html>',
      /a web page \(HTML\), not a list/,
    ],
    ["a header that names a column twice", "record,record\n", /line 1, column record: the header has it twice/],
    ["rows with another number of fields", "record,quantity\nlot\n", /line 2: 1 fields, but the header has 2/],
    ["an unclosed quote", 'record,quantity\nlot,"1\n', /line 2: character 5: an unclosed quote/],
    ["a header alone", "record,quantity\n", /it has no rows/],
    ["only empty lines", "\n\n", /line 1: a header line with the names of the columns is missing/],
  ] as const) {
    it(`include CSV with ${name}`, () => {
      expect(world.refusal(() => world.importCsv(portfolioId, text)).join("\n")).to.match(says);
    });
  }

  for (const [name, text, says] of [
    ["a line that is not JSON", `${JSON.stringify(lot)}\n{"record"`, /line 2: character 10: not JSON to be trusted/],
    ["a line that is not an object", "[1]", /line 1: not a JSON object/],
    ["a key twice", '{"record":"lot","record":"lot"}', /line 1: character 17: .*a key appears twice/],
    ["an unknown column", '{"colour":1}', /line 1: unknown column `colour`/],
    ["a number instead of text", '{"notes":5}', /line 1, column notes: must be a string/],
    ["text instead of a flag", '{"cost_estimated":"true"}', /line 1, column cost_estimated: must be a boolean/],
    [
      "a lone surrogate",
      '{"record":"lot","notes":"\\ud800"}',
      /line 1, column notes: contains a NUL or half a character/,
    ],
  ] as const) {
    it(`include NDJSON with ${name}`, () => {
      expect(world.refusal(() => world.importNdjson(portfolioId, text)).join("\n")).to.match(says);
    });
  }

  it("include files with more rows than a transaction may hold", () => {
    const rows = Array.from({ length: 5001 }, (_, index) => `lot,L${index},1,1`);
    const text = ["record,integration_ref,item_id,quantity", ...rows].join("\n");
    const told = /more than 5000 rows; split the file/;
    expect(world.refusal(() => world.importCsv(portfolioId, text))[0]).to.match(told);
    const broken = `${text}\nlot,"`;
    expect(world.refusal(() => world.importCsv(portfolioId, broken))[0], "nothing after it is read").to.match(told);
    expect(world.refusal(() => world.importNdjson(portfolioId, "{\n".repeat(2_000_000)))[0]).to.match(told);
    expect(world.refusal(() => world.importCsv(portfolioId, "x\n".repeat(2_000_000)))[0]).to.match(told);
  });

  it("are not read on after a row with too many fields", () => {
    for (const text of ["x,".repeat(2_000_000), '"",'.repeat(1_400_000)]) {
      const told = world.refusal(() => world.importCsv(portfolioId, text));
      expect(told).to.have.length(2);
      expect(told[1]).to.match(/line 1: character (49|73): more than 24 fields in one row; the rest was not read/);
    }
    expect(world.refusal(() => world.importCsv(portfolioId, `record\n${",".repeat(4_000_000)}`))[1]).to.match(
      /line 2: character 25: more than 24 fields in one row/,
    );
  });
});
