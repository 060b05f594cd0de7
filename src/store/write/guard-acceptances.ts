import { and, eq, isNull } from "drizzle-orm";
import { guardAcceptances } from "../../../db/schema/prices.ts";
import type { Database } from "../database.ts";

/** Reads and writes operators' acceptances for the next body of a mirrored feed. Callers hold the transactions. */
export class GuardAcceptanceWriter {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the guards that the next body of the feed may break. */
  pending(feed: string): string[] {
    const rows = this.#database
      .selectDistinct({ guard: guardAcceptances.guard })
      .from(guardAcceptances)
      .where(and(eq(guardAcceptances.feed, feed), isNull(guardAcceptances.usedAt)));
    return rows.all().map(({ guard }) => guard);
  }

  /** Records that the next body of the feed may break a guard. */
  accept(feed: string, guard: string, acceptedAt: number): void {
    this.#database.insert(guardAcceptances).values({ feed, guard, acceptedAt }).run();
  }

  /**
   * Marks the feed's pending acceptances as used when a body is accepted. `findings` has the findings of the guards in that body, by guard.
   */
  use(feed: string, usedAt: number, findings: ReadonlyMap<string, string>): void {
    for (const guard of this.pending(feed)) {
      this.#database
        .update(guardAcceptances)
        .set({ usedAt, finding: findings.get(guard) ?? null })
        .where(and(eq(guardAcceptances.feed, feed), eq(guardAcceptances.guard, guard), isNull(guardAcceptances.usedAt)))
        .run();
    }
  }
}
