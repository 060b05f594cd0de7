import { desc, eq, sql } from "drizzle-orm";
import { openables, roiRuns } from "../../../db/schema/openables.ts";
import type { Database } from "../database.ts";

/** Reads the state that a schedule of the ROI model checks before it starts a run. */
export class RoiRunsStore {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#statements = prepare(database);
  }

  /** Returns when the last finished run of a methodology began, UTC ms, or null without one. */
  lastRunAt(methodologyVersion: string): number | null {
    return this.#statements.last.get({ methodologyVersion })?.calculatedAt ?? null;
  }

  /** Returns whether any container can be calculated. */
  hasPools(): boolean {
    return this.#statements.pool.get() !== undefined;
  }
}

function prepare(database: Database) {
  return {
    last: database
      .select({ calculatedAt: roiRuns.calculatedAt })
      .from(roiRuns)
      .where(eq(roiRuns.methodologyVersion, sql.placeholder("methodologyVersion")))
      .orderBy(desc(roiRuns.runId))
      .limit(1)
      .prepare(),
    pool: database.select({ slug: openables.slug }).from(openables).limit(1).prepare(),
  };
}
