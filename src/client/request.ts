import { type ClientOperation, clientOperations, type ValueKind } from "../../generated/client-operations.ts";
import { holdsKey } from "./redaction.ts";
import type { Settings } from "./settings.ts";
import type { OperationId } from "./types.ts";

/** A request to send. `address` never contains the key. */
export type OutgoingRequest = {
  readonly operationId: OperationId;
  readonly method: string;
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Time that the server may wait before its response, in ms. All time limits are extended by it. */
  readonly waitMs: number;
};

/** Longest wait that the service permits, in seconds. */
const waitSecondsMax = 30;

type Given = readonly [name: string, value: unknown];

/**
 * Builds the request of an operation. Omitted parameters may be `undefined`.
 * @throws {TypeError} if a parameter is unknown, missing or invalid; the message names it.
 */
export function requestOf(
  settings: Settings,
  operationId: OperationId,
  params: Readonly<Record<string, unknown>>,
  ifNoneMatch?: string | null | undefined,
): OutgoingRequest {
  const operation = tableEntry(operationId);
  const given = Object.entries(params).filter(([, value]) => value !== undefined);
  check(settings, operationId, operation, given);
  const body = bodyOf(operation, given);
  return {
    operationId,
    method: operation.method,
    address: addressOf(settings.base, operation, given),
    headers: {
      ...(settings.apiKey === null || !operation.isProtected ? {} : { authorization: `Bearer ${settings.apiKey}` }),
      accept: `${operation.isStream ? "application/x-ndjson" : "application/json"}, application/problem+json`,
      // A compressed market has a fifteenth of the size, and costs the service less. `fetch` decompresses it.
      ...(operation.isStream ? { "accept-encoding": "gzip" } : {}),
      "user-agent": settings.userAgent,
      ...(body === null ? {} : { "content-type": "application/json" }),
      ...(ifNoneMatch === undefined || ifNoneMatch === null ? {} : { "if-none-match": tagOf(ifNoneMatch) }),
    },
    body,
    waitMs: "wait_seconds" in operation.queryParams ? waitMsOf(params.wait_seconds) : 0,
  };
}

function tableEntry(operationId: string): ClientOperation {
  if (Object.hasOwn(clientOperations, operationId)) return clientOperations[operationId as OperationId];
  throw new TypeError(`the contract has no operation ${operationId}`);
}

function check(settings: Settings, operationId: string, operation: ClientOperation, given: readonly Given[]): void {
  const missing = operation.required.find((name) => !given.some(([one]) => one === name));
  if (missing !== undefined) throw new TypeError(`${operationId}: the parameter \`${missing}\` is missing`);
  for (const [name, value] of given) {
    const kind = kindOf(operation, name);
    if (kind === null) throw new TypeError(`${operationId}: has no parameter \`${name}\``);
    if (!isOfKind(kind, value))
      throw new TypeError(`${operationId}: the parameter \`${name}\` must be ${kindDescriptions[kind]}`);
    if ([value].flat().some((one) => typeof one === "string" && holdsKey(one, settings.apiKey))) {
      const place = Array.isArray(value) ? "body" : "URL";
      throw new TypeError(
        `${operationId}: the parameter \`${name}\` contains an API key, which must never be in a ${place}`,
      );
    }
  }
}

const kindDescriptions: Readonly<Record<ValueKind, string>> = {
  integer: "an integer",
  string: "a string of well-formed Unicode",
  boolean: "true or false",
  "integer[]": "a list of integers",
  "string[]": "a list of strings",
};

function kindOf({ pathParams, queryParams, bodyFields }: ClientOperation, name: string): ValueKind | null {
  const kinds = [pathParams, queryParams, bodyFields ?? {}].find((place) => Object.hasOwn(place, name));
  return kinds?.[name] ?? null;
}

function isOfKind(kind: ValueKind, value: unknown): boolean {
  // Copied, because `every` skips holes of an array, which would be sent as null.
  if (kind === "integer[]") return Array.isArray(value) && [...value].every((one) => isOfKind("integer", one));
  if (kind === "string[]") return Array.isArray(value) && [...value].every((one) => isOfKind("string", one));
  if (kind === "integer") return Number.isSafeInteger(value);
  if (kind === "boolean") return typeof value === "boolean";
  return typeof value === "string" && !/\p{Cs}/u.test(value);
}

function addressOf(base: URL, operation: ClientOperation, given: readonly Given[]): string {
  const values = new Map(given);
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => segmentOf(name, String(values.get(name))));
  const address = new URL(base);
  address.pathname = base.pathname.replace(/\/+$/, "") + path;
  address.search = given
    .filter(([name]) => Object.hasOwn(operation.queryParams, name))
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join("&");
  return address.href;
}

/** A segment of dots would change the path to another operation. */
function segmentOf(name: string, value: string): string {
  if (value === "" || value === "." || value === "..") {
    throw new TypeError(`the parameter \`${name}\` must be a name, not ${JSON.stringify(value)}`);
  }
  return encodeURIComponent(value);
}

function waitMsOf(seconds: unknown): number {
  return Math.min(Math.max(0, Number(seconds ?? 0)), waitSecondsMax) * 1000;
}

function bodyOf({ bodyFields }: ClientOperation, given: readonly Given[]): string | null {
  if (bodyFields === null) return null;
  return JSON.stringify(Object.fromEntries(given.filter(([name]) => Object.hasOwn(bodyFields, name))));
}

function tagOf(text: string): string {
  if (/^(?:W\/)?"[!#-~]{0,200}"$/.test(text)) return text;
  throw new TypeError("ifNoneMatch: must be the `etag` of an answer");
}
