import { expect } from "chai";
import { readFeed } from "../../../src/import/quotes/adapters.ts";
import { readerLimits } from "../../../src/jobs/mirror/body-reader.ts";
import { PackedReading, type ReadPiece } from "../../../src/jobs/mirror/packed-reading.ts";
import { readBody } from "../../../src/jobs/mirror/read-body.ts";
import { worldAt } from "../../import/quotes/quote-world.ts";
import { canonicalBody } from "./mirror-world.ts";

const secret = "hush-hush-7f3a9c0e1b";
const secrets = { headers: { authorization: secret }, query: {} };

async function* inChunks(body: Buffer, bytes: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < body.length; at += bytes) yield body.subarray(at, at + bytes);
}

async function read(text: string, chunkBytes: number) {
  const { wholeBytesMax, pricesMax, addressCharsMax } = readerLimits;
  const bounds = { wholeBytesMax, pricesMax, addressCharsMax };
  const order = {
    name: "b",
    adapter: "canonical",
    packing: null,
    bytesMax: 1e6,
    at: worldAt,
    bounds,
    secrets,
  } as const;
  const pieces: ReadPiece[] = [];
  const reply = await readBody(
    order,
    inChunks(Buffer.from(text), chunkBytes),
    async (piece) => void pieces.push(piece),
  );
  return { reply, reading: "refusal" in reply ? null : new PackedReading(pieces, reply.end).open() };
}

describe("reading a body while it comes", () => {
  const body = canonicalBody("shop", "shop", {
    ...Object.fromEntries(Array.from({ length: 1500 }, (_, index) => [`★ Item ${index}`, 100 + index])),
    "Not a price": 0,
  });

  it("a canonical body says the same in chunks of any size, and in more than one piece, as it says as a whole", async () => {
    const whole = readFeed("canonical", { name: "b", bytes: Buffer.from(body) }, worldAt);
    for (const chunkBytes of [1, 7, 4096, body.length * 2]) {
      const { reading } = await read(body, chunkBytes);
      expect(reading?.observations.length).to.equal(1500);
      expect([...reading!.observations]).to.deep.equal(whole.observations);
      expect([...reading!.references]).to.deep.equal(whole.references);
      expect(reading?.refusals.list()).to.deep.equal(whole.refusals.list());
      expect(reading?.facts).to.deep.equal(whole.facts);
    }
  });

  it("a body that is cut off or broken in a late line is refused by the name that it is refused by as a whole", async () => {
    for (const broken of [body.slice(0, -30), `${body}more`, body.replace("Item 1499", 'Item "1499'), ""]) {
      const refusals = await Promise.all([1, 100, 1e6].map(async (bytes) => (await read(broken, bytes)).reply));
      expect(new Set(refusals.map((reply) => JSON.stringify(reply))).size).to.equal(1);
      expect(JSON.stringify(refusals[0])).to.match(/refused as a whole|the body is empty/);
    }
  });

  it("a body that says a secret back is refused also where the secret lies in several chunks", async () => {
    const echo = canonicalBody("shop", "shop", { [`Item ${secret}`]: 100 });
    for (const chunkBytes of [1, 5, 64, 1000]) {
      expect((await read(echo, chunkBytes)).reply).to.deep.equal({
        refusal: "the body holds a secret that the source was sent; nothing of it is kept",
      });
    }
  });
});
