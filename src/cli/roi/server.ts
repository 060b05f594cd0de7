import { ItemtapeError, type Params, TransportError } from "../../client/index.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import { secondMs } from "../../values/time/calendar.ts";
import { type Clock, systemClock } from "../../values/time/clock.ts";
import type { Connection } from "../connect.ts";
import { refusalOf } from "../get/refusal.ts";
import { type Answer, type ReadId, readAnswer } from "./answer.ts";

type ServerParts = Connection & {
  /** Time limit of one response with its body, in milliseconds. */
  timeoutMs?: number;
  clock?: Clock;
};

const defaultTimeoutMs = 30 * secondMs;
/** Time limit of all responses and waits together, in milliseconds, against many slow responses. */
const totalMaxMs = 300 * secondMs;
const waitMaxMs = 180 * secondMs;

/** Reads the data for a recomputation from a server. It validates the bytes with the original numbers. */
export class ServerReads {
  readonly #parts: Required<ServerParts>;
  #startedMs: number | null = null;

  constructor(parts: ServerParts) {
    this.#parts = { timeoutMs: defaultTimeoutMs, clock: systemClock, ...parts };
  }

  /**
   * Reads the container. Follows Retry-After within bounds.
   * @throws {OperatorError} when the server refuses, fails or does not respond.
   */
  async openable(slug: string, query: Record<string, string>): Promise<Answer<"getOpenable">> {
    return this.#get("getOpenable", { slug, ...query }).catch((error) => {
      throw this.#explained(error, "getOpenable");
    });
  }

  /**
   * Reads a page of its outcomes. Returns null if the pool was replaced since the previous page.
   * @throws {OperatorError} as `openable` does.
   */
  async outcomes(slug: string, query: Record<string, string | number>): Promise<Answer<"listOpenableOutcomes"> | null> {
    try {
      return await this.#get("listOpenableOutcomes", { slug, ...query });
    } catch (error) {
      const isReplaced = error instanceof ItemtapeError && error.code === "cursor_mismatch";
      if (isReplaced && query.after !== undefined) return null;
      throw this.#explained(error, "listOpenableOutcomes");
    }
  }

  async #get<Id extends ReadId>(operationId: Id, params: object): Promise<Answer<Id>> {
    const leftMs = this.#leftMs();
    if (leftMs < 1) throw this.#tooLong(operationId);
    const { client, timeoutMs } = this.#parts;
    const totalMs = Math.floor(leftMs);
    const retry = { answerMs: Math.min(timeoutMs, totalMs), totalMs, waitMsMax: waitMaxMs };
    try {
      const { address, body } = await client.read(operationId, params as Params<Id>, { retry });
      return readAnswer(operationId, address, body);
    } catch (error) {
      const isTotal = error instanceof TransportError && error.reason === "timeout" && leftMs < timeoutMs;
      throw isTotal ? this.#tooLong(operationId) : error;
    }
  }

  /** Returns an error of the client as one line with the fix. Other errors are returned unchanged. */
  #explained(error: unknown, operationId: ReadId): unknown {
    if (!(error instanceof TransportError) || error.reason !== "redirect") {
      return refusalOf(error, operationId, this.#parts.base);
    }
    return new OperatorError(`${operationId}: ${error.message}; if that is correct, use it with --url`);
  }

  #tooLong(operationId: ReadId): OperatorError {
    const message = `${operationId}: ${this.#parts.base} did not answer completely within ${totalMaxMs / secondMs} s; try again later`;
    return new OperatorError(message, exitCodes.temporary);
  }

  #leftMs(): number {
    const atMs = this.#parts.clock.monotonicMs();
    this.#startedMs ??= atMs;
    return this.#startedMs + totalMaxMs - atMs;
  }
}
