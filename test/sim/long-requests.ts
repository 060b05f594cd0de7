import { expectSame, expectThat } from "./checker.ts";
import type { Asked } from "./market.ts";
import type { Call, Outcome } from "./model-types.ts";
import type { Publication } from "./operations.ts";
import type { LongRequest } from "./service.ts";
import type { Parts } from "./traffic.ts";

const holderMs = 119_000;
const interruptMarginMs = 1000;
const cutMarginMs = 250;
const shareMax = 0.5;
/** How long after a publication a waiting request may still wait. */
const wakeMs = 200;

/** How a client treats a stream: it reads it to its end, or disconnects. */
export type StreamEnd = "read" | "go";
type Admitted = Outcome & { kind: "admitted" };
/** `expected` is the expected end, or null if the stream continues. `version` is the market version that it reads. */
type HeldStream = {
  readonly call: Call;
  readonly deadlineMs: number;
  readonly version: () => number | null;
  readonly begun: number | null;
  readonly pagesLeft: boolean;
  expected: string | null;
  over: () => void;
};
/** `changedMs` is the measured time at which a newer generation than the client's was published. */
type HeldWait = {
  readonly call: Call;
  readonly asked: Asked & { of: "generation" };
  readonly admitted: Admitted;
  readonly untilMs: number;
  changedMs: number | null;
  gone: boolean;
};

/** Requests that go through the server's handler: streams and waiting requests that are still open at the end of their step. */
export class LongRequests {
  readonly #parts: Parts;
  readonly #asks: (leaseId: string) => void;
  readonly #inFlight = new Map<string, LongRequest>();
  readonly #streams = new Map<string, HeldStream>();
  readonly #waits = new Map<string, HeldWait>();
  readonly #requests = new Map<string, LongRequest>();
  readonly #goneEarly = new Set<string>();
  #closing = false;

  /** `asks` receives each lease that is about to be released. */
  constructor(parts: Parts, asks: (leaseId: string) => void) {
    this.#parts = parts;
    this.#asks = asks;
  }

  get waits(): number {
    return this.#waits.size;
  }

  get goneEarly(): boolean {
    return this.#goneEarly.size > 0;
  }

  /** Sends a request. Resolves when it is answered, begins to stream or to wait, or its client disconnects. */
  async perform(call: Call, asked: Asked): Promise<Outcome> {
    const { service } = this.#parts.world.server;
    const request = service.begin(call, asked);
    this.#inFlight.set(call.requestId, request);
    this.#requests.set(call.requestId, request);
    await request.response.settled;
    this.#inFlight.delete(call.requestId);
    return this.#goneEarly.has(call.requestId) ? { kind: "gone" } : service.outcomeOf(request);
  }

  /** Returns the outcome that the client must see, after the model has admitted or refused the request. */
  expect(call: Call, outcome: Outcome): Outcome {
    const { asked } = call;
    if (asked === null || outcome.kind === "failed" || outcome.kind === "gone") return outcome;
    const isGone = this.#goneEarly.has(call.requestId);
    if (outcome.kind === "refused") return isGone ? { kind: "gone" } : this.#refused(outcome);
    if (isGone) {
      this.#giveBack(call);
      this.#parts.counts.add("client gone before the read");
      return { kind: "gone" };
    }
    if (asked.of === "generation") return this.#expectGeneration(call, asked, outcome);
    return this.#expectStream(call, asked, outcome);
  }

  /** The client of an open request reads on or disconnects. Resolves at the end of its stream. Returns false if the request is not open. */
  end(requestId: string, how: StreamEnd): Promise<void> | false {
    const { counts } = this.#parts;
    const request = this.#requests.get(requestId);
    const wait = this.#waits.get(requestId);
    if (request !== undefined && wait !== undefined) {
      if (wait.gone) return false;
      wait.gone = true;
      const closed = new Promise<void>((resolve) => request.response.once("close", resolve));
      request.response.destroy();
      return closed;
    }
    const stream = this.#streams.get(requestId);
    if (request === undefined || stream === undefined || stream.expected !== null) return false;
    const interrupted = this.#closing || this.#nowMs >= stream.deadlineMs - interruptMarginMs;
    const torn = stream.pagesLeft && stream.version() !== stream.begun;
    if (interrupted) stream.expected = "snapshot_interrupted";
    else if (how === "go") stream.expected = "disconnected";
    else stream.expected = torn ? "snapshot_changed" : "complete";
    this.#ending(stream);
    if (how === "go") counts.add(`${this.#nameOf(stream)} left by its client`);
    else if (stream.expected === "snapshot_changed") counts.add(`${this.#nameOf(stream)} torn`);
    const over = new Promise<void>((resolve) => {
      stream.over = resolve;
    });
    if (how === "read") request.response.readOn();
    else request.response.destroy();
    return over;
  }

  /** Disconnects the clients of all requests that wait for the ledger. */
  leave(): void {
    for (const [requestId, { response }] of this.#inFlight) {
      this.#goneEarly.add(requestId);
      response.destroy();
    }
  }

  publish(publication: Publication): void {
    const { world, counts } = this.#parts;
    world.market.publish(publication);
    for (const wait of this.#waits.values()) {
      if (world.market.generationId > wait.asked.after!) wait.changedMs ??= this.#nowMs;
    }
    if (this.#waits.size > 0 && publication.of !== "generation") counts.add("publication that wakes nobody");
  }

  /** Marks the streams that the timers due now must cut. */
  beforeTimers(): void {
    for (const stream of this.#streams.values()) {
      if (this.#nowMs < stream.deadlineMs - cutMarginMs) continue;
      if (stream.expected === "complete") stream.expected = "disconnected";
      if (stream.expected !== null) continue;
      stream.expected = "snapshot_interrupted";
      this.#ending(stream);
      this.#parts.counts.add(`${this.#nameOf(stream)} cut at its deadline`);
    }
  }

  /** Checks which requests still wait and which were answered. `timersFired` is true after all due timers have run. */
  settle(timersFired: boolean): void {
    const { world } = this.#parts;
    for (const [requestId, wait] of this.#waits) {
      if (wait.gone) this.#forget(requestId);
      else if (this.#requests.get(requestId)?.response.writableEnded) this.#answered(requestId, wait);
      else {
        const late = timersFired ? wait.untilMs <= this.#nowMs : wait.untilMs < this.#nowMs;
        expectThat("I35", !late, `${requestId} waits beyond its time`);
        const slept = wait.changedMs !== null && this.#nowMs >= wait.changedMs + wakeMs && timersFired;
        expectThat("I35", !slept, `${requestId} was not woken by a publication`);
      }
    }
    for (const [requestId, { deadlineMs, expected }] of this.#streams) {
      const isHeld = expected === null && this.#nowMs >= deadlineMs - cutMarginMs;
      expectThat("I17", !isHeld, `stream ${requestId} goes on after its time`);
    }
    const { waiters } = world.server.service;
    expectThat("I35", waiters.count === this.#waits.size, `${waiters.count} wait, it should be ${this.#waits.size}`);
  }

  /** Checks that no request holds a read permit at rest. Waiting requests and streams do not hold one either. */
  atRest(): void {
    const { reads } = this.#parts.world.server.service.concurrency;
    expectThat("I35", reads === 0, `${reads} requests hold a permit and do no work`);
    this.#goneEarly.clear();
  }

  /** Records the end of a stream, with the outcome of the server's event. */
  over(requestId: string, outcome: string): void {
    const { counts, model, checker } = this.#parts;
    const stream = this.#streams.get(requestId);
    if (stream === undefined) return;
    expectSame(`the end of stream ${requestId}`, outcome, stream.expected);
    const last = this.#requests.get(requestId)?.response.last ?? "";
    if (outcome === "complete") expectThat("I36", last.includes('"type":"end"'), `${requestId} has no end: ${last}`);
    if (outcome === "snapshot_changed") expectThat("I36", last.includes('"type":"error"'), `${requestId}: ${last}`);
    if (outcome === "complete") counts.add(`${this.#nameOf(stream)} read to the end`);
    if (checker.deadAs(stream.call.authorization) !== null) counts.add("stream of a key that died meanwhile");
    model.places.delete(requestId);
    this.#streams.delete(requestId);
    this.#forget(requestId);
    stream.over();
  }

  /** Stops the service: all waiting requests are answered, and every stream ends. */
  close(): void {
    const { service } = this.#parts.world.server;
    const { counts } = this.#parts;
    this.#closing = true;
    counts.add("wait answered by the end of the service", this.#waits.size);
    void service.waiters.close();
    void service.scheduler.interruptAll();
  }

  /** The clients of all streams read to the end. */
  readAll(): Promise<unknown> {
    return Promise.all([...this.#streams.keys()].map((requestId) => this.end(requestId, "read") || null));
  }

  /** Forgets all requests of a dead process. */
  forgetAll(): void {
    for (const held of [this.#inFlight, this.#streams, this.#waits, this.#requests, this.#goneEarly]) held.clear();
    this.#closing = false;
  }

  #expectGeneration(call: Call, asked: Asked & { of: "generation" }, outcome: Admitted): Outcome {
    const { world, model, counts } = this.#parts;
    const { generationId } = world.market;
    if (asked.waitMs === 0 || asked.after === null || asked.after < generationId) {
      this.#giveBack(call);
      counts.add("generation answered at once");
      return { ...outcome, answer: `g${generationId}` };
    }
    const untilMs = this.#closing ? this.#nowMs : this.#nowMs + asked.waitMs;
    const permit = model.places.get(call.requestId);
    if (permit !== undefined && untilMs > permit.untilMs) permit.isLate = true;
    const held = { call, asked, admitted: outcome, untilMs, changedMs: null, gone: false };
    this.#waits.set(call.requestId, held);
    counts.add("wait begun");
    return outcome;
  }

  #expectStream(call: Call, asked: Asked & { of: "day" | "changes" }, outcome: Admitted): Outcome {
    const { world, counts } = this.#parts;
    const { market } = world;
    const isDay = asked.of === "day";
    const share = isDay ? 1 : market.changedSince(asked);
    const version = () => (isDay ? market.revision(asked) : market.stateId);
    const begun = version();
    const refusal = begun === null ? "day_not_found" : share === null ? "generation_not_found" : "changes_too_large";
    const sinceAtMs = isDay ? Math.max(0, call.now - call.at) : 0;
    const deadlineMs = call.monotonicMs - sinceAtMs + holderMs;
    const isTooLate = this.#nowMs >= deadlineMs - interruptMarginMs;
    const isRefused = begun === null || share === null || (!isDay && share > shareMax);
    if (isRefused || isTooLate) {
      this.#giveBack(call);
      counts.add(isRefused ? `charged ${refusal}` : "stream that could not begin in time");
      const [code, retryAfterS] = isRefused ? [refusal, null] : ["service_unavailable", 1];
      return { kind: "refused", code, retryAfterS, headers: outcome.headers, charged: true };
    }
    const stream = { call, deadlineMs, version, begun, pagesLeft: share !== 0, expected: null, over: () => {} };
    this.#streams.set(call.requestId, stream);
    counts.add(share === 0 ? "empty changes begun" : `${this.#nameOf(stream)} begun`);
    return outcome;
  }

  #answered(requestId: string, { call, asked, admitted, untilMs }: HeldWait): void {
    const { world, model, checker, counts } = this.#parts;
    const { generationId } = world.market;
    const changed = generationId > asked.after!;
    const isOver = this.#nowMs >= untilMs;
    expectThat("I35", changed || isOver || this.#closing, `${requestId} was woken, and nothing had happened`);
    const request = this.#requests.get(requestId)!;
    let refusal = model.judgeAgain({ ...call, at: world.clock.now() });
    if (refusal?.kind === "refused" && refusal.code === "account_disabled") {
      refusal = { ...refusal, headers: admitted.headers };
    }
    const got = world.server.service.outcomeOf(request);
    expectSame(`late answer of ${requestId}`, got, refusal ?? { ...admitted, answer: `g${generationId}` });
    const deadAs = checker.deadAs(call.authorization);
    expectThat("I24", deadAs === null || got.kind === "refused", `a key that died was answered ${got.kind}`);
    if (refusal?.kind !== "refused") counts.add(changed ? "wait ended by a publication" : "wait over");
    else counts.add(refusal.code === "plan_upgrade_required" ? "wait refused to its plan" : "wait refused to its key");
    this.#forget(requestId);
  }

  #forget(requestId: string): void {
    if (this.#waits.delete(requestId)) this.#parts.model.places.delete(requestId);
    this.#requests.delete(requestId);
  }

  #giveBack({ requestId, rule }: Call): void {
    this.#parts.model.places.delete(requestId);
    if (rule.lease) this.#asks(requestId);
  }

  #ending({ call }: HeldStream): void {
    if (call.rule.lease) this.#asks(call.requestId);
  }

  /** A 401 response does not contain an allowance. */
  #refused(outcome: Outcome & { kind: "refused" }): Outcome {
    return outcome.code.endsWith("_api_key") ? { ...outcome, headers: null } : outcome;
  }

  #nameOf({ call }: HeldStream): "day" | "changes" {
    return call.rule.lease ? "day" : "changes";
  }

  get #nowMs(): number {
    return this.#parts.world.clock.elapsedMs;
  }
}
