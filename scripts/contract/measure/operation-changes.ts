import { type Node, node, type Operation, resolve } from "../../../src/review/document.ts";

/** Changes an operation in place by one kind. Returns the place in its view, or null if nothing can be changed. */
type OperationChange = (operation: Operation, document: Node) => readonly string[] | null;

const setting =
  (key: string, change: (value: unknown) => unknown, near: readonly string[] = []): OperationChange =>
  ({ node: operation }) => {
    const value = change(operation[key]);
    if (value === operation[key]) return null;
    operation[key] = value;
    return near;
  };

/** Kinds of changes of an operation, by name. */
export const operationChanges: Readonly<Record<string, OperationChange>> = {
  "a parameter goes": (operation, document) =>
    changeParameters(
      operation,
      document,
      (list) => list.findIndex((one) => one.in === "query"),
      () => [],
    ),
  "an optional parameter is added": (operation, document) =>
    addParameter(operation, document, { name: "further", in: "query", schema: { type: "string" } }),
  "a required parameter is added": (operation, document) =>
    addParameter(operation, document, { name: "further", in: "query", required: true, schema: { type: "string" } }),
  "a parameter has another name": (operation, document) =>
    changeParameters(
      operation,
      document,
      (list) => list.findIndex((one) => one.in === "query"),
      (one) => [{ ...one, name: "renamed" }],
    ),
  "a parameter becomes required": (operation, document) =>
    changeParameters(
      operation,
      document,
      (list) => list.findIndex((one) => one.in === "query" && one.required !== true),
      (one) => [{ ...one, required: true }],
    ),
  "a header of requests goes": (operation, document) =>
    changeParameters(
      operation,
      document,
      (list) => list.findIndex((one) => one.in === "header"),
      () => [],
    ),
  "an operation goes": (operation, document) => {
    delete node(node(document.paths)[operation.path])[operation.method];
    return [];
  },
  "an operation is added": (_, document) => {
    node(document.paths)["/v1/further"] = {
      get: { operationId: "getFurther", responses: { "204": { description: "A" } } },
    };
    return [];
  },
  "an operation has another id": ({ node: operation }) => {
    operation.operationId = `${String(operation.operationId)}Again`;
    return [];
  },
  "an operation has another path": ({ path }, document) => {
    const paths = node(document.paths);
    paths[`/again${path}`] = paths[path];
    delete paths[path];
    return [];
  },
  "an operation has another method": ({ path, method }, document) => {
    const item = node(node(document.paths)[path]);
    const other = method === "get" ? "put" : "get";
    if (other in item) return null;
    item[other] = item[method];
    delete item[method];
    return [];
  },
  "a refusal is added": ({ node: operation }) => {
    operation.responses = { ...node(operation.responses), "418": { description: "Further." } };
    return ["responses", "418"];
  },
  "a refusal goes": ({ node: operation }) => {
    const status = Object.keys(node(operation.responses)).findLast((key) => key.startsWith("4"));
    if (status === undefined) return null;
    const { [status]: _, ...rest } = node(operation.responses);
    operation.responses = rest;
    return ["responses", status];
  },
  "success has another status": ({ node: operation }) => {
    const { "200": success, ...rest } = node(operation.responses);
    if (success === undefined) return null;
    operation.responses = { ...rest, "206": success };
    return ["responses"];
  },
  "a header of answers goes": (operation, document) => changeHeaders(operation, document, () => null),
  "a header of answers becomes optional": (operation, document) =>
    changeHeaders(operation, document, (header) => ({ ...header, required: false })),
  "a header of answers is added": (operation, document) => {
    const response = successOf(operation, document);
    if (response === null) return null;
    response.headers = { ...node(response.headers), "X-Further": { required: true, schema: { type: "string" } } };
    return ["responses", "200", "headers", "x-further"];
  },
  "a header of answers is text": (operation, document) =>
    changeHeaders(operation, document, (header) => {
      const { type } = resolve(document, header.schema);
      return type === "integer" ? { ...header, schema: { type: "string" } } : header;
    }),
  "an answer has another media type": (operation, document) => {
    const response = successOf(operation, document);
    const [type, entry] = Object.entries(node(response?.content))[0] ?? [];
    if (response === null || type === undefined) return null;
    response.content = { "application/further": entry };
    return ["responses", "200", "content"];
  },
  "a larger plan is required": setting("x-itemtape-plan", (plan) => (plan === "free" ? "paid" : plan)),
  "a smaller plan is required": setting("x-itemtape-plan", (plan) => (plan === "paid" ? "free" : plan)),
  "a request costs more": setting("x-itemtape-cost", (cost) => (typeof cost === "number" ? cost + 1 : cost), [
    "extensions",
  ]),
  "a request costs less": setting("x-itemtape-cost", (cost) => (typeof cost === "number" && cost > 0 ? 0 : cost), [
    "extensions",
  ]),
  "another scope is required": setting("x-itemtape-scope", (scope) =>
    scope === "market:read" ? "portfolio:read" : scope,
  ),
  "any scope is enough": setting("x-itemtape-scope", (scope) => (scope === "market:read" ? "any" : scope)),
  "the minute limit counts no longer": setting("x-itemtape-minute", (is) => (is === true ? false : is)),
  "a body becomes optional": ({ node: operation }, document) => {
    const body = resolve(document, operation.requestBody);
    if (body.content === undefined || body.required !== true) return null;
    operation.requestBody = { ...body, required: false };
    return ["requestBody"];
  },
  "no credential is wanted": ({ node: operation }) => {
    if (operation.security !== undefined && JSON.stringify(operation.security) === "[]") return null;
    operation.security = [];
    return ["security"];
  },
  "the keys have another order": ({ node: operation }) => {
    const entries = Object.entries(operation).reverse();
    for (const key of Object.keys(operation)) delete operation[key];
    Object.assign(operation, Object.fromEntries(entries));
    return [];
  },
  "the parameters have another order": ({ node: operation }) => {
    if (!Array.isArray(operation.parameters) || operation.parameters.length < 2) return null;
    operation.parameters = operation.parameters.toReversed();
    return ["parameters"];
  },
  "references are written out": (operation, document) => {
    operation.node.responses = Object.fromEntries(
      Object.entries(node(operation.node.responses)).map(([status, one]) => [
        status,
        structuredClone(resolve(document, one)),
      ]),
    );
    return ["responses"];
  },
  "a schema moves into a component": (operation, document) => {
    const response = successOf(operation, document);
    const [entry] = Object.values(node(response?.content)).map(node);
    if (entry === undefined || entry.schema === undefined || "$ref" in node(entry.schema)) return null;
    const name = `Moved${operation.id}`;
    node(node(document.components).schemas)[name] = entry.schema;
    entry.schema = { $ref: `#/components/schemas/${name}` };
    return ["responses"];
  },
};

/** Kinds for which the contract has few places or none. Each is the change of `before` by the opposite kind. */
export const opposites: Readonly<Record<string, string>> = {
  "a parameter becomes optional": "a parameter becomes required",
  "a body becomes required": "a body becomes optional",
  "a credential is wanted": "no credential is wanted",
};

function list(operation: Operation, document: Node): Node[] {
  const own = operation.node.parameters;
  return (Array.isArray(own) ? own : []).map((entry) => resolve(document, entry));
}

function changeParameters(
  operation: Operation,
  document: Node,
  find: (all: Node[]) => number,
  change: (one: Node) => Node[],
): readonly string[] | null {
  const all = list(operation, document);
  const index = find(all);
  const found = all[index];
  if (found === undefined) return null;
  operation.node.parameters = all.toSpliced(index, 1, ...change(found));
  return ["parameters"];
}

function addParameter(operation: Operation, document: Node, parameter: Node): readonly string[] {
  operation.node.parameters = [...list(operation, document), parameter];
  return ["parameters"];
}

/** Returns the 200 of an operation as an inline copy. */
function successOf({ node: operation }: Operation, document: Node): Node | null {
  const responses = node(operation.responses);
  if (responses["200"] === undefined) return null;
  const own = { ...resolve(document, responses["200"]) };
  operation.responses = { ...responses, "200": own };
  return own;
}

function changeHeaders(
  operation: Operation,
  document: Node,
  change: (header: Node) => Node | null,
): readonly string[] | null {
  const response = successOf(operation, document);
  const headers = Object.entries(node(response?.headers)).map(
    ([name, header]) => [name, resolve(document, header)] as const,
  );
  const found = headers.find(
    ([name, header]) => header.required === true && !/^(vary|cache-control)$/i.test(name) && change(header) !== header,
  );
  if (response === null || found === undefined) return null;
  const changed = change(found[1]);
  const rest = headers.filter(([name]) => name !== found[0]);
  response.headers = Object.fromEntries(changed === null ? rest : [...rest, [found[0], changed]]);
  return changed === null ? ["responses", "200"] : ["responses", "200", "headers", found[0].toLowerCase()];
}
