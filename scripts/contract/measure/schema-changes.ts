import { isNode, type Node, node } from "../../../src/review/document.ts";

/** Changes a schema in place by one kind. Returns false if nothing can be changed. */
type SchemaChange = (schema: Node, document: Node) => boolean;

const bounds =
  (key: string, change: (bound: number) => number): SchemaChange =>
  (schema) => {
    const bound = schema[key];
    if (typeof bound !== "number" || change(bound) < 0 || change(bound) === bound) return false;
    const [least, most] = ["minimum", "maximum"].map((end) => (end === key ? change(bound) : schema[end]));
    // Two changes of one schema could leave no number.
    if (Number(least) > Number(most)) return false;
    schema[key] = change(bound);
    return true;
  };
const without =
  (key: string): SchemaChange =>
  (schema) => {
    if (!(key in schema)) return false;
    delete schema[key];
    return true;
  };

/** Kinds of changes of a schema, by name. */
export const schemaChanges: Readonly<Record<string, SchemaChange>> = {
  "a listed value goes": (schema) => {
    if (!Array.isArray(schema.enum) || schema.enum.length < 2) return false;
    schema.enum = schema.enum.slice(0, -1);
    return true;
  },
  "a listed value is added": (schema) => {
    if (!Array.isArray(schema.enum) || typeof schema.enum[0] !== "string" || "const" in schema) return false;
    schema.enum = [...schema.enum, "further_value"];
    return true;
  },
  "a list of values opens": (schema) => {
    if (!Array.isArray(schema.enum) || schema.type !== "string" || "const" in schema) return false;
    schema["x-extensible-enum"] = schema.enum;
    delete schema.enum;
    return true;
  },
  "an open list closes": (schema) => {
    if (!Array.isArray(schema["x-extensible-enum"])) return false;
    schema.enum = schema["x-extensible-enum"];
    delete schema["x-extensible-enum"];
    return true;
  },
  "an open list grows": (schema) => {
    if (!Array.isArray(schema["x-extensible-enum"])) return false;
    schema["x-extensible-enum"] = [...schema["x-extensible-enum"], "further_value"];
    return true;
  },
  "a maximum falls": bounds("maximum", (bound) => Math.floor(bound / 2)),
  "a maximum rises": bounds("maximum", (bound) => (bound >= 2 ** 31 - 1 ? bound : bound * 2)),
  "a maximum goes": without("maximum"),
  "a minimum rises": bounds("minimum", (bound) => bound + 1),
  "a minimum falls": bounds("minimum", (bound) => bound - 1),
  "a longest text is shorter": bounds("maxLength", (bound) => bound - 1),
  "a longest text is longer": bounds("maxLength", (bound) => bound + 7),
  "a shortest text is longer": bounds("minLength", (bound) => bound + 1),
  "a longest list is shorter": bounds("maxItems", (bound) => bound - 1),
  "a longest list is longer": bounds("maxItems", (bound) => bound + 3),
  "a shortest list is longer": (schema) => {
    if (schema.type !== "array") return false;
    schema.minItems = Number(schema.minItems ?? 0) + 1;
    return true;
  },
  "a key goes": (schema) => changeKey(schema, (name) => dropKey(schema, name)),
  "an optional key is added": (schema) => addKey(schema, false),
  "a required key is added": (schema) => addKey(schema, true),
  "a key has another name": (schema) =>
    changeKey(schema, (name) => {
      const entries = Object.entries(node(schema.properties));
      schema.properties = Object.fromEntries(entries.map(([key, own]) => [key === name ? "renamed_key" : key, own]));
      if (Array.isArray(schema.required))
        schema.required = schema.required.map((key) => (key === name ? "renamed_key" : key));
    }),
  "a key becomes optional": (schema) => {
    if (!Array.isArray(schema.required) || schema.required.length === 0) return false;
    schema.required = schema.required.slice(1);
    return true;
  },
  "a key becomes required": (schema) => {
    const required = Array.isArray(schema.required) ? schema.required : [];
    const optional = Object.keys(node(schema.properties)).find((name) => !required.includes(name));
    if (optional === undefined) return false;
    schema.required = [...required, optional];
    return true;
  },
  "null comes": (schema) => {
    if (typeof schema.type !== "string" || "enum" in schema || "const" in schema) return false;
    schema.type = [schema.type, "null"];
    return true;
  },
  "null goes": (schema) => {
    if (!Array.isArray(schema.type) || !schema.type.includes("null") || schema.type.length !== 2) return false;
    if ("enum" in schema) return false;
    schema.type = schema.type.find((type) => type !== "null");
    return true;
  },
  "an integer becomes a number": (schema) => {
    if (schema.type !== "integer") return false;
    schema.type = "number";
    delete schema.format;
    return true;
  },
  "an integer becomes a text": (schema) => {
    if (schema.type !== "integer" || "enum" in schema) return false;
    for (const key of ["format", "minimum", "maximum", "default", "example"]) delete schema[key];
    schema.type = "string";
    return true;
  },
  "a text becomes an integer": (schema) => {
    if (schema.type !== "string" || "contentSchema" in schema) return false;
    const { description } = schema;
    for (const key of Object.keys(schema)) delete schema[key];
    Object.assign(schema, { type: "integer", description });
    return true;
  },
  "a pattern is added": (schema) => {
    if (schema.type !== "string" || "pattern" in schema || "enum" in schema || "const" in schema) return false;
    if ("format" in schema || "contentSchema" in schema) return false;
    schema.pattern = "^[a-c]+$";
    delete schema.example;
    return true;
  },
  "a pattern goes": without("pattern"),
  "a constant differs": (schema) => {
    if (typeof schema.const !== "string") return false;
    // The new value has the same length, because the schema may also limit it.
    schema.const = [...schema.const].reverse().join("");
    if ("enum" in schema) schema.enum = [schema.const];
    return true;
  },
  "an object opens": (schema) => {
    if (schema.additionalProperties !== false) return false;
    delete schema.additionalProperties;
    return true;
  },
  "a form is added": (schema) => {
    if (!Array.isArray(schema.oneOf)) return false;
    schema.oneOf = [
      ...schema.oneOf,
      { type: "object", required: ["type"], properties: { type: { const: "further_form" } } },
    ];
    return true;
  },
  "a form goes": (schema) => {
    if (!Array.isArray(schema.oneOf) || schema.oneOf.length < 2) return false;
    schema.oneOf = schema.oneOf.slice(0, -1);
    return true;
  },
  "a default differs": (schema) => {
    if (typeof schema.default !== "number") return false;
    schema.default = schema.default - 1;
    return true;
  },
  "a description differs": (schema) => {
    schema.description = "Another description.";
    return true;
  },
  "a list is unique": (schema) => {
    if (schema.type !== "array" || schema.uniqueItems === true) return false;
    schema.uniqueItems = true;
    return true;
  },
};

function changeKey(schema: Node, change: (name: string) => void): boolean {
  const name = Object.keys(node(schema.properties)).at(-1);
  if (name === undefined) return false;
  change(name);
  return true;
}

function dropKey(schema: Node, name: string): void {
  const { [name]: _, ...rest } = node(schema.properties);
  schema.properties = rest;
  if (Array.isArray(schema.required)) schema.required = schema.required.filter((key) => key !== name);
}

function addKey(schema: Node, isRequired: boolean): boolean {
  if (!isNode(schema.properties)) return false;
  schema.properties = { ...schema.properties, further_key: { type: "string", maxLength: 9 } };
  if (isRequired) schema.required = [...(Array.isArray(schema.required) ? schema.required : []), "further_key"];
  return true;
}
