import { expect } from "chai";
import fc from "fast-check";
import { MalformedBytes, VarintReader, VarintWriter } from "../../../src/store/codec/varint.ts";

const largest = Number.MAX_SAFE_INTEGER;

describe("numbers as varints", () => {
  it("numbers have the bytes that stored files have, seven bits each with the lowest first", () => {
    const ofUnsigned = (value: number) => written((writer) => writer.unsigned(value));
    const ofSigned = (value: number, flags: number) => written((writer) => writer.signed(value, flags));
    expect([0, 127, 128, 300, 16_384].map(ofUnsigned)).to.deep.equal(["00", "7f", "8001", "ac02", "808001"]);
    expect(ofUnsigned(largest)).to.equal("ffffffffffffff0f");
    expect([0, 1, 15, 16].map((value) => ofSigned(value, 0))).to.deep.equal(["00", "08", "78", "8001"]);
    expect([1, 2, 3].map((flags) => ofSigned(-17, flags))).to.deep.equal(["8d01", "8e01", "8f01"]);
    expect(ofSigned(-largest, 3)).to.equal("ffffffffffffff7f");
  });

  it("any numbers up to 53 bits come back, with their signs and flags, however many they are", () => {
    const number = fc.oneof(fc.nat(20), fc.nat(20_000), fc.maxSafeNat(), fc.constant(largest));
    const record = fc.record({ value: number, isNegative: fc.boolean(), flags: fc.nat(3) });
    fc.assert(
      fc.property(fc.array(record, { maxLength: 200 }), (records) => {
        const writer = new VarintWriter();
        for (const { value, isNegative, flags } of records) {
          writer.unsigned(value);
          writer.signed(isNegative ? -value : value, flags);
        }
        const reader = new VarintReader(writer.content(), 0);
        for (const { value, isNegative, flags } of records) {
          expect(reader.isAtEnd).to.equal(false);
          expect(reader.unsigned()).to.equal(value);
          expect(reader.signed() + 0).to.equal((isNegative ? -value : value) + 0);
          expect(reader.flags).to.equal(flags);
        }
        expect(reader.isAtEnd).to.equal(true);
      }),
      { numRuns: 40 },
    );
  });

  it("bytes stay as they were written wherever the buffer has to grow", () => {
    for (let length = 240; length <= 260; length += 1) {
      const writer = new VarintWriter();
      for (let index = 0; index < length; index += 1) writer.byte(index % 251);
      writer.signed(-largest, 1);
      writer.unsigned(largest);
      for (let index = 0; index < 800; index += 1) writer.byte(7);
      const reader = new VarintReader(writer.content(), 0);
      expect(Array.from(reader.take(length))).to.deep.equal(Array.from({ length }, (_, index) => index % 251));
      expect([reader.signed(), reader.flags, reader.unsigned()]).to.deep.equal([-largest, 1, largest]);
      expect(reader.take(800).every((byte) => byte === 7)).to.equal(true);
      expect(reader.isAtEnd).to.equal(true);
    }
  });

  it("a writer that was cleared begins anew", () => {
    const writer = new VarintWriter();
    writer.unsigned(300);
    writer.clear();
    writer.byte(9);
    expect(writer.content().toString("hex")).to.equal("09");
  });

  it("a number beyond 53 bits and bytes that end early are refused as malformed", () => {
    const reader = (hex: string) => new VarintReader(Buffer.from(hex, "hex"), 0);
    const refusal = (hex: string, read: (one: VarintReader) => unknown) =>
      expect(() => read(reader(hex)), hex).to.throw(MalformedBytes);
    expect(reader("ffffffffffffff0f").unsigned()).to.equal(largest);
    for (const hex of ["8080808080808010", "ffffffffffffff1f", "808080808080808000"])
      refusal(hex, (one) => one.unsigned()).with.property("message", "a number does not fit into 53 bits");
    expect(reader("faffffffffffff7f").signed()).to.equal(largest);
    refusal("80808080808080808001", (one) => one.signed());
    const isCutOff = "the bytes end in the middle of a record";
    for (const hex of ["", "80", "ff80"]) refusal(hex, (one) => one.unsigned()).with.property("message", isCutOff);
    refusal("", (one) => one.byte()).with.property("message", isCutOff);
    refusal("0102", (one) => one.take(3)).with.property("message", isCutOff);
    expect(Array.from(reader("0102").take(2))).to.deep.equal([1, 2]);
  });

  it("a reader begins where it is told to", () => {
    const reader = new VarintReader(Buffer.of(1, 2, 3), 2);
    expect([reader.isAtEnd, reader.byte(), reader.isAtEnd]).to.deep.equal([false, 3, true]);
  });
});

function written(write: (writer: VarintWriter) => void): string {
  const writer = new VarintWriter();
  write(writer);
  return writer.content().toString("hex");
}
