import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { PriceDigest } from "../../src/client/digest.ts";
import type { Schema } from "../../src/contract/types.ts";
import { noProviders } from "../client/scripted-server.ts";

export type Item = Schema<"SnapshotItemData">;

const requestId = "req_00000000000000000000000001";
const at = "2026-01-15T12:00:00.000Z";
export const generation = "g7";

const quote = (provider: string, amount: number, more: Partial<Schema<"SnapshotQuote">> = {}) => ({
  provider,
  amount,
  currency: "USD" as const,
  minor_units: 2 as const,
  quantity: null,
  url: null,
  as_of: null,
  ...more,
});

/** Difficult values for a file: quotes, commas, line breaks and formulas in names, the largest numbers, items without quotes. */
export const items: readonly Item[] = [
  item(1, "Plain", { asks: [quote("steam", 1)], bids: [quote("steam", 9_007_199_254_740_991, { quantity: 3 })] }),
  item(2, '=HYPERLINK("https://example.com"), "quoted"', { asks: [quote("a", 2), quote("a", 1), quote("b", 3)] }),
  item(7, "Nothing offered"),
  item(8, "★ Line\r\nbreak", { bids: [quote("b", 5, { quantity: 9_007_199_254_740_991 })] }, "Black Pearl"),
  item(2_147_483_647, "@last", { asks: [quote("c", 10, { url: "https://example.com/a,b?c=%22" })] }),
];

export const lines = linesOf(items);

/** A service that has nothing but an export and its digest, and can send anything. */
export class ExportServer {
  /** Method and path of each request. */
  requests: string[] = [];
  /** Responses to the exports, in order. The last one repeats. If empty, the whole export. */
  script: ((response: ServerResponse, request: IncomingMessage) => void)[] = [];
  /** The items of the digest. */
  published = items;
  /** Replaces the correct digest. */
  digest: Partial<Schema<"PublishedGeneration">> | ((response: ServerResponse) => void) = {};
  readonly #server: Server;

  static async start(): Promise<ExportServer> {
    const server = new ExportServer();
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  constructor() {
    this.#server = createServer((request, response) => this.#answer(request, response));
  }

  get base(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  reset(): void {
    this.requests = [];
    this.script = [];
    this.published = items;
    this.digest = {};
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    // Every export begins with it.
    if (request.url?.startsWith("/v1/providers?")) return void noProviders(response, request);
    this.requests.push(`${request.method} ${request.url}`);
    if (request.url === "/v1/markets/snapshot") {
      const send = this.script.length > 1 ? this.script.shift() : this.script[0];
      (send ?? sends(lines))(response, request);
    } else if (typeof this.digest === "function") this.digest(response);
    else {
      const prices = new PriceDigest();
      for (const one of this.published) prices.add(one);
      const data = { generation, ingested_at: at, ...prices.result(), ...this.digest };
      const meta = { request_id: requestId, generated_at: at };
      response.writeHead(200, { "content-type": "application/json", "x-request-id": requestId });
      response.end(JSON.stringify({ data, meta }));
    }
  }
}

/** Sends the start of an export with its headers. The caller ends the response or leaves it open. */
export function begins(response: ServerResponse, records: readonly string[]): ServerResponse {
  response.writeHead(200, { "content-type": "application/x-ndjson", "x-request-id": requestId });
  response.write(records.map((record) => `${record}\n`).join(""));
  return response;
}

export const sends =
  (records: readonly string[]) =>
  (response: ServerResponse): void =>
    void begins(response, records).end();

/** A problem record instead of the export. */
export const refuses =
  (status: number, code: string, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void => {
    const problem = { type: `/problems/${code}`, title: code, status, code, detail: "said so", request_id: requestId };
    response.writeHead(status, { "content-type": "application/problem+json", ...headers });
    response.end(JSON.stringify(problem));
  };

export const errorLine = (code: string): string => JSON.stringify({ type: "error", request_id: requestId, code });

export function linesOf(all: readonly Item[]): string[] {
  const start = {
    type: "start",
    request_id: requestId,
    generation,
    generated_at: at,
    ingested_at: at,
    price_as_of: null,
    consistency: "single_price_generation",
    catalog_max_item_id: 2_147_483_647,
  };
  const end = { type: "end", request_id: requestId, generation, items: all.length };
  return [start, ...all.map((data) => ({ type: "item", data })), end].map((record) => JSON.stringify(record));
}

function item(
  item_id: number,
  market_hash_name: string,
  { asks = [], bids = [] }: Partial<Pick<Item, "asks" | "bids">> = {},
  phase: Item["phase"] = null,
): Item {
  const availability = asks.length + bids.length > 0 ? "available" : "missing";
  return { item_id, market_hash_name, phase, availability, asks, bids };
}
