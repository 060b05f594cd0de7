import type { ValidateFunction } from "ajv";
import type { Handler, OpenAPIBackend, Operation } from "openapi-backend";
import { requestValidators } from "./backend.ts";
import { checkBody, type ParameterDefinition, ParameterReader } from "./parameters.ts";
import type { OperationId } from "./types.ts";

/** Evaluated only when the response is ready, and never a reason to refuse a request. */
const conditionHeader = "If-None-Match";

/** A compiled operation with everything that the API handler needs, so that a request needs no further lookup. */
export type Route<H> = {
  readonly operationId: OperationId;
  readonly method: string;
  readonly path: string;
  readonly handler: H;
  /** Scopes that the API key needs; null for a public operation. */
  readonly scopes: readonly string[] | null;
  /** Cost of a request in units of the monthly allowance. */
  readonly units: number;
  readonly parameters: ParameterReader;
  /**
   * Checks a parsed body; null if the operation has no body.
   * @throws {Failure} `invalid_body` or `batch_limit_exceeded`.
   */
  readonly checkBody: ((body: unknown) => void) | null;
};

export type Routes<H> = {
  readonly list: readonly Route<H>[];
  /**
   * Returns the route of a method and a path without its query; null if none matches. `segments` receives the path parameters, still
   * encoded.
   */
  match(method: string, path: string, segments: string[]): Route<H> | null;
  /** Returns the `Allow` header of a path; null if it has no operations. */
  allowed(path: string): string | null;
};

/**
 * Compiles routes, security and validators from an initialised openapi-backend.
 * @throws {Error} if an operation has no handler, or a rule that the API handler cannot enforce. The program then does not start.
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
  const definitions = (operation.parameters ?? []) as unknown as ParameterDefinition[];
  const elsewhere = definitions.find((one) => one.in !== "path" && one.in !== "query" && one.name !== conditionHeader);
  if (elsewhere !== undefined) throw new Error(`operation ${operationId}: ${elsewhere.in} parameters are not read`);
  const validator = validatorsOf(api, operation);
  return {
    operationId,
    method: operation.method.toUpperCase(),
    path: operation.path,
    handler,
    scopes: scopesOf(operationId, operation.security ?? []),
    units: Number((operation as unknown as Record<string, unknown>)["x-itemtape-cost"] ?? 0),
    parameters: new ParameterReader(operation.path, definitions, () => validator("parameters")),
    checkBody: operation.requestBody === undefined ? null : (given) => checkBody(validator("body"), given),
  };
}

/** Returns the validators of an operation, compiled at the first request: compiling all would cost a third of a start. */
function validatorsOf(api: OpenAPIBackend, operation: Operation): (of: "body" | "parameters") => ValidateFunction {
  let made: { body: ValidateFunction; parameters: ValidateFunction } | undefined;
  return (of) => {
    if (made === undefined) {
      const list = requestValidators(api, operation);
      const [body, parameters] = [list[0], list.at(-1)];
      if (body === undefined || parameters === undefined)
        throw new Error(`operation ${operation.operationId}: no validator was made`);
      made = { body, parameters };
    }
    return made[of];
  };
}

/** Splits the target of a request. `query` is null without `?`. */
export function splitTarget(url: string): { path: string; query: string | null } {
  const mark = url.indexOf("?");
  return mark === -1 ? { path: url, query: null } : { path: url.slice(0, mark), query: url.slice(mark + 1) };
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

type Node<Leaf> = { literals: Map<string, Node<Leaf>>; parameter: Node<Leaf> | null; leaves: Map<string, Leaf> | null };

/**
 * Finds leaves by path template, segment by segment. Literal segments have priority; a parameter is tried if the literal branch has no leaf
 * for the method. Segments are compared as encoded in the URL, so an encoded letter makes another path.
 */
class RouteTrie<Leaf> {
  readonly #root: Node<Leaf> = emptyNode();

  add(method: string, template: string, leaf: Leaf): void {
    let node = this.#root;
    for (const segment of template.slice(1).split("/")) {
      if (/^\{[^{}]+\}$/.test(segment)) {
        node.parameter ??= emptyNode();
        node = node.parameter;
      } else {
        if (/[{}]/.test(segment)) throw new Error(`path ${template}: a parameter must be a whole segment`);
        const next = node.literals.get(segment) ?? emptyNode();
        node.literals.set(segment, next);
        node = next;
      }
    }
    node.leaves ??= new Map();
    if (node.leaves.has(method)) throw new Error(`path ${template}: ${method} is taken by another template`);
    node.leaves.set(method, leaf);
  }

  /**
   * Returns the leaf of an upper-case method and a path that starts with `/`; null if none matches. `values` receives the parameters, still
   * encoded.
   */
  find(method: string, path: string, values: string[]): Leaf | null {
    return descend(this.#root, method, path, 1, values);
  }

  /** Returns all methods with a template for this path, sorted. */
  methodsOf(path: string): string[] {
    const methods = new Set<string>();
    collect(this.#root, path, 1, methods);
    return [...methods].sort();
  }
}

function emptyNode<Leaf>(): Node<Leaf> {
  return { literals: new Map(), parameter: null, leaves: null };
}

function descend<Leaf>(node: Node<Leaf>, method: string, path: string, start: number, values: string[]): Leaf | null {
  if (start > path.length) return node.leaves?.get(method) ?? null;
  const slash = path.indexOf("/", start);
  const end = slash === -1 ? path.length : slash;
  const segment = path.slice(start, end);
  const literal = node.literals.get(segment);
  if (literal !== undefined) {
    const found = descend(literal, method, path, end + 1, values);
    if (found !== null) return found;
  }
  if (node.parameter === null || segment === "") return null;
  values.push(segment);
  const found = descend(node.parameter, method, path, end + 1, values);
  if (found === null) values.pop();
  return found;
}

function collect<Leaf>(node: Node<Leaf>, path: string, start: number, methods: Set<string>): void {
  if (start > path.length) {
    for (const method of node.leaves?.keys() ?? []) methods.add(method);
    return;
  }
  const slash = path.indexOf("/", start);
  const end = slash === -1 ? path.length : slash;
  const segment = path.slice(start, end);
  const literal = node.literals.get(segment);
  if (literal !== undefined) collect(literal, path, end + 1, methods);
  if (node.parameter !== null && segment !== "") collect(node.parameter, path, end + 1, methods);
}
