import type { Schema } from "../contract/types.ts";
import type { GenerationsStore } from "../store/generations.ts";
import { dayMs } from "../values/calendar.ts";
import { toTimestamp } from "../values/clock.ts";
import { Failure } from "../values/failure.ts";

/** Time for which a generation is known after the next one was published. */
const keptMs = 30 * dayMs;

/** Reads items, bytes and digest of published generations. */
export class Generations {
  readonly #store: GenerationsStore;

  constructor(store: GenerationsStore) {
    this.#store = store;
  }

  /**
   * Reads the generation of a `name` such as `g7`.
   *
   * @throws {Failure} `generation_not_found`.
   */
  read(name: string, at: number): { data: Schema<"PublishedGeneration"> } {
    const row = this.#store.published(Number(name.slice(1)));
    if (row === null || (row.supersededAt !== null && at - row.supersededAt > keptMs)) throw generationNotFound(name);
    return {
      data: {
        generation: name,
        ingested_at: toTimestamp(row.ingestedAt),
        items: row.items,
        bytes: row.bytes,
        digest: row.digest.toString("hex"),
      },
    };
  }
}

function generationNotFound(name: string): Failure {
  return new Failure("generation_not_found", {
    detail: `path parameter \`generation\`: there is no generation ${name}, or the next one was published over 30 days ago`,
  });
}
