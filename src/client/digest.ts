import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { ExportError, ItemtapeError, TransportError } from "./errors.ts";
import type { Answer, SnapshotItem, SnapshotStart, VerifiedDigest } from "./types.ts";

/**
 * Computes the digest of the canonical price part: one line with `item_id`, `asks` and `bids` per available item, in the export's order.
 */
export class PriceDigest {
  readonly #hash = createHash("sha256");
  #items = 0;
  #bytes = 0;

  add({ item_id, availability, asks, bids }: SnapshotItem): void {
    if (availability !== "available") return;
    const line = `${JSON.stringify({ item_id, asks, bids })}\n`;
    this.#hash.update(line);
    this.#items += 1;
    this.#bytes += Buffer.byteLength(line);
  }

  /** Returns the digest. Call it once. */
  result(): VerifiedDigest {
    return { digest: this.#hash.digest("hex"), items: this.#items, bytes: this.#bytes };
  }
}

/**
 * Returns both digests of a market from its items in ascending id. The identity part has one line with `item_id`, name, phase and
 * availability per item.
 */
export function digestsOf(items: Iterable<SnapshotItem>): { digest: string; identityDigest: string } {
  const prices = new PriceDigest();
  const identity = createHash("sha256");
  for (const item of items) {
    prices.add(item);
    const { item_id, market_hash_name, phase, availability } = item;
    identity.update(`${JSON.stringify({ item_id, market_hash_name, phase, availability })}\n`);
  }
  return { digest: prices.result().digest, identityDigest: identity.digest("hex") };
}

/**
 * Compares the digest of an export with the published digest of its generation, from `read`.
 * @throws {ExportError} `digest` if they differ; `unconfirmed` if the digest cannot be read, with `hint` in the message.
 */
export async function confirmDigest(
  { generation, ingested_at, request_id: requestId }: SnapshotStart,
  own: VerifiedDigest,
  read: () => Promise<Answer<"getGeneration">>,
  hint = "",
): Promise<VerifiedDigest> {
  const differs = (why: string, cause?: unknown) =>
    new ExportError("digest", `the export of ${generation} differs from the published one: ${why}`, {
      requestId,
      cause,
    });
  const { data } = await read().catch((cause: unknown) => {
    if (cause instanceof ItemtapeError && cause.status === 404) throw differs("the server has no digest of it", cause);
    if (!(cause instanceof ItemtapeError || cause instanceof TransportError)) throw cause;
    const message = `the export of ${generation} is complete, but its digest could not be requested${hint}`;
    throw new ExportError("unconfirmed", message, { requestId, cause });
  });
  const answer: Readonly<Record<string, unknown>> = { ...data };
  for (const [name, value] of Object.entries({ ...own, generation, ingested_at })) {
    if (answer[name] !== value) throw differs(`its \`${name}\` differs from ${value}`);
  }
  return own;
}
