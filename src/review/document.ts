import { type Document, LineCounter, parseDocument as parseYaml } from "yaml";

/** A mapping of the document as it was written. Its shape is what the rules examine, so it is not assumed. */
export type Node = { [key: string]: unknown };

/** One operation with its place in the document, and the path item in which it stands. */
export type Operation = { id: string; method: string; path: string; node: Node; item: Node };

export const documentFile = "openapi.yaml";
/** The root key under which the document lists its own changes. */
export const changelogKey = "x-itemtape-changelog";
const openListKey = "x-extensible-enum";

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/**
 * Parses the text of a document: YAML 1.2 with unique keys.
 * @throws {Error} when it is not valid; with line and column.
 */
export function parseDocument(text: string): Node {
  return node(parseWritten(text).written.toJS());
}

/**
 * Parses the text of a document and keeps the place of each part.
 * @throws {Error} when it is not valid; with line and column.
 */
export function parseWritten(text: string): { written: Document; lines: LineCounter } {
  const lines = new LineCounter();
  const written = parseYaml(text, { prettyErrors: true, uniqueKeys: true, lineCounter: lines });
  for (const error of written.errors) throw error;
  return { written, lines };
}

/** Copies a document and writes out every alias, so that a change in one place does not show in another. */
export function unshared(document: Node): Node {
  return JSON.parse(JSON.stringify(document)) as Node;
}

/** Operations in the order in which they are written. A path item may be a reference; what stands beside it adds to it. */
export function operationsOf(document: Node): Operation[] {
  const found: Operation[] = [];
  for (const [path, written] of Object.entries(node(document.paths))) {
    const item = followed(document, node(written));
    for (const method of methods) {
      const operation = item[method];
      if (isNode(operation)) found.push({ id: String(operation.operationId), method, path, node: operation, item });
    }
  }
  return found;
}

function followed(document: Node, item: Node, seen: readonly Node[] = []): Node {
  if (typeof item.$ref !== "string" || seen.includes(item)) return item;
  const { $ref: _, ...siblings } = item;
  return { ...followed(document, resolve(document, item), [...seen, item]), ...siblings };
}

/** Returns the components of one kind by name, empty when the kind is absent. */
export function componentsOf(document: Node, kind: string): Record<string, Node> {
  return node(node(document.components)[kind]) as Record<string, Node>;
}

/** Follows a local `$ref`, or gives the node itself. An unresolvable reference gives an empty node. */
export function resolve(document: Node, value: unknown): Node {
  const target = node(value);
  if (typeof target.$ref !== "string") return target;
  let current: unknown = document;
  for (const part of target.$ref.replace(/^#\//, "").split("/")) {
    current = node(current)[part.replaceAll("~1", "/").replaceAll("~0", "~")];
  }
  return node(current);
}

/** Visits every mapping below `value`, itself included, with its JSON pointer. Values of examples are data and left out. */
export function walk(value: unknown, at: string, visit: (found: Node, at: string) => void): void {
  if (Array.isArray(value)) {
    value.forEach((entry, index) => {
      walk(entry, `${at}/${index}`, visit);
    });
  } else if (isNode(value)) {
    visit(value, at);
    for (const [key, child] of Object.entries(value)) {
      const isData =
        (key === "value" && at.startsWith("#/components/examples/")) || (key === "examples" && Array.isArray(child));
      if (!isData) walk(child, `${at}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`, visit);
    }
  }
}

/** Tells whether `value` is a mapping of the document, no list and no null. */
export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the value as a mapping, empty when it is none, so that rules can look into what is missing. */
export function node(value: unknown): Node {
  return isNode(value) ? value : {};
}

/** Tells whether a schema lists values that it knows, and allows others. */
export function isOpenList(schema: unknown): boolean {
  return openListKey in node(schema);
}

/** Returns the values that a schema lists, all or the known ones; empty if it lists none. */
export function listedValues(schema: unknown): unknown[] {
  const { enum: values, [openListKey]: known = values } = node(schema);
  return Array.isArray(known) ? known : [];
}
