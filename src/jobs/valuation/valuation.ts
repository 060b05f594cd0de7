import { type Ask, firstDayOf, SumTooLarge, valueOfDay } from "../../domain/portfolio-value.ts";
import type { Database } from "../../store/database.ts";
import { type BatchStats, inShortTransactions } from "../../store/write/batches.ts";
import { type Lot, type ValuationRecord, ValuationWriter, type ValuedPortfolio } from "../../store/write/valuations.ts";
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
 * Values every completed UTC day that has no valuation yet, from stored daily asks of each portfolio's price source alone. A day
 * on which no lot counts gets none. A stored valuation is replaced only with `again`, or when a clock that was ahead wrote it; one
 * of an unknown source or an earlier owner never. Yields after every short transaction.
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
  const at = clock.now();
  const valuations: Valuation[] = [];
  progress.phase("valuing portfolios", chosen.length);
  for (const portfolio of chosen) {
    valuations.push(yield* valueOne(database, rows, portfolio, { at, again, clock, untilDay }));
    progress.advance(1);
  }
  return valuations;
}

/** `at`: when the run began, UTC ms. */
type Run = { at: number; again: boolean; clock: Clock; untilDay: number };

function* valueOne(
  database: Database,
  rows: ValuationWriter,
  portfolio: ValuedPortfolio,
  run: Run,
): Generator<BatchStats, Valuation> {
  const { portfolioId, accountId, priceSource } = portfolio;
  const { at, again, clock, untilDay } = run;
  const lots = rows.lots(portfolioId);
  const done: Valuation = { ...nothing, portfolioId, lateDays: [], refused: [] };
  if (lots.length === 0) return done;
  const ended = windowOf(portfolio, lots, dayOf(at));
  const window = { from: ended.from, to: Math.min(ended.to, untilDay - 1) };
  const waiting = new Set(rows.unfinalized(priceSource, window));
  const firstAfter = window.to < ended.to ? Math.max(window.to + 1, window.from) : null;
  done.waitsFor = waiting.values().next().value ?? firstAfter;
  const mayBeLate = new Set(
    rows.frameless(priceSource, { ...window, from: Math.max(window.from, dayOf(at) - lateDaysMax) }),
  );
  const isWanted = wantedBy(accountId, run);
  for (let from = window.from; from <= window.to; from += stretchDays) {
    const days = { from, to: Math.min(window.to, from + stretchDays - 1) };
    const stored = rows.stored({ portfolioId, accountId, ...days });
    const wanted = daysOf(days).filter((day) => !waiting.has(day) && isWanted(stored.get(day)));
    if (wanted.length === 0) continue;
    const asks = asksByDay(rows, priceSource, lots, { from: wanted[0]!, to: wanted.at(-1)! });
    const records = wanted.flatMap((day) => recordOf(portfolio, lots, day, asks.get(day) ?? new Map(), run, done));
    const late = records.filter(({ day }) => mayBeLate.has(day) && asks.get(day)?.size === 0);
    done.lateDays.push(...late.map(({ day }) => day));
    const changed = records.filter((record) => !late.includes(record) && isChanged(stored.get(record.day), record, at));
    yield* inShortTransactions(database, clock, changed, (record) => {
      if (rows.put(record, again || isAhead(stored.get(record.day), at))) count(done, record, stored.has(record.day));
    });
  }
  return done;
}

const nothing = { days: 0, incomplete: 0, replaced: 0, firstDay: null, lastDay: null, waitsFor: null };

/** Returns the days from the first on which a lot counts to yesterday; of what was before the portfolio only the last year. */
function windowOf({ createdAt }: ValuedPortfolio, lots: readonly Lot[], today: number) {
  const firstLot = lots.reduce((first, lot) => Math.min(first, firstDayOf(lot)), Number.POSITIVE_INFINITY);
  return { from: Math.max(firstLot, Math.min(dayOf(createdAt), today - backDaysMax)), to: today - 1 };
}

function daysOf({ from, to }: { from: number; to: number }): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** Returns the test whether a day is to be valued. A day that an earlier owner's valuation holds is not. */
function wantedBy(accountId: string, { at, again }: Run): (stored: ValuationRecord | undefined) => boolean {
  return (stored) => {
    if (stored === undefined) return true;
    if (stored.accountId !== accountId || stored.priceSource === null) return false;
    return again || isAhead(stored, at);
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
    for (const [day, amount, observedAt] of rows.asks(itemId, provider, days))
      byDay.get(day)!.set(itemId, { amount, observedAt });
  }
  return byDay;
}

function recordOf(
  { portfolioId, accountId, priceSource }: ValuedPortfolio,
  lots: readonly Lot[],
  day: number,
  asks: ReadonlyMap<number, Ask>,
  { clock }: Run,
  done: Valuation,
): ValuationRecord[] {
  try {
    const value = valueOfDay(lots, day, asks);
    return value === null ? [] : [{ portfolioId, accountId, day, ...value, priceSource, recordedAt: clock.now() }];
  } catch (error) {
    if (!(error instanceof SumTooLarge)) throw error;
    done.refused.push({ day, why: error.message });
    return [];
  }
}

function isChanged(stored: ValuationRecord | undefined, record: ValuationRecord, at: number): boolean {
  if (stored === undefined || isAhead(stored, at)) return true;
  const { recordedAt: _before, ...before } = stored;
  const { recordedAt: _after, ...after } = record;
  return Object.entries(after).some(([field, value]) => Reflect.get(before, field) !== value);
}

function count(done: Valuation, { day, holdingCount, pricedHoldingCount }: ValuationRecord, wasStored: boolean): void {
  done.days += 1;
  if (pricedHoldingCount < holdingCount) done.incomplete += 1;
  if (wasStored) done.replaced += 1;
  done.firstDay ??= day;
  done.lastDay = day;
}
