import type { IncomingMessage, ServerResponse } from "node:http";
import type { Allowance } from "../access/admission.ts";
import type { Caller } from "../access/credentials.ts";
import type { OperationId } from "../contract/types.ts";
import { networkOf } from "../values/networks.ts";
import type { Soon } from "../values/soon.ts";
import type { Connections } from "./connections.ts";

/** The limit that an exchange counts against: requests at work, requests that wait, exports, or none while the client is slow. */
type Permit = "read" | "waiting" | "export" | "none";

/** One request and its answer: the facts that every middleware may know. Its id and instant are the server's. */
export class Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly requestId: string;
  /** The instant of the request, UTC ms. */
  readonly at: number;
  operationId: OperationId | null = null;
  /** Recognises the caller at an instant (UTC ms), for an operation of these scopes, where no key does it; it throws what refuses them. */
  identify: ((at: number, scopes: readonly string[]) => Soon<Caller>) | null = null;
  /** Set once the credential was accepted. */
  caller: Caller | null = null;
  allowance: Allowance | null = null;
  /** Code of the problem that was answered. */
  code: string | null = null;
  permit: Permit = "none";
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

  /** Returns the address of the client, also behind a trusted proxy. */
  get clientAddress(): string {
    return this.#connections.clientAddress(this.req);
  }

  /** Returns the party whose share of the permits the exchange counts in: the caller's account, else the client's address. */
  get sharer(): string {
    // Kept, because a connection that is closed has no address any more.
    this.#sharer ??= this.caller?.accountId ?? `address ${networkOf(this.clientAddress)}`;
    return this.#sharer;
  }

  /** Has the party decided anew, where the exchange holds no permit: its caller was not known before. */
  shareAnew(): void {
    this.#sharer = null;
  }

  /** Returns whether nobody is left to read an answer. */
  get isGone(): boolean {
    return this.res.closed || this.req.socket.destroyed;
  }
}

const kept = Symbol("exchange");

/** Keeps the exchange on its response, where each handler that gets (req, res) finds it. */
export function keepExchange(exchange: Exchange): void {
  (exchange.res as Kept)[kept] = exchange;
}

/** @throws {Error} when the response was not made by the server of this program. */
export function exchangeOf(res: ServerResponse): Exchange {
  const exchange = (res as Kept)[kept];
  if (exchange === undefined) throw new Error("the response does not come from the server of api/server.ts");
  return exchange;
}

type Kept = ServerResponse & { [kept]?: Exchange };
