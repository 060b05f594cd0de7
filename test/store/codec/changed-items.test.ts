import { expect } from "chai";
import fc from "fast-check";
import { type ChangedItem, decodeChangedItems, encodeChangedItems } from "../../../src/store/codec/changed-items.ts";
import { MalformedBytes } from "../../../src/store/codec/varint.ts";

describe("encoded changed items", () => {
  it("have the bytes of stored files", () => {
    const items = [of(3, true, 300), of(4, false, 0), of(200, false, 17)];
    expect(encodeChangedItems(items).toString("hex")).to.equal("0007ac020200880311");
    expect(encodeChangedItems([]).toString("hex")).to.equal("00");
  });

  it("are decoded in order, for any count", () => {
    const items = fc
      .uniqueArray(fc.record({ itemId: fc.integer({ min: 1, max: 2 ** 40 }), isNew: fc.boolean(), bytes: fc.nat() }), {
        selector: ({ itemId }) => itemId,
        maxLength: 60,
      })
      .map((some) => some.toSorted((a, b) => a.itemId - b.itemId));
    fc.assert(
      fc.property(items, (given) => void expect(decoded(encodeChangedItems(given))).to.deep.equal(given)),
      { numRuns: 50 },
    );
  });

  it("are rejected as malformed in another form or with damaged data", () => {
    expect(() => decoded(Buffer.of(2, 0))).to.throw(MalformedBytes, "unknown form 2");
    expect(() => decoded(Buffer.of())).to.throw(MalformedBytes, "unknown form");
    expect(() => decoded(Buffer.of(1, 0xff, 0xff))).to.throw(MalformedBytes, "cannot be inflated");
    expect(() => decoded(Buffer.of(0, 7))).to.throw(MalformedBytes);
  });
});

function of(itemId: number, isNew: boolean, bytes: number): ChangedItem {
  return { itemId, isNew, bytes };
}

function decoded(encoded: Buffer): ChangedItem[] {
  const items: ChangedItem[] = [];
  decodeChangedItems(encoded, (itemId, isNew, bytes) => void items.push({ itemId, isNew, bytes }));
  return items;
}
