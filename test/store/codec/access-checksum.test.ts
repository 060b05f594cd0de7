import { expect } from "chai";
import { accessRowChecksum, addChecksum, unitChecksum } from "../../../src/store/codec/access-checksum.ts";

const unit = { requestId: "req_1", accountId: "acc_1", keyId: "key_1", operation: "getItem", month: "2026-01", at: 1 };

describe("checksums of access rows", () => {
  it("a checksum of a row tells texts, numbers, null and bytes apart, and stays what it was", () => {
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

  it("a checksum of a unit depends on each of its columns", () => {
    const others = [
      { requestId: "req_2" },
      { accountId: "acc_2" },
      { keyId: "key_2" },
      { operation: "getUsage" },
      { month: "2026-02" },
      { at: 2 },
    ];
    const sums = [unit, ...others.map((other) => ({ ...unit, ...other }))].map(unitChecksum);
    expect(new Set(sums).size).to.equal(others.length + 1);
  });

  it("a sum of checksums stays below 2^32, whatever the order", () => {
    expect(addChecksum(0xffff_ffff, 2)).to.equal(1);
    expect(addChecksum(0x8000_0000, 0x7fff_ffff)).to.equal(0xffff_ffff);
    expect(addChecksum(addChecksum(3_000_000_000, 2_000_000_000), 5)).to.equal(
      addChecksum(5, addChecksum(2_000_000_000, 3_000_000_000)),
    );
  });
});
