import { createHash } from "node:crypto";
import { type FeedAdapter, readFeed } from "../../import/quotes/adapters.ts";
import { OperatorError } from "../../values/operator-error.ts";
import { packReading } from "./packed-reading.ts";
import { type Packing, SourceFailure } from "./source.ts";
import { holdsSecret, type SourceSecrets } from "./source-secrets.ts";
import { unpackBody } from "./unpack.ts";

/** What to read a body by. `name` stands in messages, `at`, UTC ms, bounds the times in it. */
export type ReadOrder = {
  name: string;
  adapter: FeedAdapter;
  packing: Packing | null;
  /** Largest body, packed and unpacked. */
  bytesMax: number;
  at: number;
  /** Maximum number of prices and of items without one. */
  pricesMax: number;
  /** What the source was sent, and a body may not say back. */
  secrets: SourceSecrets | null;
};

/** What was read of a body, packed, with the SHA-256 and the number of its unpacked bytes; or why it is refused. */
export type ReadReply = { digest: string; bytes: number; reading: Uint8Array } | { refusal: string };

/** Reason of a body that says back what its source was sent. */
export const secretSaidBack = "the body holds a secret that the source was sent; nothing of it is kept";

/** Unpacks and reads a body. Whatever is wrong with it is the reply. */
export async function readBody(order: ReadOrder, chunks: AsyncIterable<Buffer>): Promise<ReadReply> {
  try {
    const bounds = { bytesMax: order.bytesMax, signal: new AbortController().signal };
    const bytes = await unpackBody(chunks, order.packing, bounds);
    if (holdsSecret(bytes, order.secrets)) return { refusal: secretSaidBack };
    const digest = createHash("sha256").update(bytes).digest("hex");
    const reading = readFeed(order.adapter, { name: order.name, bytes }, order.at);
    const prices = reading.observations.length + reading.references.length;
    if (prices > order.pricesMax) {
      const fix = "a mirror beside a server takes no more, `itemtape mirror` by itself does";
      return { refusal: `the body has ${prices} prices, more than ${order.pricesMax}; ${fix}` };
    }
    return { digest, bytes: bytes.length, reading: packReading(reading) };
  } catch (error) {
    if (error instanceof SourceFailure || error instanceof OperatorError) return { refusal: error.message };
    return { refusal: `unexpected: ${(error as Error).message}` };
  }
}
