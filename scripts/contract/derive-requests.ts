import { isNode, type Node, node, operationsOf, resolve, walk } from "./document.ts";

/** Keys of an operation that a server needs before it is called. */
const operationKeys = ["operationId", "security", "parameters", "requestBody", "x-itemtape-plan", "x-itemtape-cost"];

/**
 * Returns the part of the document that routes and checks requests, as an OpenAPI document apart. A server reads it at each start. It
 * contains parameters and bodies with their references, but no responses, examples or texts.
 */
export function deriveRequests(document: Node): string {
  const paths: Record<string, Node> = {};
  for (const { path, method, node: operation, item } of operationsOf(document)) {
    const parameters = [...listed(operation.parameters), ...listed(item.parameters)];
    const kept = operationKeys.filter((key) => operation[key] !== undefined).map((key) => [key, operation[key]]);
    paths[path] = { ...paths[path], [method]: { ...Object.fromEntries(kept), parameters, responses: {} } };
  }
  const { openapi, info, security } = document;
  const { title, version } = node(info);
  const { securitySchemes } = node(document.components);
  const own = { openapi, info: { title, version }, security, paths, components: { securitySchemes } };
  const requests = withoutTexts(own) as Node;
  takeReferred(document, requests);
  return `${JSON.stringify(requests, null, 1)}\n`;
}

function listed(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Adds the components that `taken` refers to, directly or indirectly. */
function takeReferred(document: Node, taken: Node): void {
  const components = node(taken.components) as Record<string, Node>;
  const take = ({ $ref: reference }: Node) => {
    const [, kind, name] = /^#\/components\/(\w+)\/([^/]+)$/.exec(String(reference)) ?? [];
    if (kind === undefined || name === undefined || components[kind]?.[name] !== undefined) return;
    const component = withoutTexts(resolve(document, { $ref: reference })) as Node;
    components[kind] = { ...components[kind], [name]: component };
    walk(component, "#", take);
  };
  walk(taken.paths, "#", take);
}

/** Copies a node without texts for readers. A body's field with such a name is a schema, so it is copied. */
function withoutTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTexts);
  if (!isNode(value)) return value;
  const isShown = "schema" in value;
  const kept = Object.entries(value).filter(([key, child]) => {
    const isText = key === "description" && typeof child === "string";
    const isExample = key === "examples" ? isShown || Array.isArray(child) : key === "example" && isShown;
    return !isText && !isExample;
  });
  return Object.fromEntries(kept.map(([key, child]) => [key, withoutTexts(child)]));
}
