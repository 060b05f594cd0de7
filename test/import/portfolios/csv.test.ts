import { expect } from "chai";
import fc from "fast-check";
import { BrokenCsv, csvRecords } from "../../../src/import/portfolios/csv.ts";

const fieldsOf = (text: string) => Array.from(csvRecords(text), ({ fields }) => fields);
const quoted = (field: string) => `"${field.replaceAll('"', '""')}"`;
const mustBeQuoted = (field: string) => /[",\r\n]/.test(field);

describe("CSV", () => {
  it("round-trips any fields with any line ends", () => {
    const field = fc.oneof(
      fc.string({ unit: fc.constantFrom('"', ",", "\r", "\n", "\r\n", "a", "é", "=", " ", "💎") }),
      fc.string({ unit: "grapheme" }),
    );
    const written = fc.record({ text: field, quotes: fc.boolean() });
    const table = fc.array(fc.array(written, { minLength: 2, maxLength: 5 }), { maxLength: 6 });
    fc.assert(
      fc.property(table, fc.constantFrom("\r\n", "\n"), fc.boolean(), (rows, end, isEnded) => {
        const lines = rows.map((row) =>
          row.map(({ text, quotes }) => (quotes || mustBeQuoted(text) ? quoted(text) : text)).join(","),
        );
        const text = lines.join(end) + (isEnded ? end : "");
        expect(fieldsOf(text)).to.deep.equal(rows.map((row) => row.map((field) => field.text)));
      }),
      { numRuns: 300 },
    );
  });

  it("keeps the starting line of each record and field", () => {
    const [first, second, third] = Array.from(csvRecords('a,"b\n1\r\n2",c\r\n\r\nd,"x\ny","z"\ne,f,g'));
    expect(first).to.deep.equal({ line: 1, fields: ["a", "b\n1\r\n2", "c"], lines: [1, 1, 3] });
    expect(second).to.deep.equal({ line: 5, fields: ["d", "x\ny", "z"], lines: [5, 5, 6] });
    expect(third).to.deep.equal({ line: 7, fields: ["e", "f", "g"], lines: [7, 7, 7] });
  });

  it("skips an empty line, but not one with an empty quoted field", () => {
    expect(fieldsOf('\n\r\n""\n\n')).to.deep.equal([[""]]);
    expect(fieldsOf(",\n")).to.deep.equal([["", ""]]);
    expect(fieldsOf("")).to.deep.equal([]);
  });

  for (const [name, text, line, character] of [
    ["a quote inside an unquoted field", 'a,b\nc,d"e', 2, 4],
    ["an unclosed quote", 'a,b\nc,"d\n\ne', 2, 3],
    ["text after a closing quote", '"a"b,c', 1, 4],
    ["a carriage return without a line feed", "a,b\rc,d", 1, 4],
  ] as const) {
    it(`is rejected with ${name}, and names the place`, () => {
      expect(() => fieldsOf(text))
        .to.throw(BrokenCsv, name)
        .that.includes({ line, character });
    });
  }
});
