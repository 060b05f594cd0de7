import { Agent, request as httpRequest } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { codesOf, faultsOf, operationList } from "../../scripts/contract/answers.ts";

export type Call = {
  key?: string;
  path?: Record<string, string | number>;
  query?: Record<string, string | number> | string;
  body?: unknown;
  headers?: Record<string, string>;
  method?: string;
};

/** A raw request. Only the headers that HTTP requires are added. */
export type RawRequest = { method: string; target: string; headers?: Record<string, string>; body?: string | Buffer };

// biome-ignore-start lint/suspicious/noExplicitAny: answers were validated against the contract; tests read into them freely.
/** `json` is the parsed body, `records` the parsed lines of an export. */
export type Answer = { status: number; headers: Headers; text: string; json: any; records: any[] };
// biome-ignore-end lint/suspicious/noExplicitAny: as above.

/** Idle time after which the server may be about to close a connection. It closes one after five seconds. */
const idleMs = 1000;

/** A client that fails the test on any answer which the contract does not promise. */
export class TestClient {
  readonly #base: () => string;
  #usedAt = performance.now();
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 32 });

  constructor(base: () => string) {
    this.#base = base;
  }

  /** Calls an operation and checks status, headers, media type, code and body against the contract. */
  async call(operationId: string, call: Call = {}): Promise<Answer> {
    const operation = operationList.find((candidate) => candidate.operationId === operationId);
    if (operation === undefined) throw new Error(`the contract has no operation ${operationId}`);
    const body = call.body === undefined || typeof call.body === "string" ? call.body : JSON.stringify(call.body);
    return this.checked(operationId, {
      method: call.method ?? operation.method,
      target: target(operation.path, call),
      headers: {
        ...(call.key === undefined ? {} : { authorization: `Bearer ${call.key}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...call.headers,
      },
      ...(body === undefined ? {} : { body }),
    });
  }

  /** Sends a request and checks its answer as one of `operationId`. */
  async checked(operationId: string, request: RawRequest): Promise<Answer> {
    const answer = await this.send(request);
    const faults = [
      ...faultsOf(operationId, { ...answer, method: request.method }),
      ...codeFaults(operationId, answer),
    ];
    if (faults.length > 0)
      throw new Error(`the answer breaks the contract:\n${faults.join("\n")}\n${answer.text.slice(0, 500)}`);
    return answer;
  }

  /** Sends a request and returns its whole response, of any status. */
  async send({ method, target, headers = {}, body }: RawRequest): Promise<Answer> {
    // A busy process also delays the timers that close old connections. Let those timers run first.
    if (performance.now() - this.#usedAt > idleMs) {
      await nextTurn();
      await nextTurn();
    }
    this.#usedAt = performance.now();
    return new Promise((resolve, reject) => {
      const outgoing = httpRequest(this.#base() + target, {
        method,
        agent: this.#agent,
        path: target,
        headers: { ...headers, ...(body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }) },
      });
      outgoing.once("error", reject);
      outgoing.once("response", (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.once("error", reject);
        incoming.once("end", () => {
          const body = Buffer.concat(chunks);
          const isCompressed = incoming.headers["content-encoding"] === "gzip" && body.length > 0;
          const text = (isCompressed ? gunzipSync(body) : body).toString();
          resolve(answerOf(incoming.statusCode ?? 0, new Headers(pairs(incoming.rawHeaders)), text));
        });
      });
      outgoing.end(body);
    });
  }

  /** Closes the cached connections. */
  close(): void {
    this.#agent.destroy();
  }
}

function answerOf(status: number, headers: Headers, text: string): Answer {
  const media = (headers.get("content-type") ?? "").split(";")[0] ?? "";
  const isLines = media.includes("ndjson");
  const lines = isLines ? text.split("\n").slice(0, -1) : [];
  return {
    status,
    headers,
    text,
    json: /json$/.test(media) && !isLines && text !== "" ? JSON.parse(text) : null,
    records: lines.map((line) => JSON.parse(line)),
  };
}

/** A refusal must carry a code that the contract shows for this operation and status. */
function codeFaults(operationId: string, { status, json }: Answer): string[] {
  if (status < 400 || json === null) return [];
  return codesOf(operationId, status).has(json.code) ? [] : [`${operationId} ${status}: no example has ${json.code}`];
}

function pairs(raw: readonly string[]): [string, string][] {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ""] as [string, string]] : []));
}

function target(template: string, call: Call): string {
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(call.path?.[name] ?? `{${name}}`));
  if (call.query === undefined) return path;
  if (typeof call.query === "string") return `${path}?${call.query}`;
  return `${path}?${new URLSearchParams(Object.entries(call.query).map(([name, value]): [string, string] => [name, String(value)]))}`;
}
