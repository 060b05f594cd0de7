import { componentsOf, isNode, type Node, node, resolve, walk } from "./document.ts";
import type { Finding } from "./finding.ts";

const schemaKeywordsForbidden = [
  "patternProperties",
  "prefixItems",
  "allOf",
  "not",
  "nullable",
  "example",
  "exclusiveMinimum",
  "exclusiveMaximum",
];
const safeIntegerMax = Number.MAX_SAFE_INTEGER;

/** Properties that may be absent; every other key of a record is always present. */
const optionalProperties = ["Problem.detail", "BatchPricesRequest.provider", "BatchPricesRequest.side"];

/** Rules about schemas, wherever they stand: named, closed, bounded and nullable in one way only. */
export function checkSchemas(document: Node): Finding[] {
  const findings: Finding[] = [];
  for (const { schema, at } of schemasOf(document)) {
    findings.push(
      ...checkKeywords(schema, at),
      ...checkObject(schema, at),
      ...checkNullable(schema, at),
      ...checkUnion(document, schema, at),
      ...checkScalar(schema, at),
    );
    if ("items" in schema && typeof node(schema.items).$ref !== "string") {
      findings.push({ rule: "named-items", at, message: "items: must refer to a named schema" });
    }
  }
  return findings;
}

/** Returns every schema of the document with its place: components, and those under parameters, headers and media types. */
function schemasOf(document: Node): { schema: Node; at: string }[] {
  const found: { schema: Node; at: string }[] = [];
  const add = (value: unknown, at: string) => {
    if (!isNode(value)) return;
    found.push({ schema: value, at });
    for (const key of ["items", "contentSchema", "additionalProperties"]) add(value[key], `${at}/${key}`);
    for (const key of ["anyOf", "oneOf"]) {
      if (Array.isArray(value[key]))
        for (const [index, entry] of value[key].entries()) add(entry, `${at}/${key}/${index}`);
    }
    for (const [name, property] of Object.entries(node(value.properties))) add(property, `${at}/properties/${name}`);
  };
  for (const [name, schema] of Object.entries(componentsOf(document, "schemas")))
    add(schema, `#/components/schemas/${name}`);
  walk({ paths: document.paths, components: { ...node(document.components), schemas: {} } }, "#", (holder, at) => {
    add(holder.schema, `${at}/schema`);
  });
  return found;
}

function checkKeywords(schema: Node, at: string): Finding[] {
  return schemaKeywordsForbidden
    .filter((keyword) => keyword in schema)
    .map((keyword) => ({ rule: "forbidden-keyword", at, message: `${keyword}: tools read it wrongly; write it out` }));
}

function checkObject(schema: Node, at: string): Finding[] {
  const name = /^#\/components\/schemas\/([^/]+)$/.exec(at)?.[1];
  const isObject = schema.type === "object" || "properties" in schema;
  if (name !== undefined && !isText(schema.description))
    return [{ rule: "described", at, message: "needs a description" }];
  if (!isObject) return [];
  if (name === undefined)
    return [{ rule: "named-objects", at, message: "an object schema stands in components/schemas only" }];
  const findings: Finding[] = [];
  if (schema.type !== "object" || schema.additionalProperties !== false) {
    findings.push({ rule: "closed-objects", at, message: "needs type: object and additionalProperties: false" });
  }
  const required = Array.isArray(schema.required) ? schema.required : [];
  for (const [key, property] of Object.entries(node(schema.properties))) {
    if (!required.includes(key) && !optionalProperties.includes(`${name}.${key}`)) {
      findings.push({ rule: "required", at, message: `${key}: every key is always present, so it must be required` });
    }
    if (!("$ref" in node(property)) && !isText(node(property).description)) {
      findings.push({ rule: "described", at: `${at}/properties/${key}`, message: "needs a description" });
    }
  }
  return findings;
}

function checkNullable(schema: Node, at: string): Finding[] {
  const rule = "nullable";
  if (Array.isArray(schema.type)) {
    const isPlain = schema.type.length === 2 && schema.type[1] === "null" && schema.type[0] !== "null";
    if (!isPlain || "enum" in schema || "const" in schema) {
      return [{ rule, at, message: 'write type: [T, "null"] without enum, or anyOf of a $ref and type: "null"' }];
    }
  }
  if (Array.isArray(schema.enum) && schema.enum.includes(null)) {
    return [{ rule, at, message: 'enum: null gets lost; use anyOf of a $ref and type: "null"' }];
  }
  if (Array.isArray(schema.anyOf)) {
    const [first, second, ...more] = schema.anyOf.map(node);
    if (typeof first?.$ref !== "string" || second?.type !== "null" || more.length > 0) {
      return [{ rule, at, message: 'anyOf: only for a $ref or type: "null"; use oneOf with a discriminator' }];
    }
  }
  return [];
}

function checkUnion(document: Node, schema: Node, at: string): Finding[] {
  if (!Array.isArray(schema.oneOf)) return [];
  const rule = "union";
  const { propertyName, mapping } = node(schema.discriminator);
  const refs = schema.oneOf.map((branch) => node(branch).$ref);
  const mapped = Object.entries(node(mapping));
  if (typeof propertyName !== "string" || JSON.stringify(mapped.map(([, ref]) => ref)) !== JSON.stringify(refs)) {
    return [{ rule, at, message: "oneOf: needs a discriminator with a mapping of every branch, in the same order" }];
  }
  return mapped.flatMap(([value, ref]) => {
    const tag = node(node(resolve(document, { $ref: ref }).properties)[propertyName]);
    if (tag.type === "string" && tag.const === value) return [];
    return [{ rule, at: String(ref), message: `${propertyName}: must be type: string with const: ${value}` }];
  });
}

/** A constant stands beside its type and an enum of itself, which generators read that know no const. */
function checkConst(schema: Node, at: string): Finding[] {
  if (!("const" in schema)) return [];
  const findings: Finding[] = [];
  if (typeof schema.type !== "string") {
    findings.push({ rule: "typed-const", at, message: "const: needs its type beside it" });
  }
  if (JSON.stringify(schema.enum) !== JSON.stringify([schema.const])) {
    findings.push({ rule: "const-enum", at, message: "const: needs an enum of this one value beside it" });
  }
  if ("minimum" in schema || "maximum" in schema) {
    const message = "const: leave minimum and maximum out; a generator makes code of them that does not compile";
    findings.push({ rule: "const-enum", at, message });
  }
  return findings;
}

function checkInteger({ format, minimum, maximum, ...schema }: Node, at: string): Finding[] {
  const rule = "integer-bounds";
  if (format !== "int32" && format !== "int64") return [{ rule, at, message: "needs format int32 or int64" }];
  if ("const" in schema) return [];
  const max = format === "int32" ? 2147483647 : safeIntegerMax;
  const isSound = typeof minimum === "number" && typeof maximum === "number" && maximum <= max && minimum >= -max;
  return isSound ? [] : [{ rule, at, message: `needs minimum and maximum within ${format}` }];
}

function checkScalar(schema: Node, at: string): Finding[] {
  const findings = checkConst(schema, at);
  const types = [schema.type].flat();
  if (types.includes("number"))
    findings.push({ rule: "integer-bounds", at, message: "number: use integer or a decimal string" });
  if (types.includes("integer")) findings.push(...checkInteger(schema, at));
  if (
    types.includes("string") &&
    !["enum", "const", "maxLength", "contentMediaType"].some((keyword) => keyword in schema)
  ) {
    findings.push({ rule: "string-bounds", at, message: "needs maxLength, enum or const" });
  }
  if (types.includes("array") && !("maxItems" in schema) && !at.endsWith("/contentSchema")) {
    findings.push({ rule: "array-bounds", at, message: "needs maxItems" });
  }
  return findings;
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}
