import type { Socket } from "node:net";
import type { Exchange } from "./exchange.ts";

type ConcurrencyLimits = {
  /** Maximum requests in progress, over all connections. */
  readonly readsMax: number;
  /** Maximum requests that wait for a permit, over all connections. */
  readonly waitingMax: number;
  /** Maximum requests of one connection that are in progress or waiting. */
  readonly readsPerConnectionMax: number;
  /** Unsent responses at which connections with more than `openPerConnectionShare` of them are closed. */
  readonly openMax: number;
  readonly openPerConnectionShare: number;
};

/** A request that is ready to be performed. `perform` and `shed` never throw. */
type Ready = { readonly exchange: Exchange; perform(): void; shed(): void };

/** The exchanges of a connection. A client that pipelines has many exchanges on one connection. */
type Connection = { readonly open: Set<Exchange>; readsAndWaiting: number };

/**
 * Limits the exchanges in progress. A read permit is held only while the server works. It is not held while a client sends its body or
 * reads a response, because a slow client may need any time. If all permits are held, requests wait, and accounts alternate. Exports are
 * counted separately: they last minutes and have their own slots.
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

  /** Number of exchanges with an unfinished response. */
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

  /** Removes a connection and ends its exchanges. A response that was queued on it emits no `close` event. */
  disconnect(socket: Socket): void {
    for (const exchange of this.on(socket)) this.end(exchange);
    this.#connections.delete(socket);
  }

  /** Counts an exchange. Returns false if this connection must be closed: too many responses are unsent, and it has more than its share. */
  begin(exchange: Exchange): boolean {
    const connection = this.#connections.get(exchange.req.socket);
    if (connection === undefined) return false;
    if (this.#open >= this.#limits.openMax && connection.open.size >= this.#limits.openPerConnectionShare) return false;
    connection.open.add(exchange);
    this.#open += 1;
    return true;
  }

  /**
   * Performs a request with a read permit, at once or in its sharer's turn. It is shed if its connection has its share. It is also shed if
   * too many requests wait and its sharer has the most. If its client disconnects earlier, nothing is called.
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

  /** Releases the read permit, because only the client has work left. */
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

  /** Ends an exchange after its response was sent or its client has disconnected. */
  end(exchange: Exchange): void {
    if (this.#connections.get(exchange.req.socket)?.open.delete(exchange) !== true) return;
    this.release(exchange);
    if (exchange.permit === "export") this.#exports -= 1;
    this.#open -= 1;
    if (this.#open === 0) for (const resolve of this.#whenEmpty.splice(0)) resolve();
  }

  /** Resolves when no exchange is open. */
  empty(): Promise<void> {
    if (this.#open === 0) return Promise.resolve();
    return new Promise((resolve) => this.#whenEmpty.push(resolve));
  }

  /** Returns the open exchanges of a connection in the order of their arrival. */
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

  /** Grants permits after the current turn of the event loop, because several are often released in the middle of other work. */
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

/** An account or address with its number of held permits and its waiting requests, oldest first. */
type Sharer = { readonly name: string; held: number; readonly waiting: Ready[] };

/**
 * Queues requests that wait for a permit. Sharers alternate, so that one sharer's many requests do not delay the others. If too many wait,
 * the sharer with the most loses its newest request.
 */
class WaitingRequests {
  readonly #sharers = new Map<string, Sharer>();
  /** Sharers with waiting requests, in the order of their turns. */
  readonly #turns = new Set<Sharer>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Counts a permit as held by `name`. */
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

  /** Removes and returns the oldest request of the next sharer, null if the queue is empty. */
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

  /** Removes and returns the newest request of the sharer with the most waiting requests and held permits. */
  dropOfLargest(): Ready | null {
    let largest: Sharer | null = null;
    for (const sharer of this.#turns) if (largest === null || load(sharer) > load(largest)) largest = sharer;
    return largest === null ? null : this.#takeAt(largest, largest.waiting.length - 1);
  }

  /** Removes the request of an exchange that has ended. */
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
