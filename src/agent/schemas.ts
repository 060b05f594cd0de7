import { followed } from "../contract/answer-paths.ts";
import { isNode, type Node, node } from "./contract-view.ts";
import { rowsDefault } from "./limits.ts";

/** Keywords with data as their values, not schemas. */
const literal = new Set(["enum", "const", "default", "required", "type"]);
/** Arguments that the instructions or their names explain. A refusal also names the tool that lists their values. */
const wellKnown = new Set([
  "limit",
  "after",
  "cursor",
  "fields",
  "item_id",
  "provider",
  "slug",
  "index_id",
  "currency",
  "portfolio_id",
  "from",
  "to",
  "known_at",
  "wear",
  "phase",
  "rarity",
  "item_type",
  "side",
  "souvenir",
  "methodology_version",
  "granularity",
  "valuation_mode",
  "known_at",
]);

/** Returns the complete schema of an argument without references, because not every program resolves them. */
export function inlined(schema: Node): Node {
  const whole = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(whole);
    return isNode(value) ? inlined(value) : value;
  };
  const kept = Object.entries(followed(schema)).filter(([key, value]) => !isDropped(key, value));
  return Object.fromEntries(
    kept.map(([key, value]): [string, unknown] => {
      if (literal.has(key)) return [key, value];
      if (key === "description") return [key, oneLine(String(value))];
      if (key !== "properties") return [key, whole(value)];
      return [key, Object.fromEntries(Object.entries(node(value)).map(([name, inner]) => [name, whole(inner)]))];
    }),
  );
}

/**
 * Returns the shortened schema of arguments for the list of tools. It has types, choices, the bound and default of rows, and the first
 * sentence of an unclear argument. Checks use the complete schema.
 */
export function listed(schema: Node): Node {
  const properties = Object.entries(node(schema.properties)).map(([name, one]) => {
    const { type, enum: choices, items, default: byDefault, maximum, maxItems, description } = node(one);
    const text = wellKnown.has(name) || description === undefined ? "" : firstSentence(String(description));
    const shown = {
      type,
      ...(choices !== undefined && { enum: choices }),
      ...(items !== undefined && { items: { type: node(items).type } }),
      ...(byDefault !== undefined && name !== "cursor" && byDefault !== rowsDefault && { default: byDefault }),
      ...(name === "limit" && { maximum }),
      ...(maxItems !== undefined && { maxItems }),
      ...(text !== "" && { description: text }),
    };
    return [name, shown];
  });
  const { type, required } = schema;
  return { type, properties: Object.fromEntries(properties), ...(required !== undefined && { required }) };
}

function firstSentence(text: string): string {
  return /^.*?\.(?= |$)/.exec(text)?.[0] ?? text;
}

/** Returns the text with its line breaks and repeated spaces as single spaces. */
export function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ");
}

/** Returns whether a keyword is dropped, because it is an example or specific to OpenAPI. */
function isDropped(key: string, value: unknown): boolean {
  if (key === "format") return value === "int32" || value === "int64";
  return key.startsWith("x-") || key === "example" || key === "examples";
}
