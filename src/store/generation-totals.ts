import { createHash } from "node:crypto";

/** `bytes` are those of the encoded quotes. `digest`: SHA-256 over one JSON line {item_id, asks, bids} per item. */
export type Totals = { items: number; bytes: number; digest: Buffer };

/** What the digest and the totals of a generation are, over its rows in ascending item id. */
export function totalsOf(rows: Iterable<{ itemId: number; quotes: string }>): Totals {
  const hash = createHash("sha256");
  let items = 0;
  let bytes = 0;
  for (const { itemId, quotes } of rows) {
    hash.update(`{"item_id":${itemId},${quotes}}\n`);
    items += 1;
    bytes += Buffer.byteLength(quotes);
  }
  return { items, bytes, digest: hash.digest() };
}
