import type { Database } from "../../store/database.ts";
import { BookReader } from "../../store/read/books.ts";
import { MarketItems } from "../../store/read/market-items.ts";
import { type BatchStats, runBatches } from "../../store/write/batches.ts";
import { DataEvents } from "../../store/write/data-events.ts";
import { type FeedDrop, FeedWriter } from "../../store/write/feeds.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import { importing } from "../run-import.ts";
import { compareMarket } from "./compare-market.ts";
import { type PublishParts, publishCompared } from "./publish.ts";

/** Feeds by name, or all feeds with a last verification at least `uncheckedMs` ago. A feed without a verification has no quotes. */
export type DropChoice = { feeds: readonly string[] } | { uncheckedMs: number };

/** Feeds that were or would be dropped. `generation` is null if none was published. `items` counts the quoted items that remain. */
export type DropReport = { dropped: FeedDrop[]; generation: string | null; items: number };

/**
 * Publishes a generation without the quotes of the chosen feeds, and records the dropped quotes. A dry run only reports.
 * @throws {OperatorError} when a named feed is unknown or has no quotes. Nothing is dropped.
 * @throws {StoreRefusal} when the database file cannot be used or an import is running.
 */
export async function dropFeeds(
  databasePath: string,
  choice: DropChoice,
  { dryRun }: { dryRun: boolean },
  parts: PublishParts & { pause?: Parameters<typeof runBatches>[1] },
): Promise<DropReport> {
  const work = (database: Database) => runBatches(dropInBatches(database, choice, dryRun, parts), parts.pause);
  const { value } = await importing(databasePath, work, { dryRun, marksReal: false });
  return value;
}

/** Drops the chosen feeds like `dropFeeds`. Yields after each transaction. The caller holds the import lock. */
export function* dropInBatches(
  database: Database,
  choice: DropChoice,
  dryRun: boolean,
  parts: PublishParts,
): Generator<BatchStats, DropReport> {
  const { clock, progress } = parts;
  progress?.phase("reading");
  const feeds = new FeedWriter(database);
  const quoted = quotedFeeds(database, feeds);
  const dropped = chosenFrom(quoted.feeds, feeds, choice, clock.now());
  if (dropped.length === 0) return { dropped: [], generation: null, items: quoted.items };
  const owned = new Set(dropped.flatMap(({ feed }) => feeds.providersOf(feed)));
  const compared = compareMarket(database, [{ quotes: new Map(), providers: owned }]);
  const items = quoted.items - compared.bestAsks.filter(({ quoteBytes }) => quoteBytes === null).length;
  if (dryRun) return { dropped, generation: null, items };
  const alongside = (at: number) => {
    const log = new DataEvents(database);
    for (const drop of dropped) {
      feeds.recordDrop(drop, at);
      log.add({ kind: "feed_dropped", cause: "operator", at, feed: drop.feed, count: drop.quotes });
    }
  };
  const generationId = yield* publishCompared(database, compared, { alongside }, parts);
  return { dropped, generation: `g${generationId}`, items };
}

/** Returns the feeds with quotes, in ascending name, and the number of quoted items. */
function quotedFeeds(database: Database, feeds: FeedWriter): { feeds: FeedDrop[]; items: number } {
  const known = feeds.checks().map((check) => ({ ...check, quotes: 0, items: 0 }));
  const byProvider = new Map(known.flatMap((feed) => feeds.providersOf(feed.feed).map((provider) => [provider, feed])));
  const upTo = new MarketItems(database).maxItemId();
  let items = 0;
  for (const [, rows] of new BookReader(database).within({ after: 0, upTo })) {
    items += 1;
    const here = new Set<FeedDrop>();
    for (const [provider, { askCents, bidCents }] of rows) {
      const feed = byProvider.get(provider);
      if (feed === undefined) continue;
      feed.quotes += Number(askCents !== null) + Number(bidCents !== null);
      here.add(feed);
    }
    for (const feed of here) feed.items += 1;
  }
  return { feeds: known.filter(({ quotes }) => quotes > 0), items };
}

function chosenFrom(quoted: readonly FeedDrop[], feeds: FeedWriter, choice: DropChoice, now: number): FeedDrop[] {
  if ("uncheckedMs" in choice) return quoted.filter(({ checkedAt }) => now - (checkedAt ?? 0) >= choice.uncheckedMs);
  return [...new Set(choice.feeds)].map((name) => {
    const found = quoted.find(({ feed }) => feed === name);
    if (found !== undefined) return found;
    const names = quoted.map(({ feed }) => feed).join(", ") || "none";
    const reason = feeds.has(name)
      ? "has no quotes in the published generation"
      : "the file has no feed with this name";
    throw new OperatorError(`${name}: ${reason}; feeds with quotes: ${names}`, exitCodes.noInput);
  });
}
