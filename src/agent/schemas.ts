import { follow, isNode, type Node, node } from "./contract-view.ts";

/** Keywords whose values are data and no schemas. */
const literal = new Set(["enum", "const", "default", "required", "type"]);
/** Keywords of the shape of an answer, which its schema keeps. */
const shapeKeywords = new Set(["type", "properties", "required", "items", "anyOf", "oneOf", "allOf"]);

/** Returns the schema of an argument, whole but without references: not every program that calls tools follows them. */
export function inlined(root: Node, schema: unknown): Node {
  const whole = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(whole);
    return isNode(value) ? inlined(root, value) : value;
  };
  const kept = Object.entries(follow(root, schema)).filter(([key, value]) => !isDropped(key, value));
  return Object.fromEntries(
    kept.map(([key, value]): [string, unknown] => {
      if (literal.has(key)) return [key, value];
      if (key === "description") return [key, oneLine(String(value))];
      return [key, key === "properties" ? mapped(node(value), whole) : whole(value)];
    }),
  );
}

/**
 * Returns the shape of an answer: names, types and what is required. It is open to fields and values that a newer service adds, and carries
 * neither texts nor bounds, which the contract tells and every listing of the tools would cost an agent.
 */
export function shapeOf(root: Node, schema: unknown): Node {
  const kept = Object.entries(follow(root, schema)).filter(([key]) => shapeKeywords.has(key));
  return Object.fromEntries(
    kept.map(([key, value]): [string, unknown] => {
      if (Array.isArray(value) && key.endsWith("Of")) {
        // Without their values, more than one choice may match.
        return [key === "oneOf" ? "anyOf" : key, value.map((one) => shapeOf(root, one))];
      }
      if (key === "properties") return [key, mapped(node(value), (one) => shapeOf(root, one))];
      return [key, key === "items" ? shapeOf(root, value) : value];
    }),
  );
}

/** Counts the values of a record with this schema: its scalars, those of nested records included, lists as one. */
export function leavesOf(root: Node, schema: unknown): number {
  const followed = follow(root, schema);
  const options = followed.anyOf ?? followed.oneOf;
  if (Array.isArray(options)) return Math.max(...options.map((one) => leavesOf(root, one)));
  if (!isNode(followed.properties)) return 1;
  return Object.values(followed.properties).reduce<number>((sum, one) => sum + leavesOf(root, one), 0);
}

/** Returns the text with its line breaks and repeated spaces as single spaces. */
export function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ");
}

function mapped(record: Node, of: (value: unknown) => unknown): Node {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, of(value)]));
}

/** Returns whether a keyword is dropped: it belongs to OpenAPI and not to JSON Schema, or is an example. */
function isDropped(key: string, value: unknown): boolean {
  if (key === "format") return value === "int32" || value === "int64";
  return key.startsWith("x-") || key === "example" || key === "examples";
}
