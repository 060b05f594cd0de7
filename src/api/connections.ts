import type { IncomingMessage } from "node:http";
import { isIP, type Socket } from "node:net";
import { type Networks, networkOf } from "../values/networks.ts";

export type ConnectionLimits = {
  /** Maximum open connections of all clients. */
  readonly connectionsMax: number;
  /** Maximum open connections of one IPv4 address or IPv6 /64 network. */
  readonly connectionsPerAddressMax: number;
  /** Peers with a trusted `X-Forwarded-For` header. Their connections have no limit by address. */
  readonly trustedProxies: Networks;
  /** Peers on this machine. Their connections have no limit by address. */
  readonly localPeers: Networks;
};

/** Share of a limit below which connections that have sent nothing are kept while others are idle. */
const silentShareMax = 0.25;

/** `network` is null if the peer's connections have no limit by address. */
type Connection = { readonly peer: string; readonly isTrusted: boolean; readonly network: string | null };

/**
 * Keeps the open connections within their limits. At a limit, the connection that has waited longest without a complete request is closed
 * for a new one. So idle connections never block other clients.
 */
export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #all = new Map<Socket, Connection>();
  readonly #byNetwork = new Map<string, number>();
  /** Connections that have never sent a complete request, oldest first. */
  readonly #silent = new Set<Socket>();
  /** Connections between two requests, longest idle first. */
  readonly #idle = new Set<Socket>();

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  /** Adds a new connection. Returns the connection to close for it, which may be the new one. Returns null if there is room. */
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

  /** Marks the connection as busy after a complete request, so that it is not closed for another one before its response. */
  requested(socket: Socket): void {
    this.#silent.delete(socket);
    this.#idle.delete(socket);
  }

  /** Marks the connection as idle, because its responses have been sent. */
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
   * Returns the address of a request's client: the peer's, or behind trusted proxies the right-most untrusted hop of `X-Forwarded-For`.
   * Hops to its left are under the client's control. An invalid hop ends the search.
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
   * Returns the connection to close for a new one, within `network` or among all if it is null. `max` is the limit there. Connections
   * without a request are closed first if there are many. If there are few, they may be about to send one.
   */
  #longestWaiting(network: string | null, max: number): Socket | null {
    const isInNetwork = (socket: Socket) => network === null || this.#all.get(socket)?.network === network;
    const silent = [...this.#silent].filter(isInNetwork);
    const oldest = silent[0] ?? null;
    if (silent.length > max * silentShareMax) return oldest;
    for (const socket of this.#idle) if (isInNetwork(socket)) return socket;
    return oldest;
  }
}
