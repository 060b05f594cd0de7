import { deepStrictEqual } from "node:assert/strict";
import { expect } from "chai";
import { type AdapterName, readFeed } from "../../../src/import/quotes/adapters.ts";
import { readerLimits } from "../../../src/jobs/mirror/body/body-reader.ts";
import { CompressedReading, type ReadChunk } from "../../../src/jobs/mirror/body/compressed-reading.ts";
import { readBody } from "../../../src/jobs/mirror/body/read-body.ts";
import { worldAt } from "../../import/quotes/quote-world.ts";
import { bySize } from "../../support/size.ts";
import { canonicalBody } from "./mirror-world.ts";

/** Number of bytes of a body that arrives byte by byte, one per turn of the event loop. */
const few = bySize({ short: 150, long: 1500 });
const secret = "hush-hush-7f3a9c0e1b";
const secrets = { headers: { authorization: secret }, query: {} };

async function* inChunks(body: Buffer, bytes: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < body.length; at += bytes) yield body.subarray(at, at + bytes);
}

async function read(text: string, chunkBytes: number, adapter: AdapterName = "canonical") {
  const { wholeBytesMax, pricesMax, addressCharsMax } = readerLimits;
  const bounds = { wholeBytesMax, pricesMax, addressCharsMax };
  const order = { name: "b", adapter, contentEncoding: null, bytesMax: 1e6, at: worldAt, bounds, secrets } as const;
  const chunks: ReadChunk[] = [];
  const reply = await readBody(
    order,
    inChunks(Buffer.from(text), chunkBytes),
    async (chunk) => void chunks.push(chunk),
  );
  return { reply, reading: "refusal" in reply ? null : new CompressedReading(chunks, reply.end).open() };
}

describe("incremental body reading", () => {
  const bodyOf = (items: number) =>
    canonicalBody("shop", "shop", {
      ...Object.fromEntries(Array.from({ length: items }, (_, index) => [`★ Item ${index}`, 100 + index])),
      "Not a price": 0,
    });

  it("reads a canonical body in chunks of any size as in one", async () => {
    for (const [items, chunkBytes] of [
      [few, 1],
      [few, 7],
      [1500, 97],
      [1500, 4096],
      [1500, 1e6],
    ] as const) {
      const body = bodyOf(items);
      const whole = readFeed("canonical", { name: "b", bytes: Buffer.from(body) }, worldAt);
      const { reading } = await read(body, chunkBytes);
      expect(reading?.observations.length).to.equal(items);
      // Of many objects it is done in a fraction of the time.
      deepStrictEqual([...reading!.observations], whole.observations);
      deepStrictEqual([...reading!.references], [...whole.references]);
      expect(reading?.refusals.list()).to.deep.equal(whole.refusals.list());
      expect(reading?.facts).to.deep.equal(whole.facts);
    }
  });

  it("reads or rejects a Steam body in chunks as in one", async () => {
    const prices = Array.from({ length: 3000 }, (_, index) => `"★ Item ${index}":${index % 5 === 0 ? "1.5" : index}`);
    const [metadata, object] = [
      `"metadata":{"updated_at":"2026-01-01T00:00:00Z","currency":"USD"}`,
      `{${prices.join()}}`,
    ];
    for (const members of [
      [metadata, `"prices":${object}`],
      [`"prices":${object}`, metadata],
    ]) {
      const text = `{${members.join()}}`;
      const whole = readFeed("steam", { name: "b", bytes: Buffer.from(text) }, worldAt);
      const { reading } = await read(text, 1000, "steam");
      expect(reading?.observations.length).to.equal(2400);
      deepStrictEqual([...reading!.observations], whole.observations);
      deepStrictEqual([...reading!.references], [...whole.references]);
      expect(reading?.refusals.list()).to.deep.equal(whole.refusals.list());
      expect(reading).to.deep.include({ facts: whole.facts, savedAt: whole.savedAt, isUnfinished: false });
    }
    for (const [text, reason] of [
      [`{${metadata},"prices":[1]}`, /must be objects/],
      [`{${metadata},"prices":{${prices.join()},"★ Item 7":7}}`, /a key appears twice in one object/],
      [`{${metadata},"prices":${object},"prices":{}}`, /a key appears twice in one object/],
      [`{${metadata.replace("USD", "EUR")},"prices":${object}}`, /is EUR; only USD is accepted/],
      [`{${metadata},"prices":{${prices.join()}`, /the text ends too early/],
    ] as const)
      expect((await read(text, 1000, "steam")).reply, text.slice(0, 99))
        .to.have.property("refusal")
        .that.matches(reason);
  });

  it("rejects a truncated or broken body with the same name in chunks", async () => {
    const body = bodyOf(150);
    for (const broken of [body.slice(0, -30), `${body}more`, body.replace("Item 149", 'Item "149'), ""]) {
      const refusals = await Promise.all([1, 100, 1e6].map(async (bytes) => (await read(broken, bytes)).reply));
      expect(new Set(refusals.map((reply) => JSON.stringify(reply))).size).to.equal(1);
      expect(JSON.stringify(refusals[0])).to.match(/the whole file was refused|the body is empty/);
    }
  });

  it("rejects a body that repeats a secret across several chunks", async () => {
    const echo = canonicalBody("shop", "shop", { [`Item ${secret}`]: 100 });
    for (const chunkBytes of [1, 5, 64, 1000]) {
      expect((await read(echo, chunkBytes)).reply).to.deep.equal({
        refusal: "the body contains a secret of the request and was discarded",
      });
    }
  });
});
