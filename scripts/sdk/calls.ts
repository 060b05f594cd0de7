import { isNode, type Node, node, operationsOf, resolve } from "../contract/document.ts";

/** The key of a call: none, a project key, or a personal token. */
type Caller = "nobody" | "market" | "portfolio";

/** A parameter as the document declares it, with the document's example. */
export type Parameter = {
  name: string;
  in: "path" | "query" | "header";
  type: (typeof parameterTypes)[number];
  /** Undefined for an optional day or a cursor, which have no example. */
  value: Shown | undefined;
  isRequired: boolean;
};
type Shown = string | number | boolean | readonly number[];
const parameterTypes = ["integer", "string", "boolean", "array"] as const;

/** `shown`: with all examples of the document. `wide`: the smallest page of all rows, without optional filters. */
export type Form = "shown" | "wide";

/** The field of `meta` with the cursor of the next page, and the parameter for it. */
export type Paging = { from: string; to: string };

/** One operation with a valid request, made from the document's examples. */
export type Call = {
  operationId: string;
  method: string;
  path: string;
  caller: Caller;
  /** All declared parameters, in the order of the document. */
  parameters: readonly Parameter[];
  /** Value of the request body's first example, null without a body. */
  body: Node | null;
  /** Schema of the 200, resolved, and its name under `components.schemas`. Null for a stream of lines. */
  answer: { name: string; schema: Node } | null;
  /** Null if the response is not a page. */
  paging: Paging | null;
  canBeConditional: boolean;
};

const callers: Record<string, Caller> = {
  none: "nobody",
  any: "market",
  "market:read": "market",
  "portfolio:read": "portfolio",
};
const cursors: Record<string, string> = { cursor: "next_cursor", after: "next_page" };

/**
 * Returns a call of each operation, in the order of the document.
 * @throws {Error} when the document lacks an example for one.
 */
export function callsOf(document: Node): Call[] {
  return operationsOf(document).map((operation) => {
    const fail = (what: string) => new Error(`${operation.id}: ${what}`);
    const caller = callers[String(operation.node["x-itemtape-scope"])];
    if (caller === undefined) throw fail("x-itemtape-scope names no caller");
    const parameters = parametersOf(document, operation.node, fail);
    const answer = answerOf(document, operation.node, fail);
    // Only paged lists have a limit of rows. In other operations `after` is not a cursor.
    const hasPages = parameters.some(({ name }) => name === "limit");
    const cursor = hasPages ? parameters.find(({ name }) => name in cursors)?.name : undefined;
    return {
      operationId: operation.id,
      method: operation.method,
      path: operation.path,
      caller,
      parameters,
      body: bodyOf(document, operation.node, fail),
      answer,
      paging: cursor === undefined ? null : { from: cursors[cursor] as string, to: cursor },
      canBeConditional: "304" in node(operation.node.responses),
    };
  });
}

/** Returns the parameters that a call sends in one place. It excludes cursors and conditions, which are read from responses. */
export function given(call: Call, place: Parameter["in"], form: Form): Parameter[] {
  if (place === "header") return [];
  const own = declared(call, place).filter(({ name, value }) => name !== call.paging?.to && value !== undefined);
  if (form === "shown") return own;
  return own
    .filter(({ name, isRequired }) => isRequired || name === "limit")
    .map((parameter) => (parameter.name === "limit" ? { ...parameter, value: 1 } : parameter));
}

/** Returns the parameters that an operation declares in one place, sent or not. */
export function declared(call: Call, place: Parameter["in"]): Parameter[] {
  return call.parameters.filter((parameter) => parameter.in === place);
}

type Fail = (what: string) => Error;

function parametersOf(document: Node, operation: Node, fail: Fail): Parameter[] {
  const list = Array.isArray(operation.parameters) ? operation.parameters : [];
  return list.map((entry) => {
    const { name, in: place, example, examples, schema, required } = resolve(document, entry);
    const { type } = resolve(document, schema);
    if (place !== "path" && place !== "query" && place !== "header") throw fail(`parameter ${name}: is in ${place}`);
    if (!isParameterType(type)) throw fail(`parameter ${name}: has the type ${type}`);
    const value = (example ?? node(Object.values(node(examples))[0]).value) as Shown | undefined;
    if (value === undefined && required === true) throw fail(`parameter ${name}: has no example`);
    return { name: String(name), in: place, type, value, isRequired: required === true };
  });
}

function isParameterType(type: unknown): type is Parameter["type"] {
  return parameterTypes.some((one) => one === type);
}

function bodyOf(document: Node, operation: Node, fail: Fail): Node | null {
  if (operation.requestBody === undefined) return null;
  const media = node(node(resolve(document, operation.requestBody).content)["application/json"]);
  const [first] = Object.values(node(media.examples));
  const { value } = resolve(document, first);
  if (!isNode(value)) throw fail("the request body has no example");
  return value;
}

function answerOf(document: Node, operation: Node, fail: Fail): Call["answer"] {
  const content = node(resolve(document, node(operation.responses)["200"]).content);
  if ("application/x-ndjson" in content) return null;
  const { $ref } = node(node(content["application/json"]).schema);
  if (typeof $ref !== "string") throw fail("the 200 has neither a named schema nor lines");
  return { name: $ref.split("/").at(-1) ?? "", schema: resolve(document, { $ref }) };
}
