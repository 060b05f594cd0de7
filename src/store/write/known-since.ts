import { lt, sql } from "drizzle-orm";
import { changeSpans, marketState } from "../../../db/schema/reference.ts";
import type { Database } from "../database.ts";

/** Sets the first instant whose state can be read back, UTC ms. */
export function setKnownSince(database: Database, knownSince: number): void {
  database.update(marketState).set({ knownSince }).run();
  database.delete(changeSpans).where(lt(changeSpans.finishedAt, knownSince)).run();
}

/**
 * Returns a function that extends the span of a command to `now`. Call it in each transaction with rows of the instant `startedAt`, so that
 * the span ends with the last commit. Instants are UTC ms.
 */
export function spanKeeper(database: Database, startedAt: number): (now: number) => void {
  const finishedAt = sql.placeholder("finishedAt");
  const keep = database
    .insert(changeSpans)
    .values({ startedAt, finishedAt })
    .onConflictDoUpdate({
      target: changeSpans.startedAt,
      set: { finishedAt: sql`max(${changeSpans.finishedAt}, excluded.finished_at)` },
    })
    .prepare();
  return (now) => {
    if (now > startedAt) keep.run({ finishedAt: now });
  };
}
