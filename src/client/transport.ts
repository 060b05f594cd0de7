import { rawAnswerOf, refusalOf, refuseOther, refuseRedirect } from "./answer.ts";
import { ItemtapeError, TransportError } from "./errors.ts";
import { Lifeline } from "./lifeline.ts";
import type { Outgoing } from "./request.ts";
import { waitMsFor } from "./retry.ts";
import { policyOf, type Settings } from "./settings.ts";
import { shown } from "./text.ts";
import type { CallOptions, RawAnswer, RetryPolicy } from "./types.ts";

/** A 200 or 304 whose body is still to come. Its time limit is running until `lifeline` is set anew or closed. */
export type OpenAnswer = { readonly response: Response; readonly lifeline: Lifeline };

type Sending = { readonly policy: RetryPolicy; readonly startedMs: number; readonly signal: AbortSignal | undefined };

const secondMs = 1000;

/** Sends requests, and again what may be sent again. */
export class Transport {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** One JSON answer with its whole body. Throws ItemtapeError, TransportError or the reason of the caller's signal. */
  async read(outgoing: Outgoing, options: CallOptions): Promise<RawAnswer> {
    const { response, lifeline } = await this.open(outgoing, options, "application/json");
    try {
      return await rawAnswerOf(outgoing, response);
    } catch (error) {
      throw this.failureOf(outgoing, error, lifeline);
    } finally {
      lifeline.close();
    }
  }

  /** An answer of `mediaType` as soon as its headers are there. `mayRetry` is asked before a refused request is sent again. */
  async open(
    outgoing: Outgoing,
    options: CallOptions,
    mediaType: string,
    mayRetry: (refusal: ItemtapeError) => boolean = () => true,
  ): Promise<OpenAnswer> {
    const { parts, onRetry, policy } = this.#settings;
    const sending = {
      policy: policyOf(policy, options.retry),
      startedMs: parts.clock.monotonicMs(),
      signal: options.signal,
    };
    for (let attempt = 1; ; attempt += 1) {
      const opened = await this.#attempt(outgoing, sending, mediaType, attempt);
      if (!(opened instanceof ItemtapeError)) return opened;
      const leftMs = this.#leftMs(sending);
      const waitMs = waitMsFor(opened, attempt, leftMs, { policy: sending.policy, random: parts.random });
      if (waitMs === null || !mayRetry(opened)) throw opened;
      const { operationId } = outgoing;
      onRetry({ operationId, status: opened.status, code: opened.code, waitMs, attempt });
      await this.#wait(waitMs, options.signal);
    }
  }

  /** What is to be thrown for `error`, which came while `lifeline` was held. Ends what is still under way. */
  failureOf({ address }: Outgoing, error: unknown, lifeline: Lifeline): unknown {
    const { signal } = lifeline;
    const failure = signal.aborted ? signal.reason : error;
    lifeline.close(true);
    if (signal.reason === failure || failure instanceof TransportError || failure instanceof ItemtapeError)
      return failure;
    const { name, cause } = failure as { name?: string; cause?: { code?: string; message?: string } };
    const why = shown(String(cause?.code ?? cause?.message ?? name), this.#settings.apiKey);
    const message = `${address}: the server cannot be reached or broke off (${why})`;
    return new TransportError("unreachable", message, { cause: failure });
  }

  /** A refusal is returned, not thrown: it may be one that is waited for. */
  async #attempt(
    outgoing: Outgoing,
    sending: Sending,
    mediaType: string,
    attempts: number,
  ): Promise<OpenAnswer | ItemtapeError> {
    const lifeline = new Lifeline(sending.signal);
    try {
      this.#limit(outgoing, sending, lifeline);
      const response = await this.#fetch(outgoing, lifeline.signal);
      const { apiKey } = this.#settings;
      refuseRedirect(outgoing, response, apiKey);
      if (response.status >= 400) {
        const nowMs = this.#settings.parts.clock.now();
        const refusal = await refusalOf(outgoing, response, { apiKey, nowMs, attempts });
        lifeline.close();
        return refusal;
      }
      refuseOther(outgoing, response, mediaType, apiKey);
      return { response, lifeline };
    } catch (error) {
      throw this.failureOf(outgoing, error, lifeline);
    }
  }

  #limit({ address }: Outgoing, sending: Sending, lifeline: Lifeline): void {
    const { answerMs, totalMs } = sending.policy;
    const leftMs = this.#leftMs(sending);
    const isTotal = leftMs < answerMs;
    const late = () => {
      const what = isTotal ? "the whole did not come" : "no whole answer";
      return new TransportError("timeout", `${address}: ${what} within ${(isTotal ? totalMs : answerMs) / secondMs} s`);
    };
    if (leftMs < 1) throw late();
    lifeline.within(Math.min(answerMs, leftMs), late);
  }

  #fetch({ address, method, headers, body }: Outgoing, signal: AbortSignal): Promise<Response> {
    const { fetch } = this.#settings;
    return fetch(address, { method, headers: { ...headers }, body, redirect: "manual", signal });
  }

  async #wait(ms: number, outer: AbortSignal | undefined): Promise<void> {
    const lifeline = new Lifeline(outer);
    try {
      await this.#settings.parts.wait(ms, lifeline.signal);
    } finally {
      lifeline.close();
    }
    outer?.throwIfAborted();
  }

  #leftMs({ policy, startedMs }: Sending): number {
    return startedMs + policy.totalMs - this.#settings.parts.clock.monotonicMs();
  }
}
