import { type Ask, type DayValue, firstDayOf, SumTooLarge, valueOfDay } from "../../domain/portfolio-value.ts";
import type { Database } from "../../store/database.ts";
import { ProvidersStore } from "../../store/read/providers.ts";
import { type BatchStats, inShortTransactions } from "../../store/write/batches.ts";
import {
  type Lot,
  type ValuationRecord,
  ValuationWriter,
  type ValuedPortfolio,
  type ValueRows,
} from "../../store/write/valuations.ts";
import { OperatorError } from "../../values/failure/operator-error.ts";
import { type Progress, silent } from "../../values/progress.ts";
import { dayOf } from "../../values/time/calendar.ts";
import type { Clock } from "../../values/time/clock.ts";

export type ValuationOptions = {
  /** Only this portfolio; left out: all of them. */
  portfolioId?: string | undefined;
  /** Also the days that have a valuation already: those that come out otherwise are replaced. */
  again?: boolean;
  /** The first day (since 1970) that waits, whatever the clock says; left out: none. */
  untilDay?: number;
};

export type ValuationParts = { clock: Clock; progress?: Progress };

/** Result of the job for one portfolio. Days since 1970. */
export type Valuation = {
  portfolioId: string;
  /** Days that were written, and those among them on which a lot had no price. */
  days: number;
  incomplete: number;
  /** Days among them that had another valuation before. */
  replaced: number;
  firstDay: number | null;
  lastDay: number | null;
  /** The first day that has to wait because its daily prices are not derived yet. */
  waitsFor: number | null;
  /** The latest days that wait because neither a frame of the price source nor an ask is there yet. */
  lateDays: number[];
  /** Days that `again` left alone: a lot that has left since was held then, or no price of the day is stored any more. */
  kept: number;
  /** Days that cannot be stored, with the reason. */
  refused: { day: number; why: string }[];
};

/** Maximum days before the making of a portfolio that are valued for lots acquired earlier. */
const backDaysMax = 366;
/** Days that a day without any price waits for late frames. After that it is valued as it is, and not again. */
const lateDaysMax = 2;
/** Days that are valued at once; bounds the asks in memory, one for each item and day. */
const stretchDays = 31;

/**
 * Values every completed UTC day that has no valuation yet, from stored daily asks of each portfolio's price source alone, and again each
 * sealed day whose prices changed since, if its lots did not. A day on which no lot counts gets none. A portfolio that is valued elsewhere
 * gets a second value at the main platform, but none for days that were valued without it. A clock that was ahead or `again` replaces any row, except
 * one of an unknown source, of an earlier owner, or (`again`) from before a lot left by the ledger. Yields after every short transaction.
 * @throws {OperatorError} when a portfolio is unknown.
 */
export function* valuePortfoliosInBatches(
  database: Database,
  { clock, progress = silent }: ValuationParts,
  { portfolioId, again = false, untilDay = Number.POSITIVE_INFINITY }: ValuationOptions = {},
): Generator<BatchStats, Valuation[]> {
  const rows = new ValuationWriter(database);
  const all = rows.portfolios();
  const chosen = portfolioId === undefined ? all : all.filter((one) => one.portfolioId === portfolioId);
  if (portfolioId !== undefined && chosen.length === 0)
    throw new OperatorError(`there is no portfolio \`${portfolioId}\``);
  const main = new ProvidersStore(database).mainPlatform();
  const run = { database, rows, at: clock.now(), again, clock, untilDay };
  const valuations: Valuation[] = [];
  progress.phase("valuing portfolios", chosen.length);
  for (const portfolio of chosen) {
    const lots = rows.lots(portfolio.portfolioId);
    const isElsewhere = main !== null && portfolio.priceSource !== main;
    // Before the own values, which tell the days that were valued without it.
    const atMain = isElsewhere ? yield* valueAt({ ...portfolio, priceSource: main }, rows.main, lots, run) : null;
    valuations.push(withMain(yield* valueAt(portfolio, rows.own, lots, run), atMain));
    progress.advance(1);
  }
  return valuations;
}

/** `at`: when the run began, UTC ms. */
type Run = {
  database: Database;
  rows: ValuationWriter;
  at: number;
  again: boolean;
  clock: Clock;
  untilDay: number;
};

function* valueAt(
  portfolio: ValuedPortfolio,
  values: ValueRows,
  lots: readonly Lot[],
  run: Run,
): Generator<BatchStats, Valuation> {
  const { portfolioId, accountId, priceSource } = portfolio;
  const { database, rows, at, clock, untilDay } = run;
  const done: Valuation = { ...nothing, portfolioId, lateDays: [], refused: [] };
  if (lots.length === 0) return done;
  const ended = windowOf(portfolio, lots, dayOf(at));
  const window = { from: ended.from, to: Math.min(ended.to, untilDay - 1) };
  const waiting = new Set(rows.unfinalized(priceSource, window));
  const leftOn = run.again ? rows.lastDeparture(portfolioId, accountId) : 0;
  const firstAfter = window.to < ended.to ? Math.max(window.to + 1, window.from) : null;
  done.waitsFor = waiting.values().next().value ?? firstAfter;
  const mayBeLate = new Set(
    rows.frameless(priceSource, { ...window, from: Math.max(window.from, dayOf(at) - lateDaysMax) }),
  );
  for (let from = window.from; from <= window.to; from += stretchDays) {
    const days = { from, to: Math.min(window.to, from + stretchDays - 1) };
    const stored = values.stored({ portfolioId, accountId, ...days });
    const revisions = rows.revisions(days);
    const isWanted = wantedBy({ portfolio, lots, stored, revisions, leftOn }, run);
    if (values === rows.own && run.again)
      done.kept += daysOf(days).filter((day) => stored.has(day) && day < leftOn).length;
    const mayBeFirst =
      values === rows.own
        ? () => true
        : firstBeside(rows.own.stored({ portfolioId, accountId, ...days }), accountId, run);
    const wanted = daysOf(days).filter(
      (day) => !waiting.has(day) && isWanted(day) && (stored.has(day) || mayBeFirst(day)),
    );
    if (wanted.length === 0) continue;
    const asks = asksByDay(rows, priceSource, lots, { from: wanted[0]!, to: wanted.at(-1)! });
    const isGone = (day: number) =>
      run.again && asks.get(day)?.size === 0 && stored.has(day) && !hasNewPrices(stored.get(day)!, revisions);
    done.kept += wanted.filter((day) => isGone(day) && stored.get(day)!.valueCents !== null).length;
    const records = wanted.flatMap((day) => {
      if (isGone(day)) return [];
      const value = valueOrRefusal(lots, day, asks.get(day)!, done);
      if (value === null) return [];
      const dayRevision = revisions.get(day) ?? null;
      return [{ portfolioId, accountId, day, ...value, priceSource, recordedAt: clock.now(), dayRevision }];
    });
    const late = records.filter(({ day }) => mayBeLate.has(day) && asks.get(day)?.size === 0);
    done.lateDays.push(...late.map(({ day }) => day));
    const changed = records.flatMap((record) =>
      late.includes(record) ? [] : changesOf(stored.get(record.day), record, at),
    );
    yield* inShortTransactions(database, clock, changed, ({ record, isNew }) => {
      const wasStored = stored.has(record.day);
      if (values.put(record, wasStored) && isNew) count(done, record, wasStored);
    });
  }
  return done;
}

/** Reports the days of the own values, and days at the main platform that wait, so that the job tries again. */
function withMain(own: Valuation, main: Valuation | null): Valuation {
  if (main === null) return own;
  const waits = [own.waitsFor, main.waitsFor].filter((day) => day !== null);
  return {
    ...own,
    waitsFor: waits.length === 0 ? null : Math.min(...waits),
    lateDays: [...new Set([...own.lateDays, ...main.lateDays])].sort((one, other) => one - other),
    refused: [...own.refused, ...main.refused.filter(({ day }) => !own.refused.some((one) => one.day === day))],
  };
}

const nothing = { days: 0, incomplete: 0, replaced: 0, kept: 0, firstDay: null, lastDay: null, waitsFor: null };

/** Returns the days from the first on which a lot counts to yesterday; of what was before the portfolio only the last year. */
function windowOf({ createdAt }: ValuedPortfolio, lots: readonly Lot[], today: number) {
  const firstLot = lots.reduce((first, lot) => Math.min(first, firstDayOf(lot)), Number.POSITIVE_INFINITY);
  return { from: Math.max(firstLot, Math.min(dayOf(createdAt), today - backDaysMax)), to: today - 1 };
}

function daysOf({ from, to }: { from: number; to: number }): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/**
 * Returns the test whether a day is to be valued. A day that an earlier owner's valuation holds is not. Nor is a valued day before `leftOn`:
 * a lot was held then that is not known any more.
 */
function wantedBy(
  {
    portfolio: { accountId, priceSource },
    lots,
    stored,
    revisions,
    leftOn,
  }: {
    portfolio: ValuedPortfolio;
    lots: readonly Lot[];
    stored: ReadonlyMap<number, ValuationRecord>;
    revisions: ReadonlyMap<number, number>;
    leftOn: number;
  },
  { at, again }: Run,
): (day: number) => boolean {
  return (day) => {
    const row = stored.get(day);
    if (row === undefined) return true;
    if (row.accountId !== accountId || row.priceSource === null) return false;
    if ((again && day >= leftOn) || isAhead(row, at)) return true;
    return hasNewPrices(row, revisions) && row.priceSource === priceSource && hasSameLots(row, lots);
  };
}

/** Returns whether the sealed day has a later revision. A node whose market is behind knows earlier ones only. */
function hasNewPrices({ day, dayRevision }: ValuationRecord, revisions: ReadonlyMap<number, number>): boolean {
  return (revisions.get(day) ?? 0) > (dayRevision ?? 0);
}

/** Returns whether no lot that counts on the day was added, changed or removed since its valuation. */
function hasSameLots({ day, holdingCount, recordedAt }: ValuationRecord, lots: readonly Lot[]): boolean {
  const counted = lots.filter((lot) => firstDayOf(lot) <= day);
  return counted.length === holdingCount && counted.every(({ updatedAt }) => updatedAt <= recordedAt);
}

/**
 * Returns the test whether a day gets its first value at the main platform. `own` are its own values. The lots of a day that was valued
 * without one are not known any more, unless that was lately.
 */
function firstBeside(
  own: ReadonlyMap<number, ValuationRecord>,
  accountId: string,
  { at, again }: Run,
): (day: number) => boolean {
  return (day) => {
    const row = own.get(day);
    return row === undefined || (row.accountId === accountId && (again || day >= dayOf(at) - lateDaysMax));
  };
}

/** Returns whether a clock that was set forward wrote the row, maybe before its day had ended. */
function isAhead(stored: ValuationRecord | undefined, at: number): boolean {
  return stored !== undefined && stored.recordedAt > at;
}

function asksByDay(
  rows: ValuationWriter,
  provider: string,
  lots: readonly Lot[],
  days: { from: number; to: number },
): Map<number, Map<number, Ask>> {
  const byDay = new Map<number, Map<number, Ask>>(daysOf(days).map((day) => [day, new Map()]));
  for (const itemId of new Set(lots.map((lot) => lot.itemId))) {
    for (const [day, amount, observedAt, from] of rows.asks(itemId, provider, days))
      byDay.get(day)!.set(itemId, { amount, observedAt, provider: from });
  }
  return byDay;
}

/** Returns null for a day without lots, and for a value that cannot be stored, which is noted. */
function valueOrRefusal(
  lots: readonly Lot[],
  day: number,
  asks: ReadonlyMap<number, Ask>,
  done: Valuation,
): DayValue | null {
  try {
    return valueOfDay(lots, day, asks);
  } catch (error) {
    if (!(error instanceof SumTooLarge)) throw error;
    done.refused.push({ day, why: error.message });
    return null;
  }
}

/** A row to write. `isNew`: its value is. */
type Change = { record: ValuationRecord; isNew: boolean };

/** Fields that rows of earlier releases lack. */
const addedFields: readonly string[] = ["comparedCount", "comparedValueCents", "comparedCostCents", "priceProviders"];

/** Returns the row to write, if any. A row of the same value keeps its `recordedAt`. */
function changesOf(stored: ValuationRecord | undefined, record: ValuationRecord, at: number): Change[] {
  if (stored === undefined || isAhead(stored, at)) return [{ record, isNew: true }];
  const { dayRevision, recordedAt: _recorded, ...value } = record;
  const isOld = stored.comparedCount === null;
  const fields = (Object.keys(value) as (keyof typeof value)[]).filter(
    (field) => !isOld || !addedFields.includes(field),
  );
  if (fields.some((field) => stored[field] !== record[field])) return [{ record, isNew: true }];
  if (stored.dayRevision === dayRevision && !isOld) return [];
  return [{ record: { ...record, recordedAt: stored.recordedAt }, isNew: false }];
}

function count(done: Valuation, { day, holdingCount, pricedHoldingCount }: ValuationRecord, wasStored: boolean): void {
  done.days += 1;
  if (pricedHoldingCount < holdingCount) done.incomplete += 1;
  if (wasStored) done.replaced += 1;
  done.firstDay ??= day;
  done.lastDay = day;
}
