import { type Document, LineCounter, parseDocument as parseYaml } from "yaml";

/** A mapping in a document. Nothing is assumed about its shape, which the rules check. */
export type Node = { [key: string]: unknown };

/** An operation with its id, method and path, and the path item that contains it. */
export type Operation = { id: string; method: string; path: string; node: Node; item: Node };

export const documentFile = "openapi.yaml";
/** Root key of the document's changelog. */
export const changelogKey = "x-itemtape-changelog";
const openListKey = "x-extensible-enum";

const aliasesMax = 10_000;
const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/**
 * Parses a document as YAML 1.2 with unique keys.
 * @throws {Error} with line and column, if the text is invalid.
 */
export function parseDocument(text: string): Node {
  return contentOf(parseWritten(text).written);
}

/**
 * Returns the content of a parsed document. Programs write a YAML anchor for each repeated part, so thousands of aliases are usual.
 * @throws {Error} if nested aliases expand to far more.
 */
export function contentOf(written: Document): Node {
  return node(written.toJS({ maxAliasCount: aliasesMax }));
}

/**
 * Parses a document, and keeps the position of each part.
 * @throws {Error} with line and column, if the text is invalid.
 */
export function parseWritten(text: string): { written: Document; lines: LineCounter } {
  const lines = new LineCounter();
  const written = parseYaml(text, { prettyErrors: true, uniqueKeys: true, lineCounter: lines });
  for (const error of written.errors) throw error;
  return { written, lines };
}

/** Copies a document and expands all aliases, so that a change in one place does not affect another. */
export function unshared(document: Node): Node {
  return JSON.parse(JSON.stringify(document)) as Node;
}

/** Returns the operations in document order. Siblings of a path item's `$ref` are merged into it. */
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

/** Returns the components of one kind by name; empty if the document has none. */
export function componentsOf(document: Node, kind: string): Record<string, Node> {
  return node(node(document.components)[kind]) as Record<string, Node>;
}

/** Resolves a local `$ref`, or returns the node itself. Returns an empty node for an invalid reference. */
export function resolve(document: Node, value: unknown): Node {
  const target = node(value);
  if (typeof target.$ref !== "string") return target;
  let current: unknown = document;
  for (const part of target.$ref.replace(/^#\//, "").split("/")) {
    current = node(current)[part.replaceAll("~1", "/").replaceAll("~0", "~")];
  }
  return node(current);
}

/** Visits `value` and every mapping within it, with its JSON pointer. Skips the values of examples. */
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

/** Returns whether `value` is a mapping, not a list or null. */
export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the value if it is a mapping, else an empty mapping, so that rules can inspect missing parts. */
export function node(value: unknown): Node {
  return isNode(value) ? value : {};
}

/** Returns whether a schema lists known values but allows others. */
export function isOpenList(schema: unknown): boolean {
  return openListKey in node(schema);
}

/** Returns the values that a schema lists, whether closed or open; empty if it lists none. */
export function listedValues(schema: unknown): unknown[] {
  const { enum: values, [openListKey]: known = values } = node(schema);
  return Array.isArray(known) ? known : [];
}
