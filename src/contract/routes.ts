import type { ValidateFunction } from "ajv";
import type { Handler, OpenAPIBackend, Operation } from "openapi-backend";
import { checkBody, type ParameterDefinition, ParameterReader } from "./parameters.ts";
import { RouteTrie } from "./route-trie.ts";
import type { OperationId } from "./types.ts";

/** Judged when the answer is there: whatever it holds, no request is refused for it. */
const conditionHeader = "If-None-Match";

/** A compiled operation: all that the API handler needs for a request, with nothing to look up. */
export type Route<H> = {
  readonly operationId: OperationId;
  readonly method: string;
  readonly path: string;
  /** The registered handler. */
  readonly handler: H;
  /** Scopes that the bearer key needs; null where the operation is public. */
  readonly scopes: readonly string[] | null;
  readonly parameters: ParameterReader;
  /** Checks a parsed body; null where the operation takes none. Throws `invalid_body` or `batch_limit_exceeded`. */
  readonly checkBody: ((body: unknown) => void) | null;
};

export type Routes<H> = {
  readonly list: readonly Route<H>[];
  /** The operation for a method and a path without its query; `segments` receives the path parameters, still encoded. */
  match(method: string, path: string, segments: string[]): Route<H> | null;
  /** What `Allow` says for a path that has operations, else null. */
  allowed(path: string): string | null;
};

/**
 * Compiles routes, security and validators out of an initialised openapi-backend, once. Throws where an operation has no
 * handler or states something that the API handler cannot enforce: the program then does not start.
 */
export function compileRoutes<H extends Handler>(api: OpenAPIBackend): Routes<H> {
  const trie = new RouteTrie<Route<H>>();
  const list = api.router.getOperations().map((operation) => compileRoute<H>(api, operation));
  for (const route of list) trie.add(route.method, route.path, route);
  return {
    list,
    match: (method, path, segments) => trie.find(method === "HEAD" ? "GET" : method, path, segments),
    allowed(path) {
      const methods = trie.methodsOf(path).flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
      return methods.length === 0 ? null : methods.join(", ");
    },
  };
}

function compileRoute<H extends Handler>(api: OpenAPIBackend, operation: Operation): Route<H> {
  const operationId = operation.operationId as OperationId;
  const handler = api.handlers[operationId] as H | undefined;
  if (handler === undefined) throw new Error(`operation ${operationId}: no handler is registered`);
  const validators = (api.validator.getRequestValidatorsForOperation(operationId) ?? []) as ValidateFunction[];
  const parameters = validators.at(-1);
  if (parameters === undefined) throw new Error(`operation ${operationId}: no validator was made`);
  const definitions = (operation.parameters ?? []) as unknown as ParameterDefinition[];
  const elsewhere = definitions.find((one) => one.in !== "path" && one.in !== "query" && one.name !== conditionHeader);
  if (elsewhere !== undefined) throw new Error(`operation ${operationId}: ${elsewhere.in} parameters are not read`);
  const body = operation.requestBody === undefined ? undefined : validators[0];
  return {
    operationId,
    method: operation.method.toUpperCase(),
    path: operation.path,
    handler,
    scopes: scopesOf(operationId, operation.security ?? []),
    parameters: new ParameterReader(operation.path, definitions, parameters),
    checkBody: body === undefined ? null : (given) => checkBody(body, given),
  };
}

function scopesOf(operationId: string, security: readonly Record<string, string[]>[]): readonly string[] | null {
  if (security.length === 0) return null;
  const [first, ...more] = security;
  const names = Object.keys(first ?? {});
  if (more.length > 0 || names.length !== 1 || names[0] !== "bearerAuth") {
    throw new Error(`operation ${operationId}: only the bearer key can be asked for`);
  }
  return first?.bearerAuth ?? [];
}
