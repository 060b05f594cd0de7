import type { Database } from "../../store/database.ts";
import { exportedItems } from "../../store/read/catalog.ts";
import { type BatchStats, runBatches } from "../../store/write/batches.ts";
import { type FeedDrop, FeedWriter } from "../../store/write/feeds.ts";
import { GenerationWriter, type QuoteRow } from "../../store/write/generations.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import { decodeQuotes } from "../../wire/quotes.ts";
import { importing } from "../run-import.ts";
import { MergedQuotes } from "./merge-quotes.ts";
import { activateGenerationInBatches, type PublishParts, removeOrphansInBatches } from "./publish.ts";

/** Feeds by name, or all that were last verified at least so long ago. A feed that was never verified has no quotes. */
export type DropChoice = { feeds: readonly string[] } | { uncheckedMs: number };

/** Feeds that were dropped, or would be. `generation` null: nothing was published. `items`: quoted items that the generation has left. */
export type DropReport = { dropped: FeedDrop[]; generation: string | null; items: number };

/**
 * Publishes a generation without the quotes of the chosen feeds and records what was dropped. A dry run only reports.
 * @throws {OperatorError} when a named feed is unknown or has no quotes: nothing is dropped.
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

function* dropInBatches(
  database: Database,
  choice: DropChoice,
  dryRun: boolean,
  parts: PublishParts,
): Generator<BatchStats, DropReport> {
  const { clock, progress } = parts;
  progress?.phase("reading");
  const store = new GenerationWriter(database);
  const feeds = new FeedWriter(database);
  const current = store.current();
  const rows = () => (current === null ? [] : store.rows(current.generationId));
  const dropped = chosenFrom(quotedFeeds(feeds, rows()), feeds, choice, clock.now());
  if (dropped.length === 0 || current === null) return { dropped: [], generation: null, items: countOf(rows()) };
  const owned = new Set(dropped.flatMap(({ feed }) => feeds.providersOf(feed)));
  const { ingestedAt } = current;
  const merged = new MergedQuotes({ published: rows, publishedAt: ingestedAt, fresh: new Map(), providers: owned });
  const items = countOf(merged.rows());
  if (dryRun) return { dropped, generation: null, items };
  yield* removeOrphansInBatches(database, store, current.generationId, parts);
  const alongside = (at: number) => {
    for (const drop of dropped) feeds.recordDrop(drop, at);
  };
  const activation = { rows: merged.rows(), exported: exportedItems(database), alongside };
  const { generationId } = yield* activateGenerationInBatches(database, store, current, activation, parts);
  return { dropped, generation: `g${generationId}`, items };
}

function countOf(rows: Iterable<unknown>): number {
  let count = 0;
  for (const _ of rows) count += 1;
  return count;
}

/** Returns the feeds that have quotes in the rows, in ascending name. */
function quotedFeeds(feeds: FeedWriter, rows: Iterable<QuoteRow>): FeedDrop[] {
  const known = feeds.checks().map((check) => ({ ...check, quotes: 0, items: 0 }));
  const byProvider = new Map(known.flatMap((feed) => feeds.providersOf(feed.feed).map((provider) => [provider, feed])));
  for (const { quotes } of rows) {
    const { asks, bids } = decodeQuotes(quotes);
    const here = [...asks, ...bids].flatMap(({ provider }) => byProvider.get(provider) ?? []);
    for (const feed of here) feed.quotes += 1;
    for (const feed of new Set(here)) feed.items += 1;
  }
  return known.filter(({ quotes }) => quotes > 0);
}

function chosenFrom(quoted: readonly FeedDrop[], feeds: FeedWriter, choice: DropChoice, now: number): FeedDrop[] {
  if ("uncheckedMs" in choice) return quoted.filter(({ checkedAt }) => now - (checkedAt ?? 0) >= choice.uncheckedMs);
  return [...new Set(choice.feeds)].map((name) => {
    const found = quoted.find(({ feed }) => feed === name);
    if (found !== undefined) return found;
    const names = quoted.map(({ feed }) => feed).join(", ") || "none";
    const reason = feeds.has(name) ? "has no quotes in the published generation" : "no feed of the file has this name";
    throw new OperatorError(`${name}: ${reason}; feeds with quotes: ${names}`, exitCodes.noInput);
  });
}
