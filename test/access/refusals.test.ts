import { expect } from "chai";
import { OwnerRefusal, ownerRefusalTexts, refusalOf } from "../../src/access/owners/owner-refusal.ts";
import { refusalDetails } from "../../src/access/refusals.ts";
import { DatabaseAway } from "../../src/store/file/refusal.ts";
import { OperatorError } from "../../src/values/failure/operator-error.ts";

describe("the words of refusals", () => {
  it("each refusal of a request has words of its own, which say what is wrong", () => {
    const words = Object.entries(refusalDetails);
    for (const [code, detail] of words) expect(detail, code).to.match(/^\S+ \S+ .*\S$/);
    expect(new Set(words.map(([, detail]) => detail))).to.have.property("size", words.length);
  });

  it("each refusal of the pages has a sentence of its own for the person", () => {
    const texts = Object.entries(ownerRefusalTexts);
    for (const [code, text] of texts) expect(text, code).to.match(/^[A-Z][^ ]* .+\.$/);
    expect(new Set(texts.map(([, text]) => text))).to.have.property("size", texts.length);
  });

  it("what stops an owner's request is told as the refusal that it stands for", () => {
    const coded = (code: unknown) => Object.assign(new Error("x"), { code });
    for (const [error, code, retryAfterS] of [
      [new OwnerRefusal("unknown_key"), "unknown_key", null],
      [new DatabaseAway(new Error("x"), false), "unavailable", 1],
      [new DatabaseAway(new Error("x"), true), "in_doubt", null],
      [new OperatorError("no such thing"), "conflict", null],
      [coded("SQLITE_BUSY"), "busy", 1],
      [coded("SQLITE_BUSY_SNAPSHOT"), "busy", 1],
    ] as const)
      expect(refusalOf(error, "none.db")).to.include({ code, retryAfterS });
  });

  it("a fault of the program is no refusal of an owner's request", () => {
    for (const code of ["SQLITE_CORRUPT", "ENOENT", 5, undefined]) {
      const fault = Object.assign(new Error("a fault"), { code });
      expect(() => refusalOf(fault, "none.db"), String(code)).to.throw(fault);
    }
  });
});
