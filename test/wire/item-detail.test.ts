import { expect } from "chai";
import { document } from "../../scripts/contract/answers.ts";
import { at } from "../../src/review/schema-path.ts";
import { shareMax } from "../../src/wire/item-detail.ts";

describe("item detail", () => {
  it("names at most the contract's number of items with its name", () => {
    const path = ["components", "schemas", "ItemDetail", "properties", "shares_name_with", "maxItems"];
    expect(shareMax).to.equal(at(document, path));
  });
});
