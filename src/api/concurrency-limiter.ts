import type { Socket } from "node:net";
import type { Exchange } from "./exchange.ts";

export type InFlightLimits = {
  /** Requests at work, of all connections. */
  readonly readsMax: number;
  /** Requests at work that came over one connection. */
  readonly readsPerConnectionMax: number;
  /** Answers that are not sent yet, from which on connections with more than their share of them are cut. */
  readonly openMax: number;
  readonly openPerConnectionShare: number;
};

/** What waits on a connection. A client that pipelines has many exchanges open on one. */
type Connection = { readonly open: Set<Exchange>; reads: number };

/**
 * The exchanges under way. A place among the reads is held only while the server itself is at work: not while a body is still
 * coming, nor while an answer waits to be read, because a client may take as long as it likes over both. Exports are counted
 * apart: they take minutes and have slots of their own.
 */
export class InFlight {
  readonly #connections = new Map<Socket, Connection>();
  #limits: InFlightLimits = { readsMax: 256, readsPerConnectionMax: 64, openMax: 8_192, openPerConnectionShare: 16 };
  #open = 0;
  #reads = 0;
  #exports = 0;
  #whenEmpty: (() => void)[] = [];

  /** Exchanges whose answer is not sent to its end. */
  get open(): number {
    return this.#open;
  }

  get reads(): number {
    return this.#reads;
  }

  get exports(): number {
    return this.#exports;
  }

  limit(limits: Partial<InFlightLimits>): void {
    this.#limits = { ...this.#limits, ...limits };
  }

  connect(socket: Socket): void {
    this.#connections.set(socket, { open: new Set(), reads: 0 });
  }

  /** Answers that waited for their turn on a connection never close when it does. */
  disconnect(socket: Socket): void {
    for (const exchange of this.on(socket)) this.end(exchange);
    this.#connections.delete(socket);
  }

  /** False: so many answers wait to be sent that this connection, which has more than its share of them, is to be cut. */
  begin(exchange: Exchange): boolean {
    const connection = this.#connections.get(exchange.req.socket);
    if (connection === undefined) return false;
    if (this.#open >= this.#limits.openMax && connection.open.size >= this.#limits.openPerConnectionShare) return false;
    connection.open.add(exchange);
    this.#open += 1;
    return true;
  }

  /** Takes a place among the reads. False: there is none left, for anybody or for this connection. */
  enter(exchange: Exchange): boolean {
    const connection = this.#connections.get(exchange.req.socket);
    if (connection === undefined || this.#reads >= this.#limits.readsMax) return false;
    if (connection.reads >= this.#limits.readsPerConnectionMax) return false;
    exchange.place = "read";
    connection.reads += 1;
    this.#reads += 1;
    return true;
  }

  /** Gives the place among the reads back: the next step is the client's. */
  leave(exchange: Exchange): void {
    if (exchange.place !== "read") return;
    exchange.place = "none";
    this.#reads -= 1;
    const connection = this.#connections.get(exchange.req.socket);
    if (connection !== undefined) connection.reads -= 1;
  }

  becomeExport(exchange: Exchange): void {
    this.leave(exchange);
    exchange.place = "export";
    this.#exports += 1;
  }

  /** The answer is sent, or nobody is left to take it. */
  end(exchange: Exchange): void {
    if (this.#connections.get(exchange.req.socket)?.open.delete(exchange) !== true) return;
    this.leave(exchange);
    if (exchange.place === "export") this.#exports -= 1;
    this.#open -= 1;
    if (this.#open === 0) for (const tell of this.#whenEmpty.splice(0)) tell();
  }

  /** Resolves when nothing is under way. */
  empty(): Promise<void> {
    if (this.#open === 0) return Promise.resolve();
    return new Promise((resolve) => this.#whenEmpty.push(resolve));
  }

  /** What is under way on a connection, in the order in which it came. */
  on(socket: Socket): Iterable<Exchange> {
    return this.#connections.get(socket)?.open ?? [];
  }

  sockets(): Iterable<Socket> {
    return this.#connections.keys();
  }
}
