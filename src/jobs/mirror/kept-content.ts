import { refusedFile } from "../../import/feed-file.ts";
import type { AcceptedFeed } from "../../import/quotes/accept-feed.ts";
import type { KeptContent, MirroredFeed } from "./mirrored-feed.ts";
import { PackedQuotes } from "./packed-quotes.ts";

// A file of its own: the writer has nothing to do with memory.

/** Maximum bytes of the contents of all feeds together. 216,594 quotes with addresses take a tenth of it. */
const keptBytesMax = 32 * 1024 * 1024;
/** Bytes that an item's id in a set, and a name beside its characters, take about. */
const perIdBytes = 32;
const perNameBytes = 96;

/** Packs what is kept of an accepted body for its publication and its frames. */
export function keptOf({ facts, items, itemsWithoutQuote, refusedNames, savedAt }: AcceptedFeed): KeptContent {
  const packed = new PackedQuotes(items);
  let bytes = packed.bytes + perIdBytes * itemsWithoutQuote.size;
  for (const { name } of refusedNames ?? []) bytes += perNameBytes + name.length;
  return { facts, items: packed, itemsWithoutQuote, refusedNames, savedAt, bytes };
}

type Newcomer = { feed: MirroredFeed; name: string; kept: KeptContent };

/**
 * Makes room for what is to be kept of a feed's new body. The feed with the largest content gives way: its published quotes stay, and its
 * next poll asks for the body again.
 * @throws {OperatorError} when the new content is the largest.
 */
export function makeRoom(
  feeds: readonly MirroredFeed[],
  { feed, name, kept }: Newcomer,
  bytesMax = keptBytesMax,
): void {
  const why = `the quotes that are kept of all feeds take more than ${bytesMax} bytes, those of this one most of all`;
  const others = feeds.filter((other) => other !== feed);
  const free = () => others.reduce((left, other) => left - other.keptBytes, bytesMax - kept.bytes);
  while (free() < 0) {
    const largest = others.reduce<MirroredFeed | null>(
      (most, other) => (other.keptBytes > (most?.keptBytes ?? kept.bytes) ? other : most),
      null,
    );
    if (largest === null) throw refusedFile(name, why);
    largest.forget();
    largest.failed(why, null);
  }
  // Frames of earlier contents wait while another import holds the file.
  while (feed.framesDue.length > 0 && feed.dueBytes > free()) feed.dropFrame(why);
}
