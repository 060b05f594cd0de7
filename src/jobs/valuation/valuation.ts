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
  /** The only portfolio to value. Absent for all portfolios. */
  portfolioId?: string | undefined;
  /** Also recalculates days with a valuation, and replaces the changed ones. */
  again?: boolean;
  /** The first day (since 1970) that must wait, regardless of the clock. Absent for no limit. */
  untilDay?: number;
};

export type ValuationParts = { clock: Clock; progress?: Progress };

/** Result of the job for one portfolio. Days since 1970. */
export type Valuation = {
  portfolioId: string;
  /** Number of written days, and of those the number with an unpriced lot. */
  days: number;
  incomplete: number;
  /** Number of written days that replaced another valuation. */
  replaced: number;
  firstDay: number | null;
  lastDay: number | null;
  /** The first day that must wait for its daily prices. */
  waitsFor: number | null;
  /** The latest days that wait because the price source has neither a frame nor an ask for them yet. */
  lateDays: number[];
  /** Days that `again` did not recalculate: a lot of that day has left since, or its prices are no longer stored. */
  kept: number;
  /** Days that cannot be stored, each with the reason. */
  refused: { day: number; why: string }[];
};

/** Maximum days before the creation of a portfolio that are valued, for lots acquired earlier. */
const backDaysMax = 366;
/** Maximum days to wait for late frames of a day without any price. Then the day is valued once without them. */
const lateDaysMax = 2;
/** Days per step. It limits the asks in memory: one for each item and day. */
const stretchDays = 31;

/**
 * Values every completed UTC day without a valuation, from the stored daily asks of each portfolio's price source.
 *
 * A sealed day is valued again if its prices changed and its lots did not. A day without lots has no valuation. A portfolio with another
 * price source also receives a value at the main platform, except on days that were valued without it. A row dated in the future is
 * replaced, and `again` replaces all rows. Rows of an unknown source or an earlier owner stay. `again` also keeps rows from before a lot
 * left by the ledger. Yields after every short transaction.
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
  if (portfolioId !== undefined && chosen.length === 0) throw new OperatorError(`unknown portfolio \`${portfolioId}\``);
  const main = new ProvidersStore(database).mainPlatform();
  const run = { database, rows, at: clock.now(), again, clock, untilDay };
  const valuations: Valuation[] = [];
  progress.phase("valuing portfolios", chosen.length);
  for (const portfolio of chosen) {
    const lots = rows.lots(portfolio.portfolioId);
    const isElsewhere = main !== null && portfolio.priceSource !== main;
    // Calculated first, because the own values show which days were valued without it.
    const atMain = isElsewhere ? yield* valueAt({ ...portfolio, priceSource: main }, rows.main, lots, run) : null;
    valuations.push(withMain(yield* valueAt(portfolio, rows.own, lots, run), atMain));
    progress.advance(1);
  }
  return valuations;
}

/** `at` is the start of the run, UTC ms. */
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
        : needsFirstValue(rows.own.stored({ portfolioId, accountId, ...days }), accountId, run);
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

/** Returns the result of the own values. Waiting days at the main platform are included, so that the job retries them. */
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

/** Returns the days from the first lot until yesterday. The time before the portfolio's creation is limited to the last year. */
function windowOf({ createdAt }: ValuedPortfolio, lots: readonly Lot[], today: number) {
  const firstLot = lots.reduce((first, lot) => Math.min(first, firstDayOf(lot)), Number.POSITIVE_INFINITY);
  return { from: Math.max(firstLot, Math.min(dayOf(createdAt), today - backDaysMax)), to: today - 1 };
}

function daysOf({ from, to }: { from: number; to: number }): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/**
 * Returns a test for days that need a valuation. Days valued under an earlier owner do not. Valued days before `leftOn` do not either,
 * because a lot of that time is no longer known.
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

/** Returns whether the sealed day has a later revision. A node with an older market only knows earlier revisions. */
function hasNewPrices({ day, dayRevision }: ValuationRecord, revisions: ReadonlyMap<number, number>): boolean {
  return (revisions.get(day) ?? 0) > (dayRevision ?? 0);
}

/** Returns whether the lots of the day are unchanged since its valuation. */
function hasSameLots({ day, holdingCount, recordedAt }: ValuationRecord, lots: readonly Lot[]): boolean {
  const counted = lots.filter((lot) => firstDayOf(lot) <= day);
  return counted.length === holdingCount && counted.every(({ updatedAt }) => updatedAt <= recordedAt);
}

/**
 * Returns a test for days that need a first value at the main platform. `own` holds the own values. If a day was valued without it, its
 * lots are only known for the last few days.
 */
function needsFirstValue(
  own: ReadonlyMap<number, ValuationRecord>,
  accountId: string,
  { at, again }: Run,
): (day: number) => boolean {
  return (day) => {
    const row = own.get(day);
    return row === undefined || (row.accountId === accountId && (again || day >= dayOf(at) - lateDaysMax));
  };
}

/** Returns whether the row is dated in the future. A clock that was set forward may have written it before its day ended. */
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

/** Returns null for a day without lots. Also returns null, and records the reason, for a value that cannot be stored. */
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

/** A row to write. `isNew` is true if its value is new. */
type Change = { record: ValuationRecord; isNew: boolean };

/** Fields that rows of earlier releases lack. */
const addedFields: readonly string[] = ["comparedCount", "comparedValueCents", "comparedCostCents", "priceProviders"];

/** Returns the row to write, if any. A row with the same value keeps its `recordedAt`. */
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
