import { isOpenList, listedValues, type Node, node } from "../document.ts";
import type { Context, Rule } from "./rule.ts";

const safeIntegerMax = Number.MAX_SAFE_INTEGER;
/** Properties that may be absent. All other keys of a record are required. */
const optionalProperties = [
  "Problem.detail",
  "BatchPricesRequest.provider",
  "BatchPricesRequest.side",
  "KnownPricesRequest.provider",
  "KnownPricesRequest.side",
  "DayExportRequest.revision",
  "DailySeriesMeta.known_at",
  "HourlySeriesMeta.known_at",
  "RoiSeriesMeta.known_at",
];

/** Creates a rule from a check that returns one message per violation of a schema. */
function schemaRule(check: (schema: Node, context: Context) => string[]): Rule {
  return () => ({
    Schema(schema, context) {
      for (const message of check(schema, context)) context.report({ message });
    },
  });
}

/** Named schemas and their properties must have a description. */
export const described = schemaRule(({ description }, { location }) => {
  const isShown = /^#\/components\/schemas\/[^/]+(\/properties\/[^/]+)?$/.test(location.pointer);
  const isText = typeof description === "string" && description.trim() !== "";
  return isShown && !isText ? ["needs a description"] : [];
});

/** Every string, array and integer must have bounds, and every integer a format. */
export const bounds = schemaRule((schema, { location }) => {
  const types = [schema.type].flat();
  const messages: string[] = [];
  if (types.includes("number")) messages.push("number: use integer or a decimal string");
  if (types.includes("integer")) messages.push(...integerBounds(schema));
  const bounding = ["enum", "const", "maxLength", "contentMediaType"];
  if (types.includes("string") && !bounding.some((keyword) => keyword in schema))
    messages.push("a string needs maxLength, enum or const");
  if (types.includes("array") && !("maxItems" in schema) && !location.pointer.endsWith("/contentSchema"))
    messages.push("an array needs maxItems");
  return messages;
});

function integerBounds({ format, minimum, maximum, ...schema }: Node): string[] {
  if (format !== "int32" && format !== "int64") return ["an integer needs format int32 or int64"];
  if ("const" in schema) return [];
  const max = format === "int32" ? 2147483647 : safeIntegerMax;
  const isSound = typeof minimum === "number" && typeof maximum === "number" && maximum <= max && minimum >= -max;
  return isSound ? [] : [`an integer needs minimum and maximum within ${format}`];
}

/** Object schemas must have a name, and require each of their keys. */
export const objects = schemaRule((schema, { location }) => {
  if (schema.type !== "object" && !("properties" in schema)) return [];
  const name = /^#\/components\/schemas\/([^/]+)$/.exec(location.pointer)?.[1];
  if (name === undefined) return ["an object schema belongs in components/schemas"];
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.keys(node(schema.properties))
    .filter((key) => !required.includes(key) && !optionalProperties.includes(`${name}.${key}`))
    .map((key) => `${key}: every key is always present, so it must be required`);
});

/** A nullable value must use one of two forms that generators support. */
export const nullable = schemaRule((schema) => {
  if (Array.isArray(schema.type)) {
    const isPlain = schema.type.length === 2 && schema.type[1] === "null" && schema.type[0] !== "null";
    if (!isPlain || "enum" in schema || "const" in schema)
      return ['write type: [T, "null"] without enum, or anyOf of a $ref and type: "null"'];
  }
  if (Array.isArray(schema.enum) && schema.enum.includes(null))
    return ['enum: null gets lost; use anyOf of a $ref and type: "null"'];
  if (Array.isArray(schema.anyOf)) {
    const [first, second, ...more] = schema.anyOf.map(node);
    if (typeof first?.$ref !== "string" || second?.type !== "null" || more.length > 0)
      return ['anyOf: only for a $ref or type: "null"; use oneOf with a discriminator'];
  }
  return [];
});

/** A union must have a discriminator, and each branch a constant that the discriminator maps to it. */
export const union = schemaRule((schema, { resolve }) => {
  if (!Array.isArray(schema.oneOf)) return [];
  const { propertyName, mapping } = node(schema.discriminator);
  const refs = schema.oneOf.map((branch) => node(branch).$ref);
  const mapped = Object.entries(node(mapping));
  if (typeof propertyName !== "string" || JSON.stringify(mapped.map(([, ref]) => ref)) !== JSON.stringify(refs))
    return ["oneOf: needs a discriminator with a mapping of every branch, in the same order"];
  return mapped.flatMap(([value, ref]) => {
    const branch = node(resolve({ $ref: ref }).node);
    const tag = node(node(branch.properties)[propertyName]);
    const isTagged = tag.type === "string" && tag.const === value;
    return isTagged ? [] : [`${String(ref)}: ${propertyName} must be type: string with const: ${value}`];
  });
});

/** A constant must have its type and an enum of itself, for generators without const. */
export const constants = schemaRule((schema) => {
  if (!("const" in schema)) return [];
  const messages: string[] = [];
  if (typeof schema.type !== "string") messages.push("const: needs its type");
  if (JSON.stringify(schema.enum) !== JSON.stringify([schema.const]))
    messages.push("const: needs an enum of this one value");
  if ("minimum" in schema || "maximum" in schema)
    messages.push("const: leave minimum and maximum out; a generator makes code of them that does not compile");
  return messages;
});

/** An open list must list known values of a string, without keywords that refuse other values. */
export const openLists = schemaRule((schema) => {
  if (!isOpenList(schema)) return [];
  const values = listedValues(schema);
  const fits = (value: unknown) => typeof value === "string" && value.length <= Number(schema.maxLength);
  if (schema.type !== "string" || "enum" in schema || "pattern" in schema)
    return ["x-extensible-enum: write type: string with maxLength, without enum and pattern"];
  const isSound = values.length > 0 && values.every(fits) && new Set(values).size === values.length;
  return isSound ? [] : ["x-extensible-enum: must list different texts of at most maxLength characters"];
});
