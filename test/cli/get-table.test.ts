import { expect } from "chai";
import { dataText } from "../../src/cli/get/answer-text.ts";
import { dollars, fieldText, isMoney } from "../../src/cli/get/field-text.ts";
import { layTable } from "../../src/cli/get/table.ts";
import type { Plain } from "../../src/contract/answer-text.ts";
import { emptyMeans, loadContract } from "../../src/contract/document.ts";
import { recordingsOf } from "../contract/recordings.ts";

type Schema = {
  $ref?: string;
  description?: string;
  type?: unknown;
  format?: string;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
};
const document = loadContract().document as unknown as { [key: string]: unknown };
const { schemas } = document.components as { schemas: Record<string, Schema> };

/** 64-bit integers that are not amounts. */
const counts = new Set([
  "bytes",
  "count",
  "event_id",
  "hourly_bytes",
  "hourly_rows",
  "number",
  "quantity",
  "rows",
  "weight",
]);

describe("tables for people", () => {
  it("show every amount of the contract in dollars, and only amounts", () => {
    const wrong: string[] = [];
    let amounts = 0;
    for (const [name, { properties = {} }] of Object.entries(schemas)) {
      for (const [field, schema] of Object.entries(properties)) {
        const path = name === "ValueQuantiles" ? `current.quantiles.${field}` : field;
        const isAmount = isCents(schema) && !counts.has(field);
        if (isAmount) amounts += 1;
        if (isMoney(path) !== isAmount) wrong.push(`${name}.${field}`);
      }
    }
    expect(wrong).to.deep.equal([]);
    expect(amounts).to.be.greaterThan(25);
  });

  it("convert cents to dollars without loss, and null never to an amount", () => {
    const reported = [0, 1, -194, 9_007_199_254_740_991, "123456789012345678901"].map((cents) => dollars(cents));
    expect(reported).to.deep.equal(["$0.00", "$0.01", "-$1.94", "$90071992547409.91", "$1234567890123456789.01"]);
    expect([dollars(null), dollars(1.5), dollars("x"), fieldText("amount", null).text]).to.deep.equal([
      null,
      null,
      null,
      "-",
    ]);
  });

  it("fit the terminal for every recorded response of the contract", () => {
    let tables = 0;
    for (const { component, value } of recordingsOf(document)) {
      const { data } = value as { data?: Plain };
      if (!Array.isArray(data) || data.length === 0) continue;
      for (const width of [60, 80, 120]) {
        const lines = dataText(data, width);
        const longest = Math.max(...lines.map((line) => Array.from(line).length));
        expect(longest, `${component} at ${width}`).to.be.at.most(width);
        tables += 1;
      }
    }
    expect(tables).to.be.greaterThan(60);
  });

  it("name the omitted columns, and omit none if there is room", () => {
    const row = { item_id: 1, market_hash_name: "x".repeat(60), image_url: "y".repeat(30), amount: 12, phase: null };
    const paths = Object.keys(row);
    expect(layTable(paths, [row], Number.POSITIVE_INFINITY).notes).to.deep.equal([]);
    const { lines, notes } = layTable(paths, [row, { ...row, item_id: 2, image_url: "z".repeat(30) }], 60);
    expect(notes).to.deep.equal([`in all rows: market_hash_name ${"x".repeat(60)}, phase -`]);
    expect(lines[1]).to.equal(`      1  ${"y".repeat(30)}   $0.12`);
    const narrow = layTable(paths, [row], 48);
    expect(narrow.notes).to.deep.equal(["no room for image_url; --fields picks, --json has all"]);
    expect(narrow.lines[1]).to.equal(`      1  ${"x".repeat(23)}…   $0.12      -`);
  });

  it("show the best quotes first, item by item", () => {
    const quote = (amount: number) => ({ provider: "a", amount, currency: "USD", minor_units: 2 });
    const entry = (item_id: number, asks: number[], bids: number[]) => {
      return { item_id, status: "found", asks: asks.map(quote), bids: bids.map(quote) };
    };
    const reported = dataText([entry(1, [30, 10], [5, 7]), entry(2, [], [1]), entry(3, [20], [])], 80);
    expect(reported).to.deep.equal([
      "item_id  status  asks  bids",
      "      1  found   2     2",
      "      2  found   none  1",
      "      3  found   1     none",
      "",
      "asks:",
      "  item_id  provider  amount",
      "        1  a          $0.10",
      "        1  a          $0.30",
      "        3  a          $0.20",
      "",
      "bids:",
      "  item_id  provider  amount",
      "        1  a          $0.07",
      "        1  a          $0.05",
      "        2  a          $0.01",
    ]);
  });

  it("keep the contract's order of lists within a row", () => {
    const quote = { provider: "a", amount: 1 };
    const reported = dataText(
      [
        { item_id: 1, asks: [quote], bids: [] },
        { item_id: 2, asks: [], bids: [quote] },
      ],
      80,
    );
    expect(reported.filter((line) => line.endsWith(":"))).to.deep.equal(["asks:", "bids:"]);
    expect(reported[0]).to.equal("item_id  asks  bids");
    const other = dataText(
      [
        { item_id: 1, asks: [], bids: [quote] },
        { item_id: 2, asks: [quote], bids: [] },
      ],
      80,
    );
    expect(other.filter((line) => line.endsWith(":"))).to.deep.equal(["asks:", "bids:"]);
  });

  it("show an empty list as `none`, unless it means everything", () => {
    const [reported] = dataText([{ change_id: 1, operations: [], providers: [] }], 80).slice(1);
    expect(reported!.trim().split(/ +/)).to.deep.equal(["1", "all", "none"]);
    for (const field of Object.keys(emptyMeans)) {
      const lists = Object.values(schemas).flatMap(({ properties = {} }) => properties[field] ?? []);
      const message = lists.filter(({ type }) => type === "array").map(({ description }) => description);
      expect(message, field).to.have.length(1);
      expect(message[0]).to.match(/Empty if it concerns the whole/);
    }
  });

  it("have columns only for the fields of a record null elsewhere", () => {
    const reported = dataText(
      [
        { slug: "a", current: null },
        { slug: "b", current: { cost_cents: 5, flags: [] } },
      ],
      80,
    );
    expect(reported).to.deep.equal([
      "slug  current.cost  current.flags",
      "a                -  -",
      "b            $0.05  none",
    ]);
  });
});

/** Amounts are 64-bit integers, or digits if they may be larger. */
function isCents({ $ref, anyOf, format }: Schema): boolean {
  if (anyOf !== undefined) return anyOf.some(isCents);
  if ($ref?.endsWith("/CapitalizationCents")) return true;
  return $ref === undefined ? format === "int64" : isCents(schemas[$ref.split("/").at(-1)!]!);
}
