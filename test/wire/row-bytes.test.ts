import { expect } from "chai";
import fc from "fast-check";
import { TimestampTexts } from "../../src/values/time/timestamp-texts.ts";
import { digitsOf, RowBytes, type TakenPage } from "../../src/wire/row-bytes.ts";

/** Whole numbers of 1 to 16 digits, the smallest and largest of each above all. */
const wholeNumber = fc
  .integer({ min: 1, max: 16 })
  .chain((digits) => fc.integer({ min: 10 ** (digits - 1), max: Math.min(10 ** digits - 1, Number.MAX_SAFE_INTEGER) }));
/** A list of so many bytes lies where its rows were made. */
const longBytes = 50_000;
/** As many places are kept for other pages. */
const placesKept = 8;

describe("The bytes of a page", () => {
  it("a page has all its rows and both brackets, whatever its length", () => {
    for (const size of [1, 2, 300, 32_767, 32_768, 65_534, 65_535, 65_536, 65_537, 131_071, 131_072, 131_073, 400_000])
      for (const rowBytes of [size, 64]) {
        const text = rowOf(size);
        const rows = new RowBytes();
        for (let at = 0; at < size; at += rowBytes) rows.add(text.slice(at, at + rowBytes));
        expect(rows.list().equals(listOf(text)), `${size} bytes, each time ${rowBytes}`).to.equal(true);
      }
  });

  it("a page that was given up leaves nothing in the next one, and none of it is in the one after", () => {
    const rows = new RowBytes();
    rows.add(",1");
    rows.clear();
    expect(rows.list().toString()).to.equal("[]");
    rows.clear();
    rows.add(",2");
    rows.add(",3");
    expect(rows.take().list.toString()).to.equal("[2,3]");
    rows.clear();
    expect(rows.take().list.toString()).to.equal("[]");
  });

  it("a short page is a copy, which keeps no place from others", () => {
    const rows = new RowBytes();
    const pages = [1, 2].map((digit) => {
      rows.clear();
      rows.add(`,${digit}`);
      return rows.take();
    });
    expect(pages.map(({ list }) => list.toString())).to.deep.equal(["[1]", "[2]"]);
    expect(pages.map(({ giveBack }) => giveBack)).to.deep.equal([undefined, undefined]);
  });

  it("the place of a page is another page's once it was given back, and only one's although it was given back twice", () => {
    const rows = new RowBytes();
    const held = takeLong(rows, 30);
    const first = takeLong(rows, 1)[0]!;
    first.giveBack!();
    first.giveBack!();
    // The place in which rows are made is that of the next page.
    const [, second, third] = takeLong(rows, 3) as [TakenPage, TakenPage, TakenPage];
    expect(second.list.buffer).to.equal(first.list.buffer);
    expect(third.list.buffer).not.to.equal(first.list.buffer);
    for (const [index, { list }] of held.entries())
      expect(list.equals(longList(index)), `page ${index}`).to.equal(true);
    expect([second, third].map(({ list }, index) => list.equals(longList(index + 1)))).to.deep.equal([true, true]);
  });

  it("of many places that are given back eight are kept, so that a crowd's memory is free again", () => {
    const rows = new RowBytes();
    const given = takeLong(rows, 30);
    for (const { giveBack } of given) giveBack!();
    const known = new Set(given.map(({ list }) => list.buffer));
    const reused = takeLong(rows, 30).filter(({ list }) => known.has(list.buffer));
    expect(reused).to.have.length(placesKept);
  });

  it("a number is written over another of as many digits", () => {
    const property = fc.property(wholeNumber, (value) => {
      const digits = digitsOf(value);
      expect(digits).to.equal(String(value).length);
      const rows = new RowBytes();
      const at = rows.add(`,"${"5".repeat(digits)}"`);
      expect(rows.setDigits(at + 2, value, digits)).to.equal(at + 2 + digits);
      expect(rows.list().toString()).to.equal(`["${value}"]`);
    });
    fc.assert(property, { numRuns: 1000, seed: 31, examples: [[Number.MAX_SAFE_INTEGER]] });
    expect([null, 0, 9, 10].map(digitsOf)).to.deep.equal([0, 1, 1, 2]);
  });

  it("an instant is written over another", () => {
    const timestamps = new TimestampTexts();
    const property = fc.property(
      fc.date({ min: new Date(0), max: new Date("9999-12-31"), noInvalidDate: true }),
      (date) => {
        const rows = new RowBytes();
        const at = rows.add(',"2026-01-31T00:00:00.000Z"');
        rows.setTimestamp(at + 2, date.getTime(), timestamps);
        expect(rows.list().toString()).to.equal(`["${date.toISOString()}"]`);
      },
    );
    fc.assert(property, { numRuns: 500, seed: 32 });
  });
});

function rowOf(bytes: number): string {
  return ",".padEnd(bytes, "1234567890");
}

function listOf(rows: string): Buffer {
  return Buffer.from(`[${rows.slice(1)}]`);
}

function longList(index: number): Buffer {
  return listOf(rowOf(longBytes).replaceAll("7", String(index % 10)));
}

/** Takes pages that differ, and keeps them. */
function takeLong(rows: RowBytes, count: number): TakenPage[] {
  return Array.from({ length: count }, (_, index) => {
    rows.clear();
    rows.add(rowOf(longBytes).replaceAll("7", String(index % 10)));
    return rows.take();
  });
}
