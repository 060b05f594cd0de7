import { expect } from "chai";
import { groupsByNames } from "../../../src/import/catalog/catalog-import.ts";

describe("groups of items by their names", () => {
  const groups = (...items: string[]) => groupsByNames(items, (names) => names.split(""));

  it("groups of items by their names put together what has a name in common, over any number of items between", () => {
    expect(groups("a", "b", "c")).to.deep.equal([["a"], ["b"], ["c"]]);
    expect(groups("a", "b", "a")).to.deep.equal([["a", "a"], ["b"]]);
    expect(groups("ab", "c", "de", "bd")).to.deep.equal([["ab", "de", "bd"], ["c"]]);
    expect(groups("ab", "cd", "ef", "ac", "e", "f", "bd")).to.deep.equal([
      ["ab", "cd", "ac", "bd"],
      ["ef", "e", "f"],
    ]);
  });

  it("groups of items by their names hold every item once", () => {
    const items = Array.from({ length: 200 }, (_, index) => `${index % 70},${(index * 7) % 90}`);
    const split = groupsByNames(items, (names) => names.split(","));
    expect(split.flat().sort()).to.deep.equal(items.toSorted());
    const owners = split.map((group) => new Set(group.flatMap((names) => names.split(","))));
    expect(owners.reduce((sum, { size }) => sum + size, 0)).to.equal(new Set(items.join(",").split(",")).size);
  });
});
