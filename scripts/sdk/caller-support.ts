// Copied beside each generated SDK: what its caller needs besides.
import { writeSync } from "node:fs";

/** As `Sent` in requests.ts, which is not copied with this file. */
type Sent = {
  method: string;
  url: string;
  authorization: string | null;
  ifNoneMatch: string | null;
  contentType: string | null;
  body: string;
};

type Exchange = { sent: Sent; status: number; headers: [string, string][]; text: string };
type Validator = { safeParse(value: unknown): { success: boolean } };

export const { base, keys } = JSON.parse(process.env.SDK_CHECK ?? "{}") as {
  base: string;
  keys: { market: string; portfolio: string; unknown: string };
};

const network = globalThis.fetch;
let exchanges: Exchange[] = [];
const etags = new Map<string, string>();

// What crosses the wire is written down, so that what the SDK asks for and hands over can be compared with it.
globalThis.fetch = async (input, init) => {
  const request = new Request(input, init);
  const sent = await written(request.clone());
  const response = await network(request);
  const text = await response.clone().text();
  exchanges.push({ sent, status: response.status, headers: [...response.headers], text });
  return response;
};

async function written(request: Request): Promise<Sent> {
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

/** Makes the requests of one check and tells what was sent, what the SDK handed over and what went wrong. */
export async function check(kind: string, operationId: string, run: () => Promise<unknown[]>): Promise<void> {
  exchanges = [];
  const outcome = await run().then(
    (handed) => ({ handed, error: null }),
    (error: unknown) => ({ handed: [], error: messageOf(error) }),
  );
  const etag = exchanges[0]?.headers.find(([name]) => name === "etag")?.[1];
  if (etag !== undefined) etags.set(operationId, etag);
  const line = Buffer.from(`${JSON.stringify({ kind, operationId, exchanges, ...outcome })}\n`);
  for (let at = 0; at < line.length; ) at += writeSync(1, line, at);
}

/** The tag that the operation's last answer came with. */
export function etagOf(operationId: string): string {
  return etags.get(operationId) ?? '"none"';
}

/** Makes a request whose answer has no body; some SDKs throw it. */
export async function unchanged(request: () => Promise<unknown>): Promise<unknown[]> {
  await request().catch(() => {});
  return [];
}

/** An answer that is not the expected one, to be thrown. */
export function refused(answer: unknown): Error {
  return new Error(`no success: ${JSON.stringify(answer)?.slice(0, 300)}`);
}

/** Throws where a generated validator refuses a real answer or accepts a damaged one. */
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

/** A copy whose first field that is not null has a value of another type. */
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
