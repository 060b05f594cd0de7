import { expect } from "chai";
import fc from "fast-check";
import {
  decodeFrameNames,
  encodeFrameNames,
  type HourNames,
  hasValidNamesChecksum,
  hoursOfName,
} from "../../../src/store/codec/frame-names.ts";
import { MalformedBytes } from "../../../src/store/codec/varint.ts";

const key = { day: 20_000, feed: "alpha" };

/** Hours of a day, each with some names of a small set or with large ids. */
const days = fc.uniqueArray(fc.integer({ min: 0, max: 23 }), { maxLength: 24 }).chain((hours) =>
  fc.tuple(
    ...hours
      .toSorted((a, b) => a - b)
      .map((hour) =>
        fc
          .uniqueArray(fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 2 ** 31 })), {
            maxLength: 9,
          })
          .map((nameIds): HourNames => ({ hour, nameIds: nameIds.toSorted((a, b) => a - b) })),
      ),
  ),
);

describe("encoded refused names", () => {
  it("restore any day of names, each with its hours", () => {
    fc.assert(
      fc.property(days, (hours) => {
        const bytes = encodeFrameNames(key, hours);
        expect(decodeFrameNames(bytes)).to.deep.equal(hours);
        for (const nameId of new Set(hours.flatMap(({ nameIds }) => nameIds))) {
          const bits = hours.reduce((sum, one) => (one.nameIds.includes(nameId) ? sum | (1 << one.hour) : sum), 0);
          expect(hoursOfName(bytes, nameId)).to.equal(bits);
        }
        expect(hoursOfName(bytes, 2 ** 40)).to.equal(0);
      }),
    );
  });

  it("have the bytes of stored files, and decode them", () => {
    const hours = [
      { hour: 0, nameIds: [1, 2, 300] },
      { hour: 5, nameIds: [] },
      { hour: 7, nameIds: [2, 300, 301] },
      { hour: 23, nameIds: [2, 5, 301] },
    ];
    const hex = "a54893a00000030101aa0205030101aa020007000302aa02011701ac020105";
    expect(encodeFrameNames(key, hours).toString("hex")).to.equal(hex);
    expect(decodeFrameNames(Buffer.from(hex, "hex"))).to.deep.equal(hours);
    expect([1, 2, 5, 300].map((id) => hoursOfName(Buffer.from(hex, "hex"), id))).to.deep.equal([
      1,
      1 | (1 << 7) | (1 << 23),
      1 << 23,
      1 | (1 << 7),
    ]);
  });

  it("are rejected with a flipped bit, another day or another feed", () => {
    const bytes = encodeFrameNames(key, [
      { hour: 3, nameIds: [1, 2, 900] },
      { hour: 4, nameIds: [2] },
    ]);
    expect(hasValidNamesChecksum(key, bytes)).to.equal(true);
    expect(hasValidNamesChecksum({ ...key, day: 20_001 }, bytes)).to.equal(false);
    expect(hasValidNamesChecksum({ ...key, feed: "beta" }, bytes)).to.equal(false);
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      expect(hasValidNamesChecksum(key, flipped), `bit ${bit}`).to.equal(false);
    }
  });

  it("are decoded or rejected as malformed after any mutation", () => {
    const sound = encodeFrameNames(key, [
      { hour: 0, nameIds: [5, 6, 7, 300] },
      { hour: 9, nameIds: [6, 8] },
    ]);
    fc.assert(
      fc.property(fc.nat(sound.length - 1), fc.integer({ min: 0, max: 255 }), fc.nat(sound.length), (at, byte, end) => {
        const bytes = Buffer.from(sound.subarray(0, Math.max(end, at + 1)));
        bytes[at] = byte;
        try {
          decodeFrameNames(bytes);
        } catch (error) {
          expect(error).to.be.instanceOf(MalformedBytes);
        }
      }),
    );
  });
});
