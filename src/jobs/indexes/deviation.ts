import type { BatchStats } from "../../store/write/batches.ts";
import type { IndexRecord, IndexWriter } from "../../store/write/indexes.ts";
import { Chain, stretchesOf } from "./chain.ts";
import type { Methodology } from "./methodologies.ts";

/** The last level of an earlier release that differs from the stored prices. `since` is the first differing day; days since 1970. */
export type Deviation = { since: number; day: number; stored: string | null; found: string | null };

/**
 * Recalculates the levels of earlier releases from the base day on, without storing them. Those levels do not record their prices, so only
 * this check shows whether they match. Returns null if the last level matches.
 */
export function* deviationOf(
  rows: IndexWriter,
  record: IndexRecord,
  methodology: Methodology,
): Generator<BatchStats, Deviation | null> {
  const { indexId, methodologyVersion, baseDay } = record;
  const { lastUnmarked } = rows.chainEnd(record);
  if (lastUnmarked === null) return null;
  const chain = new Chain(rows, record, methodology);
  let since: number | null = null;
  let last: Omit<Deviation, "since"> | null = null;
  for (const stretch of stretchesOf(rows.memberships(indexId), baseDay, lastUnmarked)) {
    const found = new Map(chain.levels(stretch).map(({ day, value }) => [day, value ?? null]));
    for (const [day, { value: stored }] of rows.levels({ indexId, methodologyVersion, ...stretch })) {
      last = { day, stored, found: found.get(day) ?? null };
      if (stored !== last.found) since ??= day;
    }
    yield { rows: 0, lockHeldMs: 0 };
  }
  if (last === null || since === null || last.stored === last.found) return null;
  return { since, ...last };
}
