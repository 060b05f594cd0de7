import { createHash } from "node:crypto";
import type { Database } from "../../store/database.ts";
import { ExchangeRatesStore, type RateSeries } from "../../store/read/exchange-rates.ts";
import { inOneTransaction, inShortTransactions, pauseAfter } from "../../store/write/batches.ts";
import { DataEvents } from "../../store/write/data-events.ts";
import { ExchangeRateWriter, type NewRate } from "../../store/write/exchange-rates.ts";
import { spanKeeper } from "../../store/write/known-since.ts";
import { type Progress, silent } from "../../values/progress.ts";
import { dayOf, dayText } from "../../values/time/calendar.ts";
import { type FeedFile, readFeedFile, refusedFile } from "../feed-file.ts";
import { findingText } from "../guards/findings.ts";
import { GuardRefusal, type JudgedBody, logAccepted } from "../guards/log.ts";
import { judgeRates, jumpWords, type RateFinding, rateMoveText } from "../guards/rates.ts";
import { type ImportParts, importing } from "../run-import.ts";
import { type RateAdapterName, rateAdapters } from "./adapters.ts";
import { type RateFact, RateSkips } from "./rate-reading.ts";
import type { RateGuardReport, RateReport, RateTally } from "./rate-report.ts";

export type RateImportOptions = {
  adapter: RateAdapterName;
  /** Replaces differing stored rates. Otherwise stored rates stay. */
  replace?: boolean;
  dryRun?: boolean;
  /** Guard breaches that the operator accepts: `rate_level`, or `rate_jump:` and a currency. */
  accepted?: readonly string[];
};

const rateBodyBytesMax = 16 * 1024 * 1024;
const keptExamplesMax = 5;
/** Maximum distance in days to another rate of the same currency for comparison. */
const nearDays = 31;
/** Exceeds the number of existing currencies from a few sources each. */
const latestMax = 10_000;
const shownMax = 3;

/**
 * Imports exchange rate files of one format into the database at `databasePath`. All files are read and validated before the first write.
 * An interrupted import leaves complete rates, and the same import adds the rest.
 * @throws {OperatorError} when one of the files is rejected. No rate is written.
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
        const body = { name: bodyPaths.join(", "), feed: null, digest: read.digest, at };
        const guarded = guardRates(database, body, { toWrite, read: read.facts }, options);
        for (const move of guarded.report.leftOut) tally[store.stored(move) === null ? "added" : "replaced"] -= 1;
        const lockHeldMsMax = dryRun ? 0 : await write(database, store, { ...guarded, body }, parts);
        const { methodologyVersion } = source;
        const facts = { adapter, source: source.source, methodologyVersion, files: bodyPaths };
        const seconds = (clock.monotonicMs() - startedMs) / 1000;
        const outcome = { ...tally, ...guarded.report, skipped: read.skipped };
        return { ...facts, dryRun, ...read.extent, ...outcome, lockHeldMsMax, seconds };
      },
      options,
    );
  } finally {
    progress.end();
  }
}

/** Writes correct rates into a file that no other process has open yet, in the caller's transaction and without comparison. */
export function importRatesAtOnce(database: Database, source: RateSeries, rates: readonly NewRate[], at: number): void {
  const store = new ExchangeRateWriter(database, source);
  for (const rate of rates) store.write(rate, at);
}

/**
 * Checks the rates to write. Writes nothing.
 * @throws {OperatorError} when the level of a day is wrong, no rate remains, or an accepted jump does not exist. The message names guard,
 * figure and threshold.
 */
function guardRates(
  database: Database,
  body: JudgedBody,
  { toWrite: facts, read }: { toWrite: readonly RateFact[]; read: readonly RateFact[] },
  { adapter, accepted = [] }: RateImportOptions,
): GuardedRates {
  const { source } = rateAdapters[adapter];
  const store = new ExchangeRatesStore(database);
  const days = facts.map(({ day }) => day);
  const to = days.reduce((last, day) => Math.max(last, day), 0);
  const window = { from: days.reduce((first, day) => Math.min(first, day), to) - nearDays, to };
  const stored = (currency: string) => {
    const rows = store.ratesOfAll(currency, window).sort((one, other) => one.day - other.day);
    return { own: rows.filter((row) => row.source === source), others: rows.filter((row) => row.source !== source) };
  };
  const { acceptedFacts, jumped, ...found } = judgeRates(facts, stored, accepted);
  const isRefused = found.findings.some(({ verdict }) => verdict === "broken") && !accepted.includes("rate_level");
  if (isRefused || acceptedFacts.length < Math.min(1, facts.length)) {
    const refusing = found.findings.filter(({ verdict }) => verdict === (isRefused ? "broken" : "named"));
    const words = [...(isRefused ? ["rate_level"] : []), ...jumpWords(found.leftOut)].join(",");
    const command = `npx itemtape import rates FILE --adapter ${adapter} --accept ${words}`;
    throw new GuardRefusal(body, refusing, `${textOf(refusing)}; if that is correct, accept it with \`${command}\``);
  }
  const named = new Set(facts.map(({ currency }) => currency));
  // Already stored rates, as after the same command, are not compared.
  const isStored = (code: string) => !named.has(code) && read.some(({ currency }) => currency === code);
  const codes = accepted.filter((word) => word !== "rate_level").map((word) => word.slice("rate_jump:".length));
  const still = codes.filter((code) => !jumped.has(code) && !isStored(code));
  if (still.length > 0)
    throw refusedFile(
      body.name,
      `\`--accept rate_jump\` names ${still.join(", ")}, but no rate of these currencies jumps here`,
    );
  const before = facts.length === 0 ? [] : store.latest("", latestMax);
  const isGone = (row: { source: string; day: number; currency: string }) =>
    row.source === source && row.day >= to - nearDays && row.day < to && !named.has(row.currency);
  const left = new Set(found.leftOut.map(({ currency }) => currency));
  const overruled = [
    ...found.findings.filter(({ verdict }) => verdict === "broken"),
    ...found.moves
      .filter(({ currency }) => jumped.has(currency) && !left.has(currency))
      .map((move) => ({ guard: "rate_jump", figure: rateMoveText(move) })),
  ];
  return {
    acceptedFacts,
    overruled,
    report: { ...found, gone: before.filter(isGone).map(({ currency }) => currency) },
  };
}

function textOf(findings: readonly RateFinding[]): string {
  const more = findings.length > shownMax ? `; and ${findings.length - shownMax} more` : "";
  return findings.slice(0, shownMax).map(findingText).join("; ") + more;
}

/** Adds the corrected rates of a transaction to the events of their days. */
function logCorrections(log: DataEvents, facts: readonly (RateFact & { before: string | null })[], at: number): void {
  for (const { day, currency, before, ratePerUsd: after } of facts) {
    if (before === null) continue;
    const changes = [{ field: "rate_per_usd", currency, before, after }];
    log.add({ kind: "rates_corrected", cause: "import", at, day, count: 1, changes });
  }
}

/** Writes the rates. Returns the longest time that the write lock was held, in ms. */
async function write(
  database: Database,
  store: ExchangeRateWriter,
  { acceptedFacts, overruled, body }: GuardedRates & { body: JudgedBody },
  { clock, pause = pauseAfter, progress = silent }: ImportParts,
): Promise<number> {
  const { at } = body;
  const log = new DataEvents(database);
  let lockHeldMsMax = 0;
  progress.phase("writing", acceptedFacts.length);
  const facts = acceptedFacts.map((fact) => ({ ...fact, before: store.stored(fact)?.ratePerUsd ?? null }));
  const keepSpan = spanKeeper(database, at);
  const finish = (written: readonly (typeof facts)[number][]) => {
    keepSpan(clock.now());
    logCorrections(log, written, at);
    logAccepted(log, body, overruled, 0);
  };
  for (const batch of inShortTransactions(database, clock, facts, (fact) => store.write(fact, at), undefined, finish)) {
    lockHeldMsMax = Math.max(lockHeldMsMax, batch.lockHeldMs);
    progress.advance(batch.rows);
    await pause(batch);
  }
  if (facts.length === 0) return lockHeldMsMax;
  const last = inOneTransaction(database, clock, () => {
    const now = clock.now();
    keepSpan(now);
    log.finish(now);
  });
  return Math.max(lockHeldMsMax, last.lockHeldMs);
}

/** The rates to write. `overruled` are the breaches that the operator accepted. */
type GuardedRates = {
  acceptedFacts: RateFact[];
  overruled: readonly { guard: string; figure: string }[];
  report: RateGuardReport;
};

type Read = Pick<RateReport, "skipped"> & {
  facts: RateFact[];
  /** SHA-256 of the files, one after another. */
  digest: Buffer;
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
  const hash = createHash("sha256");
  progress.phase("reading", paths.length);
  for (const path of paths) {
    const body = await readFeedFile(path, rateBodyBytesMax);
    hash.update(body.bytes);
    const facts = rateAdapters[adapter].read(body, today, skips);
    if (facts.length === 0) throw refusedFile(body.name, "it holds no rate of a currency of ISO 4217");
    for (const fact of facts) addOnce(byKey, body, fact);
    progress.advance(1);
  }
  // Sorted in storage order, so that pages fill up and each transaction touches few of them.
  const facts = Array.from(byKey.values()).sort(inStoredOrder);
  const days = new Set(facts.map(({ day }) => day));
  const extent = {
    rates: facts.length,
    currencies: new Set(facts.map(({ currency }) => currency)).size,
    days: days.size,
    firstDay: Array.from(days).reduce((first, day) => Math.min(first, day)),
    lastDay: Array.from(days).reduce((last, day) => Math.max(last, day)),
  };
  return { facts, extent, digest: hash.digest(), skipped: skips.list() };
}

function inStoredOrder(a: RateFact, b: RateFact): number {
  if (a.currency === b.currency) return a.day - b.day;
  return a.currency < b.currency ? -1 : 1;
}

/** Files may overlap if they agree. */
function addOnce(byKey: Map<string, RateFact>, body: FeedFile, fact: RateFact): void {
  const key = `${fact.currency} ${fact.day}`;
  const before = byKey.get(key);
  if (before !== undefined && before.ratePerUsd !== fact.ratePerUsd) {
    throw refusedFile(
      body.name,
      `${fact.place} has ${fact.ratePerUsd} ${fact.currency} per dollar but ${before.place} has ${before.ratePerUsd} for the same day`,
    );
  }
  byKey.set(key, before ?? fact);
}

/** Returns the rates to write, and counts all rates by outcome. */
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
      tally.keptExamples.push(`${dayText(day)} ${currency} stays ${stored.ratePerUsd}; the file has ${ratePerUsd}`);
    return "kept";
  };
  const toWrite = facts.filter((fact) => {
    const outcome = outcomeOf(fact);
    tally[outcome] += 1;
    return outcome === "added" || outcome === "replaced";
  });
  return { toWrite, tally };
}
