import type { IncomingMessage } from "node:http";
import { isIP, type Socket } from "node:net";
import { type Networks, networkOf } from "../values/networks.ts";

export type ConnectionLimits = {
  /** Open connections of all clients. */
  readonly connectionsMax: number;
  /** Open connections of one address; of IPv6, of one /64. */
  readonly connectionsPerAddressMax: number;
  /** Peers whose `X-Forwarded-For` is believed. Their connections are not bounded by address. */
  readonly trustedProxies: Networks;
  /** Peers on this machine, whose connections are not bounded by address. */
  readonly localPeers: Networks;
};

/** Share of a limit up to which connections that never asked are left in peace while others are idle. */
const silentShareMax = 0.25;

/** `network` null: the peer's connections are not bounded. */
type Connection = { readonly peer: string; readonly isTrusted: boolean; readonly network: string | null };

/**
 * Holds the open connections within their limits. Where a limit is reached, the connection that has waited longest without a whole
 * request makes room for a new one, so that idle connections never lock others out.
 */
export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #all = new Map<Socket, Connection>();
  readonly #byNetwork = new Map<string, number>();
  /** Connections that never sent a whole request, the oldest first. */
  readonly #silent = new Set<Socket>();
  /** Connections that sent one and wait for the next, those that wait longest first. */
  readonly #idle = new Set<Socket>();

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  /** Takes a new connection in. Returns the one to be cut for it, which may be the new one itself; null: there is room. */
  open(socket: Socket): Socket | null {
    const { trustedProxies, localPeers, connectionsMax, connectionsPerAddressMax } = this.#limits;
    const peer = socket.remoteAddress ?? "";
    const isTrusted = trustedProxies.includes(peer);
    const network = isTrusted || localPeers.includes(peer) ? null : networkOf(peer);
    const ofNetwork = network === null ? 0 : (this.#byNetwork.get(network) ?? 0);
    let cut: Socket | null = null;
    if (ofNetwork >= connectionsPerAddressMax) cut = this.#longestWaiting(network, connectionsPerAddressMax) ?? socket;
    else if (this.#all.size >= connectionsMax) cut = this.#longestWaiting(null, connectionsMax) ?? socket;
    if (cut === socket) return cut;
    if (cut !== null) this.close(cut);
    this.#all.set(socket, { peer, isTrusted, network });
    if (network !== null) this.#byNetwork.set(network, (this.#byNetwork.get(network) ?? 0) + 1);
    this.#silent.add(socket);
    return cut;
  }

  /** Notes that a whole request came: its connection makes room for no other until the answer is sent. */
  requested(socket: Socket): void {
    this.#silent.delete(socket);
    this.#idle.delete(socket);
  }

  /** Notes that no answer is under way on the connection any more. */
  answered(socket: Socket): void {
    if (!this.#all.has(socket) || this.#silent.has(socket)) return;
    this.#idle.delete(socket);
    this.#idle.add(socket);
  }

  close(socket: Socket): void {
    const network = this.#all.get(socket)?.network ?? null;
    if (!this.#all.delete(socket)) return;
    this.#silent.delete(socket);
    this.#idle.delete(socket);
    if (network === null) return;
    const left = (this.#byNetwork.get(network) ?? 0) - 1;
    if (left > 0) this.#byNetwork.set(network, left);
    else this.#byNetwork.delete(network);
  }

  /**
   * Returns the address of a request's client: the peer's, or behind trusted proxies the right-most hop of `X-Forwarded-For` that
   * is not one of them. What lies left of it was written by the client. A hop that is no address ends the search.
   */
  clientAddress(req: IncomingMessage): string {
    const connection = this.#all.get(req.socket);
    let address = connection?.peer ?? req.socket.remoteAddress ?? "";
    if (connection?.isTrusted !== true) return address;
    for (const hop of String(req.headers["x-forwarded-for"] ?? "")
      .split(",")
      .toReversed()) {
      const next = hop.trim();
      if (isIP(next) === 0) return address;
      address = next;
      if (!this.#limits.trustedProxies.includes(address)) return address;
    }
    return address;
  }

  /**
   * Returns the connection that makes room among those of `network`, of all where it is null; `max`: their limit. Those that never
   * asked go first once they are many. As long as they are few they may be clients that came at once and are about to ask.
   */
  #longestWaiting(network: string | null, max: number): Socket | null {
    const isOurs = (socket: Socket) => network === null || this.#all.get(socket)?.network === network;
    const silent = [...this.#silent].filter(isOurs);
    const oldest = silent[0] ?? null;
    if (silent.length > max * silentShareMax) return oldest;
    for (const socket of this.#idle) if (isOurs(socket)) return socket;
    return oldest;
  }
}
