import { type FeedFile, refusedFile } from "../../import/feed-file.ts";
import type { FeedReading } from "../../import/quotes/observation.ts";
import type { FeedFacts } from "../../store/write/feeds.ts";
import { minuteMs } from "../../values/calendar.ts";
import { toTimestamp } from "../../values/clock.ts";
import type { MirroredFeed } from "./mirrored-feed.ts";

const clockSkewMs = 5 * minuteMs;

/** The other feeds of the mirror, and the latest save time of a body of this one; null: none is known. */
export type Expected = { others: readonly MirroredFeed[]; savedBefore: number | null; now: number };

/**
 * What a mirror demands of a body beyond what every import does: that it is of the feed and the providers that were asked for, and
 * neither older than the one before nor from the future. Throws `OperatorError`; writes nothing.
 */
export function refuseUnlessExpected(
  body: FeedFile,
  { facts, savedAt }: FeedReading,
  feed: MirroredFeed,
  { others, savedBefore, now }: Expected,
): void {
  if (facts.feed !== feed.name) throw refusedFile(body.name, `it is of the feed ${facts.feed}, not of ${feed.name}`);
  refuseOtherProviders(body, facts, feed, others);
  if (savedAt === null) return;
  if (savedAt > now + clockSkewMs) {
    throw refusedFile(body.name, `it says that it was saved at ${toTimestamp(savedAt)}, in the future`);
  }
  if (savedBefore !== null && savedAt < savedBefore) {
    const times = `${toTimestamp(savedAt)}, before the ${toTimestamp(savedBefore)} of the one before it`;
    throw refusedFile(body.name, `it says that it was saved at ${times}`);
  }
}

function refuseOtherProviders(
  body: FeedFile,
  facts: FeedFacts,
  { config, name }: MirroredFeed,
  others: readonly MirroredFeed[],
): void {
  const covered = facts.providers.map(({ provider }) => provider);
  if (config.providers !== null) {
    const expected = new Set(config.providers);
    const isExact = covered.length === expected.size && covered.every((provider) => expected.has(provider));
    if (!isExact) {
      const said = `it covers the providers ${covered.join(", ")} and the feed ${name} is set to`;
      throw refusedFile(body.name, `${said} ${config.providers.join(", ")}`);
    }
  }
  for (const other of others) {
    const theirs = new Set(other.config.providers ?? other.held?.facts.providers.map(({ provider }) => provider));
    const foreign = covered.find((provider) => theirs.has(provider));
    if (foreign === undefined) continue;
    throw refusedFile(body.name, `it covers ${foreign}, which is a provider of the feed ${other.name}`);
  }
}
