import type { Schema } from "../contract/types.ts";
import type { ExportStatesStore } from "../store/read/export-states.ts";
import type { GenerationRow, GenerationsStore } from "../store/read/generations.ts";
import { Failure } from "../values/failure/failure.ts";
import { dayMs, secondMs } from "../values/time/calendar.ts";
import { toTimestamp } from "../values/time/clock.ts";
import type { GenerationWaiters } from "./generation-waiters.ts";

/** Time for which a generation is remembered after the next one was published. */
const keptMs = 30 * dayMs;
/** Seconds of `Retry-After` if this server has an older generation than the client. Nodes install a release within seconds. */
const olderRetryS = 3;

/** `after`: id of the generation that the client has, null to answer without waiting. */
export type CurrentRequest = { readonly after: number | null; readonly waitMs: number };

/** Reads items, bytes and digests of published generations. */
export class Generations {
  readonly waiters: GenerationWaiters;
  readonly #store: GenerationsStore;
  readonly #states: ExportStatesStore;
  readonly #mayBeBehind: boolean;

  /** `mayBeBehind`: the server follows releases, so the publisher may have a newer generation. */
  constructor(parts: {
    store: GenerationsStore;
    states: ExportStatesStore;
    waiters: GenerationWaiters;
    mayBeBehind?: boolean;
  }) {
    this.#store = parts.store;
    this.#states = parts.states;
    this.#mayBeBehind = parts.mayBeBehind ?? false;
    this.waiters = parts.waiters;
  }

  /**
   * Reads the generation of a `name` such as `g7`.
   *
   * @throws {Failure} `generation_not_found`; `service_unavailable` if a follower may not have it yet.
   */
  read(name: string, at: number): { data: Schema<"PublishedGeneration"> } {
    const id = Number(name.slice(1));
    // The current id is read first, so that a generation published meanwhile is found too.
    const current = this.#store.currentId();
    const row = this.#store.published(id);
    if (this.#mayBeBehind && row === null && current !== null && current < id) {
      throw olderHere("path parameter `generation`", name, current);
    }
    if (row === null || (row.supersededAt !== null && at - row.supersededAt > keptMs)) throw generationNotFound(name);
    return this.#answer(row);
  }

  prepareCurrent({ after, wait_seconds = 0 }: { after?: string; wait_seconds?: number }): CurrentRequest {
    return { after: after === undefined ? null : Number(after.slice(1)), waitMs: wait_seconds * secondMs };
  }

  /** Returns the number of the published generation, null before the first publication. */
  currentId(): number | null {
    return this.#store.currentId();
  }

  /**
   * Returns whether the request waits, because this server has no newer generation than the client. Another node may have given the client
   * a generation that this node does not have yet.
   */
  isUnchanged({ after, waitMs }: CurrentRequest): boolean {
    if (waitMs === 0 || after === null) return false;
    const current = this.#store.currentId();
    return current !== null && current <= after;
  }

  /**
   * Reads the published generation.
   *
   * @throws {Failure} `data_unavailable` when nothing is published.
   */
  current(): { data: Schema<"PublishedGeneration"> } {
    const current = this.#store.current();
    const row = current === null ? null : this.#store.published(current.generationId);
    if (row === null) throw new Failure("data_unavailable", { detail: "no generation of quotes is published" });
    return this.#answer(row);
  }

  #answer(row: GenerationRow): { data: Schema<"PublishedGeneration"> } {
    const state = this.#states.current();
    const isCurrent = row.generationId === state?.generationId;
    return {
      data: {
        generation: `g${row.generationId}`,
        ingested_at: toTimestamp(row.ingestedAt),
        items: row.items,
        bytes: row.bytes,
        digest: row.digest.toString("hex"),
        identity_digest: isCurrent ? state.identityDigest.toString("hex") : null,
      },
    };
  }
}

/**
 * Builds the refusal of a node that does not have the client's generation yet. Another node, or this one soon, has it. `place`: position of
 * its name in the request.
 */
export function olderHere(place: string, name: string, current: number): Failure {
  const detail = `${place}: ${name} is newer than g${current}, which this server has; try again`;
  return new Failure("service_unavailable", { detail, retryAfterS: olderRetryS });
}

function generationNotFound(name: string): Failure {
  return new Failure("generation_not_found", {
    detail: `path parameter \`generation\`: generation ${name} does not exist, or the next one was published over 30 days ago`,
  });
}
