import { eq, sql } from "drizzle-orm";
import { feeds } from "../../db/schema/prices.ts";
import { marketState } from "../../db/schema/reference.ts";
import type { Database } from "./database.ts";

/** Reads the state of the whole file. */
export class MarketStateStore {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#statements = prepare(database);
  }

  cursorKey(): Buffer {
    return this.#statements.cursorKey.get()!.cursorKey;
  }

  /** Differs whenever the catalog does. */
  catalogVersion(): number {
    return this.#statements.catalogVersion.get()!.catalogVersion;
  }

  /** Returns the published generation, and when any feed was last verified, UTC ms; null: none, never. */
  availability(): { generationId: number | null; checkedAt: number | null } {
    return this.#statements.availability.get()!;
  }
}

function prepare(database: Database) {
  const theOne = eq(marketState.one, 1);
  return {
    cursorKey: database.select({ cursorKey: marketState.cursorKey }).from(marketState).where(theOne).prepare(),
    catalogVersion: database
      .select({ catalogVersion: marketState.catalogVersion })
      .from(marketState)
      .where(theOne)
      .prepare(),
    availability: database
      .select({
        generationId: marketState.currentGenerationId,
        checkedAt: sql<number | null>`(SELECT max(${feeds.checkedAt}) FROM ${feeds})`,
      })
      .from(marketState)
      .where(theOne)
      .prepare(),
  };
}
