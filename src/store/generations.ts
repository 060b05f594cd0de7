import { and, eq, isNotNull, ne, sql } from "drizzle-orm";
import { generations } from "../../db/schema/prices.ts";
import type { Database } from "./database.ts";
import type { SharedReadTransaction } from "./shared-read.ts";

/** A generation that is or was published. `supersededAt`: when the next one was, UTC milliseconds; null for the current one. */
export type GenerationRow = {
  generationId: number;
  ingestedAt: number;
  items: number;
  bytes: number;
  digest: Buffer;
  supersededAt: number | null;
};

/** What is kept of every published generation. */
export class GenerationsStore {
  readonly #published;
  readonly #shared: SharedReadTransaction | undefined;

  /** Without `shared` every read is a transaction of its own. */
  constructor(database: Database, shared?: SharedReadTransaction) {
    this.#shared = shared;
    this.#published = prepare(database);
  }

  /** Null: none of this id was published with a digest that is that of its exports. */
  published(generationId: number): GenerationRow | null {
    this.#shared?.join();
    return this.#published.get({ generationId }) ?? null;
  }
}

function prepare(database: Database) {
  const { generationId, ingestedAt, items, bytes, digest, state, restDigest } = generations;
  return database
    .select({
      generationId,
      ingestedAt: sql<number>`${ingestedAt}`,
      items,
      bytes,
      digest: sql<Buffer>`${digest}`,
      // Drizzle would leave the outer table's name out, and the inner one would be meant.
      supersededAt: sql<number | null>`(SELECT later.ingested_at FROM generations AS later
        WHERE later.generation_id > generations.generation_id AND later.state <> 'staging' ORDER BY later.generation_id LIMIT 1)`,
    })
    .from(generations)
    .where(and(eq(generationId, sql.placeholder("generationId")), ne(state, "staging"), isNotNull(restDigest)))
    .prepare();
}
