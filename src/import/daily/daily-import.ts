import type { Database } from "../../store/database.ts";
import { FramesStore } from "../../store/read/frames.ts";
import { ProvidersStore } from "../../store/read/providers.ts";
import {
  type BatchStats,
  inLargeTransactions,
  inOneTransaction,
  inShortTransactions,
  runBatches,
} from "../../store/write/batches.ts";
import { DailyPriceWriter, dailyRowBytes } from "../../store/write/daily-prices.ts";
import { DataEvents } from "../../store/write/data-events.ts";
import { FeedWriter } from "../../store/write/feeds.ts";
import { finalizeDaysInBatches } from "../../store/write/finalize-days.ts";
import { spanKeeper } from "../../store/write/known-since.ts";
import { moveDaysInBatches } from "../../store/write/move-days.ts";
import { sealDaysInBatches } from "../../store/write/seal-days.ts";
import { type Progress, silent } from "../../values/progress.ts";
import { dayOf } from "../../values/time/calendar.ts";
import type { Clock } from "../../values/time/clock.ts";
import type { DayWindow } from "../../values/time/window.ts";
import { createFeedDerivedInBatches } from "../catalog/feed-derived.ts";
import { type FeedFile, readFeedFile, refusedFile } from "../feed-file.ts";
import { type DailyGuardName, type JudgedDaily, judgeDaily } from "../guards/daily.ts";
import { findingText } from "../guards/findings.ts";
import { currencyHint } from "../guards/first-body.ts";
import { digestOf, GuardRefusal, type JudgedBody, logAccepted } from "../guards/log.ts";
import { twinsOf } from "../guards/twins.ts";
import { ownerOf } from "../quotes/adapters.ts";
import { ItemNames, itemLookup } from "../quotes/name-index.ts";
import { refuseForeignProviders } from "../quotes/publish.ts";
import { type ImportParts, importing } from "../run-import.ts";
import { type DailyAdapterName, dailyAdapters } from "./adapters.ts";
import { type DailyBook, type DailyJoined, joinDaily } from "./join.ts";
import { type DailyWrite, type DayWrites, type Differing, mergeDaily } from "./merge.ts";
import type { DailyReading } from "./reading.ts";
import { referenceRatesIn } from "./reference-rates.ts";
import type { DailyReport } from "./report.ts";
import { refuseSaleMedians } from "./sale-medians.ts";

export type DailyImportOptions = {
  adapter: DailyAdapterName;
  /** Overwrites differing rows, including recorded ones. */
  replace?: boolean;
  dryRun?: boolean;
  /** Guards that the operator allows the file to break. */
  accepted?: readonly DailyGuardName[];
};

const none: Differing = { recorded: 0, imported: 0, examples: [] };

/**
 * Imports one file of daily history into the database at `databasePath`, beside a running server. A damaged body is rejected before any
 * write. Rows are then written in short transactions. After an interruption the file holds only complete rows, and the same command writes
 * the rest.
 * @throws {OperatorError} when the body is rejected.
 * @throws {StoreRefusal} when the database file cannot be used.
 */
export async function importDaily(
  databasePath: string,
  bodyPath: string,
  options: DailyImportOptions,
  parts: ImportParts,
): Promise<DailyReport> {
  const { clock, pause, progress = silent } = parts;
  const startedMs = clock.monotonicMs();
  const work = async (database: Database) => {
    progress.phase("reading");
    const body = await readFeedFile(bodyPath);
    return runBatches(importDailyInBatches(database, body, options, parts), pause);
  };
  try {
    const { value, lockHeldMsMax } = await importing(databasePath, work, options);
    return { ...value, lockHeldMsMax, seconds: (clock.monotonicMs() - startedMs) / 1000 };
  } finally {
    progress.end();
  }
}

/** Imports daily prices in cooperative batches. The write lock is free at each yield. */
export function* importDailyInBatches(
  database: Database,
  body: FeedFile,
  options: DailyImportOptions,
  { clock, progress = silent }: Omit<ImportParts, "pause">,
): Generator<BatchStats, DailyReport> {
  const { adapter, replace = false, dryRun = false } = options;
  const at = clock.now();
  refuseSaleMedians(body);
  const today = dayOf(at);
  const ratesOf = (currency: string, window: DayWindow) => referenceRatesIn(database, currency, window);
  const reading = dailyAdapters[adapter].read(body, { today, ratesOf });
  progress.phase("joining");
  const names = new ItemNames();
  const joined = joinDaily(reading, itemLookup(database, names));
  refuseUnlessUsable(database, body, reading, joined);
  progress.phase("judging");
  const guarded = guard(database, body, { reading, joined, names, at }, options);
  const feedDerived = [...joined.feedDerivable.values()];
  // Finalizes recorded days first: later finalization would change these rows after the report.
  const recorded = dryRun
    ? { finalizedDays: 0, unfinalizedDays: unfinalizedIn(database, reading.facts.feed, today) }
    : { finalizedDays: (yield* finalizeDaysInBatches(database, today, clock, { progress })).days, unfinalizedDays: 0 };
  if (!dryRun) yield* createFeedDerivedInBatches(database, feedDerived, at, { clock }, takeBooks(joined));
  progress.phase("comparing");
  const store = new DailyPriceWriter(database, today);
  const { facts, rates, absent } = reading;
  const digest = digestOf(body)!;
  const resumed = new DataEvents(database).interruptedWrites(digest);
  const merge = mergeDaily(store, joined.items, facts.provider, { replace, resumed });
  const known = new Set(joined.items.map(({ itemId }) => itemId)).size;
  const report = {
    body: body.name,
    adapter,
    feed: facts.feed,
    provider: facts.provider,
    items: known,
    feedDerivedItems: feedDerived.length,
    added: merge.added,
    same: merge.same,
    absent,
    kept: replace ? none : merge.differing,
    replaced: replace ? merge.differing : none,
    refused: reading.refusals.list(),
    guarded,
    ...recorded,
    rateSource: rates?.source ?? null,
    datesWithoutRate: rates?.missedDates() ?? [],
    seconds: 0,
    lockHeldMsMax: 0,
  };
  if (dryRun) {
    const unmade = feedDerived.flatMap(({ books }) => books).reduce((sum, { points }) => sum + points.length, 0);
    const items = known + feedDerived.length;
    return { ...report, items, added: merge.added + unmade, outcome: "dry_run", importId: null };
  }
  const log = (at: number) => {
    const judged = { name: body.name, feed: facts.feed, provider: facts.provider, digest, at };
    logDays(database, judged, merge.days, guarded);
  };
  const writing = { bodyDigest: digest, adapter, reading, writes: merge.writes, replace, at, log };
  const importId = merge.days.size === 0 ? null : yield* writeDailyInBatches(database, writing, { clock, progress });
  // An interrupted import may have left days to seal.
  yield* sealDaysInBatches(database, today, clock, { progress });
  yield* moveDaysInBatches(database, today, clock, { progress });
  return { ...report, outcome: importId === null ? "unchanged" : "imported", importId };
}

/** Adds the events of an import: imported and replaced days, and exceptions that the operator accepted. */
function logDays(
  database: Database,
  { feed, provider, digest: bodyDigest, at, ...judged }: JudgedBody,
  days: ReadonlyMap<number, DayWrites>,
  { findings }: JudgedDaily,
): void {
  const log = new DataEvents(database);
  const facts = { cause: "import", feed, provider, bodyDigest, at } as const;
  for (const [day, { added, replaced, changes }] of days) {
    if (added > 0) log.add({ ...facts, kind: "days_imported", day, count: added });
    if (replaced > 0) log.add({ ...facts, kind: "days_replaced", day, count: replaced, changes });
  }
  const broken = findings.filter(({ verdict }) => verdict === "broken");
  logAccepted(log, { ...judged, feed, provider, digest: bodyDigest, at }, broken, 0);
}

/** Returns a function that adds the books of a new item to the known items. */
function takeBooks(joined: DailyJoined) {
  return (itemId: number, { books }: { books: readonly DailyBook[] }) => {
    joined.items.push(...books.map((book) => ({ ...book, itemId })));
  };
}

function refuseUnlessUsable(
  database: Database,
  body: FeedFile,
  { facts, refusals }: DailyReading,
  joined: DailyJoined,
): void {
  if (joined.items.length + joined.feedDerivable.size === 0) {
    const why = refusals.list().map(({ reason, count }) => `${count} ${reason}`);
    throw refusedFile(body.name, `none of its prices can become a row (${why.join(", ") || "it has none"})`);
  }
  const { feed, feedAdapter: adapter, provider, name, kind } = facts;
  if (ownerOf(provider) !== null && feed !== provider) {
    throw refusedFile(
      body.name,
      `the provider ${provider} belongs to the feed ${provider}, but the file names the feed ${feed}`,
    );
  }
  const ownFacts = { feed, adapter, providers: [{ provider, name, kind }] };
  refuseForeignProviders(new FeedWriter(database), ownFacts, (why) => refusedFile(body.name, why));
  const stored = new ProvidersStore(database).kindOf(provider);
  if (stored !== null && stored !== kind) {
    throw refusedFile(body.name, `the provider ${provider} is of the kind ${stored} but the file names ${kind}`);
  }
}

/**
 * Checks the prices of a file. Writes nothing.
 * @throws {OperatorError} when a guard is broken and not accepted. The message names guard, figure, threshold and examples.
 */
function guard(
  database: Database,
  body: FeedFile,
  { reading, joined, names, at }: { reading: DailyReading; joined: DailyJoined; names: ItemNames; at: number },
  { adapter, accepted = [], replace: replaces = false }: DailyImportOptions,
): JudgedDaily {
  const { provider, kind } = reading.facts;
  const store = new DailyPriceWriter(database, dayOf(at));
  const providers = new ProvidersStore(database);
  const isNew = !providers.exists(provider);
  const isAlone = providers.page("", 2).every((known) => known.provider === provider);
  const derived = [...joined.feedDerivable.values()].flatMap(({ books }) => books);
  const judged = judgeDaily(
    { books: [...joined.items, ...derived], provider, kind, replaces },
    {
      own: (span) => (isNew ? [] : store.amountsWithin({ ...span, provider })),
      others: (span) => (isAlone ? [] : store.amountsOfOthers({ ...span, provider })),
      kindOf: (other) => providers.kindOf(other),
      twins: () => twinsOf(names.of(database).byName),
      explain: (ratio) => currencyHint(database, ratio),
    },
  );
  const refused = judged.findings.filter(({ guard, verdict }) => verdict === "broken" && !accepted.includes(guard));
  if (refused.length === 0) return judged;
  const words = [...new Set(refused.map(({ guard }) => guard))].join(",");
  const command = `npx itemtape import daily FILE --adapter ${adapter} --accept ${words}`;
  const texts = refused.map(findingText).join("; ");
  const judgedBody = { name: body.name, feed: reading.facts.feed, provider, digest: digestOf(body), at };
  throw new GuardRefusal(judgedBody, refused, `${texts}; if that is correct, accept it with \`${command}\``);
}

function unfinalizedIn(database: Database, feed: string, today: number): number {
  return new FramesStore(database).unfinalized(0, today - 1).filter((day) => day.feed === feed).length;
}

/** `at` is the recording time of the rows, UTC ms. `log` adds the events, dated by the last transaction. */
type DailyWriting = {
  bodyDigest: Buffer;
  adapter: string;
  reading: DailyReading;
  writes: readonly DailyWrite[];
  replace: boolean;
  at: number;
  log: (at: number) => void;
};

/**
 * Writes the import, then its exchange rates, its rows and its events. Returns the import number. References precede their rows, so a crash leaves
 * only complete rows.
 */
function* writeDailyInBatches(
  database: Database,
  { bodyDigest, adapter, reading, writes, replace, at, log }: DailyWriting,
  { clock, progress }: { clock: Clock; progress: Progress },
): Generator<BatchStats, number> {
  const store = new DailyPriceWriter(database, dayOf(at));
  const { facts, rates } = reading;
  let importId = 0;
  yield inOneTransaction(database, clock, () => {
    new FeedWriter(database).addInactive(facts);
    importId = store.startImport({ adapter, provider: facts.provider, bodyDigest, importedAt: at, replaces: replace });
  });
  if (rates !== null) {
    const days = Array.from(new Set(writes.map(({ day }) => day))).sort((a, b) => a - b);
    const { currency } = rates;
    yield* inShortTransactions(database, clock, days, (day) => {
      const { ratePerUsd, source } = rates.rateOn(day)!;
      store.addRate({ importId, day, currency, ratePerUsd, source });
    });
  }
  progress.phase("writing daily rows", writes.length);
  const write = (row: DailyWrite) => store[replace ? "put" : "add"]({ ...row, recordedAt: at, importId });
  const { item, day } = store.byOrder(writes);
  const keepSpan = spanKeeper(database, at);
  const finish = () => keepSpan(clock.now());
  const batches = [
    inShortTransactions(database, clock, item, write, undefined, finish),
    inLargeTransactions(database, clock, day, write, () => dailyRowBytes, finish),
  ];
  for (const ofTable of batches) {
    for (const batch of ofTable) {
      progress.advance(batch.rows);
      yield batch;
    }
  }
  yield inOneTransaction(database, clock, () => {
    const last = clock.now();
    keepSpan(last);
    log(last);
  });
  return importId;
}
