import { createHash } from "node:crypto";
import type { SnapshotItem, VerifiedDigest } from "./types.ts";

/** The digest of the canonical price part: one line of `item_id`, `asks`, `bids` for each available item, in the export's order. */
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

  /** Once. */
  result(): VerifiedDigest {
    return { digest: this.#hash.digest("hex"), items: this.#items, bytes: this.#bytes };
  }
}
