import { recordFrameInBatches } from "../../import/quotes/record-frame.ts";
import type { Database } from "../../store/database.ts";
import { FeedWriter } from "../../store/write/feeds.ts";
import { hourMs } from "../../values/calendar.ts";
import { toTimestamp } from "../../values/clock.ts";
import { faultText, isOwnFault } from "./feed-fault.ts";
import type { DueFrame, MirroredFeed } from "./mirrored-feed.ts";
import { runPaused, type WriterParts } from "./writer-parts.ts";

/** Records the frames that are due. One that cannot be recorded is dropped and told of; the feed's next verification tries anew. */
export async function recordDueFrames(database: Database, feed: MirroredFeed, parts: WriterParts): Promise<void> {
  for (let due = feed.framesDue[0]; due !== undefined; due = feed.framesDue[0]) {
    try {
      await record(database, feed.name, due, parts);
      feed.framesDue.shift();
    } catch (error) {
      if (!isOwnFault(error, parts.signal)) throw error;
      feed.unrecorded(faultText(error));
      if (!isKnown(database, feed.name, due)) feed.forget();
    }
  }
}

async function record(database: Database, feed: string, due: DueFrame, parts: WriterParts): Promise<void> {
  const { clock, events } = parts;
  const { verifiedBy, checkedAt, content } = due;
  const ingestedAt = content.publishedAt ?? content.takenAt;
  const times = { verifiedBy, ingestedAt, checkedAt, recordedAt: clock.now() };
  const steps = recordFrameInBatches(database, { ...content, feed }, times, { clock });
  const { value, lockHeldMsMax } = await runPaused(steps, parts);
  if (value.outcome !== "recorded") return;
  const { hour, items, quotes } = value;
  const facts = { feed, hour: toTimestamp(hour * hourMs), verified_by: verifiedBy, items, quotes };
  events.frameRecorded({ ...facts, hold_ms_max: Math.round(lockHeldMsMax) });
}

/** Whether the file still knows the feed's providers: another file may have been put in its place. */
function isKnown(database: Database, feed: string, { content }: DueFrame): boolean {
  const known = new Set(new FeedWriter(database).providersOf(feed));
  return content.facts.providers.every(({ provider }) => known.has(provider));
}
