import { isNode, type Node, node, operationsOf, resolve } from "../../../src/review/document.ts";

/** A schema of a document with an operation that reaches it, and its path in the operation's view. */
type Site = {
  schema: Node;
  operation: string;
  side: "request" | "response";
  near: readonly string[];
  isStream: boolean;
};

const depthMax = 9;

/**
 * Lists each schema in the operations of a document, once per place. This traversal is apart from the review's, so that neither hides
 * faults of the other.
 */
export function sitesOf(document: Node): Site[] {
  const found: Site[] = [];
  for (const { id, node: operation, item } of operationsOf(document)) {
    const add = (schema: unknown, side: Site["side"], near: readonly string[]) =>
      visit(document, { schema: node(schema), operation: id, side, near, isStream: false }, found, 0);
    for (const entry of parametersOf(operation, item).map((one) => resolve(document, one))) {
      const name = entry.in === "header" ? String(entry.name).toLowerCase() : String(entry.name);
      add(entry.schema, "request", ["parameters", `${String(entry.in)} ${name}`, "schema"]);
    }
    for (const [type, entry] of Object.entries(node(resolve(document, operation.requestBody).content)))
      add(node(entry).schema, "request", ["requestBody", "content", type, "schema"]);
    for (const [status, response] of Object.entries(node(operation.responses)))
      for (const [type, entry] of Object.entries(node(resolve(document, response).content)))
        add(node(entry).schema, "response", ["responses", status, "content", type, "schema"]);
  }
  return found;
}

/** Returns the parameters of an operation and of its path. */
export function parametersOf(operation: Node, item: Node): unknown[] {
  return [operation.parameters, item.parameters].flatMap((list) => (Array.isArray(list) ? list : []));
}

function visit(document: Node, site: Site, found: Site[], depth: number): void {
  if (depth > depthMax) return;
  const schema = resolve(document, site.schema);
  const here = { ...site, schema };
  found.push(here);
  const below = (child: unknown, near: readonly string[], isStream = site.isStream) =>
    visit(document, { ...site, schema: node(child), near, isStream }, found, depth + 1);
  for (const list of ["allOf", "oneOf", "anyOf"])
    for (const part of Array.isArray(schema[list]) ? (schema[list] as unknown[]) : []) below(part, site.near);
  for (const [name, child] of Object.entries(node(schema.properties))) below(child, [...site.near, "properties", name]);
  if (isNode(schema.items)) below(schema.items, [...site.near, "items"]);
  if (isNode(schema.contentSchema)) below(schema.contentSchema, [...site.near, "contentSchema"], true);
}
