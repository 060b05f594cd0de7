import type { Database } from "../../store/database.ts";
import { type BatchStats, inShortTransactions } from "../../store/write/batches.ts";
import { DataEvents } from "../../store/write/data-events.ts";
import { type IndexRecord, IndexWriter, type StoredLevel } from "../../store/write/indexes.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import { type Progress, silent } from "../../values/progress.ts";
import type { Clock } from "../../values/time/clock.ts";
import { Chain, type NewLevel, stretchesOf } from "./chain.ts";
import { knownIndex } from "./define.ts";
import { type Deviation, deviationOf } from "./deviation.ts";
import { type Methodology, methodologies } from "./methodologies.ts";

type CalculationParts = { clock: Clock; progress?: Progress };

/** Indexes to calculate; absent for all active ones. `from` is the first day (since 1970) to recalculate even without a price change. */
type Order = { only?: readonly string[] | undefined; from?: number | undefined };

/** A superseded level with its old and new value. Null for a level without a value. `day` is in days since 1970. */
export type Correction = { day: number; before: string | null; after: string | null };

/** The result of calculating one index. Days since 1970. */
export type Calculation = {
  indexId: string;
  methodologyVersion: string;
  /** Number of appended levels, and of those the number without a value. */
  appended: number;
  withoutValue: number;
  firstDay: number | null;
  lastDay: number | null;
  /** Superseded levels, in ascending day order. */
  corrected: Correction[];
  /** The first mismatch between levels of an earlier release and the stored prices. Null if all match or were not checked. */
  deviation: Deviation | null;
  /** The day with the base value, if this calculation reached it. */
  baseCarriedOn: number | null;
  /** The first day without derived daily prices. Calculation stops before it. */
  waitsFor: number | null;
  /** Levels from day `since` on have enough prices but no value, because no level can be linked to `lastValueDay`. */
  waitsForLink: { since: number; lastValueDay: number } | null;
};

type LevelsKey = Pick<IndexRecord, "indexId" | "methodologyVersion">;

/** A stored level and the calculated one. Null if missing. */
type Step = { day: number; stored: StoredLevel | null; level: NewLevel | null };

/**
 * Appends the levels of all completed days, which are the days before `today`. Recalculates stored levels from the first day with changed
 * prices; a different level receives a new revision. Levels of earlier releases do not record their prices and stay, unless `from` includes
 * them. Yields after every short transaction. Call it after the daily prices of past days are derived.
 * @throws {OperatorError} when an index is unknown or retired.
 */
export function* calculateIndexInBatches(
  database: Database,
  today: number,
  parts: CalculationParts,
  { only, from }: Order = {},
): Generator<BatchStats, Calculation[]> {
  const rows = new IndexWriter(database);
  const chosen = only === undefined ? rows.indexes().filter(({ active }) => active) : only.map((id) => named(rows, id));
  const calculations: Calculation[] = [];
  for (const record of chosen) calculations.push(yield* calculateOne(database, rows, record, { today, from }, parts));
  return calculations;
}

function named(rows: IndexWriter, indexId: string): IndexRecord {
  const record = knownIndex(rows, indexId);
  if (!record.active) throw new OperatorError(`index ${indexId} is retired: no further levels are calculated`);
  return record;
}

function* calculateOne(
  database: Database,
  rows: IndexWriter,
  record: IndexRecord,
  { today, from: ordered }: { today: number; from: number | undefined },
  { clock, progress = silent }: CalculationParts,
): Generator<BatchStats, Calculation> {
  const { indexId, methodologyVersion, baseDay, provider } = record;
  const methodology = methodologyOf(record);
  const version = rows.lastVersion(indexId);
  const { lastDay, lastUnmarked } = rows.chainEnd(record);
  const changed = rows.changedDays({ indexId, to: today - 1 });
  const isUnmarked = (day: number) => lastUnmarked !== null && day <= lastUnmarked;
  const again = ordered ?? changed.find((day) => !isUnmarked(day)) ?? Number.POSITIVE_INFINITY;
  const from = Math.max(baseDay, Math.min((lastDay ?? Number.NEGATIVE_INFINITY) + 1, again));
  const link = rows.linkBefore({ indexId, methodologyVersion, before: from });
  const isFirst = rows.linkBefore({ indexId, methodologyVersion, before: Number.MAX_SAFE_INTEGER }) === null;
  const waitsFor = rows.firstUnfinalized(provider, { linkDay: link?.day ?? from, from, before: today });
  const to = (waitsFor ?? today) - 1;
  const done: Calculation = { ...nothing, corrected: [], indexId, methodologyVersion, waitsFor };
  progress.phase(`calculating ${indexId}`, Math.max(0, to - from + 1));
  const log = new DataEvents(database);
  const chain = new Chain(rows, record, methodology);
  if (link !== null) chain.resume(link);
  for (const stretch of stretchesOf(rows.memberships(indexId), from, to)) {
    const steps = stepsOf(rows.levels({ indexId, methodologyVersion, ...stretch }), chain.levels(stretch));
    yield* inShortTransactions(database, clock, steps, (step) => {
      if (rows.lastVersion(indexId) !== version) {
        throw new OperatorError(`index ${indexId}: its members changed meanwhile; try again`, exitCodes.temporary);
      }
      take(rows, log, { indexId, methodologyVersion }, step, clock.now());
    });
    count(done, steps, isFirst);
    progress.advance(stretch.to - stretch.from + 1);
  }
  const isInDoubt = ordered !== undefined || lastUnmarked === lastDay || changed.some(isUnmarked);
  if (lastUnmarked !== null && isInDoubt) done.deviation = yield* deviationOf(rows, record, methodology);
  yield* inShortTransactions(database, clock, [to], (last) => {
    rows.settleChanged(record, last);
    rows.setCalculated(indexId, clock.now());
  });
  done.waitsForLink = waitsForLink(rows, record, methodology);
  return done;
}

/** Pairs each stored level with the calculated one, in ascending day order. Equal pairs are left out. */
function stepsOf(stored: ReadonlyMap<number, StoredLevel>, levels: readonly NewLevel[]): Step[] {
  const made = new Map(levels.map((level) => [level.day, level]));
  const days = [...new Set([...stored.keys(), ...made.keys()])].sort((one, other) => one - other);
  return days
    .map((day) => ({ day, stored: stored.get(day) ?? null, level: made.get(day) ?? null }))
    .filter(({ stored: before, level }) => !before?.pricesDigest || !level?.pricesDigest?.equals(before.pricesDigest));
}

/** Stores one level. A stored level with the same published figures keeps its revision; only its link changes. */
function take(rows: IndexWriter, log: DataEvents, key: LevelsKey, { day, stored, level }: Step, at: number): void {
  if (stored !== null && level !== null && isSame(stored, level)) {
    rows.relink(level);
    return;
  }
  if (stored !== null) rows.supersedeLevel({ ...key, day }, at);
  if (level !== null) rows.addLevel({ ...level, recordedAt: at });
  if (stored === null) return;
  const { revision, value } = stored;
  log.add({
    kind: "index_revised",
    cause: "prices",
    at,
    indexId: key.indexId,
    day,
    count: 1,
    before: { revision },
    ...(level === null ? {} : { after: { revision: revision + 1 } }),
    changes: [{ field: "value", before: value, after: level?.value ?? null }],
  });
}

const figures = [
  "value",
  "capitalizationCents",
  "constituentCount",
  "pricedConstituentCount",
  "membershipVersion",
  "asOf",
] as const;

/** Compares the published figures. The coverage follows from them. */
function isSame(stored: StoredLevel, level: NewLevel): boolean {
  return figures.every((name) => stored[name] === level[name]);
}

function count(done: Calculation, steps: readonly Step[], isBase: boolean): void {
  for (const { day, stored, level } of steps) {
    if (stored !== null) {
      if (level === null || !isSame(stored, level))
        done.corrected.push({ day, before: stored.value, after: level?.value ?? null });
      continue;
    }
    const value = level?.value ?? null;
    done.appended += 1;
    if (value === null) done.withoutValue += 1;
    else if (isBase) done.baseCarriedOn ??= day;
    done.firstDay ??= day;
    done.lastDay = day;
  }
}

/** Finds levels without a link. Every run reports them while they exist, not only the run that stored them. */
function waitsForLink(
  rows: IndexWriter,
  { indexId, methodologyVersion }: IndexRecord,
  { coverageFloorPct }: Methodology,
): Calculation["waitsForLink"] {
  const link = rows.linkBefore({ indexId, methodologyVersion, before: Number.MAX_SAFE_INTEGER });
  if (link === null) return null;
  const since = rows.firstUnlinked({ indexId, methodologyVersion, linkDay: link.day, coverageFloorPct });
  return since === null ? null : { since, lastValueDay: link.day };
}

function methodologyOf({ indexId, methodologyVersion }: IndexRecord): Methodology {
  const methodology = methodologies.get(methodologyVersion);
  if (methodology !== undefined) return methodology;
  throw new OperatorError(`index ${indexId}: this release does not know the methodology ${methodologyVersion}`);
}

const nothing = {
  appended: 0,
  withoutValue: 0,
  firstDay: null,
  lastDay: null,
  deviation: null,
  baseCarriedOn: null,
  waitsForLink: null,
};
