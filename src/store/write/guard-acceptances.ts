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

  /** Marks the feed's acceptances of these guards as used by a published body. `findings`: the finding by guard, null without one. */
  use(feed: string, usedAt: number, findings: ReadonlyMap<string, string | null>): void {
    for (const [guard, finding] of findings) {
      this.#database
        .update(guardAcceptances)
        .set({ usedAt, finding })
        .where(and(eq(guardAcceptances.feed, feed), eq(guardAcceptances.guard, guard), isNull(guardAcceptances.usedAt)))
        .run();
    }
  }
}
