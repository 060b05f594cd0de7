import { constants, crc32, createGunzip, deflateRawSync, gunzipSync } from "node:zlib";
import { expect } from "chai";
import fc from "fast-check";
import {
  combineCrc32,
  type DeflatedBlock,
  deflateBlock,
  GzipMember,
  inflateBlock,
} from "../../src/values/gzip-blocks.ts";

describe("separately compressed gzip blocks", () => {
  const memberOf = (blocks: readonly DeflatedBlock[], together = 1) => {
    const gzip = new GzipMember();
    const parts: Buffer[] = [];
    for (let first = 0; first < blocks.length; first += together)
      parts.push(gzip.add(blocks.slice(first, first + together)));
    return Buffer.concat([...parts, gzip.end()]);
  };
  const runs = fc.array(fc.uint8Array({ maxLength: 1200 }), { maxLength: 8 });

  it("combine checksums of two byte runs of any length", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5000 }), fc.nat(5000), (bytes, at) => {
        const split = Math.min(at, bytes.length);
        const [first, second] = [bytes.subarray(0, split), bytes.subarray(split)];
        const of = (run: Uint8Array) => (run.length === 0 ? 0 : crc32(run));
        return combineCrc32(of(first), of(second), second.length) === of(bytes);
      }),
      { numRuns: 300 },
    );
    const [one, large] = [Buffer.from("start"), Buffer.alloc(3_000_001, "itemtape")];
    expect(combineCrc32(crc32(one), crc32(large), large.length)).to.equal(crc32(large, crc32(one)));
  });

  it("form one gzip member with a valid checksum in any order", () => {
    fc.assert(
      fc.property(runs, fc.integer({ min: 1, max: 4 }), (pages, together) => {
        const plain = pages.map((page) => Buffer.from(page));
        const blocks = plain.map(deflateBlock);
        const forward = gunzipSync(memberOf(blocks, together)).equals(Buffer.concat(plain));
        return forward && gunzipSync(memberOf(blocks.toReversed())).equals(Buffer.concat(plain.toReversed()));
      }),
      { numRuns: 200 },
    );
    expect(gunzipSync(memberOf([]))).to.have.length(0);
    const whole = memberOf([deflateBlock(Buffer.from("one\n"))]);
    whole[whole.length - 5]! ^= 1;
    expect(() => gunzipSync(whole)).to.throw(/incorrect data check/);
  });

  it("are decodable to their end as soon as they are sent", async () => {
    const gzip = new GzipMember();
    const decoder = createGunzip();
    for (let page = 0; page < 20; page += 1) {
      const lines = Buffer.from(`${JSON.stringify({ page, same: "again and again" })}\n`.repeat(page + 1));
      const decoded = new Promise<Buffer>((arrived) => decoder.once("data", arrived));
      decoder.write(gzip.add([deflateBlock(lines)]));
      expect((await decoded).equals(lines)).to.equal(true);
    }
    decoder.destroy();
  });

  it("form a valid stream from incompressible half-megabyte blocks", () => {
    const noise = Buffer.alloc(524_288);
    for (let index = 0, seed = 7; index < noise.length; index += 1) {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      noise[index] = seed >> 16;
    }
    const block = deflateBlock(noise);
    expect(gunzipSync(memberOf([block, block])).equals(Buffer.concat([noise, noise]))).to.equal(true);
    expect(inflateBlock(block).equals(noise)).to.equal(true);
  });

  it("leave records up to half a kilobyte uncompressed", () => {
    const record = Buffer.alloc(512, "start");
    expect(deflateBlock(record).deflated.subarray(-record.length).equals(record)).to.equal(true);
    expect(deflateBlock(Buffer.alloc(513, "start")).deflated.length).to.be.lessThan(100);
  });

  it("are rejected if final, truncated or of another length", () => {
    const plain = Buffer.from("the lines of a page\n".repeat(90));
    const block = deflateBlock(plain);
    const last = deflateRawSync(plain, { level: 1, finishFlush: constants.Z_FINISH });
    for (const wrong of [
      { ...block, deflated: last },
      { ...block, deflated: block.deflated.subarray(0, -6) },
      { ...block, bytes: plain.length - 1 },
      { ...block, bytes: plain.length + 1 },
    ]) {
      expect(() => inflateBlock(wrong)).to.throw();
    }
  });
});
