import { rawAnswerOf, refusalOf, refuseOther, refuseRedirect } from "./answer.ts";
import { Deadline } from "./deadline.ts";
import { ItemtapeError, TransportError } from "./errors.ts";
import { decompressionFault, displayReply } from "./redaction.ts";
import type { OutgoingRequest } from "./request.ts";
import { waitMsFor } from "./retry.ts";
import { policyOf, type Settings } from "./settings.ts";
import type { CallOptions, RawAnswer, RetryPolicy } from "./types.ts";

/** A 200 or 304 with an unread body. Its time limit runs until `deadline` is reset or closed. */
export type OpenAnswer = { readonly response: Response; readonly deadline: Deadline; readonly sending: Sending };

type Sending = {
  readonly policy: RetryPolicy;
  readonly startedMs: number;
  readonly signal: AbortSignal | undefined;
  /** Number of requests so far. */
  attempts: number;
  /** Last refusal that was retried, else null. */
  refusal: ItemtapeError | null;
};

/** Context of a failed request. */
type Known = { readonly sending: Sending; readonly response: Response | null };

const secondMs = 1000;

/** Sends requests and retries them. */
export class Transport {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /**
   * Reads one JSON response with its whole body.
   *
   * @throws {ItemtapeError|TransportError} or the reason of the caller's signal.
   */
  async read(outgoing: OutgoingRequest, options: CallOptions): Promise<RawAnswer> {
    const { response, deadline, sending } = await this.open(outgoing, options, "application/json");
    try {
      return await rawAnswerOf(outgoing, response, sending.attempts);
    } catch (error) {
      throw this.#failureOf(outgoing, error, deadline, { sending, response });
    } finally {
      deadline.close();
    }
  }

  /** Returns a response of `mediaType` as soon as its headers are received. `mayRetry` can veto each retry. */
  async open(
    outgoing: OutgoingRequest,
    options: CallOptions,
    mediaType: string,
    mayRetry: (refusal: ItemtapeError) => boolean = () => true,
  ): Promise<OpenAnswer> {
    const { parts, onRetry, policy } = this.#settings;
    const { answerMs, totalMs, ...others } = policyOf(policy, options.retry);
    const { waitMs: heldMs } = outgoing;
    const sending: Sending = {
      policy: { ...others, answerMs: answerMs + heldMs, totalMs: totalMs + heldMs },
      startedMs: parts.clock.monotonicMs(),
      signal: options.signal,
      attempts: 0,
      refusal: null,
    };
    for (let attempt = 1; ; attempt += 1) {
      const opened = await this.#attempt(outgoing, sending, mediaType);
      if (!(opened instanceof ItemtapeError)) return opened;
      const leftMs = this.#leftMs(sending);
      const waitMs = waitMsFor(opened, attempt, leftMs, { policy: sending.policy, random: parts.random });
      if (waitMs === null || !mayRetry(opened)) throw opened;
      const { operationId } = outgoing;
      onRetry({ operationId, status: opened.status, code: opened.code, waitMs, attempt });
      sending.refusal = opened;
      await this.wait(waitMs, options.signal);
    }
  }

  /**
   * Waits `ms`.
   * @throws the reason of the caller's signal as soon as it is aborted.
   */
  async wait(ms: number, outer: AbortSignal | undefined): Promise<void> {
    const deadline = new Deadline(outer);
    try {
      await this.#settings.parts.wait(ms, deadline.signal);
    } finally {
      deadline.close();
    }
    outer?.throwIfAborted();
  }

  /** Returns the error to throw for `error`, which occurred while `deadline` was running. Aborts running work. */
  #failureOf({ address }: OutgoingRequest, error: unknown, deadline: Deadline, { sending, response }: Known): unknown {
    const { signal } = deadline;
    const failure = signal.aborted ? signal.reason : error;
    deadline.close(true);
    const { attempts, refusal } = sending;
    const requestId = response?.headers.get("x-request-id");
    if (failure instanceof TransportError) {
      const { reason, message, cause = refusal } = failure;
      return new TransportError(reason, message, { cause, attempts, requestId });
    }
    if (signal.reason === failure || failure instanceof ItemtapeError) return failure;
    const undone = decompressionFault(failure);
    if (undone !== null) {
      const message = `${address}: the answer cannot be decompressed (${undone})`;
      return new TransportError("broken", message, { cause: failure, attempts, requestId });
    }
    const { name, cause } = failure as { name?: string; cause?: { code?: string; message?: string; data?: string } };
    // Node's HTTP parser adds received bytes to its error, and the server may repeat the key in them.
    if (cause?.data !== undefined) delete cause.data;
    const why = displayReply(String(cause?.code ?? cause?.message ?? name), this.#settings.apiKey);
    const message = `${address}: the server cannot be reached or closed the connection (${why})`;
    return new TransportError("unreachable", message, { cause: failure, attempts, requestId });
  }

  /** Returns a refusal instead of throwing it, because it may be retried. */
  async #attempt(outgoing: OutgoingRequest, sending: Sending, mediaType: string): Promise<OpenAnswer | ItemtapeError> {
    const deadline = new Deadline(sending.signal);
    let response: Response | null = null;
    try {
      this.#limit(outgoing, sending, deadline);
      sending.attempts += 1;
      response = await this.#fetch(outgoing, deadline.signal);
      const { apiKey } = this.#settings;
      refuseRedirect(outgoing, response, apiKey);
      if (response.status >= 400) {
        const nowMs = this.#settings.parts.clock.now();
        const refusal = await refusalOf(outgoing, response, { apiKey, nowMs, attempts: sending.attempts });
        deadline.close();
        return refusal;
      }
      refuseOther(outgoing, response, mediaType, apiKey);
      return { response, deadline, sending };
    } catch (error) {
      throw this.#failureOf(outgoing, error, deadline, { sending, response });
    }
  }

  #limit({ address }: OutgoingRequest, sending: Sending, deadline: Deadline): void {
    const { answerMs, totalMs } = sending.policy;
    const leftMs = this.#leftMs(sending);
    const isTotal = leftMs < answerMs;
    const late = () => {
      const what = isTotal ? "the answer is incomplete" : "no complete answer";
      return new TransportError("timeout", `${address}: ${what} within ${(isTotal ? totalMs : answerMs) / secondMs} s`);
    };
    if (leftMs < 1) throw late();
    deadline.within(Math.min(answerMs, leftMs), late);
  }

  #fetch({ address, method, headers, body }: OutgoingRequest, signal: AbortSignal): Promise<Response> {
    const { fetch } = this.#settings;
    return fetch(address, { method, headers: { ...headers }, body, redirect: "manual", signal });
  }

  #leftMs({ policy, startedMs }: Sending): number {
    return startedMs + policy.totalMs - this.#settings.parts.clock.monotonicMs();
  }
}
