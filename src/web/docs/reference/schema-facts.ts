import { grouped } from "../../../values/money/money-text.ts";
import { type ContractNode, listOf, type Resolve, textOf } from "../contract-node.ts";

/** A schema of the contract with references resolved. */
type Shape = {
  /** The schema without its null branch. */
  readonly node: ContractNode;
  readonly isNullable: boolean;
  /** Alternatives of a union; empty if it is not a union. */
  readonly variants: readonly unknown[];
  /** Description in Markdown: the schema's own, else the referenced schema's. */
  readonly description: string;
};

const wholeMax = 2_147_483_647;

/** Reads a schema: its alternatives, and whether it allows null. */
export function shapeOf(schema: unknown, resolve: Resolve): Shape {
  const own = (schema ?? {}) as ContractNode;
  const node = resolve(own);
  const description = textOf(own.description) || textOf(node.description);
  const branches = [...listOf(node.anyOf), ...listOf(node.oneOf)];
  if (branches.length === 0) {
    const types = listOf(node.type);
    return { node, isNullable: types.includes("null") || node.type === "null", variants: [], description };
  }
  const others = branches.filter((branch) => resolve(branch).type !== "null");
  const isNullable = others.length < branches.length;
  if (others.length > 1) return { node, isNullable, variants: others, description };
  const only = shapeOf(others[0], resolve);
  return { ...only, isNullable: isNullable || only.isNullable, description: description || only.description };
}

/** Returns the type of a field in words with its unit, such as `integer, US cents, or null`. */
export function typeText(name: string, schema: unknown, resolve: Resolve): string {
  const { node, isNullable, variants } = shapeOf(schema, resolve);
  const type = baseType(node, variants, resolve);
  const unit = unitOf(name, schema, node);
  const words = unit === null ? type : `${type}, ${unit}`;
  if (!isNullable || node.type === "null") return words;
  return unit === null ? `${words} or null` : `${words}, or null`;
}

function baseType(node: ContractNode, variants: readonly unknown[], resolve: Resolve): string {
  if (variants.length > 0) return `one of ${variants.length} kinds`;
  if (node.const !== undefined) return `always ${JSON.stringify(node.const)}`;
  const [type = "any value"] = (Array.isArray(node.type) ? listOf(node.type) : [node.type])
    .filter((one) => one !== "null")
    .map(String);
  if (node.type === "null") return "always null";
  if (type !== "array") return type;
  const items = shapeOf(node.items, resolve);
  const inner = baseType(items.node, items.variants, resolve);
  const names = /^(string|integer|number|boolean|object|array)/;
  return `list of ${names.test(inner) ? inner.replace(names, "$1s") : inner}${items.isNullable ? " or null" : ""}`;
}

/** Returns the unit of a field, derived from its name, format or schema; null if it has none. */
function unitOf(name: string, schema: unknown, { format }: ContractNode): string | null {
  if (format === "date-time") return "UTC time";
  if (format === "date") return "UTC day";
  if (/_cents$|^ask_(min|max)$/.test(name) || refersTo(schema, "Cents")) return "US cents";
  if (/_pct$/.test(name)) return "percent";
  if (/_seconds$/.test(name)) return "seconds";
  return /(^|_)bytes$/.test(name) ? "bytes" : null;
}

function refersTo(schema: unknown, name: string): boolean {
  const { $ref, anyOf } = (schema ?? {}) as ContractNode;
  return $ref === `#/components/schemas/${name}` || listOf(anyOf).some((branch) => refersTo(branch, name));
}

/** Returns the bounds and default of a schema in words, and its pattern. Enum values are excluded. */
export function boundsOf(schema: unknown, resolve: Resolve): { readonly words: readonly string[]; pattern: string } {
  const { node } = shapeOf(schema, resolve);
  // Omits bounds of dates and times, which the conventions describe. Also omits bounds of open lists, because their known values are shown.
  if (/^date(-time)?$/.test(textOf(node.format)) || "x-extensible-enum" in node) return { words: [], pattern: "" };
  const items = node.items === undefined ? undefined : shapeOf(node.items, resolve).node;
  const words = [
    rangeText(node),
    countText(node.minLength, node.maxLength, "character"),
    countText(node.minItems, node.maxItems, "entry"),
    node.uniqueItems === true ? "no two alike" : "",
    node.default === undefined ? "" : `${JSON.stringify(node.default)} when left out`,
  ];
  return { words: words.filter((text) => text !== ""), pattern: textOf(node.pattern) || textOf(items?.pattern) };
}

function rangeText({ minimum, maximum }: ContractNode): string {
  const hasTop = typeof maximum === "number" && maximum < wholeMax;
  if (typeof minimum !== "number") return hasTop ? `at most ${grouped(maximum)}` : "";
  return hasTop ? `${grouped(minimum)} to ${grouped(maximum)}` : `${grouped(minimum)} or more`;
}

function countText(min: unknown, max: unknown, noun: string): string {
  if (typeof max !== "number") return typeof min === "number" ? `${plural(min, noun)} or more` : "";
  if (min === max) return plural(max, noun);
  return typeof min === "number" && min > 0 ? `${min} to ${plural(max, noun)}` : `at most ${plural(max, noun)}`;
}

function plural(count: number, noun: string): string {
  if (count === 1) return `1 ${noun}`;
  return `${grouped(count)} ${noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;
}
