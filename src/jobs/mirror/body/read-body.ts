import { createHash } from "node:crypto";
import { refuseSaleMedians, saleMediansHeadBytes } from "../../../import/daily/sale-medians.ts";
import { BodyLines, type FeedFile } from "../../../import/feed-file.ts";
import { type FeedAdapter, lineReaderOf, readFeed } from "../../../import/quotes/adapters.ts";
import type {
  FeedReading,
  ItemReference,
  LineReader,
  Observation,
  ReadPrices,
} from "../../../import/quotes/observation.ts";

import { OperatorError } from "../../../values/failure/operator-error.ts";
import { collectGarbage } from "../collect-garbage.ts";
import { type ContentEncoding, SourceFailure } from "../source/source.ts";
import { SecretSearch, type SourceSecrets } from "../source/source-secrets.ts";
import { decompressedBody, fromHead, tooLarge } from "../source/unpack.ts";
import { chunkRows, packPrices, type ReadChunk, type ReadingEnd } from "./compressed-reading.ts";

/** The order to read a body. `name` is used in messages. `at` (UTC ms) limits the times in the body. */
export type ReadOrder = {
  name: string;
  adapter: FeedAdapter;
  contentEncoding: ContentEncoding | null;
  /** Maximum size of the body in bytes, both compressed and uncompressed. */
  bytesMax: number;
  at: number;
  bounds: ReadBounds;
  /** Secrets sent to the source, which must not appear in the body. */
  secrets: SourceSecrets | null;
};

export type ReadBounds = {
  /** Maximum uncompressed bytes of a body with a single JSON value. Bodies of lines have no such limit. */
  wholeBytesMax: number;
  /** Maximum number of prices and of items without a price, and of characters in all their addresses. */
  pricesMax: number;
  addressCharsMax: number;
};

/** The end of a reading with the SHA-256 and size of the uncompressed body, or the reason for a rejection. */
export type ReadReply = { digest: string; bytes: number; end: ReadingEnd } | { refusal: string };

/** Accepts the next chunk of a reading. Resolves when there is room for another one. */
type ChunkSink = (piece: ReadChunk) => Promise<void>;

/** Reason for rejecting a body that contains a secret sent to its source. */
export const secretSaidBack = "the body contains a secret of the request and was discarded";

const alone = "a mirror in a server cannot read more; run `npx itemtape mirror` by itself";

/** Decompresses and reads a body. Any error becomes a refusal in the reply; the chunks already passed to `take` are then invalid. */
export async function readBody(order: ReadOrder, chunks: AsyncIterable<Buffer>, take: ChunkSink): Promise<ReadReply> {
  try {
    const seen = new SeenBody(order.secrets);
    const bounds = { bytesMax: order.bytesMax, signal: new AbortController().signal };
    const decompressed = seen.watch(decompressedBody(chunks, order.contentEncoding, bounds));
    const chunker = new Chunker(order.bounds, take);
    const lines = lineReaderOf(order.adapter, order, order.at);
    const reading =
      lines === null
        ? await readAtOnce(order, decompressed, chunker)
        : await readByLines(order, decompressed, lines, chunker);
    await chunker.add(reading);
    await chunker.end();
    const { observations: _taken, references: _named, refusals, ...rest } = reading;
    return { ...seen.facts(), end: { ...rest, refusals: refusals.list() } };
  } catch (error) {
    if (error instanceof SourceFailure || error instanceof OperatorError) return { refusal: error.message };
    return { refusal: `unexpected: ${(error as Error).message}` };
  }
}

async function readByLines(
  { name }: ReadOrder,
  chunks: AsyncIterable<Buffer>,
  lines: LineReader,
  chunker: Chunker,
): Promise<FeedReading> {
  const body = new BodyLines(name);
  let isBegin = true;
  for await (const chunk of fromHead(chunks, saleMediansHeadBytes)) {
    if (isBegin) refuseSaleMedians({ name, bytes: chunk });
    isBegin = false;
    for (const line of body.take(chunk)) lines.take(line);
    await chunker.add(lines.takeOut());
  }
  for (const line of body.end()) lines.take(line);
  return lines.end();
}

async function readAtOnce(order: ReadOrder, chunks: AsyncIterable<Buffer>, chunker: Chunker): Promise<FeedReading> {
  const body = await fullBody(order, chunks);
  return readFeed(order.adapter, body, order.at, (prices) => chunker.put(prices));
}

/** Returns the whole body as the only reference to its bytes, so that they can be freed before the text is parsed. */
async function fullBody({ name, bytesMax, bounds }: ReadOrder, chunks: AsyncIterable<Buffer>): Promise<FeedFile> {
  const wholeMax = Math.min(bytesMax, bounds.wholeBytesMax);
  // The system only commits memory that is written.
  const whole = Buffer.allocUnsafeSlow(wholeMax);
  let bytes = 0;
  for await (const chunk of chunks) {
    if (bytes + chunk.length > wholeMax) throw new SourceFailure(`${tooLarge(wholeMax).message}; ${alone}`);
    bytes += chunk.copy(whole, bytes);
    collectGarbage();
  }
  const releaseBytes = () => {
    body.bytes = Buffer.alloc(0);
    collectGarbage();
  };
  const body: FeedFile = { name, bytes: whole.subarray(0, bytes), releaseBytes };
  return body;
}

/** Calculates facts about a body from its bytes as they arrive. */
class SeenBody {
  readonly #hash = createHash("sha256");
  readonly #search: SecretSearch;
  #bytes = 0;

  constructor(secrets: SourceSecrets | null) {
    this.#search = new SecretSearch(secrets);
  }

  async *watch(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      if (this.#search.finds(chunk)) throw new SourceFailure(secretSaidBack);
      this.#hash.update(chunk);
      this.#bytes += chunk.length;
      yield chunk;
    }
    if (this.#bytes === 0) throw new SourceFailure("the body is empty");
  }

  facts(): { digest: string; bytes: number } {
    return { digest: this.#hash.digest("hex"), bytes: this.#bytes };
  }
}

class Chunker {
  readonly #bounds: ReadBounds;
  readonly #take: ChunkSink;
  #observations: Observation[] = [];
  #references: ItemReference[] = [];
  /** Compressed chunks that were not passed on yet. */
  #compressed: ReadChunk[] = [];
  #prices = 0;
  #addressChars = 0;

  constructor(bounds: ReadBounds, take: ChunkSink) {
    this.#bounds = bounds;
    this.#take = take;
  }

  /** Collects prices and compresses each full chunk. */
  put({ observations, references }: ReadPrices): void {
    this.#prices += observations.length + references.length;
    const { pricesMax, addressCharsMax } = this.#bounds;
    if (this.#prices > pricesMax) throw new SourceFailure(`the body has more than ${pricesMax} prices; ${alone}`);
    for (const observation of observations) {
      this.#addressChars += observation.url?.length ?? 0;
      this.#observations.push(observation);
    }
    if (this.#addressChars > addressCharsMax) {
      throw new SourceFailure(
        `the addresses of the body's prices have more than ${addressCharsMax} characters; ${alone}`,
      );
    }
    for (const reference of references) this.#references.push(reference);
    if (this.#observations.length + this.#references.length >= chunkRows) this.#pack();
  }

  /** Collects prices and passes on the compressed chunks. */
  async add(prices: ReadPrices): Promise<void> {
    this.put(prices);
    await this.#giveAway();
  }

  async end(): Promise<void> {
    this.#pack();
    await this.#giveAway();
  }

  #pack(): void {
    collectGarbage();
    this.#compressed.push(...packPrices({ observations: this.#observations, references: this.#references }));
    this.#observations = [];
    this.#references = [];
  }

  async #giveAway(): Promise<void> {
    const compressed = this.#compressed;
    this.#compressed = [];
    for (const piece of compressed) await this.#take(piece);
  }
}
