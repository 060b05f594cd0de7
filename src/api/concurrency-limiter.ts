import type { Socket } from "node:net";
import type { Exchange } from "./exchange.ts";

type ConcurrencyLimits = {
  /** Requests at work, of all connections. */
  readonly readsMax: number;
  /** Requests that wait for a permit, of all connections. */
  readonly waitingMax: number;
  /** Requests at work or waiting for it that came over one connection. */
  readonly readsPerConnectionMax: number;
  /** Answers that are not sent yet, from which on connections with more than their share of them are cut. */
  readonly openMax: number;
  readonly openPerConnectionShare: number;
};

/** A request that is ready to be performed. `perform` and `shed` never throw. */
type Ready = { readonly exchange: Exchange; perform(): void; shed(): void };

/** The exchanges of a connection. A client that pipelines has many exchanges open on one. */
type Connection = { readonly open: Set<Exchange>; readsAndWaiting: number };

/**
 * Limits the exchanges under way. A permit to read is held only while the server itself is at work: not while a body is still
 * coming, nor while an answer waits to be read, because a client may take as long as it likes over both. Where all permits are held,
 * requests wait, and accounts take turns. Exports are counted apart: they take minutes and have slots of their own.
 */
export class ConcurrencyLimiter {
  readonly #connections = new Map<Socket, Connection>();
  readonly #waiting = new WaitingRequests();
  #limits: ConcurrencyLimits = {
    readsMax: 256,
    waitingMax: 1_024,
    readsPerConnectionMax: 64,
    openMax: 8_192,
    openPerConnectionShare: 16,
  };
  #open = 0;
  #reads = 0;
  #exports = 0;
  #isTurnPlanned = false;
  #whenEmpty: (() => void)[] = [];

  /** Exchanges whose answer is not sent to its end. */
  get open(): number {
    return this.#open;
  }

  get reads(): number {
    return this.#reads;
  }

  get waiting(): number {
    return this.#waiting.count;
  }

  get exports(): number {
    return this.#exports;
  }

  limit(limits: Partial<ConcurrencyLimits>): void {
    this.#limits = { ...this.#limits, ...limits };
  }

  connect(socket: Socket): void {
    this.#connections.set(socket, { open: new Set(), readsAndWaiting: 0 });
  }

  /** Forgets a connection and ends its exchanges: answers that waited for their turn on it never close when it does. */
  disconnect(socket: Socket): void {
    for (const exchange of this.on(socket)) this.end(exchange);
    this.#connections.delete(socket);
  }

  /** Counts an exchange. Returns false where so many answers wait that this connection, with more than its share, is to be cut. */
  begin(exchange: Exchange): boolean {
    const connection = this.#connections.get(exchange.req.socket);
    if (connection === undefined) return false;
    if (this.#open >= this.#limits.openMax && connection.open.size >= this.#limits.openPerConnectionShare) return false;
    connection.open.add(exchange);
    this.#open += 1;
    return true;
  }

  /**
   * Performs a request with a permit to read, at once or when its sharer's turn comes. It is shed where its connection has its
   * share, or where too many wait and its sharer has most of them; nothing is called when its client goes away before.
   */
  perform(ready: Ready): void {
    const { exchange } = ready;
    const connection = this.#connections.get(exchange.req.socket);
    if (connection === undefined) return;
    if (connection.readsAndWaiting >= this.#limits.readsPerConnectionMax) {
      ready.shed();
      return;
    }
    connection.readsAndWaiting += 1;
    if (this.#reads < this.#limits.readsMax && this.#waiting.count === 0) {
      this.#performNow(ready);
      return;
    }
    exchange.permit = "waiting";
    this.#waiting.add(exchange.sharer, ready);
    if (this.#waiting.count > this.#limits.waitingMax) this.#shedOne();
    this.#planTurns();
  }

  /** Releases the permit to read: the next step is the client's. */
  release(exchange: Exchange): void {
    const { permit } = exchange;
    if (permit !== "read" && permit !== "waiting") return;
    exchange.permit = "none";
    const connection = this.#connections.get(exchange.req.socket);
    if (connection !== undefined) connection.readsAndWaiting -= 1;
    if (permit === "waiting") {
      this.#waiting.remove(exchange.sharer, exchange);
      return;
    }
    this.#reads -= 1;
    this.#waiting.letGo(exchange.sharer);
    this.#planTurns();
  }

  /** Counts the exchange as an export from now on. */
  becomeExport(exchange: Exchange): void {
    this.release(exchange);
    exchange.permit = "export";
    this.#exports += 1;
  }

  /** Ends an exchange: its answer is sent, or nobody is left to take it. */
  end(exchange: Exchange): void {
    if (this.#connections.get(exchange.req.socket)?.open.delete(exchange) !== true) return;
    this.release(exchange);
    if (exchange.permit === "export") this.#exports -= 1;
    this.#open -= 1;
    if (this.#open === 0) for (const resolve of this.#whenEmpty.splice(0)) resolve();
  }

  /** Resolves when nothing is under way. */
  empty(): Promise<void> {
    if (this.#open === 0) return Promise.resolve();
    return new Promise((resolve) => this.#whenEmpty.push(resolve));
  }

  /** Returns the exchanges under way on a connection, in the order in which they came. */
  on(socket: Socket): Iterable<Exchange> {
    return this.#connections.get(socket)?.open ?? [];
  }

  sockets(): Iterable<Socket> {
    return this.#connections.keys();
  }

  #performNow(ready: Ready): void {
    const { exchange } = ready;
    exchange.permit = "read";
    this.#reads += 1;
    this.#waiting.hold(exchange.sharer);
    ready.perform();
  }

  #shedOne(): void {
    const ready = this.#waiting.dropOfLargest();
    if (ready === null) return;
    const { exchange } = ready;
    exchange.permit = "none";
    const connection = this.#connections.get(exchange.req.socket);
    if (connection !== undefined) connection.readsAndWaiting -= 1;
    ready.shed();
  }

  /** Takes turns after the current turn of the event loop: permits come back in the middle of other work, and many at once. */
  #planTurns(): void {
    if (this.#isTurnPlanned || this.#waiting.count === 0 || this.#reads >= this.#limits.readsMax) return;
    this.#isTurnPlanned = true;
    setImmediate(() => {
      this.#isTurnPlanned = false;
      while (this.#reads < this.#limits.readsMax) {
        const ready = this.#waiting.next();
        if (ready === null) return;
        this.#performNow(ready);
      }
    });
  }
}

/** An account or address: the permits that it holds and its requests that wait for one, the oldest first. */
type Sharer = { readonly name: string; held: number; readonly waiting: Ready[] };

/**
 * Holds requests that wait for a permit. Those who share the permits take turns, so that nobody waits longer for the many requests of
 * another. Where too many wait, whoever has the most loses its newest.
 */
class WaitingRequests {
  readonly #sharers = new Map<string, Sharer>();
  /** Sharers with waiting requests, in the order of their turns. */
  readonly #turns = new Set<Sharer>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Counts a permit that `name` holds from now on. */
  hold(name: string): void {
    this.#sharer(name).held += 1;
  }

  letGo(name: string): void {
    const sharer = this.#sharer(name);
    sharer.held -= 1;
    this.#forget(sharer);
  }

  add(name: string, ready: Ready): void {
    const sharer = this.#sharer(name);
    sharer.waiting.push(ready);
    this.#turns.add(sharer);
    this.#count += 1;
  }

  /** Takes out the oldest request of the sharer whose turn it is; null: none waits. */
  next(): Ready | null {
    for (const sharer of this.#turns) {
      const ready = sharer.waiting.shift();
      this.#turns.delete(sharer);
      if (sharer.waiting.length > 0) this.#turns.add(sharer);
      this.#count -= 1;
      this.#forget(sharer);
      return ready ?? null;
    }
    return null;
  }

  /** Takes out the newest request of the sharer that has most, waiting and held together. */
  dropOfLargest(): Ready | null {
    let largest: Sharer | null = null;
    for (const sharer of this.#turns) if (largest === null || load(sharer) > load(largest)) largest = sharer;
    return largest === null ? null : this.#takeAt(largest, largest.waiting.length - 1);
  }

  /** Takes out the request of an exchange that nobody waits for any more. */
  remove(name: string, exchange: Exchange): void {
    const sharer = this.#sharer(name);
    const index = sharer.waiting.findIndex((ready) => ready.exchange === exchange);
    if (index !== -1) this.#takeAt(sharer, index);
  }

  #takeAt(sharer: Sharer, index: number): Ready | null {
    const [ready] = sharer.waiting.splice(index, 1);
    if (sharer.waiting.length === 0) this.#turns.delete(sharer);
    this.#count -= 1;
    this.#forget(sharer);
    return ready ?? null;
  }

  #sharer(name: string): Sharer {
    let sharer = this.#sharers.get(name);
    if (sharer === undefined) {
      sharer = { name, held: 0, waiting: [] };
      this.#sharers.set(name, sharer);
    }
    return sharer;
  }

  #forget(sharer: Sharer): void {
    if (sharer.held === 0 && sharer.waiting.length === 0) this.#sharers.delete(sharer.name);
  }
}

function load({ held, waiting }: Sharer): number {
  return held + waiting.length;
}
