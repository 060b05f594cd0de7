import { follow, isNode, type Node, node } from "./contract-view.ts";

/** Keywords whose values are schemas by name, where a name is never a keyword. */
const namedSchemas = new Set(["properties", "patternProperties", "$defs"]);
const prefix = "#/components/schemas/";
const descriptionCharsMax = 240;

/**
 * A schema without references. For arguments, which are small: not every program that calls tools follows `$ref` in them.
 */
export function inlined(root: Node, schema: Node): Node {
  const resolve = (value: Node): unknown => walk(follow(root, value), resolve, oneLine);
  return node(walk(schema, resolve, oneLine));
}

/**
 * A schema that stands by itself: what it refers to lies in its `$defs`. Written with keywords that mean the same in JSON Schema
 * 2020-12 and draft-07 and without `$schema`, because validators of either kind read tools. Descriptions are cut to a sentence.
 */
export function selfContained(root: Node, schema: Node): Node {
  const definitions = new Map<string, unknown>();
  const refer = (value: Node): unknown => {
    const name = String(value.$ref).slice(prefix.length);
    if (!definitions.has(name)) {
      definitions.set(name, true);
      definitions.set(name, walk(follow(root, value), refer, firstSentence));
    }
    return { $ref: `#/$defs/${name}` };
  };
  const whole = node(walk(schema, refer, firstSentence));
  return definitions.size === 0 ? whole : { ...whole, $defs: Object.fromEntries([...definitions].sort(byName)) };
}

/** How many values a record of this schema has: its scalars, those of nested records included, lists counted as one. */
export function leavesOf(root: Node, schema: unknown): number {
  const followed = follow(root, schema);
  const options = followed.anyOf ?? followed.oneOf;
  if (Array.isArray(options)) return Math.max(...options.map((one) => leavesOf(root, one)));
  if (!isNode(followed.properties)) return 1;
  return Object.values(followed.properties).reduce<number>((sum, one) => sum + leavesOf(root, one), 0);
}

/** The first sentence of a text on one line, of a longer one its first 240 characters. */
export function firstSentence(text: string): string {
  const whole = oneLine(text);
  const sentence = /^.*?[.](?=\s|$)/.exec(whole)?.[0] ?? whole;
  return sentence.length > descriptionCharsMax ? `${sentence.slice(0, descriptionCharsMax - 1)}…` : sentence;
}

export function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ");
}

function walk(value: unknown, atReference: (value: Node) => unknown, describe: (text: string) => string): unknown {
  if (Array.isArray(value)) return value.map((one) => walk(one, atReference, describe));
  if (!isNode(value)) return value;
  if (typeof value.$ref === "string") return atReference(value);
  const kept = Object.entries(value).filter(([key, held]) => !isDropped(key, held));
  return Object.fromEntries(kept.map(([key, held]) => [key, walkKeyword(key, held, atReference, describe)]));
}

function walkKeyword(
  key: string,
  value: unknown,
  atReference: (value: Node) => unknown,
  describe: (text: string) => string,
): unknown {
  if (key === "enum" || key === "const" || key === "default") return value;
  if (key === "description" && typeof value === "string") return describe(value);
  if (!namedSchemas.has(key) || !isNode(value)) return walk(value, atReference, describe);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, walk(one, atReference, describe)]));
}

/** What is of OpenAPI and not of JSON Schema, and examples, of which an answer has its own. */
function isDropped(key: string, value: unknown): boolean {
  if (key === "format") return value === "int32" || value === "int64";
  return key.startsWith("x-") || key === "example" || key === "examples";
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}
