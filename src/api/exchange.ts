import type { IncomingMessage, ServerResponse } from "node:http";
import type { Allowance } from "../access/admission.ts";
import type { Caller } from "../access/credentials.ts";
import type { OperationId } from "../contract/types.ts";
import type { MaybePromise } from "../values/maybe-promise.ts";
import { networkOf } from "../values/networks.ts";
import type { Connections } from "./connections.ts";

/** The limit that an exchange counts against: reads, waiting requests, exports, or none while the client is slow. */
type Permit = "read" | "waiting" | "export" | "none";

/** One request and its response, with the facts for every middleware. The server creates its id and instant. */
export class Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly requestId: string;
  /** Instant of the request, UTC ms. */
  readonly at: number;
  operationId: OperationId | null = null;
  /**
   * Returns the caller at an instant (UTC ms) for an operation with these scopes, if the request has no key. Throws the refusal. Null for
   * requests with a key.
   */
  identify: ((at: number, scopes: readonly string[]) => MaybePromise<Caller>) | null = null;
  /** Null until the credential was accepted. */
  caller: Caller | null = null;
  allowance: Allowance | null = null;
  /** Code of the problem response, null without one. */
  code: string | null = null;
  permit: Permit = "none";
  /** Whether pages show that the signatures of the prices have expired. */
  showsExpired = false;
  /** The client sends its body only after 100 Continue. */
  awaitsContinue = false;
  readonly #connections: Connections;
  #sharer: string | null = null;

  constructor(
    { req, res, connections }: { req: IncomingMessage; res: ServerResponse; connections: Connections },
    requestId: string,
    at: number,
  ) {
    this.req = req;
    this.res = res;
    this.requestId = requestId;
    this.at = at;
    this.#connections = connections;
  }

  /** Returns the address of the client, even behind a trusted proxy. */
  get clientAddress(): string {
    return this.#connections.clientAddress(this.req);
  }

  /** Returns the party that the exchange's permits count for: the caller's account, else the client's address. */
  get sharer(): string {
    // Cached, because a closed connection has no address.
    this.#sharer ??= this.caller?.accountId ?? `address ${networkOf(this.clientAddress)}`;
    return this.#sharer;
  }

  /** Resets the party, because the caller is now known. Call it only without a permit. */
  shareAnew(): void {
    this.#sharer = null;
  }

  /** Returns whether the client has disconnected or the response is complete. */
  get isDisconnected(): boolean {
    return this.res.closed || this.req.socket.destroyed;
  }
}

const attached = Symbol("exchange");

/** Stores the exchange on its response, so that each handler of (req, res) finds it. */
export function attachExchange(exchange: Exchange): void {
  (exchange.res as WithExchange)[attached] = exchange;
}

/** @throws {Error} when the response is not from this program's server. */
export function exchangeOf(res: ServerResponse): Exchange {
  const exchange = (res as WithExchange)[attached];
  if (exchange === undefined) throw new Error("the response is not from the server of api/server.ts");
  return exchange;
}

type WithExchange = ServerResponse & { [attached]?: Exchange };
