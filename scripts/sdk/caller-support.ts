// This file is copied beside each generated SDK, so it imports nothing from this repository.
import { writeSync } from "node:fs";

/** A request as sent to the network. An absent header is null, an absent body is empty. */
export type Sent = {
  method: string;
  url: string;
  authorization: string | null;
  ifNoneMatch: string | null;
  contentType: string | null;
  body: string;
};

export type Exchange = { sent: Sent; status: number; headers: [string, string][]; text: string };

/** One check as reported by its caller. `bodies`: the SDK's result for each response; `error`: the SDK's error. */
export type CheckReport = {
  kind: "call" | "unchanged" | "refusal";
  operationId: string;
  exchanges: readonly Exchange[];
  bodies: readonly unknown[];
  error: string | null;
};

type Validator = { safeParse(value: unknown): { success: boolean } };

export const { base, keys } = JSON.parse(process.env.SDK_CHECK ?? "{}") as {
  base: string;
  keys: { market: string; portfolio: string; unknown: string };
};

const network = globalThis.fetch;
let exchanges: Exchange[] = [];
const etags = new Map<string, string>();

// Records each request and response, to be compared with the SDK's input and output.
globalThis.fetch = async (input, init) => {
  const request = new Request(input, init);
  const sent = await sentOf(request.clone());
  const response = await network(request);
  const text = await response.clone().text();
  exchanges.push({ sent, status: response.status, headers: [...response.headers], text });
  return response;
};

async function sentOf(request: Request): Promise<Sent> {
  const { method, url, headers } = request;
  return {
    method,
    url,
    authorization: headers.get("authorization"),
    ifNoneMatch: headers.get("if-none-match"),
    contentType: headers.get("content-type"),
    body: await request.text(),
  };
}

/** Makes the requests of one check and prints its report as a line of JSON. */
export async function check(
  kind: CheckReport["kind"],
  operationId: string,
  run: () => Promise<unknown[]>,
): Promise<void> {
  exchanges = [];
  const outcome = await run().then(
    (bodies) => ({ bodies, error: null }),
    (error: unknown) => ({ bodies: [], error: messageOf(error) }),
  );
  const etag = exchanges[0]?.headers.find(([name]) => name === "etag")?.[1];
  if (etag !== undefined) etags.set(operationId, etag);
  const report: CheckReport = { kind, operationId, exchanges, ...outcome };
  const line = Buffer.from(`${JSON.stringify(report)}\n`);
  for (let written = 0; written < line.length; ) written += writeSync(1, line, written);
}

/** Returns the ETag of the operation's last response. */
export function etagOf(operationId: string): string {
  return etags.get(operationId) ?? '"none"';
}

/** Makes a request that gets a response without a body. Some SDKs throw it. */
export async function unchanged(request: () => Promise<unknown>): Promise<unknown[]> {
  await request().catch(() => {});
  return [];
}

/** Returns the error to throw for an unexpected response. */
export function refused(answer: unknown): Error {
  return new Error(`no success: ${JSON.stringify(answer)?.slice(0, 300)}`);
}

/** @throws {Error} when a generated validator refuses a real response or accepts a damaged one. */
export function validate(validator: Validator, body: unknown): void {
  const parsed = validator.safeParse(body) as { success: boolean; error?: unknown };
  if (!parsed.success) throw new Error(`its validator refuses the answer: ${messageOf(parsed.error)}`);
  for (const [what, value] of Object.entries(damaged(body)))
    if (validator.safeParse(value).success) throw new Error(`its validator accepts ${what}`);
}

type Answer = { data: unknown; meta: object };

function damaged(body: unknown): Record<string, unknown> {
  if (typeof body === "string") return { "a number for a text": 7 };
  const { data, meta } = body as Answer;
  return {
    "a number as request_id": { data, meta: { ...meta, request_id: 7 } },
    "an answer without data": { meta },
    "a field of another type": { data: withOtherLeaf(data), meta },
  };
}

/** Returns a copy with a value of another type in its first field that is not null. */
function withOtherLeaf(data: unknown): unknown {
  let isDone = false;
  return JSON.parse(
    JSON.stringify(data, (_, value: unknown) => {
      if (isDone || value === null || typeof value === "object") return value;
      isDone = true;
      return typeof value === "string" ? 7 : "another type";
    }),
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 600) : `${JSON.stringify(error)?.slice(0, 600)}`;
}
