import { existsSync, readFileSync } from "node:fs";
import { digestsOf } from "../../client/digest.ts";
import { ExportVerifier } from "../../client/export-verifier.ts";
import { ExportError, type Market, type SnapshotItem } from "../../client/index.ts";
import { FileSink } from "../export/file-sink.ts";
import { PartFile } from "../export/part-file.ts";
import { CopyFile, changedMeanwhile, damaged, foreign, type StoredMarket } from "./copy-file.ts";

const lineFeed = 0x0a;
const headPattern = /^\{"type":"start","request_id":"req_/;
const headBytes = 40;
const tailPattern =
  /^(\{"type":"end",.*?),"digest":"([0-9a-f]{64})","identity_digest":"([0-9a-f]{64})"(?:,"base_url":"([^"\\]+)")?\}\n$/;
/** More bytes than the last line of a copy has. */
const tailBytesMax = 8192;

/**
 * The lines of an export. Its `end` also has `digest`, `identity_digest` and `base_url`. Each state is a new file that replaces the
 * previous one.
 */
export class NdjsonCopy extends CopyFile {
  read(): StoredMarket | null {
    if (!existsSync(this.path)) return null;
    const bytes = readFileSync(this.path);
    if (!headPattern.test(bytes.toString("latin1", 0, headBytes))) throw foreign(this.path, "it has no start record");
    const tail = tailOf(bytes);
    if (tail === null) {
      const last = bytes.toString("utf8", Math.max(0, bytes.length - tailBytesMax));
      // This is the end of a file written by `itemtape export`.
      if (/\{"type":"end",[^{}]*\}\n$/.test(last)) throw foreign(this.path, "its end has no digests");
      throw damaged(this.path, /\n\s*\n$/.test(last) ? "its last line is blank" : "it has no end record");
    }
    return this.#held(bytes.subarray(0, tail.from), tail);
  }

  write(market: Market, stored: StoredMarket | null): string | null {
    // A file that another process created meanwhile is never replaced.
    const part = new PartFile(this.path, { mayReplace: stored !== null || this.mayReplace });
    try {
      const sink = new FileSink(part.path);
      try {
        for (const line of linesOf(market)) sink.append(line);
        sink.finish();
      } finally {
        sink.abandon();
      }
      if (stored !== null && !this.#stillHolds(stored)) throw changedMeanwhile(this.path);
      return part.publish();
    } finally {
      part.remove();
    }
  }

  #held(body: Buffer, { end, digest, identityDigest, baseUrl }: Tail): StoredMarket {
    const verifier = new ExportVerifier(this.path, null);
    const items = new Map<number, SnapshotItem>();
    try {
      for (const record of [...verifier.take(body), ...verifier.take(Buffer.from(end))]) {
        if (record.type === "item") items.set(record.data.item_id, record.data);
      }
      const { generation } = verifier.finish();
      const own = digestsOf(items.values());
      if (own.digest === digest && own.identityDigest === identityDigest) return { generation, items, baseUrl, ...own };
    } catch (error) {
      if (error instanceof ExportError) throw damaged(this.path, error.message);
      throw error;
    }
    throw damaged(this.path, "the digests of its items and its end differ");
  }

  #stillHolds(stored: StoredMarket): boolean {
    if (!existsSync(this.path)) return false;
    const tail = tailOf(readFileSync(this.path));
    return tail !== null && tail.digest === stored.digest && tail.identityDigest === stored.identityDigest;
  }
}

/** The last line: its offset, its text as an export's `end`, and its additional fields. */
type Tail = {
  readonly from: number;
  readonly end: string;
  readonly digest: string;
  readonly identityDigest: string;
  readonly baseUrl: string | null;
};

function tailOf(bytes: Buffer): Tail | null {
  const from = bytes.lastIndexOf(lineFeed, bytes.length - 2) + 1;
  if (bytes.length - from > tailBytesMax) return null;
  const [, head, digest = "", identityDigest = "", baseUrl = null] =
    tailPattern.exec(bytes.toString("utf8", from)) ?? [];
  return head === undefined ? null : { from, end: `${head}}\n`, digest, identityDigest, baseUrl };
}

function* linesOf(market: Market): Generator<string, void, undefined> {
  const { generation, generatedAt, ingestedAt, requestId, digest, identityDigest, baseUrl, items } = market;
  const line = (value: object) => `${JSON.stringify(value)}\n`;
  yield line({
    type: "start",
    request_id: requestId,
    generation,
    generated_at: generatedAt,
    ingested_at: ingestedAt,
    price_as_of: null,
    consistency: "single_price_generation",
    catalog_max_item_id: maxItemIdOf(market),
  });
  for (const data of items.values()) yield line({ type: "item", data });
  yield line({
    type: "end",
    request_id: requestId,
    generation,
    items: items.size,
    digest,
    identity_digest: identityDigest,
    base_url: baseUrl,
  });
}

/** Returns the largest item id of a market, 0 without items. */
export function maxItemIdOf({ items }: Pick<Market, "items">): number {
  let last = 0;
  for (const itemId of items.keys()) last = itemId;
  return last;
}
