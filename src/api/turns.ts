import type { Socket } from "node:net";
import type { ConcurrencyLimiter } from "./concurrency-limiter.ts";
import type { Exchange } from "./exchange.ts";

/** The next step for a connection. `exchange` is null for bytes that are not a request. `begin` never throws. */
type Step = { readonly exchange: Exchange | null; begin(): void };

/** Maximum first steps of connections per turn of the event loop. */
const stepsPerTurnMax = 64;
/** Maximum further steps per turn. It is small, so that responses from other threads are sent in between. */
const laterStepsPerTurnMax = 16;

/**
 * Begins all requests in fair order. The HTTP parser reports every pipelined request of a chunk in one callback. Each connection begins at
 * most one request per turn of the event loop, at once if no other connection waits. Otherwise connections alternate, and connections
 * without an earlier request go first. Without a key, a request begins only when the earlier responses of its connection have been sent.
 */
export class Turns {
  readonly #concurrency: ConcurrencyLimiter;
  /** Steps that have not begun, by connection, oldest first. */
  readonly #steps = new Map<Socket, Step[]>();
  /** Connections that had no other step when theirs was added, in the order of their turns. */
  readonly #fresh = new Set<Socket>();
  /** Other connections with an oldest step that may begin, in the order of their turns. */
  readonly #ready = new Set<Socket>();
  /** Connections that have begun a step in this turn of the event loop. */
  readonly #begun = new Set<Socket>();
  #isPlanned = false;

  constructor(concurrency: ConcurrencyLimiter) {
    this.#concurrency = concurrency;
  }

  /** Begins a step at once, or queues it behind the others of its connection. */
  add(socket: Socket, step: Step): void {
    const steps = this.#steps.get(socket);
    if (steps !== undefined) {
      steps.push(step);
      return;
    }
    const mayBegin = this.#mayBegin(socket, step);
    const waiting = this.#fresh.size + this.#ready.size;
    if (mayBegin && waiting === 0 && this.#begun.size < stepsPerTurnMax && !this.#begun.has(socket)) {
      this.#begin(socket, step);
      return;
    }
    this.#steps.set(socket, [step]);
    if (!mayBegin) return;
    (this.#begun.has(socket) ? this.#ready : this.#fresh).add(socket);
    this.#plan();
  }

  /** Schedules a connection if its oldest step may begin now. Call it after each sent response. */
  advance(socket: Socket): void {
    const step = this.#steps.get(socket)?.[0];
    if (step === undefined || this.#fresh.has(socket) || !this.#mayBegin(socket, step)) return;
    this.#ready.add(socket);
    this.#plan();
  }

  /** Drops the steps of a closed connection. */
  forget(socket: Socket): void {
    this.#steps.delete(socket);
    this.#fresh.delete(socket);
    this.#ready.delete(socket);
  }

  #mayBegin(socket: Socket, { exchange }: Step): boolean {
    if (exchange === null || exchange.req.headers.authorization !== undefined) return true;
    const [oldest] = this.#concurrency.on(socket);
    return oldest === exchange;
  }

  #begin(socket: Socket, step: Step): void {
    this.#begun.add(socket);
    this.#plan();
    step.begin();
  }

  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    setImmediate(this.#takeTurns);
  }

  readonly #takeTurns = (): void => {
    this.#isPlanned = false;
    this.#begun.clear();
    this.#take(this.#fresh, stepsPerTurnMax);
    this.#take(this.#ready, laterStepsPerTurnMax);
    if (this.#fresh.size + this.#ready.size > 0) this.#plan();
  };

  /** Begins one step for each of at most `max` connections. */
  #take(sockets: Set<Socket>, max: number): void {
    const end = this.#begun.size + max;
    for (const socket of sockets) {
      if (this.#begun.size === end) return;
      // The connection was added again with its next step, which waits for the next turn.
      if (this.#begun.has(socket)) continue;
      sockets.delete(socket);
      const steps = this.#steps.get(socket) as Step[];
      const step = steps.shift() as Step;
      if (steps.length === 0) this.#steps.delete(socket);
      this.#begin(socket, step);
      this.advance(socket);
    }
  }
}
