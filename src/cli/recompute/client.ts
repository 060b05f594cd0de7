import { setTimeout as sleep } from "node:timers/promises";
import { loadContract } from "../../contract/document.ts";
import { shown } from "../../ingest/feeds/observation.ts";
import { secondMs } from "../../values/calendar.ts";
import { type Clock, systemClock } from "../../values/clock.ts";
import { exitCodes, OperatorError } from "../../values/operator-error.ts";
import { type Answer, type Problem, problemOf, type ReadId, readAnswer, readText } from "./answer.ts";

export type ClientParts = {
  /** Where the server is: `http://127.0.0.1:8080`, a path before `/v1` included. */
  base: URL;
  key: string;
  /** Told while the server wants us to wait. */
  note(text: string): void;
  /** For one answer, its body included. */
  timeoutMs?: number;
  wait?(ms: number): Promise<unknown>;
  clock?: Clock;
};

/** The server refused. `code` is that of the problem record; null without one. */
export class ServerRefusal extends OperatorError {
  readonly code: string | null;

  constructor(message: string, code: string | null, exitCode: number) {
    super(message, exitCode);
    this.name = "ServerRefusal";
    this.code = code;
  }
}

const defaultTimeoutMs = 30 * secondMs;
/** For all answers and waits together, from the first request on: many that come in time, each slowly, end here. */
const totalMaxMs = 300 * secondMs;
const triesMax = 5;
/** Of all waits together. */
const waitMaxMs = 180 * secondMs;
const bodyBytesMax = 32 * 1024 * 1024;

/** The API with one key, which goes nowhere but into the `Authorization` header of requests to `base`. */
export class ApiClient {
  readonly #parts: Required<ClientParts>;
  #waitedMs = 0;
  #startedMs: number | null = null;

  constructor(parts: ClientParts) {
    this.#parts = { timeoutMs: defaultTimeoutMs, wait: sleep, clock: systemClock, ...parts };
  }

  /** One read. Follows Retry-After within bounds. Throws `OperatorError` for a refusal, a broken answer and none. */
  async get<Id extends ReadId>(operationId: Id, slug: string, query: Record<string, string>): Promise<Answer<Id>> {
    const address = this.#address(operationId, slug, query);
    for (let tries = 1; ; tries += 1) {
      const { response, bytes } = await this.#ask(address);
      if (response.status === 200) return readAnswer(operationId, address, bytes);
      const refused = refusalOf(address, response, bytes);
      const retryMs = retryAfterMs(response);
      if (retryMs === null || tries === triesMax || this.#waitedMs + retryMs > waitMaxMs) throw refused;
      if (retryMs >= this.#leftMs()) throw refused;
      this.#waitedMs += retryMs;
      this.#parts.note(`waiting ${retryMs / secondMs} s: ${refused.message}`);
      await this.#parts.wait(retryMs);
    }
  }

  #address(operationId: ReadId, slug: string, query: Record<string, string>): string {
    const { path } = loadContract().operations.get(operationId)!;
    const address = new URL(this.#parts.base);
    address.pathname = `${address.pathname.replace(/\/+$/, "")}${path.replace("{slug}", encodeURIComponent(slug))}`;
    address.search = new URLSearchParams(query).toString();
    return address.href;
  }

  /** A redirect is an answer like any other: followed, it would carry the key to another place. */
  async #ask(address: string): Promise<{ response: Response; bytes: Uint8Array }> {
    const { timeoutMs } = this.#parts;
    const leftMs = this.#leftMs();
    if (leftMs < 1) throw tooLong(address);
    const signal = AbortSignal.timeout(Math.floor(Math.min(timeoutMs, leftMs)));
    const headers = {
      authorization: `Bearer ${this.#parts.key}`,
      accept: "application/json",
      "user-agent": "itemtape",
    };
    try {
      const response = await fetch(address, { headers, redirect: "manual", signal });
      return { response, bytes: await readAll(address, response) };
    } catch (error) {
      if (error instanceof OperatorError) throw error;
      const { name, cause } = error as { name: string; cause?: { code?: string; message?: string } };
      if (name === "TimeoutError" && leftMs < timeoutMs) throw tooLong(address);
      const what =
        name === "TimeoutError"
          ? `no whole answer within ${timeoutMs / secondMs} s`
          : `the server cannot be reached or broke off (${shown(cause?.code ?? cause?.message ?? name)})`;
      throw new OperatorError(`${address}: ${what}`, exitCodes.temporary);
    }
  }

  #leftMs(): number {
    const atMs = this.#parts.clock.monotonicMs();
    this.#startedMs ??= atMs;
    return this.#startedMs + totalMaxMs - atMs;
  }
}

function tooLong(address: string): OperatorError {
  const message = `${address}: the whole did not come within ${totalMaxMs / secondMs} s; try again later`;
  return new OperatorError(message, exitCodes.temporary);
}

async function readAll(address: string, response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > bodyBytesMax) throw new OperatorError(`${address}: the answer is larger than ${bodyBytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}

function refusalOf(address: string, response: Response, bytes: Uint8Array): OperatorError {
  const { status, headers } = response;
  if (status >= 300 && status < 400) {
    const target = shown(headers.get("location") ?? "nowhere");
    return new OperatorError(`${address}: redirects to ${target}; if that is right, say so with --url`);
  }
  const exitCode = status === 429 || status === 503 ? exitCodes.temporary : exitCodes.badData;
  const fix = status === 401 ? "; the key is that of the environment variable ITEMTAPE_API_KEY" : "";
  const problem = problemIn(address, bytes);
  const says = problem?.says ?? "without a problem record";
  return new ServerRefusal(`${address}: HTTP ${status}, ${says}${fix}`, problem?.code ?? null, exitCode);
}

function problemIn(address: string, bytes: Uint8Array): Problem | null {
  try {
    return problemOf(readText(address, bytes));
  } catch {
    return null;
  }
}

/** How long to wait before the same request; null: it is not to be sent again. */
function retryAfterMs({ status, headers }: Response): number | null {
  const said = headers.get("retry-after") ?? "";
  return (status === 429 || status === 503) && /^[0-9]{1,9}$/.test(said) ? Number(said) * secondMs : null;
}
