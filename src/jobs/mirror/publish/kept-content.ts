import { refusedFile } from "../../../import/feed-file.ts";
import type { AcceptedFeed } from "../../../import/quotes/accept-feed.ts";
import { PackedQuotes } from "../body/packed-quotes.ts";
import type { KeptContent, MirroredFeed } from "../mirrored-feed.ts";

// A file of its own: the writer has nothing to do with memory.

/** Maximum bytes of the contents of all feeds together. 216,594 quotes with addresses take a tenth of it. */
const keptBytesMax = 32 * 1024 * 1024;
/** Bytes that an item's id in a set, and a name beside its characters, take about. */
const perIdBytes = 32;
const perNameBytes = 96;

/** Packs what is kept of an accepted body for its publication and its frames. */
export function keptOf({ facts, items, itemsWithoutQuote, refusedNames, savedAt }: AcceptedFeed): KeptContent {
  const packed = PackedQuotes.of(items);
  let bytes = packed.packedBytes() + perIdBytes * itemsWithoutQuote.size;
  for (const { name } of refusedNames ?? []) bytes += perNameBytes + name.length;
  return { facts, items: packed, itemsWithoutQuote, refusedNames, savedAt, bytes };
}

type Newcomer = { feed: MirroredFeed; name: string; kept: KeptContent };

/**
 * Makes room for what is to be kept of a feed's new body. The feed with the largest content gives way, if that is larger: its published
 * quotes stay, and its next poll asks for the body again. What is still to be published or recorded never gives way, but frames of the
 * same feed's earlier contents.
 * @throws {OperatorError} when no feed can give way.
 */
export function makeRoom(
  feeds: readonly MirroredFeed[],
  { feed, name, kept }: Newcomer,
  bytesMax = keptBytesMax,
): void {
  const full = `the quotes that are kept of all feeds would take more than ${bytesMax} bytes`;
  const others = feeds.filter((other) => other !== feed);
  const free = () => others.reduce((left, other) => left - other.keptBytes, bytesMax - kept.bytes);
  // What was kept before fits, so that one larger content is enough.
  if (free() < 0) {
    const [largest] = others
      .filter(({ isWritten, keptBytes }) => isWritten && keptBytes > kept.bytes)
      .sort((one, other) => other.keptBytes - one.keptBytes);
    if (largest === undefined) throw refusedFile(name, `${full}, and no larger feed can give way now`);
    largest.dropContent();
    largest.failed(`${full}: those of this one give way to ${feed.name}`, null);
  }
  // Frames of earlier contents wait while another import holds the file.
  while (feed.framesDue.length > 0 && feed.dueBytes > free()) feed.dropFrame("no room for frames of earlier contents");
}
