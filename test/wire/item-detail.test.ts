import { expect } from "chai";
import { document } from "../../scripts/contract/answers.ts";
import { at } from "../../src/review/schema-path.ts";
import { shareMax } from "../../src/wire/item-detail.ts";

describe("the detail of an item", () => {
  it("a detail names as many items of the same name as the contract allows", () => {
    const path = ["components", "schemas", "ItemDetail", "properties", "shares_name_with", "maxItems"];
    expect(shareMax).to.equal(at(document, path));
  });
});
