import type { Database } from "../../store/database.ts";
import type { RateSeries } from "../../store/read/exchange-rates.ts";
import { inShortTransactions, pauseAfter } from "../../store/write/batches.ts";
import { ExchangeRateWriter, type NewRate } from "../../store/write/exchange-rates.ts";
import { type Progress, silent } from "../../values/progress.ts";
import { dayOf, dayText } from "../../values/time/calendar.ts";
import { type FeedFile, readFeedFile, refusedFile } from "../feed-file.ts";
import { type ImportParts, importing } from "../run-import.ts";
import { ecbAdapter } from "./ecb.ts";
import { perUsdAdapter } from "./per-usd.ts";
import { type RateAdapter, type RateFact, RateSkips } from "./rate-reading.ts";
import type { RateReport, RateTally } from "./rate-report.ts";

export const rateAdapters = { ecb: ecbAdapter, "per-usd": perUsdAdapter } as const satisfies Record<
  string,
  RateAdapter
>;
export type RateAdapterName = keyof typeof rateAdapters;

export type RateImportOptions = {
  adapter: RateAdapterName;
  /** Puts a rate in the place of a stored one that differs; else the stored one stays. */
  replace?: boolean;
  dryRun?: boolean;
};

const rateBodyBytesMax = 16 * 1024 * 1024;
const keptExamplesMax = 5;

/**
 * Imports files of exchange rates of one shape into the database at `databasePath`. All of them are read and validated before
 * anything is written. Killed while it writes, it leaves whole rates, and the same import adds the others.
 * @throws {OperatorError} when one of the files is refused: nothing is written of any.
 * @throws {StoreRefusal} when the database file cannot be used.
 */
export async function importRates(
  databasePath: string,
  bodyPaths: readonly string[],
  options: RateImportOptions,
  parts: ImportParts,
): Promise<RateReport> {
  const { clock, progress = silent } = parts;
  const { adapter, replace = false, dryRun = false } = options;
  const source: RateSeries = rateAdapters[adapter];
  const startedMs = clock.monotonicMs();
  const at = clock.now();
  try {
    const read = await readFiles(bodyPaths, options, dayOf(at), progress);
    return await importing(
      databasePath,
      async (database) => {
        const store = new ExchangeRateWriter(database, source);
        progress.phase("comparing");
        const { toWrite, tally } = compare(store, source, read.facts, replace);
        const lockHeldMsMax = dryRun ? 0 : await write(database, store, toWrite, at, parts);
        const { methodologyVersion } = source;
        const facts = { adapter, source: source.source, methodologyVersion, files: bodyPaths };
        const seconds = (clock.monotonicMs() - startedMs) / 1000;
        return { ...facts, dryRun, ...read.extent, ...tally, skipped: read.skipped, lockHeldMsMax, seconds };
      },
      options,
    );
  } finally {
    progress.end();
  }
}

/** Rates that are known to be right, into a file that nobody else has open yet: one transaction of the caller's, nothing is compared. */
export function importRatesAtOnce(database: Database, source: RateSeries, rates: readonly NewRate[], at: number): void {
  const store = new ExchangeRateWriter(database, source);
  for (const rate of rates) store.write(rate, at);
}

/** Writes the rates. Returns the longest time in ms for which the writer's lock was held. */
async function write(
  database: Database,
  store: ExchangeRateWriter,
  facts: readonly RateFact[],
  at: number,
  { clock, pause = pauseAfter, progress = silent }: ImportParts,
): Promise<number> {
  let lockHeldMsMax = 0;
  progress.phase("writing", facts.length);
  for (const batch of inShortTransactions(database, clock, facts, (fact) => store.write(fact, at))) {
    lockHeldMsMax = Math.max(lockHeldMsMax, batch.lockHeldMs);
    progress.advance(batch.rows);
    await pause(batch);
  }
  return lockHeldMsMax;
}

type Read = Pick<RateReport, "skipped"> & {
  facts: RateFact[];
  extent: Pick<RateReport, "rates" | "currencies" | "days" | "firstDay" | "lastDay">;
};

async function readFiles(
  paths: readonly string[],
  { adapter }: RateImportOptions,
  today: number,
  progress: Progress,
): Promise<Read> {
  const skips = new RateSkips();
  const byKey = new Map<string, RateFact>();
  progress.phase("reading", paths.length);
  for (const path of paths) {
    const body = await readFeedFile(path, rateBodyBytesMax);
    const facts = rateAdapters[adapter].read(body, today, skips);
    if (facts.length === 0) throw refusedFile(body.name, "it holds no rate of a currency of ISO 4217");
    for (const fact of facts) addOnce(byKey, body, fact);
    progress.advance(1);
  }
  // In the order of the stored rows: pages fill up, and a chunk touches few of them.
  const facts = Array.from(byKey.values()).sort(inStoredOrder);
  const days = new Set(facts.map(({ day }) => day));
  const extent = {
    rates: facts.length,
    currencies: new Set(facts.map(({ currency }) => currency)).size,
    days: days.size,
    firstDay: Array.from(days).reduce((first, day) => Math.min(first, day)),
    lastDay: Array.from(days).reduce((last, day) => Math.max(last, day)),
  };
  return { facts, extent, skipped: skips.list() };
}

function inStoredOrder(a: RateFact, b: RateFact): number {
  if (a.currency === b.currency) return a.day - b.day;
  return a.currency < b.currency ? -1 : 1;
}

/** Files may overlap where they say the same. */
function addOnce(byKey: Map<string, RateFact>, body: FeedFile, fact: RateFact): void {
  const key = `${fact.currency} ${fact.day}`;
  const before = byKey.get(key);
  if (before !== undefined && before.ratePerUsd !== fact.ratePerUsd) {
    throw refusedFile(
      body.name,
      `${fact.place} says ${fact.ratePerUsd} ${fact.currency} per dollar and ${before.place} says ${before.ratePerUsd} for the same day`,
    );
  }
  byKey.set(key, before ?? fact);
}

/** Which rates are to be written, and what becomes of the others. */
function compare(
  store: ExchangeRateWriter,
  { methodologyVersion }: RateSeries,
  facts: readonly RateFact[],
  replace: boolean,
): { toWrite: RateFact[]; tally: RateTally } {
  const tally: RateTally = { added: 0, same: 0, kept: 0, replaced: 0, keptExamples: [] };
  const outcomeOf = (fact: RateFact): Exclude<keyof RateTally, "keptExamples"> => {
    const stored = store.stored(fact);
    if (stored === null) return "added";
    if (stored.ratePerUsd === fact.ratePerUsd && stored.methodologyVersion === methodologyVersion) return "same";
    if (replace) return "replaced";
    const { currency, day, ratePerUsd } = fact;
    if (tally.keptExamples.length < keptExamplesMax)
      tally.keptExamples.push(`${dayText(day)} ${currency} stays ${stored.ratePerUsd}; the file says ${ratePerUsd}`);
    return "kept";
  };
  const toWrite = facts.filter((fact) => {
    const outcome = outcomeOf(fact);
    tally[outcome] += 1;
    return outcome === "added" || outcome === "replaced";
  });
  return { toWrite, tally };
}
