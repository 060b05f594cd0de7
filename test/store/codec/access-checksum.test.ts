import { expect } from "chai";
import { accessRowChecksum } from "../../../src/store/codec/access-checksum.ts";

describe("checksums of access rows", () => {
  it("distinguish text, numbers, null and bytes, and remain stable", () => {
    const rows = [
      ["a", 1],
      ["a", "1"],
      ["a", null],
      ["a", Buffer.from([1])],
      ["a", Buffer.from([2])],
      [1, "a"],
    ];
    expect(new Set(rows.map(accessRowChecksum)).size).to.equal(rows.length);
    expect(accessRowChecksum(["a", Buffer.from([0xab, 1])])).to.equal(accessRowChecksum(["a", "ab01"]));
  });
});
