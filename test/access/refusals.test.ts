import { expect } from "chai";
import { refusalOfStore } from "../../src/access/nodes/owner-refusals.ts";
import { OwnerRefusal, refusalOf } from "../../src/access/owners/owner-refusal.ts";
import { DatabaseUnavailable } from "../../src/store/file/refusal.ts";
import { OperatorError } from "../../src/values/failure/operator-error.ts";

describe("refusal codes of owner requests", () => {
  it("map store errors to refusals with code and wait", () => {
    const coded = (code: unknown) => Object.assign(new Error("x"), { code });
    for (const [error, code, retryAfterS] of [
      [new OwnerRefusal("unknown_key"), "unknown_key", null],
      [new DatabaseUnavailable(new Error("x"), false), "unavailable", 1],
      [new DatabaseUnavailable(new Error("x"), true), "in_doubt", null],
      [new OperatorError("no such thing"), "conflict", null],
      [coded("SQLITE_BUSY"), "busy", 1],
      [coded("SQLITE_BUSY_SNAPSHOT"), "busy", 1],
    ] as const)
      expect(refusalOf(refusalOfStore(error), "none.db")).to.include({ code, retryAfterS });
  });

  it("do not cover a fault of the program", () => {
    for (const code of ["SQLITE_CORRUPT", "ENOENT", 5, undefined]) {
      const fault = Object.assign(new Error("a fault"), { code });
      expect(() => refusalOf(fault, "none.db"), String(code)).to.throw(fault);
    }
  });
});
