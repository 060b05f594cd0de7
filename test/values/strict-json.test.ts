import { expect } from "chai";
import fc from "fast-check";
import {
  BrokenJson,
  type Json,
  type JsonObject,
  placeIn,
  readJson,
  toPlain,
} from "../../src/values/text/strict-json.ts";

describe("strict JSON reader", () => {
  it("parses every JSON text as JSON.parse does", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(3), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(toPlain(readJson(text))).to.deep.equal(JSON.parse(text));
      }),
      { numRuns: 2000 },
    );
  });

  it("rejects every text that JSON.parse rejects, except NaN and Infinity", () => {
    const seeds = ['{"a":[1,2.50,-3e+2,"x\\u00e9\\n",null,true],"b":{"c":false}}', '["\\ud83d\\ude00", 0, -0.1, {}]'];
    fc.assert(
      fc.property(fc.constantFrom(...seeds), fc.nat(), fc.string({ minLength: 1, maxLength: 1 }), (seed, place, by) => {
        const at = place % seed.length;
        const text = seed.slice(0, at) + by + seed.slice(at + 1);
        let read: unknown;
        try {
          read = toPlain(readJson(text));
        } catch (error) {
          expect(error).to.be.instanceOf(BrokenJson);
          return;
        }
        expect(read).to.deep.equal(JSON.parse(text));
      }),
      { numRuns: 3000 },
    );
  });

  const broken: [string, string, string][] = [
    ["a key that appears twice", '{"a":1,"a":2}', "twice"],
    ["an excessive depth", `${"[".repeat(20)}${"]".repeat(20)}`, "nested deeper"],
    ["a truncated text", '{"a":[1,', "ends too early"],
    ["text after the value", "{} {}", "after the end"],
    ["a leading zero", "[01]", "expected"],
    ["a string of a megabyte", JSON.stringify("x".repeat(1_000_000)), "4096"],
    ["a string of 20 megabytes that begins with an escape", `["\\n${"x".repeat(20_000_000)}"]`, "4096"],
    ["a string of escapes that is too long", JSON.stringify("\u0001".repeat(4097)), "4096"],
    ["a string without an end", `["${"x".repeat(20_000_000)}`, "ends too early"],
    ["a control character in a string", '["a\nb"]', "expected"],
    ["an empty text", "", "ends too early"],
  ];
  for (const [what, text, description] of broken) {
    it(`rejects ${what}`, () => {
      expect(() => readJson(text)).to.throw(BrokenJson, description);
    });
  }

  it("finds line and column of an offset after millions of lines", () => {
    expect(placeIn("{\n  x", 4)).to.deep.equal({ line: 2, column: 3 });
    expect(placeIn("{", 0)).to.deep.equal({ line: 1, column: 1 });
    const lines = 20_000_000;
    expect(placeIn("\n".repeat(lines), lines)).to.deep.equal({ line: lines + 1, column: 1 });
  });

  it("keeps all digits of a number", () => {
    expect(readJson("1041.2200000000000001")).to.deep.equal({ text: "1041.2200000000000001" });
    expect(readJson("[NaN]")).to.deep.equal([{ text: "NaN" }]);
  });

  it("streams the members of one object and leaves it empty", () => {
    const taken: [string, Json][] = [];
    const handOut = { of: "prices", take: (key: string, value: Json) => void taken.push([key, value]) };
    const read = (text: string) => readJson(text, null, handOut) as JsonObject;
    const whole = read('{"a":{"prices":{"x":null}},"prices":{"b":"1","c":{"prices":"d"}},"e":true}');
    expect(taken.map(([key]) => key)).to.deep.equal(["b", "c"]);
    expect(toPlain(taken[1]![1])).to.deep.equal({ prices: "d" });
    expect(toPlain(whole)).to.deep.equal({ a: { prices: { x: null } }, prices: {}, e: true });
    expect(toPlain(read('{"prices":["f"]}'))).to.deep.equal({ prices: ["f"] });
    for (const broken of ['{"prices":{"g":null,"g":null}}', '{"prices":{},"prices":{}}', '{"prices":{"h":null}'])
      expect(() => read(broken), broken).to.throw(BrokenJson);
    expect(() => read('{"prices":{"i":[[[[[[[[null]]]]]]]]}}')).to.throw(BrokenJson, "nested deeper than 8");
  });

  it("reads __proto__ as an ordinary key", () => {
    expect(readJson('{"__proto__":1}')).to.deep.equal(new Map([["__proto__", { text: "1" }]]));
  });
});
