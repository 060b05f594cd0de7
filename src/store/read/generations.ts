import { and, eq, isNotNull, ne, sql } from "drizzle-orm";
import { generations } from "../../../db/schema/prices.ts";
import { marketState } from "../../../db/schema/reference.ts";
import type { Database } from "../database.ts";
import { bound } from "../statement.ts";
import type { SharedReadTransaction } from "./shared-read.ts";

/** A current or former published generation. `supersededAt` is when the next one was published, UTC ms; null for the current one. */
export type GenerationRow = {
  generationId: number;
  ingestedAt: number;
  items: number;
  bytes: number;
  digest: Buffer;
  supersededAt: number | null;
};

/** The published generation. `items` and `bytes` describe the price part of its exports. */
type CurrentGeneration = Pick<GenerationRow, "generationId" | "ingestedAt" | "items" | "bytes">;

/** Reads published generations. */
export class GenerationsStore {
  readonly #statements: ReturnType<typeof prepare>;
  readonly #shared: SharedReadTransaction | undefined;

  /** Without `shared`, each read is a transaction of its own. */
  constructor(database: Database, shared?: SharedReadTransaction) {
    this.#shared = shared;
    this.#statements = prepare(database);
  }

  /** Returns the published generation, or null before the first publication. */
  current(): CurrentGeneration | null {
    this.#shared?.join();
    return this.#statements.current.get() ?? null;
  }

  /** Returns the id of the published generation, read at this moment without the shared transaction. Null before the first publication. */
  currentId(): number | null {
    return this.#statements.currentId.get() ?? null;
  }

  /** Returns a published generation. Returns null for an unknown id, and for a generation without the digest of its exports. */
  published(generationId: number): GenerationRow | null {
    this.#shared?.join();
    return this.#statements.published.get({ generationId }) ?? null;
  }
}

function prepare(database: Database) {
  const { generationId, ingestedAt, items, bytes, digest, state, delistedDigest } = generations;
  return {
    current: database
      .select({
        generationId,
        ingestedAt: sql<number>`${ingestedAt}`,
        items,
        bytes,
      })
      .from(marketState)
      .innerJoin(generations, eq(generationId, marketState.currentGenerationId))
      .where(eq(marketState.one, 1))
      .prepare(),
    currentId: database.$client
      .prepare<[], number | null>("SELECT current_generation_id FROM market_state WHERE one = 1")
      .pluck(),
    published: database
      .select({
        generationId,
        ingestedAt: sql<number>`${ingestedAt}`,
        items,
        bytes,
        digest: sql<Buffer>`${digest}`,
        // Drizzle would omit the outer table's name, and the column would refer to the inner table.
        supersededAt: sql<number | null>`(SELECT later.ingested_at FROM generations AS later
          WHERE later.generation_id > generations.generation_id AND later.state <> 'staging' ORDER BY later.generation_id LIMIT 1)`,
      })
      .from(generations)
      .where(and(eq(generationId, bound("generationId")), ne(state, "staging"), isNotNull(delistedDigest)))
      .prepare(),
  };
}
