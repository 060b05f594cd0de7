import { expect } from "chai";
import {
  encodeExportHead,
  encodeIdentityLine,
  encodeItemRecord,
  encodeRemovedRecord,
  itemRecordBytes,
} from "../../src/wire/export-record.ts";

const head = encodeExportHead({ itemId: 7, marketHashName: '★ "Karambit"', phase: null });
const identity = { item_id: 7, market_hash_name: '★ "Karambit"', phase: null };

describe("export record", () => {
  it("is a line with item and quotes, and reports its bytes", () => {
    const quotes = '"asks":[],"bids":[{"amount":5}]';
    for (const given of [quotes, null]) {
      const record = encodeItemRecord(head, given);
      expect(Buffer.byteLength(record)).to.equal(
        itemRecordBytes(head, given === null ? null : Buffer.byteLength(given)),
      );
      expect(record.indexOf("\n")).to.equal(record.length - 1);
      const sides = given === null ? { asks: [], bids: [] } : JSON.parse(`{${given}}`);
      const data = { ...identity, availability: given === null ? "missing" : "available", ...sides };
      expect(record).to.equal(`${JSON.stringify({ type: "item", data })}\n`);
    }
  });

  it("equals the item's identity line without the quotes", () => {
    for (const isQuoted of [true, false]) {
      const data = { ...identity, availability: isQuoted ? "available" : "missing" };
      expect(encodeIdentityLine(head, isQuoted)).to.equal(`${JSON.stringify(data)}\n`);
    }
  });

  it("contains only the item if removed", () => {
    expect(encodeRemovedRecord(7)).to.equal('{"type":"removed","item_id":7}\n');
  });
});
