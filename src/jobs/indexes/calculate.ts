import type { Database } from "../../store/database.ts";
import { type BatchStats, inShortTransactions } from "../../store/write/batches.ts";
import { type IndexRecord, IndexWriter } from "../../store/write/indexes.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import { type Progress, silent } from "../../values/progress.ts";
import type { Clock } from "../../values/time/clock.ts";
import { Chain, stretchesOf } from "./chain.ts";
import { knownIndex } from "./define.ts";
import { type Methodology, methodologies } from "./methodologies.ts";

type CalculationParts = { clock: Clock; progress?: Progress };

/** The result of a calculation of one index. Days since 1970. */
export type Calculation = {
  indexId: string;
  methodologyVersion: string;
  /** Levels that were appended, and those among them without a value. */
  appended: number;
  withoutValue: number;
  firstDay: number | null;
  lastDay: number | null;
  /** The day that carries the base value, if this calculation came to it. */
  baseCarriedOn: number | null;
  /** The first day whose daily prices are not derived yet: nothing from it on was calculated. */
  waitsFor: number | null;
  /** Levels from the day `since` on have enough prices and no value: none can be compared with `lastValueDay`. */
  waitsForLink: { since: number; lastValueDay: number } | null;
};

/**
 * Appends the levels of all complete days, those before the day `today`, to the indexes `only` (left out: all active ones).
 * Stored levels are never changed, so that calculating again only moves `calculatedAt`. Yields after every short transaction.
 * Call it when the daily prices of past days are derived.
 * @throws {OperatorError} when an index is unknown or retired.
 */
export function* calculateIndexInBatches(
  database: Database,
  today: number,
  parts: CalculationParts,
  only?: readonly string[],
): Generator<BatchStats, Calculation[]> {
  const rows = new IndexWriter(database);
  const chosen = only === undefined ? rows.indexes().filter(({ active }) => active) : only.map((id) => named(rows, id));
  const calculations: Calculation[] = [];
  for (const record of chosen) calculations.push(yield* calculateOne(database, rows, record, today, parts));
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
  today: number,
  { clock, progress = silent }: CalculationParts,
): Generator<BatchStats, Calculation> {
  const { indexId, methodologyVersion } = record;
  const methodology = methodologyOf(record);
  const chain = new Chain(rows, record, methodology);
  const { lastDay, link } = rows.chainEnd({ indexId, methodologyVersion });
  if (link !== null) chain.resume(link);
  const from = Math.max(record.baseDay, (lastDay ?? Number.NEGATIVE_INFINITY) + 1);
  const waitsFor = rows.firstUnfinalized(record.provider, { linkDay: link?.day ?? from, from, before: today });
  const to = (waitsFor ?? today) - 1;
  const version = rows.lastVersion(indexId);
  const done: Calculation = { ...nothing, indexId, methodologyVersion, waitsFor };
  progress.phase(`calculating ${indexId}`, Math.max(0, to - from + 1));
  for (const stretch of stretchesOf(rows.memberships(indexId), from, to)) {
    const levels = chain.levels(stretch);
    yield* inShortTransactions(database, clock, levels, (level) => {
      if (rows.lastVersion(indexId) !== version) {
        throw new OperatorError(`index ${indexId}: its members changed meanwhile; try again`, exitCodes.temporary);
      }
      rows.addLevel({ ...level, recordedAt: clock.now() });
    });
    const valued = levels.filter(({ value }) => value !== null);
    done.appended += levels.length;
    done.withoutValue += levels.length - valued.length;
    done.firstDay ??= levels[0]?.day ?? null;
    done.lastDay = levels.at(-1)?.day ?? done.lastDay;
    if (link === null) done.baseCarriedOn ??= valued[0]?.day ?? null;
    progress.advance(stretch.to - stretch.from + 1);
  }
  yield* inShortTransactions(database, clock, [indexId], (id) => rows.setCalculated(id, clock.now()));
  done.waitsForLink = waitsForLink(rows, record, methodology);
  return done;
}

/** Finds levels that have no link. Every run reports them as long as they last, not only the one that stored them. */
function waitsForLink(
  rows: IndexWriter,
  { indexId, methodologyVersion }: IndexRecord,
  { coverageFloorPct }: Methodology,
): Calculation["waitsForLink"] {
  const { link } = rows.chainEnd({ indexId, methodologyVersion });
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
  baseCarriedOn: null,
  waitsForLink: null,
};
