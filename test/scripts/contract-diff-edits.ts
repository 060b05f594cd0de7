import { isNode, type Node, node, operationsOf, resolve } from "../../scripts/contract/document.ts";

/** The operation with this id, to be edited in place. */
export function operation(document: Node, id: string): Node {
  const found = operationsOf(document).find((candidate) => candidate.id === id);
  if (found === undefined) throw new Error(`no operation ${id}`);
  return found.node;
}

/** What stands at keys with slashes between, to be edited in place. */
export function at(document: unknown, path: string): Node {
  let current = document;
  for (const key of path.split("/")) current = (current as Node)?.[key.replaceAll("~1", "/")];
  if (typeof current !== "object" || current === null) throw new Error(`nothing stands at ${path}`);
  return current as Node;
}

export function schema(document: Node, path: string): Node {
  return at(document, `components/schemas/${path}`);
}

/** A parameter of one operation, made its own, so that an edit touches no other operation. */
export function parameter(document: Node, id: string, name: string): Node {
  const list = operation(document, id).parameters as unknown[];
  const index = list.findIndex((entry) => resolve(document, entry).name === name);
  const own = structuredClone(resolve(document, list[index]));
  own.schema = structuredClone(resolve(document, own.schema));
  list[index] = own;
  return own;
}

/** A response of one operation, made its own with its headers. */
export function response(document: Node, id: string, status = "200"): Node {
  const responses = at(operation(document, id), "responses");
  const own = structuredClone(resolve(document, responses[status]));
  const headers = Object.entries(node(own.headers));
  own.headers = Object.fromEntries(headers.map(([name, header]) => [name, structuredClone(resolve(document, header))]));
  responses[status] = own;
  return own;
}

/** The request body of one operation, made its own with the schema of its JSON. */
export function body(document: Node, id: string): Node {
  const it = operation(document, id);
  it.requestBody = structuredClone(resolve(document, it.requestBody));
  const media = node(node(node(it.requestBody).content)["application/json"]);
  media.schema = structuredClone(resolve(document, media.schema));
  return node(it.requestBody);
}

export function bodySchema(document: Node, id: string): Node {
  const content = node(body(document, id).content);
  return node(node(content["application/json"]).schema);
}

/** Puts a path item among the components, with a reference in its place. */
export function movePathItem(document: Node, path: string): void {
  node(document.components).pathItems = { Moved: node(document.paths)[path] };
  node(document.paths)[path] = { $ref: "#/components/pathItems/Moved" };
}

/** Gives a field of a request a schema of its own name among the components. */
export function componentField(document: Node, own: Node, beside: Node = {}): void {
  node(node(document.components).schemas).Own = own;
  at(bodySchema(document, "getMarketPricesBatch"), "properties").own = { $ref: "#/components/schemas/Own", ...beside };
}

/** What stands beside the reference of that field. */
export function besideField(document: Node): Node {
  return at(operation(document, "getMarketPricesBatch"), "requestBody/content/application~1json/schema/properties/own");
}

/** Replaces every reference to one component by one to another. */
export function redirect(value: unknown, from: string, to: string): void {
  if (Array.isArray(value)) for (const entry of value) redirect(entry, from, to);
  if (!isNode(value)) return;
  for (const [key, child] of Object.entries(value)) {
    if (child === from) value[key] = to;
    else redirect(child, from, to);
  }
}

/** The same with the keys of every mapping in the opposite order. */
export function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isNode(value)) return value;
  const entries = Object.entries(value).reverse();
  return Object.fromEntries(entries.map(([key, child]) => [key, reversed(child)]));
}

/** Ids of the operations whose description of requests and answers leads to a component. */
function usersOf(document: Node, reference: string): string[] {
  const leadsTo = (value: unknown, seen: Set<string>): boolean => {
    if (Array.isArray(value)) return value.some((entry) => leadsTo(entry, seen));
    if (!isNode(value)) return false;
    if (typeof value.$ref === "string") {
      if (value.$ref === reference) return true;
      if (seen.has(value.$ref)) return false;
      seen.add(value.$ref);
      return leadsTo(resolve(document, value), seen);
    }
    return Object.values(value).some((child) => leadsTo(child, seen));
  };
  return operationsOf(document)
    .filter(({ node: it }) => leadsTo(it, new Set()))
    .map(({ id }) => id);
}

/** One change: what it is called, the operations it is told of (`[]` is the whole document), the edit, and one of both documents first. */
export type Row = readonly [
  name: string,
  operations: readonly string[] | ((document: Node) => string[]),
  mutate: (document: Node) => unknown,
  prepare?: (document: Node) => unknown,
];

/** The parameter's own schema, to be edited in place. */
export function parameterSchema(document: Node, id: string, name: string): Node {
  return at(parameter(document, id, name), "schema");
}

export function media(carrier: Node, type = "application/json"): Node {
  return node(node(carrier.content)[type]);
}

export function push(list: unknown, value: unknown): void {
  (list as unknown[]).push(value);
}

export function drop(list: unknown, value: unknown): void {
  (list as unknown[]).splice((list as unknown[]).indexOf(value), 1);
}

/** Gives a path of the document another name. */
export function reroute(document: Node, from: string, to: string): void {
  const paths = node(document.paths);
  paths[to] = paths[from];
  delete paths[from];
}

/** Ids of the operations that use a schema. */
export function uses(name: string): (document: Node) => string[] {
  return (document) => usersOf(document, `#/components/schemas/${name}`);
}

/** Ids of the operations that take a key. */
export function isProtected(document: Node): string[] {
  return operationsOf(document).flatMap(({ id, node: it }) => (it["x-itemtape-scope"] === "none" ? [] : [id]));
}

/** Ids of all operations. */
export function all(document: Node): string[] {
  return operationsOf(document).map(({ id }) => id);
}
