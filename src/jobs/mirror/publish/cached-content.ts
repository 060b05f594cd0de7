import { refusedFile } from "../../../import/feed-file.ts";
import type { AcceptedFeed } from "../../../import/quotes/accept-feed.ts";
import { CompressedQuotes } from "../body/compressed-quotes.ts";
import type { CachedContent, MirroredFeed } from "../mirrored-feed.ts";

// This file is apart, because the writer does not deal with memory.

/** Maximum cached bytes of all feeds. 216,594 quotes with addresses need a tenth of it. */
const cachedBytesMax = 32 * 1024 * 1024;
/** Approximate bytes of an item id in a set, and of a name without its characters. */
const perIdBytes = 32;
const perNameBytes = 96;

/** Compresses the content of an accepted body, for its publication and its frames. */
export function cachedOf({ facts, items, itemsWithoutQuote, refusedNames, savedAt }: AcceptedFeed): CachedContent {
  const compressed = CompressedQuotes.of(items);
  let bytes = compressed.compressedBytes() + perIdBytes * itemsWithoutQuote.size;
  for (const { name } of refusedNames ?? []) bytes += perNameBytes + name.length;
  return { facts, items: compressed, itemsWithoutQuote, refusedNames, savedAt, bytes };
}

type Newcomer = { feed: MirroredFeed; name: string; cached: CachedContent };

/**
 * Frees cache memory for a feed's new body. Evicts the largest cached content if it is larger than the new one. The evicted feed's
 * published quotes stay, and its next poll requests the body again. Content with unwritten results is not evicted. Frames of the same
 * feed's earlier contents may be dropped.
 * @throws {OperatorError} when no content can be evicted.
 */
export function evictFor(
  feeds: readonly MirroredFeed[],
  { feed, name, cached }: Newcomer,
  bytesMax = cachedBytesMax,
): void {
  const full = `the kept quotes of all feeds would need more than ${bytesMax} bytes`;
  const others = feeds.filter((other) => other !== feed);
  const free = () => others.reduce((left, other) => left - other.cachedBytes, bytesMax - cached.bytes);
  // The earlier contents fit, so evicting one larger content is enough.
  if (free() < 0) {
    const [largest] = others
      .filter(({ isWritten, cachedBytes }) => isWritten && cachedBytes > cached.bytes)
      .sort((one, other) => other.cachedBytes - one.cachedBytes);
    if (largest === undefined) throw refusedFile(name, `${full}, and no larger feed can be dropped now`);
    largest.dropContent();
    largest.failed(`${full}: this feed's quotes give way to ${feed.name}`, null);
  }
  // Frames of earlier contents wait while another import holds the file.
  while (feed.framesDue.length > 0 && feed.dueBytes > free())
    feed.dropFrame("no memory for frames of earlier contents");
}
