import { eq, sql } from "drizzle-orm";
import { generations } from "../../../db/schema/prices.ts";
import { marketState } from "../../../db/schema/reference.ts";
import type { Database } from "../database.ts";
import { GenerationsStore } from "../read/generations.ts";
import type { Totals } from "../read/market-count.ts";

/** Reads and publishes generations. Callers hold the transactions. */
export class GenerationWriter extends GenerationsStore {
  readonly #database: Database;

  constructor(database: Database) {
    super(database);
    this.#database = database;
  }

  /** Returns the checksum of times of the published generation, or 0 before the first publication. */
  timesChecksum(): number {
    const { timesChecksum, state } = generations;
    const row = this.#database.select({ timesChecksum }).from(generations).where(eq(state, "published")).get();
    return row?.timesChecksum ?? 0;
  }

  /** Publishes a new generation at `ingestedAt` (UTC ms). Returns its id. */
  publish(totals: Totals, timesChecksum: number, ingestedAt: number): number {
    this.#database.update(generations).set({ state: "superseded" }).where(eq(generations.state, "published")).run();
    const { generationId } = this.#database
      .insert(generations)
      .values({ ...totals, timesChecksum, state: "published", createdAt: ingestedAt, ingestedAt })
      .returning({ generationId: generations.generationId })
      .get();
    this.#database
      .update(marketState)
      .set({ currentGenerationId: generationId })
      .where(eq(marketState.one, sql`1`))
      .run();
    return generationId;
  }
}
