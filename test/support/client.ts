import { faultsOf, operationList } from "./contract.ts";

export type Call = {
  key?: string;
  path?: Record<string, string | number>;
  query?: Record<string, string | number> | string;
  body?: unknown;
  headers?: Record<string, string>;
  method?: string;
};

// biome-ignore-start lint/suspicious/noExplicitAny: answers were validated against the contract; tests read into them freely.
/** `json` is the parsed body, `records` the parsed lines of an export. */
export type Answer = { status: number; headers: Headers; text: string; json: any; records: any[] };
// biome-ignore-end lint/suspicious/noExplicitAny: as above.

/** A client that fails the test on any answer which the contract does not promise. */
export class TestClient {
  readonly #base: () => string;

  constructor(base: () => string) {
    this.#base = base;
  }

  /** Calls an operation and checks status, headers, media type and body against the contract. */
  async call(operationId: string, call: Call = {}): Promise<Answer> {
    const operation = operationList.find((candidate) => candidate.operationId === operationId);
    if (operation === undefined) throw new Error(`the contract has no operation ${operationId}`);
    const method = call.method ?? operation.method;
    const response = await fetch(this.#base() + target(operation.path, call), {
      method,
      headers: {
        ...(call.key === undefined ? {} : { authorization: `Bearer ${call.key}` }),
        ...(call.body === undefined ? {} : { "content-type": "application/json" }),
        ...call.headers,
      },
      ...(call.body === undefined
        ? {}
        : { body: typeof call.body === "string" ? call.body : JSON.stringify(call.body) }),
    });
    const answer = await read(response);
    const faults = faultsOf(operationId, { ...answer, method });
    if (faults.length > 0)
      throw new Error(`the answer breaks the contract:\n${faults.join("\n")}\n${answer.text.slice(0, 500)}`);
    return answer;
  }
}

/** Reads an answer of `fetch` whole. */
export async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  const media = response.headers.get("content-type") ?? "";
  const isJson = /json$/.test(media.split(";")[0] ?? "") && !media.includes("ndjson") && text !== "";
  const lines = media.includes("ndjson") ? text.split("\n").slice(0, -1) : [];
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson ? JSON.parse(text) : null,
    records: lines.map((line) => JSON.parse(line)),
  };
}

function target(template: string, call: Call): string {
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(call.path?.[name] ?? `{${name}}`));
  if (call.query === undefined) return path;
  if (typeof call.query === "string") return `${path}?${call.query}`;
  return `${path}?${new URLSearchParams(Object.entries(call.query).map(([name, value]) => [name, String(value)]))}`;
}
